"""How much wishes matter, and what gives way: floors on the development requests, not targets."""

from __future__ import annotations

import pytest

from concede import Constraint
from concede.bench.understanding.importance import (
    ImportantWish,
    read_importance,
    score_importance,
)
from concede.bench.understanding.request_records import DEVELOPMENT

FOLDER = DEVELOPMENT / "importance"


def test_what_matters_less_gives_way():
    scores = score_importance(FOLDER)
    assert scores.requests == len(read_importance(FOLDER)) == 90
    assert (scores.pairs.share or 0.0) >= 0.85
    assert (scores.held.share or 0.0) >= 0.93
    assert (scores.least.share or 0.0) >= 0.8
    assert (scores.spared.share or 0.0) >= 0.9


def test_nobody_s_words_count_where_all_weigh_alike():
    assert score_importance(FOLDER, "uniform").pairs.right == 0


@pytest.mark.parametrize(
    ("value", "found"), [("wifi", "wifi"), ("Parking", "parking"), ("sauna", None)]
)
def test_a_part_of_a_list_is_found_by_its_value(value: str, found: str | None):
    wishes = [
        Constraint(column="features", op="contains", value=part) for part in ("wifi", "parking")
    ]
    gold = ImportantWish(column="features", op="contains", value=value, level="soft")
    wish = gold.among(wishes)
    assert (wish and wish.value) == found
