"""Labelled sentences as requests with gold, to be scored, and requests as sentences, to learn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path

from .generation.made_catalogs import TODAY
from .labelled import (
    NOWHERE,
    LabelledConstraint,
    LabelledDirection,
    LabelledSentence,
    LabelledWaiver,
    Plain,
)
from .personas import Persona
from .request_records import Gold, GoldConstraint, GoldDirection, Request, RequestSet


def as_requests(sentences: Iterable[LabelledSentence], catalogs: Path) -> RequestSet:
    """Return the sentences as requests; `catalogs` holds a CSV file for each catalog."""
    return RequestSet(tuple(as_request(sentence) for sentence in sentences), catalogs)


KNOWN = Path(__file__).parent / "known"
"""Requests that readers learn from: what extraction was first tested with."""

SOFT = 0.1
"""A value that was only approached is a range so much to both sides."""


def as_sentences(records: RequestSet, prefix: str) -> list[LabelledSentence]:
    """Return requests as sentences whose catalogs have a prefix; where words stand is not known."""
    return [
        LabelledSentence(
            prefix + request.catalog,
            request.text,
            request.before or "",
            constraints=tuple(_labelled(wish) for wish in request.gold.constraints),
            objectives=tuple(_turned(wish) for wish in request.gold.objectives),
            leanings=tuple(_turned(wish) for wish in request.gold.leanings),
            waived=tuple(LabelledWaiver(column, NOWHERE) for column in request.gold.waived),
            phenomena=request.phenomena,
            source="known",
            today="" if request.today is None else request.today.isoformat(),
        )
        for request in records.requests
    ]


def persona_sentences(personas: Iterable[Persona], prefix: str) -> Iterator[LabelledSentence]:
    """Yield what personas open with and answer; an opening may say more than what is looked for."""
    for who in personas:
        wishes = {wish.column: _labelled(wish, known=False) for wish in who.constraints}
        yield LabelledSentence(
            prefix + who.catalog,
            who.opening,
            constraints=tuple(_labelled(wish, known=False) for wish in who.base),
            perhaps=tuple(wishes.values()),
            source="known",
        )
        for column, answer in who.answers.items():
            if column in wishes:
                yield LabelledSentence(
                    prefix + who.catalog,
                    answer,
                    asked=column,
                    constraints=(wishes[column],),
                    perhaps=tuple(wish for name, wish in wishes.items() if name != column),
                    source="known",
                )


def _labelled(wish: GoldConstraint, *, known: bool = True) -> LabelledConstraint:
    """Return a constraint; whether it is hard is learned only where that is known."""
    value = [*wish.value] if isinstance(wish.value, list) else wish.value
    hard = wish.hard if known else None
    if wish.approx and isinstance(value, int | float):
        ends: list[Plain] = [round(value * (1 - SOFT), 6), round(value * (1 + SOFT), 6)]
        return LabelledConstraint(wish.column, "between", ends, NOWHERE, hard)
    return LabelledConstraint(wish.column, wish.op, value, NOWHERE, hard)


def _turned(wish: GoldDirection) -> LabelledDirection:
    return LabelledDirection(wish.column, wish.direction, NOWHERE)


def as_request(sentence: LabelledSentence) -> Request:
    """Return a sentence as a request with gold."""
    gold = Gold(
        constraints=tuple(_constraint(wish) for wish in sentence.constraints),
        objectives=tuple(map(_direction, sentence.objectives)),
        leanings=tuple(map(_direction, sentence.leanings)),
        waived=tuple(wish.column for wish in sentence.waived),
    )
    return Request(
        catalog=sentence.catalog,
        text=sentence.text,
        before=sentence.before or None,
        today=date.fromisoformat(sentence.today) if sentence.today else TODAY,
        gold=gold,
        phenomena=(sentence.source, *sentence.phenomena),
    )


def _constraint(wish: LabelledConstraint) -> GoldConstraint:
    return GoldConstraint.model_validate(
        {"column": wish.column, "op": wish.op, "value": wish.value, "hard": wish.hard}
    )


def _direction(wish: LabelledDirection) -> GoldDirection:
    return GoldDirection(column=wish.column, direction=wish.direction)
