"""Whether a key tells rows apart: known by an index, else counted once at opening.

Counting may take long on a large table. Where it is not done in `CHECK_SECONDS`, opening goes on
without it; a key that fetches two rows is an error then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..deadline import Deadline, DeadlinePassed
from ..errors import BadConstraint

if TYPE_CHECKING:
    from .remote_snapshot import RemoteSnapshot

CHECK_SECONDS = 5.0


def check_key(snapshot: RemoteSnapshot) -> None:
    """Raise `BadConstraint` where rows share a key, or have none."""
    if snapshot.sessions.is_unique(snapshot.remote.place, snapshot.key):
        return
    key = snapshot.table[snapshot.key]
    counted = snapshot.table.aggregate(
        rows=key.count(), empty=key.isnull().sum(), apart=key.nunique()
    )
    try:
        (found,) = snapshot.execute(counted, Deadline(CHECK_SECONDS)).to_pylist()
    except DeadlinePassed:
        return
    hint = "name a column of unique whole numbers"
    if found["empty"]:
        raise BadConstraint("key", snapshot.key, f"{found['empty']:,} rows have none", hint=hint)
    if found["rows"] != found["apart"]:
        shared = found["rows"] - found["apart"]
        problem = f"{shared:,} rows have the key of another"
        raise BadConstraint("key", snapshot.key, problem, hint=hint)
