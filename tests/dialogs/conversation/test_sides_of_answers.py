"""Answers say themselves which side of a number is meant, whatever words the question had."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.dialogs.conversation.session import Session


@pytest.fixture(scope="module")
def studios(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    path = tmp_path_factory.mktemp("studios") / "studios.csv"
    rows = [f"{('north', 'south', 'west')[i % 3]},{3 + i % 40},{1 + i % 9}" for i in range(120)]
    path.write_text("\n".join(["quarter,walk_mins,desks", *rows]))
    return Catalog.open(path)


@pytest.mark.parametrize(
    ("column", "answer", "op", "value"),
    [
        ("walk_mins", "Fifteen minutes or less would suit me.", "<=", 15),
        ("walk_mins", "at most 20", "<=", 20),
        ("walk_mins", "12 minutes at the most, I have a bad knee.", "<=", 12),
        ("walk_mins", "no more than 25 mins", "<=", 25),
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
    heard = [(wish.op, wish.value) for wish in session.query.constraints if wish.column == column]
    assert heard == [(op, value)]
