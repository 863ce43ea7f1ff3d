"""Conditions bound to one schema, each once: most questions ask what others asked before."""

from __future__ import annotations

from collections.abc import Hashable

from .binding import bind
from .columns import Schema
from .constraint import Constraint
from .predicate import Predicate

REMEMBERED = 1_024
"""Conditions remembered; what comes after so many begins anew."""

MOST_VALUES = 16
LONGEST = 200
"""Lists of more values, and longer texts, are bound each time: they would hold memory for what
seldom comes again."""

_PLAIN = frozenset((str, int, float, bool, type(None)))
"""Types whose values differ where their `repr` does."""


class Binder:
    """Binds as `binding.bind` does, and remembers what came of it. Safe across threads."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._known: dict[Hashable, Predicate] = {}

    def bind(self, constraint: Constraint) -> Predicate:
        """Return the constraint as a predicate; raise what `binding.bind` raises."""
        key = _key(constraint)
        if key is None:
            return bind(constraint, self.schema)
        found = self._known.get(key)
        if found is None:
            found = bind(constraint, self.schema)
            if len(self._known) >= REMEMBERED:
                self._known = {}
            self._known[key] = found
        return found


def _key(constraint: Constraint) -> Hashable | None:
    """Return what tells this condition from others; None where it is not to be remembered."""
    value = constraint.value
    values = value if isinstance(value, tuple) else (value,)
    if len(values) > MOST_VALUES or not all(map(_is_short, values)):
        return None
    # As text: 1, 1.0 and True are equal, and different values of a column.
    return constraint.column, constraint.op, constraint.nulls, repr(value)


def _is_short(value: object) -> bool:
    return type(value) in _PLAIN and not (isinstance(value, str) and len(value) > LONGEST)
