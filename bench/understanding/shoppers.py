"""Shoppers who say what they wish and how much it matters, without a catalog: to weigh from.

A file holds one shopper a line: the thing sought, an opening, and wishes, each with the words that
answer a question about its column. Cost: linear in the file.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

from pydantic import Field

from ...catalogs.query.constraint import Constraint
from ...dialogs.transcripts.transcript import Message, Transcript
from ..json_lines import read_records
from .persona_wishes import ADDED, WeighedTalk
from .request_records import HELD_OUT, WRITTEN, GoldValue, Strict

QUESTIONS = (
    "Anything about the {column}?",
    "What should the {column} be?",
    "Do you have a preference for the {column}?",
    "And the {column}?",
)
"""How a column is asked about; nothing of it is weighed, since only a person's words are."""


class SaidWish(Strict):
    """A wish, how much it matters from 0 to 1, and the words that say both."""

    column: str
    op: str
    value: GoldValue
    weight: Annotated[float, Field(ge=0, le=1)]
    said: str


class Shopper(Strict):
    """Somebody who wants several things; the wish of the lowest weight would go first."""

    thing: str
    opening: str
    wishes: tuple[SaidWish, ...]


def written_shoppers() -> tuple[Shopper, ...]:
    """Return the shoppers that were written to be learned from."""
    return read_shoppers(WRITTEN / "shoppers.jsonl")


def held_out_shoppers() -> tuple[Shopper, ...]:
    """Return the shoppers that judge a weigher; only their figures are to be looked at."""
    return read_shoppers(HELD_OUT / "shoppers.jsonl")


def read_shoppers(file: str | Path) -> tuple[Shopper, ...]:
    """Read a file of shoppers. Raises `UnreadableFile` that names the line of what is wrong."""
    return tuple(read_records(file, Shopper.model_validate))


def shopper_talks(shoppers: Iterable[Shopper], seed: int = 0) -> Iterator[WeighedTalk]:
    """Yield a conversation with each: most columns are asked about, the others added by name."""
    draw = random.Random(seed)
    for shopper in shoppers:
        yield _talk(shopper, draw)


def _talk(shopper: Shopper, draw: random.Random) -> WeighedTalk:
    said = draw.sample(shopper.wishes, len(shopper.wishes))
    messages = [Message("user", shopper.opening)]
    for wish in said:
        if draw.random() < ADDED:
            messages.append(Message("user", f"{wish.column}: {wish.said}"))
            continue
        question = draw.choice(QUESTIONS).format(column=wish.column)
        messages += [Message("assistant", question, wish.column), Message("user", wish.said)]
    # Constraints come in no order that tells anything.
    wishes = draw.sample(shopper.wishes, len(shopper.wishes))
    weights = tuple(wish.weight for wish in wishes)
    return WeighedTalk(
        shopper.thing,
        Transcript(tuple(messages)),
        tuple(map(_constraint, wishes)),
        weights,
        weights.index(min(weights)),
    )


def _constraint(wish: SaidWish) -> Constraint:
    return Constraint.model_validate(wish.model_dump(include={"column", "op", "value"}))
