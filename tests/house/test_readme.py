"""What the README shows is what the commands and the library really give."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from concede.bench.reproduce.headline import BEGIN, END, HEADLINE, headline_markdown

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the README's fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_demo_output_is_the_output_of_make_demo():
    # Ask make what it would run: the query stands in one place only.
    dry_run = subprocess.run(
        ["make", "-n", "-s", "demo"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    command = shlex.split(dry_run.stdout.splitlines()[-1])
    program = [sys.executable, "-m", "concede", *command[1:]]
    printed = subprocess.run(
        program,
        capture_output=True,
        encoding="utf-8",
        check=True,
        env=os.environ | {"COLUMNS": "100", "PYTHONUTF8": "1"},
    ).stdout
    (expected,) = blocks("text")
    assert [line.rstrip() for line in printed.splitlines()] == expected.splitlines()


def test_the_library_example_runs_and_prints_what_it_shows():
    (program,), (session,) = blocks("python"), blocks("pycon")
    names: dict[str, object] = {}
    exec(program, names)
    test = doctest.DocTestParser().get_doctest(session, names, "README", None, 0)
    assert len(test.examples) >= 5
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=report.append)
    assert report == []


def test_the_figures_are_those_of_a_whole_run():
    made = ROOT / "docs" / "benchmarks" / "reproduce.json"
    found = json.loads(made.read_text(encoding="utf-8"))
    assert found["quick"] is False
    assert [(row["document"], row["table"], row["cell"]) for row in found["rows"]] == [*HEADLINE]
    assert all(row["recomputed"] is not None or row["ours"] is not None for row in found["rows"])
    shown = README.partition(BEGIN)[2].partition(END)[0]
    assert shown.strip() == headline_markdown(found["rows"])


@pytest.mark.slow
def test_the_commands_shown_print_what_is_shown():
    commands = [block.partition("\n")[::2] for block in blocks("console")]
    assert len(commands) >= 2
    for command, expected in commands:
        program, *arguments = shlex.split(command.removeprefix("$ "))
        assert program == "concede"
        run = [sys.executable, "-m", "concede", *arguments]
        environment = os.environ | {"COLUMNS": "100", "PYTHONUTF8": "1"}
        printed = subprocess.run(
            run, capture_output=True, encoding="utf-8", check=True, env=environment
        ).stdout
        assert [line.rstrip() for line in printed.splitlines()] == expected.splitlines()
