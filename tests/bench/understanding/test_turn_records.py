"""Turns that were labelled by hand, and how well it is read what their sentences do."""

from __future__ import annotations

import pytest

from concede.bench.understanding.turn_records import (
    FRESH,
    HELD_OUT,
    READ,
    SPOKEN,
    STRANGERS,
    WRITTEN,
    marked_turn,
    read_turns,
)
from concede.bench.understanding.turn_scores import score_turns
from concede.catalogs.errors import QueryError


def test_marks_are_taken_out_of_the_words():
    turn = marked_turn("Yes?", [("no {drop:tap},", "retract, correct"), ("{wish:a hut}?", "")])
    assert turn.text == "no tap, a hut?"
    assert [(turn.text[slice(*mark.span)], mark.role) for mark in turn.marks] == [
        ("tap", "drop"),
        ("a hut", "wish"),
    ]
    assert [turn.text[slice(*span)] for span, _ in turn.sentences] == ["no tap,", "a hut?"]
    assert [acts for _, acts in turn.sentences] == [{"retract", "correct"}, frozenset()]


@pytest.mark.parametrize(("words", "acts"), [("{wanted:tap}", ""), ("a tap", "inform, buys")])
def test_a_label_that_nobody_knows_is_refused(words: str, acts: str):
    with pytest.raises(QueryError, match="unknown label"):
        marked_turn("", [(words, acts)])


def test_what_is_right_is_counted_by_act():
    turns = [
        marked_turn("Shall it be that one?", [("yes, I'll take it", "affirm select")]),
        marked_turn("", [("thank you very much", "greet")]),
    ]
    scores = score_turns(turns)
    assert (scores.turns, scores.sentences, scores.exactly) == (2, 2, 1)
    assert scores.record()["by_act"]["affirm select"] == {
        "count": 1,
        "precision": 100.0,
        "recall": 100.0,
        "f1": 100.0,
    }
    assert scores.record()["by_act"]["greet"]["recall"] == 0.0


def test_what_words_mean_is_marked_with_them():
    turn = marked_turn("", [("{wish:easy to get on=Frame:step-through}", "inform")])
    assert turn.text == "easy to get on"
    assert [(mark.role, mark.meaning) for mark in turn.marks] == [("wish", "Frame:step-through")]


FILES = [WRITTEN, SPOKEN, READ, STRANGERS, HELD_OUT, FRESH]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_turn_can_be_read(file):
    turns = list(read_turns(file))
    assert turns
    assert all(turn.text[a:b].strip() for turn in turns for (a, b), _ in turn.sentences)


def test_no_turn_that_judges_is_one_to_learn_from():
    taught = (WRITTEN, SPOKEN, READ)
    learned = {turn.text.casefold() for file in taught for turn in read_turns(file)}
    for file in (STRANGERS, HELD_OUT, FRESH):
        long = {turn.text.casefold() for turn in read_turns(file) if len(turn.text.split()) > 5}
        assert learned.isdisjoint(long)
