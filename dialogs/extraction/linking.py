"""Link a value as somebody writes it to a column's own: `25k` to 25000, `mid-size` to `Midsize`."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ...catalogs.query.constraint import Scalar
from .decoding import weigh
from .mentions import find_mentions
from .merging import MAX_ALTERNATIVES
from .network import fitted, softmax
from .quantities import find_quantities
from .reading import Reading
from .value_index import ValueIndex, nearest_values

MAX_VALUE = 500
"""Characters of a value; longer ones are none."""

_CLOCK = re.compile(r"([01]?\d|2[0-4])[:.]([0-5]\d)(?::00)?")
"""A time of day, which bounds a column of times whether an item has it or not."""

ALIKE = 0.7
"""How alike a value that nobody wrote and the column's nearest one are, to be the same."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A value as the column holds it, with a score in [0, 1] and other readings of it.

    `known` is False for a text or yes-or-no value that the column has not.
    """

    value: Scalar
    score: float
    known: bool = True
    others: tuple[tuple[Scalar, float], ...] = ()
    ambiguous: bool = False


def link(given: bool | int | float | str, column: str, index: ValueIndex) -> Linked:
    """Return a value linked to a column; what no column of that kind holds is not known."""
    if column in index.yes_no:
        linked = _yes_or_no(given, column, index)
        if linked.known or column not in index.columns:
            return linked
    if column in index.clocks and (time := _CLOCK.fullmatch(str(given).strip())):
        return Linked(f"{int(time[1]):02}:{time[2]}", 1.0)
    if column in index.numeric:
        return _number(given, column, index)
    if column in index.columns:
        return _text(str(given)[:MAX_VALUE], column, index)
    return Linked(given, 1.0)


def _yes_or_no(given: bool | int | float | str, column: str, index: ValueIndex) -> Linked:
    yes_no = index.yes_no[column]
    word = str(given).casefold().strip()
    if word in ("true", "yes", "y", "1", str(yes_no.yes).casefold()):
        return Linked(yes_no.yes, 1.0)
    if word in ("false", "no", "n", "0", str(yes_no.no).casefold()):
        return Linked(yes_no.no, 1.0)
    return Linked(given, 0.0, known=False)


def _number(given: bool | int | float | str, column: str, index: ValueIndex) -> Linked:
    if isinstance(given, bool):
        return Linked(given, 0.0, known=False)
    if isinstance(given, int | float):
        return Linked(given, 1.0)
    quantities = find_quantities(Reading(given[:MAX_VALUE], 0, index, {column: 1.0}))
    if len(quantities) != 1 or quantities[0].high is not None:
        return Linked(given, 0.0, known=False)
    value = quantities[0].value
    return Linked(int(value) if value.is_integer() else value, 0.95)


def _text(text: str, column: str, index: ValueIndex) -> Linked:
    if text in index.columns[column].ranks:
        return Linked(text, 1.0)
    reading = Reading(text, 0, index, {column: 1.0})
    weighed = [
        (float(item.logits[at]), option)
        for item in (weigh(reading, mention, fitted()) for mention in find_mentions(reading))
        for at, option in enumerate(item.mention.options)
        if option.column == column and item.mention.kind == "value"
    ]
    if not weighed:
        near = nearest_values(index, column, text)
        if near and near[0][1] >= ALIKE:
            return Linked(*near[0], others=near[1:])
        return Linked(text, 0.0, known=False, others=near)
    gain, best = max(weighed, key=lambda pair: pair[0])
    score = float(softmax(np.array([gain, 0.0], dtype=np.float32))[0])
    others = tuple((value, score) for value in best.values[1 : MAX_ALTERNATIVES + 1])
    return Linked(best.values[0], score, others=others, ambiguous=best.rivals > 0)
