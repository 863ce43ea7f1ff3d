"""An extraction as a query: what is hard, what is vague, what is best; made by hand."""

from dataclasses import replace

import pytest

from concede.catalogs.errors import QueryError
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.query import Query
from concede.dialogs.extraction.extracted import (
    Extracted,
    ExtractedObjective,
    Extraction,
    Leaning,
    Unresolved,
)
from concede.dialogs.extraction.to_query import LEANING_WEIGHT, answer_record, to_query
from concede.dialogs.transcripts.transcript import Span

SAID = Span(0, 0, 4, "said")


def wish(column, op, value, score=0.9, **fields):
    constraint = Constraint(column=column, op=op, value=value, **fields)
    return Extracted(constraint, score, SAID, "said")


def aim(column, direction, score=0.9):
    return ExtractedObjective(column, direction, score, SAID, "said")


def leaning(column, direction, bound=None, score=0.9):
    return Leaning(column, direction, bound, score, SAID, "said")


def test_hard_wishes_stay_hard_and_vague_ones_weigh_less():
    soft = Constraint(column="year", op=">=", value=2016)
    query = to_query(
        Extraction(
            (wish("rent", "<=", 900, hard=True), wish("rooms", ">=", 2)),
            leanings=(leaning("year", "max", soft), leaning("noise", "min")),
            objectives=(aim("area", "max"),),
        )
    )
    assert [(part.column, part.hard, part.weight) for part in query.constraints] == [
        ("rent", True, None),
        ("rooms", False, None),
        ("year", False, LEANING_WEIGHT),
    ]
    assert [(goal.column, goal.direction, goal.weight) for goal in query.objectives] == [
        ("area", "max", 0.5),
        ("noise", "min", LEANING_WEIGHT),
    ]
    assert query.hard_positions == {0}


def test_the_surer_of_two_aims_at_a_column_holds_and_a_stated_one_before_a_vague_one():
    found = Extraction(
        (),
        objectives=(aim("rent", "max", 0.5), aim("rent", "min", 0.8)),
        leanings=(leaning("rent", "max", score=0.99),),
    )
    assert [(goal.column, goal.direction) for goal in to_query(found).objectives] == [
        ("rent", "min")
    ]


def test_a_bound_stands_for_an_objective_that_rows_are_not_ranked_by():
    bound = Constraint(column="leaves", op="<=", value="07:15")
    earliest = replace(aim("leaves", "min"), constraint=bound)
    query = to_query(Extraction((), objectives=(earliest, aim("rent", "min"))))
    assert [wish.column for wish in query.constraints] == ["leaves"]
    assert query.constraints[0].weight == LEANING_WEIGHT
    assert [objective.column for objective in query.objectives] == ["rent"]
    assert earliest.record()["constraint"] == {"column": "leaves", "op": "<=", "value": "07:15"}
    assert "constraint" not in aim("rent", "min").record()


def test_what_is_fixed_is_the_base():
    base = [Constraint(column="kind", op="==", value="flat")]
    assert to_query(Extraction(()), base).base == tuple(base)


def test_the_record_holds_a_query_that_can_be_asked():
    record = answer_record(Extraction((wish("rent", "<=", 900),)))
    assert Query.model_validate(record["query"]).constraints[0].value == 900
    assert record["constraints"][0]["said"] == "said"


def test_more_than_a_query_holds_is_said():
    many = Extraction(tuple(wish(f"c{at}", "==", at) for at in range(65)))
    with pytest.raises(QueryError):
        to_query(many)
    assert answer_record(many)["query"] is None
    assert len(answer_record(many)["constraints"]) == 65


def test_the_chance_of_a_reading_is_that_of_its_least_sure_part():
    sure, unsure = wish("rent", "<=", 900, 0.95), aim("area", "max", 0.6)
    assert Extraction((sure,)).chance == 0.95
    assert Extraction((sure,), objectives=(unsure,)).chance == 0.6
    assert Extraction(()).chance == 1.0
    left = Unresolved(SAID, "not understood")
    assert Extraction((sure,), not_understood=(left,)).chance == 0.0
    assert Extraction((sure,), (left,)).chance == 0.0
