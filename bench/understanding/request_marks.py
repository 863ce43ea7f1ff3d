"""One request marked: what was read rightly, what is missing, what was read and not meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...dialogs.extraction.extracted import Extraction
from .column_cells import ColumnCells
from .request_records import Gold, GoldConstraint, GoldDirection
from .wishes import Stated, Wish, same, surrounds, wishes

Direction = tuple[str, str]
"""A column, and min or max."""

Columns = Mapping[str, ColumnCells]

_SIDES = {"min": "high", "max": "low"}
"""The bound that a leaning may come as: "cheap" is an upper one."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many are right, how many missing, how many were read and not meant."""

    right: int
    missing: int
    extra: int

    @property
    def clean(self) -> bool:
        """Whether none is missing and none extra."""
        return not self.missing and not self.extra


@dataclass(frozen=True, slots=True)
class Marks:
    """What became of the wishes and directions of one request.

    `hardness` counts wishes read rightly whose hardness could be judged: right, of all.
    `admitted`: the reader said that it did not understand something.
    """

    right: tuple[Wish, ...]
    missing: tuple[Wish, ...]
    extra: tuple[Wish, ...]
    objectives: Tally
    leanings: Tally
    waived_right: bool
    hardness: tuple[int, int]
    admitted: bool

    @property
    def constraints_right(self) -> bool:
        """Whether all constraints were read, and none besides."""
        return not self.missing and not self.extra

    @property
    def fully_right(self) -> bool:
        """Whether objectives and leanings are right too."""
        return self.constraints_right and self.objectives.clean and self.leanings.clean

    def columns_right(self, columns: Iterable[str]) -> bool:
        """Whether nothing about these columns is missing, and nothing besides what was meant."""
        return {wish.column for wish in (*self.missing, *self.extra)}.isdisjoint(columns)


def mark(gold: Gold, read: Extraction, columns: Columns) -> Marks:
    """Return the marks of what was read for one request.

    A leaning of the gold may come as a leaning, as an objective, or as a bound on its side; an
    objective as a leaning without a bound.
    """
    pairs, missing, extra = paired(
        wishes(map(stated, gold.constraints), columns), wishes(_read(read), columns), columns
    )
    objectives = [(part.column, str(part.direction)) for part in read.objectives]
    leanings = [(part.column, str(part.direction)) for part in read.leanings]
    unbounded = [
        (part.column, str(part.direction)) for part in read.leanings if not part.constraint
    ]
    missed_aims = _left(gold.objectives, objectives, unbounded, leanings)
    missed_leans = _left(gold.leanings, leanings, objectives, objectives)
    missed_leans = [lean for lean in missed_leans if not _taken_as_bound(lean, extra)]
    _drop_optional(gold, columns, extra, objectives, leanings)
    judged = [pair for pair in pairs if pair[0].hard is not None]
    return Marks(
        tuple(wish for wish, _ in pairs),
        tuple(missing),
        tuple(extra),
        Tally(len(gold.objectives) - len(missed_aims), len(missed_aims), len(objectives)),
        Tally(len(gold.leanings) - len(missed_leans), len(missed_leans), len(leanings)),
        set(read.waived) == set(gold.waived),
        (sum(bool(wish.hard) == bool(other.hard) for wish, other in judged), len(judged)),
        bool(read.not_understood or read.unresolved),
    )


def stated(constraint: GoldConstraint) -> Stated:
    """Return a constraint of the gold as the scorer reads all of them."""
    return Stated(**constraint.model_dump())


def _read(read: Extraction) -> list[Stated]:
    """Return what was read; an answer's constraint without a column is on none of ours."""
    constraints = [part.constraint for part in read.constraints]
    return [Stated(part.column or "", part.op, part.value, part.hard) for part in constraints]


Pairs = list[tuple[Wish, Wish]]


def paired(
    meant: Sequence[Wish], read: list[Wish], columns: Columns
) -> tuple[Pairs, list[Wish], list[Wish]]:
    """Return the wishes read rightly with their readings, those missing, and readings left."""
    pairs, missing, left = Pairs(), list[Wish](), list(read)
    for wish in meant:
        found = _reading_of(wish, left, columns)
        for one in found:
            left.remove(one)
        if found:
            pairs.append((wish, found[0]))
        else:
            missing.append(wish)
    return pairs, missing, left


def _reading_of(wish: Wish, read: Sequence[Wish], columns: Columns) -> tuple[Wish, ...]:
    for one in read:
        if wish.column in columns and same(wish, one, columns[wish.column]):
            return (one,)
    bounds = [one for one in read if one.column == wish.column]
    for low in (one for one in bounds if one.kind == "low"):
        for high in (one for one in bounds if one.kind == "high"):
            if surrounds(wish, low, high):
                return (low, high)
    return ()


def _left(
    meant: Sequence[GoldDirection],
    read: list[Direction],
    second: Sequence[Direction],
    second_from: list[Direction],
) -> list[Direction]:
    """Return the directions that were not read; those that were are taken out of the lists.

    What is not in `read` may be in `second`, whose items stand in `second_from`.
    """
    missing = list[Direction]()
    for direction in ((part.column, str(part.direction)) for part in meant):
        if direction in read:
            read.remove(direction)
        elif direction in second and direction in second_from:
            second_from.remove(direction)
        else:
            missing.append(direction)
    return missing


def _taken_as_bound(lean: Direction, extra: list[Wish]) -> bool:
    """Return whether a leaning came as a bound, which is then no longer extra."""
    column, side = lean[0], _SIDES[lean[1]]
    bound = next((one for one in extra if (one.column, one.kind) == (column, side)), None)
    if bound is not None:
        extra.remove(bound)
    return bound is not None


def _drop_optional(
    gold: Gold,
    columns: Columns,
    extra: list[Wish],
    objectives: list[Direction],
    leanings: list[Direction],
) -> None:
    """Take out of what was read besides all that may be read and need not."""
    for free in gold.optional:
        if isinstance(free, GoldDirection):
            direction = (free.column, str(free.direction))
            for read in (objectives, leanings):
                read[:] = [one for one in read if one != direction]
            _taken_as_bound(direction, extra)
            continue
        _, _, extra[:] = paired(wishes([stated(free)], columns), extra, columns)
