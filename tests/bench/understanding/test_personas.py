"""Personas want what no row has, would give up what helps, and a conversation is judged by that."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

import duckdb
import pytest

from concede.bench.understanding.column_cells import LIST_SEPARATOR, ColumnCells, read_columns
from concede.bench.understanding.hostile import HostileTurn, held_out_hostile, score_hostile
from concede.bench.understanding.personas import (
    Persona,
    development_personas,
    held_out_personas,
    score_personas,
)
from concede.bench.understanding.request_records import DEVELOPMENT, HELD_OUT, GoldConstraint
from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import QueryError
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.query import Query
from concede.dialogs.conversation.roles import Question
from concede.dialogs.conversation.session import Proposal, Session
from concede.dialogs.extraction.extracted import Extraction

PERSONAS = held_out_personas()
CATALOGS = HELD_OUT / "catalogs"
COLUMNS = {
    name: read_columns(CATALOGS / f"{name}.csv")
    for name in sorted({persona.catalog for persona in PERSONAS})
}


def _condition(part: GoldConstraint, column: ColumnCells) -> str:
    """The wish as SQL over text cells; numbers are what a cell counts, its unit left out."""
    quoted = f'"{part.column}"'
    values = part.value if isinstance(part.value, list) else [part.value]
    if column.kind == "number":
        counted = f"replace(regexp_extract({quoted}, '[0-9][0-9,]*[.]?[0-9]*'), ',', '')"
        return f"cast({counted} as double) {part.op} {values[0]}"
    texts = ", ".join("'" + str(value).replace("'", "''") + "'" for value in values)
    if part.op == "contains":
        return f"list_contains(string_split({quoted}, '{LIST_SEPARATOR}'), {texts})"
    operator = {"==": "=", "in": "in"}.get(part.op, part.op)
    return f"{quoted} {operator} ({texts})"


def _counts(
    connection: duckdb.DuckDBPyConnection, persona: Persona, queries: list[list[GoldConstraint]]
) -> list[int]:
    columns = COLUMNS[persona.catalog]
    conditions = (
        " and ".join(_condition(part, columns[part.column]) for part in wishes)
        for wishes in queries
    )
    counts = ", ".join(f"count(*) filter (where {condition})" for condition in conditions)
    return list(connection.execute(f"select {counts} from {persona.catalog}").fetchall()[0])


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    opened = duckdb.connect()
    for name in COLUMNS:
        file = CATALOGS / f"{name}.csv"
        opened.execute(f"create table {name} as from read_csv('{file}', all_varchar=true)")
    return opened


def test_nothing_meets_all_wishes_and_giving_up_the_first_one_helps(
    connection: duckdb.DuckDBPyConnection,
):
    for persona in PERSONAS:
        fixed, soft = [*persona.base], persona.constraints
        fewer = [[*fixed, *(one for one in soft if one is not part)] for part in soft]
        base, everything, *without = _counts(connection, persona, [fixed, [*fixed, *soft], *fewer])
        assert base > 0
        assert everything == 0, persona
        helps = [part.column for part, count in zip(soft, without, strict=True) if count]
        assert persona.gives_up in helps, persona
        # There is a choice: another wish would do as well.
        assert len(helps) > 1, persona
        lightest = min(soft, key=lambda part: part.weight)
        assert lightest.column == persona.gives_up
        assert Counter(part.weight for part in soft)[lightest.weight] == 1


def test_there_are_sixty_personas_with_words_for_every_wish():
    assert len(PERSONAS) == 60
    assert len({persona.catalog for persona in PERSONAS}) == 6
    for persona in PERSONAS:
        assert set(persona.answers) == {part.column for part in persona.constraints}
        assert persona.opening


def test_those_of_development_want_what_no_row_has():
    personas = development_personas()
    assert len(personas) == 444
    for name in {persona.catalog for persona in personas}:
        with Catalog.open(DEVELOPMENT / "catalogs" / f"{name}.csv") as catalog:
            for one in (persona for persona in personas if persona.catalog == name):
                parts = [*one.base, *one.constraints]
                bound = [
                    (p.column, catalog.bind(Constraint(column=p.column, op=p.op, value=p.value)))
                    for p in parts
                ]
                assert catalog.count([test for _, test in bound]) == 0
                assert catalog.count([test for name, test in bound if name != one.gives_up])
                assert set(one.answers) == {part.column for part in one.constraints}


class Rehearsed:
    """A session that understands everything and relaxes a given column."""

    def __init__(self, persona: Persona, relaxes: str, extra: tuple[Constraint, ...] = ()) -> None:
        parts = [*persona.base, *persona.constraints]
        known = [Constraint(column=one.column, op=one.op, value=one.value) for one in parts]
        held = tuple(known[len(persona.base) :])
        self.query = Query(base=tuple(known[: len(persona.base)]), constraints=(*held, *extra))
        self.relaxes, self.heard, self.ended = relaxes, list[str](), None
        self.questions = iter([Question(persona.constraints[0].column, "?"), Question("x", "?")])

    def hear(self, text: str) -> Extraction:
        self.heard.append(text)
        return Extraction(())

    def next_question(self) -> Question | None:
        return next(self.questions, None)

    def propose(self) -> Proposal:
        at = [part.column for part in self.query.constraints].index(self.relaxes)
        return Proposal(self.query, cast("Any", None), (at,))


def test_a_session_that_hears_all_and_drops_the_right_wish_has_full_marks():
    persona = PERSONAS[0]
    session = Rehearsed(persona, persona.gives_up)
    scores = score_personas([persona], lambda catalog: cast("Session", session))
    assert (scores.slots.share, scores.all_slots.share, scores.given_up.share) == (1.0, 1.0, 1.0)
    opening, answer, indifferent, *volunteered = session.heard
    first, *others = persona.constraints
    assert (opening, answer) == (persona.opening, persona.answers[first.column])
    assert indifferent == "no preference"
    assert [words.split(":")[0] for words in volunteered] == [one.column for one in others]


def test_another_wish_relaxed_or_a_wish_nobody_has_is_counted():
    persona = PERSONAS[0]
    other = next(one.column for one in persona.constraints if one.column != persona.gives_up)
    extra = (Constraint(column="Ref", op="==", value="F1000"),)
    session = Rehearsed(persona, other, extra)
    scores = score_personas([persona], lambda catalog: cast("Session", session))
    assert (scores.slots.share, scores.extra) == (1.0, 1)
    assert (scores.all_slots.share, scores.given_up.share, scores.failed) == (0.0, 0.0, 0)


def test_a_session_that_fails_is_counted():
    class Failing(Rehearsed):
        def propose(self) -> Proposal:
            raise QueryError("no", hint="none")

    session = Failing(PERSONAS[0], PERSONAS[0].gives_up)
    scores = score_personas(PERSONAS[:1], lambda catalog: cast("Session", session))
    assert (scores.given_up.share, scores.failed) == (0.0, 1)


class Told(Extraction):
    """What was understood, with a reply."""

    reply = "Sorry?"


class Listening:
    """A session that takes one text for a wish, and any other as plain words."""

    def __init__(self, catalog: Catalog, misread: str) -> None:
        self.misread, self.wishes, self.ended = misread, list[Constraint](), None

    @property
    def query(self) -> Query:
        return Query(constraints=tuple(self.wishes))

    def hear(self, text: str) -> Extraction:
        if text == "crash":
            raise QueryError("crash", hint="none")
        if text == self.misread or len(text) > 20:
            self.wishes.append(Constraint(column="a", op="==", value=len(text)))
        return Told(())

    def next_question(self) -> Question | None:
        return None


@pytest.mark.parametrize("first", [True, False])
def test_receptions_of_hostile_turns_are_told_apart(first: bool):
    turns = [
        HostileTurn(catalog="flats", kind=kind, text=text, first=first)
        for kind, text in (("fine", "grr"), ("misread", "hoho"), ("crash", "crash"))
    ]
    scores = score_hostile(turns, lambda catalog: cast("Session", Listening(catalog, "hoho")))
    assert [scores.kinds[kind].right for kind in ("fine", "misread", "crash")] == [1, 0, 0]
    assert (scores.no_constraint.right, scores.goes_on.right, scores.replied.right) == (1, 2, 2)


def test_there_are_two_hundred_hostile_turns_and_floods_are_made_by_rule():
    turns = held_out_hostile()
    assert len(turns) >= 200
    assert min(Counter(turn.kind for turn in turns).values()) >= 12
    assert max(len(turn.said()) for turn in turns) == 100_000
    assert {turn.first for turn in turns} == {True, False}
