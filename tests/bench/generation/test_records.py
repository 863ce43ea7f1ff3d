"""Oracle weights, and the sentences of a record."""

from __future__ import annotations

import json
import random

import pytest

from concede import Catalog, Constraint
from concede.bench.generation.records import base_sentence, drawn_weights, full_sentence
from concede.bench.instances import Instance, base_of_sentence, read_instances


def test_even_weights_sum_to_one_and_keep_their_ratio():
    dice = random.Random(3)
    for size in (2, 3, 4):
        for _ in range(200):
            weights = drawn_weights(size, None, dice)
            assert sum(weights) == pytest.approx(1)
            assert max(weights) / min(weights) <= 5


def test_a_unique_repair_weighs_what_published_ones_do(shared_data):
    drawn = [drawn_weights(4, 3, random.Random(seed)) for seed in range(2_000)]
    records = json.loads((shared_data / "aware_us" / "MUS-4_unique.json").read_text("utf-8"))
    published = [
        [constraint_weight["weight"] for constraint_weight in each["constraint_weights"]]
        for each in records
    ]
    for weights in drawn:
        assert sum(weights) == pytest.approx(1)
        assert weights[3] < min(weights[:3]) / 2

    def ends(listed, places):
        found = [weights[place] for weights in listed for place in places]
        return min(found), max(found), sum(found) / len(found)

    for places in ([3], [0, 1, 2]):
        low, high, mean = ends(drawn, places)
        their_low, their_high, their_mean = ends(published, places)
        assert low <= their_low
        assert high >= their_high
        assert mean == pytest.approx(their_mean, rel=0.1)


def test_published_sentences_are_written_again_word_for_word(shared_data):
    cars = Catalog.open(shared_data / "cooperunion_cars" / "data.csv")
    for name in ("MUS-4_unique.json", "MUS-4_any.json", "MUS-2_any.json"):
        for read_instance in read_instances(shared_data / "aware_us" / name):
            query = read_instance.query(cars)
            assert base_sentence(query.base) == read_instance.record["base_query_sentence"]
            said = full_sentence(query.base, query.constraints)
            assert said == read_instance.record["full_query_sentence"]
            base = base_of_sentence(base_sentence(query.base), cars)
            assert list(base.values()) == [each.value for each in query.base]


def test_other_catalogs_get_a_generic_sentence():
    base = [Constraint(column="room type", op="==", value="Private room")]
    asked = [
        Constraint(column="price", op="<=", value=1200),
        Constraint(column="city", op="==", value="Reno"),
    ]
    assert base_sentence(base) == "I am looking for something with room type Private room."
    assert full_sentence(base, asked) == (
        "I am looking for something with room type Private room, price of at most 1,200, city Reno."
    )


def test_an_instance_needs_no_sentence_to_be_read():
    record = {"base": {"a": 1}, "additional_constraints": [{"column": "b", "op": "==", "value": 2}]}
    assert Instance(record).constraints[0].column == "b"
