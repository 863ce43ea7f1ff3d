"""The rows that an answer shows, read at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..catalogs.catalog import Row
from .case import Case


class Shown(NamedTuple):
    """A row to show, and how far it is from meeting each constraint (`RowRanker.distances`)."""

    row_id: int
    row: Row
    far: list[float]


def read_rows(case: Case, places: Iterable[int]) -> dict[int, Shown]:
    """Return the rows at some places of the base slice, by place."""
    listed = sorted(set(places))
    found = np.array(listed, dtype=np.intp)
    numbers = case.rows.row_ids(found)
    row_ids, rows = case.catalog.row_ids(numbers), case.catalog.fetch(numbers)
    far = case.rows.distances(found).T.tolist()
    return dict(zip(listed, map(Shown, row_ids, rows, far), strict=True))
