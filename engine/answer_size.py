"""How often an answer may repeat what was asked, so that a long question has no endless answer.

Every repair, shift and near miss names constraints, and every repair has SQL of its own: with `top`
100 a condition of a megabyte would stand in an answer hundreds of times. As long as these
repetitions come to a few times the question, or to 32 KiB, they are written out. Beyond that a long
constraint stands once, in `constraints`, where its position leads; and a long condition is defined
once, as a macro of DuckDB in `definitions`, by whose name the SQL of repairs calls it. Costs a
reading of each constraint's values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..catalogs.cached_attribute import cached_attribute
from ..catalogs.query.constraint import Constraint
from ..catalogs.query.predicate import Predicate, quoted, where_of

if TYPE_CHECKING:
    from .bound_query import BoundQuery

STATEMENTS = 5
"""How many times the question the SQL of all alternatives may be, written out."""

MENTIONS = 3
"""How many times the question the constraints of all alternatives and near misses may be."""

ALWAYS = 32 * 2**10
"""Characters that are written out whatever the question."""

LONG = (1_000, 200)
"""Characters beyond which a condition or a constraint stands once; less where that is too much."""

MANY = 64
"""Of longer lists the SQL tells the characters, so that numbers are not written out again."""

ENTRIES = 3
"""Lists that name constraints, each of up to `top` entries: repairs, shifts, near misses."""


class AnswerTexts:
    """The SQL of alternatives, and which constraints stand once, for up to `top` of each list."""

    def __init__(self, bound: BoundQuery, top: int) -> None:
        self._bound = bound
        self._top = top

    @cached_attribute
    def asked(self) -> int:
        """Characters that the question cannot do without."""
        return sum(self._lengths)

    @cached_attribute
    def _lengths(self) -> list[int]:
        """The fewest characters of JSON or SQL that say each constraint, the base first."""
        query = self._bound.query
        return list(map(_asked, (*query.base, *query.constraints), self._texts))

    @cached_attribute
    def brief(self) -> frozenset[int]:
        """The positions of constraints that changes and violations leave out."""
        if self._are_short(ALWAYS // (ENTRIES * self._top)):
            return frozenset()
        lengths = self._lengths[len(self._bound.query.base) :]
        return self._longest(lengths, MENTIONS, ENTRIES * self._top)

    @cached_attribute
    def _defined(self) -> frozenset[int]:
        """Which conditions, the base first, alternatives call by a name."""
        if self._bound.is_remote:
            # Other engines have no such macros.
            return frozenset()
        lengths = [_escaped(text) for text in self._texts]
        # One more: what the policy carries out is listed, too.
        return self._longest(lengths, STATEMENTS, 2 * self._top + 1)

    def _are_short(self, most: int) -> bool:
        """Return whether the constraints come to no more than so many characters, at a glance.

        SQL takes no fewer to say what was asked, but for what a text holds beside its value.
        """
        values = [each.value for each in self._bound.query.constraints]
        if any(isinstance(value, tuple) for value in values):
            return False
        texts = [value for value in values if isinstance(value, str)]
        return sum(map(len, (*self._bound.texts, *texts))) <= most

    def _longest(self, lengths: Sequence[int], times: int, entries: int) -> frozenset[int]:
        """Return the places of what is too long to stand in so many entries.

        Together they may be so many times the question.
        """
        if sum(lengths) <= ALWAYS // entries:
            return frozenset()
        return frozenset(_longest(lengths, max(ALWAYS, times * self.asked) // entries))

    @property
    def _texts(self) -> tuple[str, ...]:
        return (*self._bound.base_texts, *self._bound.texts)

    @property
    def _predicates(self) -> Sequence[Predicate]:
        return (*self._bound.problem.base_predicates, *self._bound.problem.predicates)

    @cached_attribute
    def definitions(self) -> tuple[str, ...]:
        """The statements to run before the SQL of an alternative, none as a rule."""
        return tuple(
            f"CREATE OR REPLACE TEMP MACRO {self._call(place)} AS ({self._texts[place]})"
            for place in sorted(self._defined)
        )

    def _call(self, place: int) -> str:
        columns = ", ".join(map(quoted, self._predicates[place].columns))
        base = len(self._bound.base_texts)
        name = f"base_{place}" if place < base else f"constraint_{place - base}"
        return f"concede_{name}({columns})"

    @cached_attribute
    def _called(self) -> tuple[tuple[str, int], ...]:
        """Conditions, each with the mask of its constraint; 0 for the base, never dropped."""
        called = [
            self._call(place) if place in self._defined else text
            for place, text in enumerate(self._texts)
        ]
        masks = [0] * len(self._bound.base_texts) + [1 << i for i in range(self._bound.width)]
        return tuple(zip(called, masks, strict=True))

    def select_without(self, dropped: int, more: Iterable[str] = ()) -> str:
        """Return the SQL of an alternative; see `BoundQuery.select_without`."""
        kept = [text for text, mask in self._called if not mask & dropped]
        kept += more
        return self._bound.select_text + where_of(kept)


def _longest(lengths: Sequence[int], most: int) -> list[int]:
    """Return the places of what has to be left out for the rest to come to no more than `most`."""
    left_out: list[int] = []
    if sum(lengths) <= most:
        return left_out
    for limit in LONG:
        left_out = [place for place, length in enumerate(lengths) if length > limit]
        if sum(min(length, limit) for length in lengths) <= most:
            break
    return left_out


def _asked(constraint: Constraint, text: str) -> int:
    """Return the fewest characters of JSON or SQL that say a constraint, whose SQL is known."""
    values = constraint.values
    if len(values) > MANY:
        # Around a value SQL writes two quotes, or `e0`, a comma and a blank.
        return len(text) - 3 * len(values)
    return len(constraint.column or "") + sum(map(_shortest, values)) + len(values)


def _shortest(value: object) -> int:
    if isinstance(value, str):
        return len(value)
    text = str(value)
    # 1e15 is shorter than what Python writes.
    return min(len(text), len(text.rstrip(".0")) + 3) if isinstance(value, float) else len(text)


def _escaped(text: str) -> int:
    """Return how long a text is in JSON."""
    return len(text) + text.count('"') + text.count("\\") + text.count("\n")
