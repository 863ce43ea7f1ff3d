"""`concede chat`: a person, or a persona, at the other end of a conversation."""

from __future__ import annotations

import io
import os
import pty
import select
import subprocess
import sys
import time

import pytest

from command_line import PROGRAM
from concede.dialogs.transcripts.episode import read_episode

OPENING = "I'm looking for a Lexus"
SLOTS = ("--slot", "MSRP", "--slot", "Year")
CHAT = ("chat", "--catalog", "cars.csv", "--offline", "--weighter", "lexical", *SLOTS)
ANSWERS = {
    "msrp": "at most 20,000, which is important to me",
    "year": "2013 or newer would be nice, but I'm very flexible there",
}


@pytest.fixture
def talk(concede, monkeypatch):
    """Run the command with lines typed at it."""

    def run(*lines, arguments=CHAT):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return concede(*arguments)

    return run


def answers_in_order(talk):
    """Return the answers in the order in which the questions come."""
    first = talk(OPENING, "").out
    question = first.splitlines()[2].casefold()
    return list(ANSWERS.values()) if "msrp" in question else list(ANSWERS.values())[::-1]


def test_a_conversation_ends_with_an_item(talk):
    outcome = talk(OPENING, *answers_in_order(talk), "yes")
    assert (outcome.code, outcome.err) == (0, "")
    assert "What are you looking for?" in outcome.out
    assert "Noted: make Lexus. 4 fit." in outcome.out
    assert "gives way" in outcome.out
    assert outcome.out.splitlines()[-1].startswith("Taken: Make Lexus")


@pytest.mark.parametrize("last", ["", "done", "quit", "thanks, bye", "exit"])
def test_who_has_taken_something_may_go_on(talk, last):
    outcome = talk(OPENING, *answers_in_order(talk), "1", "what year is it?", last, "2")
    assert (outcome.code, outcome.err) == (0, "")
    answer = outcome.out.split("Anything else?")[1]
    assert "year 20" in answer.casefold()
    assert outcome.out.splitlines()[-1].startswith("Taken: Make Lexus")
    assert outcome.out.count("Anything else?") == 2


def test_what_is_refused_does_not_give_way(talk):
    outcome = talk(OPENING, *answers_in_order(talk), "no, the year must stay", "1")
    assert outcome.code == 0
    assert "Year 2013" in outcome.out.splitlines()[-1]
    asked = talk(OPENING, *answers_in_order(talk), "no", "yes", "1")
    assert asked.code == 0
    assert "stays, whatever else gives way" in asked.out


def test_the_person_may_ask_back_and_take_things_back(talk):
    said = ("why do you ask?", "no idea", "how many are there?", "done", "what else?", "undo", "2")
    outcome = talk(OPENING, *said)
    assert (outcome.code, outcome.err) == (0, "")
    told = "I ask about", "stays open", "4 with make Lexus", "taken back", "Taken: Make Lexus"
    for part in told:
        assert part in outcome.out


def test_help_numbers_and_weights(talk):
    said = (
        OPENING,
        *answers_in_order(talk),
        "help",
        "77",
        "weight year 1",
        "weight msrp 0",
        "quit",
    )
    outcome = talk(*said)
    assert outcome.code == 0
    assert "how much it matters" in outcome.out
    assert "no item 77" in outcome.err


@pytest.mark.parametrize("lines", [(), (OPENING,), (OPENING, "")])
def test_the_end_of_input_is_the_end(talk, lines):
    outcome = talk(*lines)
    assert outcome.code == 0
    assert "Traceback" not in outcome.err


@pytest.fixture
def persona(folder):
    path = folder / "persona.txt"
    path.write_text(
        "I'm looking for a Lexus to commute. The price is what counts: at most 20,000, no more. "
        "I'd like it to be from 2013 or newer, but I can easily do without."
    )
    return path


def test_a_persona_answers(concede, persona, tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "episode.jsonl"
    arguments = (*CHAT, "--persona", str(persona), "--format", "json", "--transcript", str(path))
    outcome = concede(*arguments)
    assert outcome.code == 0
    record = outcome.json
    assert record["termination"] == "accepted"
    fixed = [(entry["column"], entry["op"], entry["value"]) for entry in record["base"]]
    assert fixed == [("Make", "==", "Lexus")]
    values = {
        (constraint["column"], constraint["op"], constraint["value"])
        for constraint in record["constraints"]
    }
    assert values == {("MSRP", "<=", 20000), ("Year", ">=", 2013)}
    assert [constraint["column"] for constraint in record["proposal"]["relaxed"]] == ["Year"]
    assert record["accepted"]["MSRP"] <= 20000
    episode = read_episode(path)
    assert episode.termination == "accepted"
    assert episode.transcript.records() == record["messages"]
    assert episode.header["weighter"] == "lexical"


def test_nobody_commands_the_terminal(concede, folder):
    path = folder / "persona.txt"
    path.write_text("I want a Lexus \x1b[2J\x1b]0;owned\x07 now. The price is 20,000 at most.")
    outcome = concede(*CHAT, "--persona", str(path))
    assert outcome.code == 0
    assert "\\x1b[2J" in outcome.out
    assert "\x1b" not in outcome.out + outcome.err


def test_the_same_words_give_the_same_bytes(concede, persona):
    arguments = (*CHAT, "--persona", str(persona), "--format", "json")
    assert concede(*arguments).out == concede(*arguments).out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--offline", "--model", "m"), 2, "--offline and --model"),
        (("--base-url", "http://127.0.0.1:1/v1"), 2, "--base-url without --model"),
        (("--slot", "Price"), 2, "Price"),
        (("--weighter", "gut feeling"), 2, "gut feeling"),
        (("--policy", "none"), 2, "none"),
        (("--persona", "missing.txt"), 3, "missing.txt"),
        (("--persona", "empty.txt"), 3, "empty"),
        (("--transcript", "no/such/folder.jsonl", "--offline"), 3, "folder.jsonl"),
    ],
)
def test_what_cannot_be(concede, folder, monkeypatch, arguments, code, said):
    monkeypatch.setattr(sys, "stdin", io.StringIO("a Lexus\n"))
    monkeypatch.delenv("CONCEDE_MODEL", raising=False)
    (folder / "empty.txt").write_text(" \n")
    outcome = concede("chat", "--catalog", "cars.csv", *arguments)
    assert outcome.code == code
    assert said in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals of this kind")
def test_at_a_terminal(folder):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", PROGRAM, *CHAT]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, close_fds=True
    ) as running:
        os.close(theirs)
        said = until(ours, "looking for?")
        os.write(ours, b"a Lexus\n")
        said += until(ours, "?")
        os.write(ours, b"done\n")
        said += until(ours, "quit)")
        os.write(ours, b"quit\n")
        assert running.wait(60) == 0
    os.close(ours)
    assert "Noted: make Lexus" in said


@pytest.mark.parametrize(("is_terminal", "hears"), [(True, True), (False, False)])
def test_arrows_pressed_at_a_terminal_are_no_part_of_what_is_said(
    monkeypatch, concede, is_terminal, hears
):
    typed = io.StringIO("a Lexus\x1b[D\x1bOA under 30000\x7f\nquit\n")
    monkeypatch.setattr(typed, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stdin", typed)
    said = concede(*CHAT).out
    assert ("make Lexus" in said) == hears
    assert ("nobody types" in said) != hears


def until(terminal: int, mark: str, seconds: float = 60.0) -> str:
    """Read a terminal up to a text; fail after a while."""
    said, end = "", time.monotonic() + seconds
    while mark not in said:
        ready, _, _ = select.select([terminal], [], [], max(0.0, end - time.monotonic()))
        assert ready, said
        said += os.read(terminal, 65_536).decode("utf-8", "replace")
    return said
