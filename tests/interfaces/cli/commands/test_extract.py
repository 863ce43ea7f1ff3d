"""`concede extract`: tables, JSON, standard input, exit codes."""

import io
import sys
from types import SimpleNamespace

import pytest

CATALOG = ("extract", "--catalog", "cars.csv")


def test_the_table_shows_column_operator_value_and_words(concede):
    outcome = concede(*CATALOG, "--text", "a Lexus under 40k, at least 30 mpg")
    assert (outcome.code, outcome.err) == (0, "")
    for part in ("3 constraints", "Lexus", "40,000", "40k", "highway MPG", ">="):
        assert part in outcome.out


def test_json_holds_every_constraint_with_its_evidence(concede):
    text = "a Lexus from 2012 or later"
    record = concede(*CATALOG, "--text", text, "--format", "json").json
    triples = [
        (constraint["column"], constraint["op"], constraint["value"])
        for constraint in record["constraints"]
    ]
    assert triples == [("Make", "==", "Lexus"), ("Year", ">=", 2012)]
    for constraint in record["constraints"]:
        evidence = constraint["evidence"]
        assert text[evidence["start"] : evidence["end"]] == evidence["text"]
        assert 0.0 < constraint["score"] <= 1.0
        assert {"alternatives", "ambiguous", "question", "said"} <= constraint.keys()
    assert record["unresolved"] == record["waived"] == []


def test_ndjson_writes_a_line_for_each_constraint(concede):
    outcome = concede(*CATALOG, "--text", "a diesel BMW", "--format", "ndjson")
    assert len(outcome.out.splitlines()) == 2


def test_only_some_columns_are_shown(concede):
    arguments = ("--text", "a diesel BMW", "--column", "make", "--format", "json")
    record = concede(*CATALOG, *arguments).json
    assert [constraint["column"] for constraint in record["constraints"]] == ["Make"]


def test_the_slot_gives_a_bare_answer_its_column(concede):
    record = concede(*CATALOG, "--text", "33", "--slot", "Year", "--format", "json").json
    assert [constraint["column"] for constraint in record["constraints"]] in ([], ["Year"])
    record = concede(*CATALOG, "--text", "33", "--slot", "highway MPG", "--format", "json").json
    (constraint,) = record["constraints"]
    assert (constraint["column"], constraint["op"], constraint["value"]) == (
        "highway MPG",
        ">=",
        33,
    )


def test_the_text_may_come_from_standard_input(concede, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"a Lexus \xff")))
    outcome = concede(*CATALOG, "--text", "-")
    assert outcome.code == 0
    assert "1 constraint\n" in outcome.out.replace(" \n", "\n")


def test_nothing_found_is_said(concede):
    outcome = concede(*CATALOG, "--text", "hello there")
    assert (outcome.code, outcome.out.strip()) == (0, "No constraint on cars in this text.")


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (("--text", "x", "--slot", "Mak"), 2, "unknown column 'Mak'"),
        (("--text", "x", "--column", "Mak"), 2, "unknown column 'Mak'"),
        (("--text", "x" * 100_001), 2, "100,001 characters"),
        ((), 2, "--text"),
    ],
)
def test_a_bad_request_is_one_line(concede, arguments, code, complaint):
    outcome = concede(*CATALOG, *arguments)
    assert outcome.code == code
    assert complaint in outcome.err
    assert outcome.out == ""


def test_control_characters_never_reach_the_terminal(concede):
    outcome = concede(*CATALOG, "--text", "at most \x1b[2J5 \x1b[31m turnips", "--slot", "Make")
    assert "\x1b" not in outcome.out
