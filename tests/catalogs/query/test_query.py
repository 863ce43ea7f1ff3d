"""Queries: positions, groups, and how many constraints fit."""

from __future__ import annotations

import pickle

import pytest

from concede.catalogs.errors import BadConstraint, QueryError
from concede.catalogs.query.constraint import Constraint, Objective
from concede.catalogs.query.query import Query


def constraint(**fields: object) -> Constraint:
    return Constraint(column="a", op="==", value=1, **fields)  # type: ignore[arg-type]


def test_a_mapping_as_base_means_equality() -> None:
    query = Query(base={"Make": "Audi", "Year": 2017})  # type: ignore[arg-type]
    assert [constraint.record() for constraint in query.base] == [
        {"column": "Make", "op": "==", "value": "Audi"},
        {"column": "Year", "op": "==", "value": 2017},
    ]


def test_a_record_builds_the_same_query() -> None:
    query = Query(
        base=(constraint(),),
        constraints=(constraint(weight=0.5), Constraint(op="sql", value="a = 1 OR b = 2")),
        objectives=(Objective(column="a", direction="min"),),
    )
    assert Query(**query.record()) == query
    assert pickle.loads(pickle.dumps(query)) == query


def test_groups_give_way_together_and_share_hardness() -> None:
    query = Query(
        constraints=(
            constraint(group="g"),
            constraint(),
            constraint(group="g", hard=True),
            constraint(group="c 1"),
            constraint(hard=True),
        )
    )
    assert query.groups == ((0, 2), (1,), (3,), (4,))
    assert query.hard_positions == {0, 2, 4}


@pytest.mark.parametrize("kind", ["base", "constraints"])
def test_sixty_four_fit_and_one_more_does_not(kind: str) -> None:
    assert Query(**{kind: [constraint()] * 64})
    with pytest.raises(QueryError, match=r"65 .* 64 is the most"):
        Query(**{kind: [constraint()] * 65})


@pytest.mark.parametrize(
    "fields",
    [
        {"constraints": [{"column": "a", "op": "?", "value": 1}]},
        {"constraints": 5},
        {"base": [1]},
        {"objectives": [{"column": "a", "direction": "up"}]},
        {"limit": 3},
    ],
)
def test_bad_parts_are_one_line(fields: dict[str, object]) -> None:
    with pytest.raises(BadConstraint) as caught:
        Query(**fields)
    assert str(caught.value).isprintable()


def test_replace_keeps_the_rest() -> None:
    query = Query(base=(constraint(),), constraints=(constraint(),))
    assert query.replace([]) == Query(base=(constraint(),), constraints=())
