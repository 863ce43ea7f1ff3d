"""Values that may have been meant: the nearest of a column to a text that no row has.

Looked for only where a constraint alone matches nothing; costs a comparison a distinct text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz, process, utils

from ..catalogs.query.constraint import Constraint
from ..catalogs.versions.snapshot import Snapshot
from .answer import Answer

MOST_COMPARED = 50_000
LONGEST = 100
"""Characters of a text that is compared: nobody mistypes a longer one."""

NEAREST = 3
ALIKE = 70.0
"""How like another text a suggestion has to be, of 100."""


@dataclass(frozen=True)
class Suggestion:
    """A text that no row has, where it was asked for, and the texts nearest to it."""

    place: str
    position: int
    column: str
    value: str
    nearest: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Return the suggestion as a JSON object."""
        return self.__dict__ | {"nearest": list(self.nearest)}


def meant_by(answer: Answer, catalog: Snapshot, base: int) -> list[Suggestion]:
    """Return what may have been meant by texts of an answer's query; `base` is how many its base
    has."""
    return [
        *suggestions(catalog, "base", answer.hard[:base], _alone(answer.base_conflicts)),
        *suggestions(catalog, "constraints", answer.constraints, _alone(answer.conflicts)),
    ]


def _alone(conflicts: Iterable[frozenset[int]]) -> list[int]:
    """Return what matches nothing by itself."""
    return sorted(next(iter(conflict)) for conflict in conflicts if len(conflict) == 1)


def suggestions(
    catalog: Snapshot, place: str, constraints: Sequence[Constraint], positions: Iterable[int]
) -> list[Suggestion]:
    """Return what may have been meant by texts of some constraints that no row has.

    `place` is `base` or `constraints`; `positions` are those that match nothing by themselves.
    """
    found = (_suggested(catalog, place, at, constraints[at]) for at in positions)
    return [each for several in found for each in several]


def _suggested(
    catalog: Snapshot, place: str, position: int, constraint: Constraint
) -> list[Suggestion]:
    if constraint.op not in ("==", "in") or constraint.column is None:
        return []
    column = catalog.schema.find(constraint.column)
    if column.family != "text":
        return []
    texts = catalog.texts(column.name)
    if len(texts) > MOST_COMPARED:
        return []
    known = set(texts)
    strange = [each for each in constraint.values if isinstance(each, str) and each not in known]
    near = ((value, nearest_texts(value, texts)) for value in strange[:NEAREST])
    return [Suggestion(place, position, column.name, value, like) for value, like in near if like]


def nearest_texts(value: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the texts most like a value, case and signs aside, the best first."""
    if not 0 < len(value) <= LONGEST:
        return ()
    # In order, so that of equals the same come first, wherever the texts were read.
    compared = sorted(text for text in texts if len(text) <= 2 * LONGEST)
    found = process.extract(
        value,
        compared,
        scorer=fuzz.ratio,
        processor=utils.default_process,
        limit=NEAREST,
        score_cutoff=ALIKE,
    )
    return tuple(text for text, _, _ in found)
