"""Rows as folders of Parquet files, and what has to be said of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from random_problems import TYPES

KEY = "id"


def keyed(rows: Sequence[dict[str, Any]]) -> pa.Table:
    """Rows of `random_problems` as a table, their numbers as `id`."""
    columns = {name: pa.array([row[name] for row in rows], kind) for name, kind in TYPES.items()}
    return pa.table({KEY: pa.array(range(len(rows)), pa.int64()), **columns})


def write_parts(folder: Path, table: pa.Table, cuts: Sequence[int]) -> list[Path]:
    """Write the rows between neighbouring cuts as a file each, empty ones too."""
    edges = [0, *sorted(cuts), table.num_rows]
    paths = [folder / f"part-{number:03}.parquet" for number in range(len(edges) - 1)]
    for path, start, stop in zip(paths, edges, edges[1:], strict=False):
        pq.write_table(table.slice(start, stop - start), path)
    return paths
