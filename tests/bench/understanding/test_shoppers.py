"""Shoppers who say how much each wish matters: what is weighed, and catalogs their words fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from concede.bench.understanding.reader_examples import gather
from concede.bench.understanding.shopper_catalogs import (
    ROWS,
    shopper_sentences,
    wished_texts,
    write_catalog,
)
from concede.bench.understanding.shoppers import Shopper, shopper_talks, written_shoppers
from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint


def wish(column, op, value, weight, said):
    return {"column": column, "op": op, "value": value, "weight": weight, "said": said}


SHOPPER = Shopper.model_validate(
    {
        "thing": "kayaks",
        "opening": "a kayak for the estuary",
        "wishes": [
            wish("Length (m)", "<=", 3.5, 0.9, "three and a half metres tops"),
            wish("Load (kg)", ">=", 140, 0.7, "140 kg"),
            wish("Hull", "==", "cedar", 0.5, "cedar, thanks"),
            wish("Rod holders", "==", "yes", 0.1, "rod holders, for the look of it"),
            wish("Free from", "<=", "2026-12-12", 0.6, "by the 12th of December 2026"),
        ],
    }
)


def test_a_talk_holds_what_a_shopper_says_and_which_wish_would_go():
    for talk in shopper_talks([SHOPPER] * 8):
        said = [message.content for message in talk.transcript if message.role == "user"]
        assert all(any(wish.said in text for text in said) for wish in SHOPPER.wishes)
        assert talk.constraints[talk.gives_up].column == "Rod holders"
        assert sorted(talk.importances) == [0.1, 0.5, 0.6, 0.7, 0.9]


def test_the_same_seed_gives_the_same_talks():
    assert list(shopper_talks([SHOPPER] * 5)) == list(shopper_talks([SHOPPER] * 5))


def test_a_catalog_has_rows_that_meet_each_wish_and_rows_that_do_not(tmp_path: Path):
    file = tmp_path / "kayaks.csv"
    write_catalog(SHOPPER, file, wished_texts(written_shoppers()), seed=0)
    with Catalog.open(file) as catalog:
        for wish in SHOPPER.wishes:
            met = Constraint(column=wish.column, op=wish.op, value=wish.value)
            count = catalog.count([catalog.bind(met)])
            assert 0 < count < ROWS, wish.column


def test_of_a_bound_whose_side_is_not_said_nothing_is_learned(tmp_path: Path):
    sentences = list(shopper_sentences([SHOPPER], "shopper_"))
    assert {sentence.asked for sentence in sentences} == {
        "Length (m)", "Hull", "Rod holders", "Free from",
    }  # fmt: skip
    file = tmp_path / "kayaks.csv"
    write_catalog(SHOPPER, file, wished_texts([SHOPPER]), seed=0)
    with Catalog.open(file) as catalog:
        training = gather(sentences, {"shopper_0": catalog})
    assert training.gold == len(sentences)
    assert not training.missed


@pytest.mark.parametrize("shopper", written_shoppers(), ids=lambda shopper: shopper.thing)
def test_one_wish_of_a_written_shopper_would_clearly_go_first(shopper: Shopper):
    weights = sorted(wish.weight for wish in shopper.wishes)
    assert weights[1] - weights[0] > 0.09
    assert len({wish.column for wish in shopper.wishes}) == len(shopper.wishes)
