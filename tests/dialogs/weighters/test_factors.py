"""The published weights: strength, recency, momentum and need, as the document says."""

import json
import re

import pytest

from concede.catalogs.errors import QueryError
from concede.dialogs.weighters.factors import MOST, BehaviourWeighter, factor_of

COUNTED = {"supporting": 38, "total": 94}


@pytest.mark.parametrize(
    ("factor", "weight"),
    [
        (COUNTED | {"recent": 20, "early": 18}, 0.4851),
        (COUNTED | {"current_need": 1.2}, 0.4851),
        ({"profile": 0.852, "routine": True, "current_need": 1.2}, 0.8179),
        ({"supporting": 2, "total": 4, "profile": 0.433, "current_need": 1.2}, 0.66),
        ({"profile": 0.48, "routine": True}, 0.384),
        ({"profile": 0.743}, 0.743),
        ({"profile": 0.859, "routine": True}, 0.6872),
        ({"supporting": 6, "total": 9, "recent": 3, "early": 3}, 0.6667),
        ({"supporting": 3, "total": 7, "recent": 2, "early": 1}, 0.5143),
        ({"current_need": 1.2}, 1.2),
        ({"relevance": "strong", "current_need": 1.2}, 1.2),
        ({"relevance": "weak"}, 0.3),
        ({"supporting": 5, "total": 5, "recent": 3, "early": 2, "current_need": 1.2}, 1.44),
        ({"profile": 0.5, "current_need": "conflicting"}, 0.25),
    ],
)
def test_weights_are_the_product(factor, weight):
    assert factor_of(factor).weight == pytest.approx(weight, abs=5e-5)


@pytest.mark.parametrize(
    ("recent", "early", "momentum"),
    [(3, 2, 1.2), (2, 2, 1.0), (1, 2, 0.8), (0, 2, 0.6), (0, 0, 0.6), (1, 0, 1.2)],
)
def test_momentum_of_behaviour_alone(recent, early, momentum):
    factor = factor_of({"supporting": 4, "total": 4, "recent": recent, "early": early})
    assert factor.momentum == momentum


@pytest.mark.parametrize(
    ("supporting", "profile", "momentum"),
    [(50, 0.5, 1.0), (50, 0.433, 1.1), (90, 0.5, 1.2), (35, 0.5, 0.8), (10, 0.5, 0.6), (2, 0, 1.1)],
)
def test_momentum_against_the_profile(supporting, profile, momentum):
    factor = factor_of({"supporting": supporting, "total": 100, "profile": profile})
    assert factor.momentum == momentum


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"id": "a", "routine": True},
        {"supporting": 3},
        {"supporting": 3, "total": 0},
        {"supporting": 3, "total": 2},
        {"supporting": -1, "total": 2},
        COUNTED | {"recent": 3},
        {"recent": 1, "early": 1},
        {"profile": 1.1},
        {"profile": float("nan")},
        {"relevance": "some"},
        {"current_need": 2},
        {"current_need": True},
        {"profile": 0.5, "colour": 1},
        [],
        None,
    ],
)
def test_what_is_no_factor_is_one_line(wrong):
    with pytest.raises(QueryError) as error:
        factor_of(wrong)
    assert "\n" not in str(error.value)


def test_a_constraint_weighs_its_part_of_the_most():
    weighter = BehaviourWeighter({"Brand": COUNTED | {"current_need": 1.2}})
    constraints = [
        {"column": "brand", "op": "==", "value": "TELD"},
        {"column": "price", "op": "<=", "value": 1},
    ]
    weights = weighter.weigh("", constraints).weights
    assert weights == (pytest.approx(0.4851 / MOST, abs=1e-4), 0.5)


def test_published_weights_come_out_of_the_published_evidence(shared_data):
    path = shared_data / "mapsatisfybench_demo" / "tasks.jsonl"
    if not path.is_file():
        pytest.skip(f"no {path}")
    tasks = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    published = {
        (task["id"], factor["confidence"]): factor["evidence"]
        for task in tasks
        for factor in task["implicit_intent"]
    }
    ratio = re.compile(r"占比([\d.]+)%")

    def share(task: str, weight: float) -> float:
        found = ratio.search(published[task, weight])
        assert found
        return float(found[1]) / 100

    driving = {"profile": share("msb-05", 0.8179), "routine": True, "current_need": 1.2}
    assert factor_of(driving).weight == pytest.approx(0.8179, abs=5e-5)
    brand = {"profile": share("msb-05", 0.384), "routine": True}
    assert factor_of(brand).weight == pytest.approx(0.384)
    towns = {"profile": share("msb-02", 0.743)}
    assert factor_of(towns).weight == pytest.approx(0.743)
    trips = {"profile": share("msb-02", 0.6872), "routine": True}
    assert factor_of(trips).weight == pytest.approx(0.6872)
    tackle = {"supporting": 2, "total": 4, "profile": share("msb-03", 0.66), "current_need": 1.2}
    assert factor_of(tackle).weight == pytest.approx(0.66)
