"""Answers say themselves which side of a number is meant, whatever words the question had."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede import Catalog
from concede.dialogs.conversation.session import Session


@pytest.fixture(scope="module")
def studios() -> Catalog:
    columns = {
        "quarter": ["north", "south", "west"] * 40,
        "walk_mins": [*range(3, 43)] * 3,
        "desks": [*range(1, 9)] * 15,
    }
    return Catalog.open(pa.table(columns))


@pytest.mark.parametrize(
    ("column", "answer", "op", "value"),
    [
        ("walk_mins", "Fifteen minutes or less would suit me.", "<=", 15),
        ("walk_mins", "at most 20", "<=", 20),
        ("walk_mins", "12 minutes at the most, I have a bad knee.", "<=", 12),
        ("walk_mins", "no more than 25 mins", "<=", 25),
        ("walk_mins", "18 would be the limit", "<=", 18),
        ("walk_mins", "anything over 15", ">", 15),
        ("walk_mins", "anything above 20 minutes is fine", ">", 20),
        ("walk_mins", "anything below 20", "<", 20),
        ("walk_mins", "10 minimum", ">=", 10),
        ("desks", "at least four", ">=", 4),
        ("desks", "six or more, please", ">=", 6),
        ("desks", "no fewer than 5 desks", ">=", 5),
    ],
)
def test_a_number_is_a_bound_on_the_side_that_the_answer_says(
    studios: Catalog, column: str, answer: str, op: str, value: int
) -> None:
    session = Session(studios, max_questions=3)
    session.hear("hello")
    while (question := session.next_question()) is not None and question.slot != column:
        session.hear("no preference")
    assert question is not None
    assert "at least or at most?" in question.text
    session.hear(answer)
    wishes = [wish for wish in session.query.constraints if wish.column == column]
    # Whether the bound itself is let in is another question.
    assert [(wish.op.rstrip("="), wish.value) for wish in wishes] == [(op.rstrip("="), value)]
