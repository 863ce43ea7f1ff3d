"""Conditions bound to one schema, each once: most questions ask what others asked before."""

from __future__ import annotations

from collections.abc import Hashable

from .binding import bind
from .columns import Schema
from .constraint import Constraint
from .predicate import Predicate

REMEMBERED = 4_096
"""Conditions remembered; what comes after so many begins anew."""

LONGEST = 200
"""Characters of a value; longer ones are bound each time, for they would hold memory for what
seldom comes again."""


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
    if isinstance(value, str | tuple) and len(value) > LONGEST:
        return None
    # As text: 1, 1.0 and True are equal, and different values of a column.
    text = repr(value)
    if len(text) > LONGEST:
        return None
    return constraint.column, constraint.op, constraint.nulls, text
