"""What is asked about a kind or a part by its value is answered of that value."""

from __future__ import annotations

import pytest

from concede import Catalog
from labelled_turns import said

pa = pytest.importorskip("pyarrow")

TENTS = Catalog.open(
    pa.table(
        {
            "model": ["Alder", "Birch", "Cedar", "Dogwood", "Elder", "Fir", "Gorse", "Hazel"],
            "shape": ["dome", "dome", "tunnel", "tunnel", "tunnel", "dome", "tipi", "tipi"],
            "comes_with": [
                "pegs; awning", "pegs", "pegs; groundsheet", "groundsheet", "pegs; awning",
                "mallet; pegs", "stove; pegs", "groundsheet",
            ],
            "price_eur": [120, 90, 210, 160, 320, 75, 400, 280],
        }
    ),
    key="model",
)  # fmt: skip

DOMES = ("a {wish:dome} please, {wish:at most 100}", "inform")


def asked(monkeypatch, *turn):
    shown = ("what is {ask:there}?", "ask items")
    return said(monkeypatch, TENTS, DOMES, shown, turn)[1][-1]


@pytest.mark.parametrize(
    "words", ["does it come {ask:with pegs}?", "and are there {ask:pegs with it}?"]
)
def test_a_part_that_is_asked_for_is_told_plainly(monkeypatch, words):
    reply = asked(monkeypatch, words, "ask value")
    assert "yes" in reply
    assert "shape" not in reply


def test_each_of_two_parts_is_told(monkeypatch):
    words = "does it come {ask:with pegs}, or {also:an awning} at least?"
    reply = asked(monkeypatch, words, "ask value")
    assert "pegs: yes" in reply
    assert "awning: no" in reply


def test_a_kind_is_counted_of_all_there_is_and_has_its_own_best(monkeypatch):
    turn = ("{ask:how many tunnels} have you altogether,", "ask count",
            "and {ask:what is the dearest} of them?", "ask best")  # fmt: skip
    reply = asked(monkeypatch, *turn)
    assert "3 with shape tunnel" in reply
    assert "The highest price" in reply
    assert "Elder" in reply
    assert "says nothing" not in reply
