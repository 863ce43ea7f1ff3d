"""Rows by the values of their key, as they come from a person or an address: texts become what
the columns hold. One pass over the key's columns in memory.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import BadConstraint, excerpt
from ..query.binding import typed
from ..query.constraint import Scalar
from .key_lookup import matched
from .row_batch import row_batch
from .snapshot import Snapshot

Key = tuple[Scalar, ...]
"""A value for each column of the key."""


def numbers_by_key(now: Snapshot, columns: Sequence[str], keys: Sequence[Key]) -> list[int | None]:
    """Return the number of the row with each key, None for one that no row has.

    Raises `BadConstraint` for a key of another length, or of values that its columns cannot hold,
    and for a key that several rows share.
    """
    known = [now.schema.find(name) for name in columns]
    for key in keys:
        if len(key) != len(known):
            problem = f"{len(key)} values for {len(known)} columns"
            hint = f"give one for each of {', '.join(map(excerpt, columns))}"
            raise BadConstraint("key", list(key), problem, hint=hint)
    told = [
        tuple(typed(value, column) for value, column in zip(key, known, strict=True))
        for key in keys
    ]
    distinct = list(dict.fromkeys(told))
    names = [column.name for column in known]
    given = row_batch((dict(zip(names, key, strict=True)) for key in distinct), now.schema, names)
    if given.count != len(distinct):
        # Two that differ as they were given are one as the columns hold them.
        return [numbers_by_key(now, columns, [key])[0] for key in keys]
    numbers = matched(now, given) if distinct else np.zeros(0, dtype=np.int64)
    found = {key: number if number >= 0 else None
             for key, number in zip(distinct, numbers.tolist(), strict=True)}  # fmt: skip
    return [found[key] for key in told]
