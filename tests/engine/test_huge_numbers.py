"""Numbers whose difference no double holds: no warning, no distance or score that is no number."""

import math
import warnings

import pytest

from concede import Catalog, Query, RepairEngine
from concede.catalogs.query.constraint import spoken
from concede.engine.ranking.near_ranking import NearRanker
from concede.engine.ranking.numpy_ranking import NumpyRanker

HUGE = [1.7e308, -1.7e308, 1e300, -1e300, 0.0, 5.0]


@pytest.mark.parametrize("ranker", [NumpyRanker, NearRanker])
def test_distances_and_scores_are_numbers(ranker, monkeypatch):
    pandas = pytest.importorskip("pandas")
    catalog = Catalog.open(pandas.DataFrame({"x": HUGE * 3, "y": HUGE[::-1] * 3}))
    query = Query.model_validate(
        {
            "constraints": [
                {"column": "x", "op": ">=", "value": 8e307},
                {"column": "y", "op": ">=", "value": 8e307},
                {"column": "x", "op": "<=", "value": -8e307},
            ],
            "objectives": [{"column": "y", "direction": "max"}],
        }
    )
    monkeypatch.setattr(
        "concede.engine.repair_context.row_ranker",
        lambda bound, budget, histogram: ranker(bound, budget),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answer = RepairEngine(catalog, threads=1).repair(query)
    numbers = [violation.distance for miss in answer.near_misses for violation in miss.violates]
    numbers += [repair.cost for repair in (*answer.repairs, *answer.shifts)]
    numbers += [part.satisfaction for item in answer.items for part in item.contributions]
    assert numbers
    assert all(math.isfinite(number) for number in numbers)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1e300, "1e+300"),
        (-1e300, "-1e+300"),
        (9e15, "9,000,000,000,000,000"),
        (2**64, f"{2**64:,}"),
    ],
)
def test_a_huge_number_in_words_is_short(value, words):
    assert spoken(value) == words


def test_a_moment_is_written_one_way():
    pandas = pytest.importorskip("pandas")
    moments = pandas.to_datetime(["2024-01-31 12:00:00", "2024-03-01 08:30:00"])
    catalog = Catalog.open(pandas.DataFrame({"at": moments, "n": [1, 2]}))
    query = Query.model_validate(
        {"constraints": [{"column": "at", "op": ">=", "value": "2025-01-01"}]}
    )
    answer = RepairEngine(catalog, threads=1).repair(query)
    moved = answer.record()["shifts"][0]["changes"][0]["to"]["value"]
    assert moved == "2024-03-01T08:30:00"
    assert f"≥ {moved}" in answer.shifts[0].explanation
    assert f"≥ {moved}" in answer.explanation
