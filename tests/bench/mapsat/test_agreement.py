"""Several verdicts made one, and judges beside people."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.bench.mapsat.agreement import (
    agreement,
    judged_like_people,
    majority,
    read_human_scores,
)
from concede.bench.mapsat.scores import Verdict
from concede.catalogs.errors import QueryError, UnreadableFile

SOFT = st.sampled_from((0.0, 0.25, 0.5, 0.75, 1.0))
VERDICTS = st.lists(
    st.builds(
        Verdict,
        st.tuples(st.booleans(), st.booleans()),
        st.tuples(SOFT, SOFT),
        st.tuples(st.booleans()),
    ),
    min_size=3,
    max_size=3,
)


def slow_majority(given: list[float]) -> float:
    for value in given:
        if given.count(value) >= 2:
            return value
    return sorted(given)[1]


@given(VERDICTS)
def test_two_of_three_decide_else_the_middle_one(verdicts: list[Verdict]):
    got = majority(verdicts)
    for name in ("explicit", "credits", "facts"):
        columns = zip(*(getattr(verdict, name) for verdict in verdicts), strict=True)
        assert getattr(got, name) == tuple(slow_majority(list(column)) for column in columns)
    assert majority(verdicts[:1]) == verdicts[0]


def test_verdicts_must_be_of_one_dialogue():
    with pytest.raises(QueryError, match="no verdict"):
        majority([])
    with pytest.raises(QueryError, match="different factors"):
        majority([Verdict((True,), (), ()), Verdict((), (), ())])


def test_agreement_within_tolerances():
    found = agreement([(1.0, 0.95), (0.5, 0.52), (0.5, 0.9), (0.0, 0.0)])
    assert found["cases"] == 4
    assert found["within_0.05"]["share"] == 0.75
    assert found["within_0.02"]["share"] == 0.5
    assert found["MAE"] == pytest.approx((0.05 + 0.02 + 0.4) / 4)
    assert agreement([])["within_0.05"] == {"share": None, "interval": None}


def test_people_are_read_and_compared(tmp_path: Path):
    path = tmp_path / "people.jsonl"
    path.write_text('{"id": "a", "model": "m", "scores": {"ECR": 1, "CEI": 2}}\n')
    people = read_human_scores(path)
    found = judged_like_people(people, {("a", "m"): {"ECR": 0.5, "CEI": None}})
    assert (found["ECR"]["MAE"], found["CEI"]["cases"]) == (0.5, 0)
    with pytest.raises(QueryError, match="none of these"):
        judged_like_people(people, {("a", "other"): {"ECR": 1.0}})


@pytest.mark.parametrize(
    "line", ['{"id": "a"', '{"id": "a"}', '{"id": "a", "scores": {"ECR": NaN}}', "[]", "7"]
)
def test_torn_scores(tmp_path: Path, line: str):
    path = tmp_path / "people.jsonl"
    path.write_text(line)
    with pytest.raises(UnreadableFile, match="line 1"):
        read_human_scores(path)
