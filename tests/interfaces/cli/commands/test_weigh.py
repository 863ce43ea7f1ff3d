"""`concede weigh`: constraints of a text with weights, confidence and evidence."""

import io
import json

import pytest

TEXT = "It has to be a Lexus. 2015 or newer would be nice, but that is not essential."
ASKED = ("weigh", "--catalog", "cars.csv", "--text")


@pytest.fixture
def typed(monkeypatch):
    """Give the command line a standard input."""

    def give(data: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))

    return give


@pytest.mark.parametrize("weighter", ["learned", "lexical", "ensemble"])
def test_json_holds_what_was_asked_and_how_much_it_matters(concede, weighter):
    outcome = concede(*ASKED, TEXT, "--weighter", weighter, "--format", "json")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.json["weighter"] == weighter
    make, year = outcome.json["constraints"]
    assert (make["column"], make["op"], make["value"]) == ("Make", "==", "Lexus")
    assert (year["column"], year["op"], year["value"]) == ("Year", ">=", 2015)
    assert make["weight"] > 0.7 > 0.5 > year["weight"]
    assert 0 < make["confidence"] <= 1
    for constraint in (make, year):
        for span in constraint["evidence"]:
            assert TEXT[span["start"] : span["end"]] == span["text"]


def test_learned_weighs_unless_another_is_named(concede):
    named = concede(*ASKED, TEXT, "--weighter", "learned", "--format", "json")
    assert concede(*ASKED, TEXT, "--format", "json").out == named.out


def test_ndjson_is_a_line_for_each_constraint(concede):
    outcome = concede(*ASKED, TEXT, "--format", "ndjson")
    assert [json.loads(line)["column"] for line in outcome.out.splitlines()] == ["Make", "Year"]


def test_the_table_shows_bars_and_reasons(concede):
    outcome = concede(*ASKED, TEXT)
    assert outcome.code == 0
    make, year = (
        next(line for line in outcome.out.splitlines() if name in line)
        for name in ("Make = Lexus", "Year ≥ 2015")
    )
    assert make.count("█") > 10 > year.count("█")
    assert "not essential" in year


def test_text_comes_from_standard_input_too(concede, typed):
    typed(TEXT.encode())
    assert "Make = Lexus" in concede(*ASKED, "-").out


def test_nothing_asked_is_said_so(concede):
    outcome = concede(*ASKED, "Hello there!")
    assert (outcome.code, outcome.out.strip()) == (0, "No constraint to weigh in this text.")


def test_an_unknown_weighter_is_one_line(concede):
    outcome = concede(*ASKED, TEXT, "--weighter", "nope")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("concede: no weighter 'nope'; weighters: learned")


def test_too_much_on_standard_input_is_one_line(concede, typed):
    typed(b"a" * 1_000_001)
    outcome = concede(*ASKED, "-")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)


def test_control_characters_do_not_reach_the_terminal(concede):
    outcome = concede(*ASKED, "It must be a \x1b[31mLexus\x07, really")
    assert outcome.code == 0
    assert "\x1b" not in outcome.out
    assert "\x07" not in outcome.out
