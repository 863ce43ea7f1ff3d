"""A process that writes to a catalog until it is killed, and what it must have written by then.

Run with a path and a seed it opens the catalog there and takes one step after another, as
`step` makes them; before each it says which, and after it at which version it is acknowledged.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random
from typing import Any

KEYS = 300
Step = tuple[str, Any]


def step(seed: int, version: int, ids: Sequence[int]) -> Step:
    """Return what is done to a version with these row ids: the same for the same of each."""
    dice = Random(f"{seed} {version}")
    kind = dice.random()
    if kind < 0.1:
        return "reload", [row(dice, key) for key in dice.sample(range(KEYS), 40)]
    if kind < 0.3 and ids:
        return "delete", dice.sample(list(ids), min(len(ids), 5))
    return "upsert", [row(dice, dice.randrange(KEYS)) for _ in range(dice.randrange(1, 60))]


def row(dice: Random, key: int) -> dict[str, Any]:
    cells: dict[str, Any] = {"sku": f"s{key}", "price": dice.randrange(10_000)}
    return cells | ({"brand": dice.choice(["a", "b", None])} if dice.random() < 0.5 else {})


def write(path: str, seed: int) -> None:
    import pyarrow as pa

    from concede import Catalog

    # Freed by nobody: the process is killed.
    catalog = Catalog.open(path, table="items", key="sku", writable=True)
    print(f"open {catalog.version}", flush=True)
    while True:
        now = catalog.snapshot()
        kind, given = step(seed, now.version, now.row_ids(now.slice(()).ids))
        print(f"try {now.version + 1}", flush=True)
        if kind == "upsert":
            catalog.upsert(given)
        elif kind == "delete":
            catalog.delete(given)
        else:
            types = {"sku": pa.string(), "price": pa.int32(), "brand": pa.string()}
            catalog.reload(pa.Table.from_pylist(given, pa.schema(types)))
        print(f"done {catalog.version}", flush=True)


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]))
