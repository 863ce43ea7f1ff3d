"""Labelled sentences as requests with gold, so that they are scored as held-out requests are."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path

from .generation.made_catalogs import TODAY
from .labelled import LabelledConstraint, LabelledDirection, LabelledSentence
from .request_records import Gold, GoldConstraint, GoldDirection, Request, RequestSet

APPROXIMATE = "approximations"


def as_requests(sentences: Iterable[LabelledSentence], catalogs: Path) -> RequestSet:
    """Return the sentences as requests; `catalogs` holds a CSV file for each catalog."""
    return RequestSet(tuple(as_request(sentence) for sentence in sentences), catalogs)


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
