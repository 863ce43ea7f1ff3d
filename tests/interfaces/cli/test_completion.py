"""Completion: what bash really gets, and what zsh and fish are told."""

import os
import shutil
import stat
import subprocess
import sys

import pytest

from command_line import PROGRAM, in_own_process

bash = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash on this machine")


@pytest.fixture(scope="module")
def script():
    """The completion script for bash, as the command line prints it."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "completion", "bash"],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture
def offers(folder, script):
    """Return what bash offers for words of a line, the last one begun."""
    program = folder / "bin" / "concede"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{PROGRAM}" "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    (folder / "completion.bash").write_text(script)

    def ask(*words):
        steps = [
            "source completion.bash",
            'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))',
            "_concede_completion concede",
            'printf "%s\\n" "${COMPREPLY[@]}"',
        ]
        done = subprocess.run(
            ["bash", "--norc", "-c", "\n".join(steps), "bash", *words],
            capture_output=True,
            env={**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"},
            cwd=folder,
            text=True,
            check=True,
        )
        assert done.stderr == ""
        return done.stdout.split("\n")[:-1]

    return ask


CARS = ("concede", "repair", "--catalog", "cars.csv")
# Bash hands over a word with a colon or an equals sign as three.
LINES = [
    (("concede", "re"), ["repair"]),
    (("concede", "catalog", ""), ["describe", "info", "init"]),
    (("concede", "completion", "f"), ["fish"]),
    (("concede", "repair", "--pol"), ["--policy"]),
    (("concede", "repair", "--policy", "cu"), ["cumulative"]),
    (("concede", "diagnose", "--format", "nd"), ["ndjson"]),
    (("concede", "diagnose", "--solver", ""), ["bitset", "sql", "z3", "brute"]),
    (("concede", "repair", "--catalog", "sam"), ["sample:cars"]),
    (("concede", "repair", "--catalog", "sample", ":", "c"), ["cars"]),
    (("concede", "catalog", "info", "sam"), ["sample:cars"]),
    ((*CARS, "--weight", "ms"), ["MSRP"]),
    ((*CARS, "--hard", "hi"), [r"highway\ MPG"]),
    ((*CARS, "--hard", r"highway\ M"), [r"highway\ MPG"]),
    ((*CARS, "--hard", "'hi"), ["highway MPG"]),
    ((*CARS, "--weight", "MSRP", "=", "0.5", "--hard", "Y"), ["Year"]),
    (("concede", "repair", "--catalog", "missing.csv", "--hard", "Y"), [""]),
    (("concede", "repair", "--hard", "Y"), [""]),
]


@pytest.mark.slow
@bash
@pytest.mark.parametrize(("words", "offered"), LINES, ids=lambda one: " ".join(one))
def test_bash_offers(words, offered, offers):
    assert offers(*words) == offered


@pytest.mark.parametrize(
    ("shell", "environment", "answer"),
    [
        ("bash", {"COMP_WORDS": "concede\nrepair\n--to", "COMP_CWORD": "2"}, "plain,--top\n"),
        ("bash", {"COMP_WORDS": "concede\nrepair\n--query\nq", "COMP_CWORD": "3"}, "file,q\n"),
        ("zsh", {"COMP_WORDS": "concede repair --to", "COMP_CWORD": "2"}, "plain\n--top\n"),
        ("fish", {"COMP_WORDS": "concede repair --to", "COMP_CWORD": "--to"}, "plain,--top"),
    ],
)
def test_the_program_answers_a_shell(shell, environment, answer, folder):
    request = {**environment, "_CONCEDE_COMPLETE": f"{shell}_complete"}
    outcome = in_own_process(folder=folder, environment=request)
    assert outcome.out.startswith(answer)
    assert outcome.err == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_printed_for_every_shell(shell, concede):
    outcome = concede("completion", shell)
    assert outcome.code == 0
    assert f"_CONCEDE_COMPLETE={shell}_complete" in outcome.out
