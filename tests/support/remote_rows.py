"""Rows of twelve types in a file, random questions about them, and the same in a folder."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from concede.catalogs.query.query import Query
from concede.catalogs.versions.sorted_rows import SortKey
from remote_cases import random_options, random_query

ROWS, SEED = 2_000, 7
COST = "price"


@dataclass(frozen=True)
class Rows:
    """The rows, and the Parquet file that has them."""

    values: list[tuple[Any, ...]]
    path: Path

    def question(self, seed: int) -> tuple[Query, dict[str, Any]]:
        """Return a random query with options of its repair."""
        draw = random.Random(seed)
        query = Query.model_validate(random_query(draw, self.values))
        options = random_options(draw)
        if "sort" in options:
            options["sort"] = [SortKey(name, draw.random() < 0.5) for name in options["sort"]]
        return query, options


def parquet_folder(rows: Rows, folder: Path) -> Path:
    """Return a folder of three files with the rows, in no order."""
    for part in range(3):
        duckdb.sql(
            f"COPY (SELECT * FROM '{rows.path}' WHERE id % 3 = {part} ORDER BY hash(id)) "
            f"TO '{folder / f'{part}.parquet'}' (FORMAT parquet)"
        )
    return folder
