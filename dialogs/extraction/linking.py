"""Link a value that a model gave to a column's own values, by the rules that texts are read by."""

from __future__ import annotations

from dataclasses import dataclass

from ...catalogs.query.constraint import Scalar
from ...catalogs.versions.reader import CatalogReader
from .merging import AMBIGUOUS, MAX_ALTERNATIVES
from .quantities import find_quantities
from .reading import Reading
from .unknown_values import nearest_values
from .value_index import ValueIndex
from .value_mentions import find_values

MAX_VALUE = 500
"""Characters of a value; longer ones are none."""


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


def link(
    given: bool | int | float | str, column: str, catalog: CatalogReader, index: ValueIndex
) -> Linked:
    """Return a value linked to a column; `25k` to 25000, `mid-size` to `Midsize`."""
    if column in index.yes_no:
        return _yes_or_no(given, column, index)
    if column in index.numeric:
        return _number(given, column, index)
    if column in index.columns:
        return _text(str(given)[:MAX_VALUE], column, catalog, index)
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


def _text(text: str, column: str, catalog: CatalogReader, index: ValueIndex) -> Linked:
    if text in index.columns[column].ranks:
        return Linked(text, 1.0)
    reading = Reading(text, 0, index, {column: 1.0})
    mentions = [mention for mention in find_values(reading, catalog) if mention.column == column]
    if not mentions:
        near = nearest_values(index, column, text)
        return Linked(text, 0.3, known=False, others=near)
    (entry, score), rest = mentions[0].ranked[0], mentions[0].ranked[1:]
    others = tuple((other.value, other_score) for other, other_score in rest[:MAX_ALTERNATIVES])
    close = bool(others) and score - others[0][1] < AMBIGUOUS
    return Linked(entry.value, score, others=others, ambiguous=close)
