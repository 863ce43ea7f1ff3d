"""What a service must never get wrong, tried from outside: own writes, a twin, and kills.

A client reads what it wrote beside 8 and 32 others; readers beside upserts, deletes and swaps are
judged by plain dictionaries; and processes are killed with -9 in the middle of writes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .comparison import wait_until_all_are_ready
from .kills import ITEMS, WRITERS, Killed, kill_and_look
from .outside_twin import FILES, Judged, Twin, write_csv
from .own_writes import OwnWrites, own_writes
from .server import Server, one_core, serving
from .synthetic_items import KEY, write_file

OTHERS = (8, 32)
WORKERS = (1, 2)
TWIN_SECONDS = 40.0

Counted = Callable[[Sequence[Any], str], Iterator[Any]]
"""Iterates, and shows how far it is."""


@dataclass
class Consistency:
    """What was seen."""

    own_writes: list[OwnWrites] = field(default_factory=list[OwnWrites])
    judged: list[Judged] = field(default_factory=list[Judged])
    killed: Killed = field(default_factory=Killed)

    @property
    def clean(self) -> bool:
        """Whether nothing was stale, wrong, torn, lost or failed."""
        return (
            not any(each.stale or each.failed for each in self.own_writes)
            and not any(each.wrong or each.torn or each.failed for each in self.judged)
            and not (self.killed.lost or self.killed.went_back)
        )


def try_consistency(
    rows: int, reads: int, kills: int, counted: Counted, twin_seconds: float = TWIN_SECONDS
) -> Consistency:
    """Return what was seen over so many rows: so many own writes each, and so many kills.

    Cost: some minutes. Raises `LimitError` where a service does not start.
    """
    seen = Consistency()
    trials: list[Callable[[Path], None]] = []
    for workers in WORKERS:
        trials += [_reading(seen, workers, others, rows, reads) for others in OTHERS]
        trials.append(_judging(seen, workers, twin_seconds))
    trials.append(_killing(seen, kills))
    with one_core():
        for trial in counted(trials, "trying"):
            with TemporaryDirectory() as folder:
                trial(Path(folder))
    return seen


def _reading(
    seen: Consistency, workers: int, others: int, rows: int, reads: int
) -> Callable[[Path], None]:
    def trial(folder: Path) -> None:
        write_file(folder / "0.parquet", rows, 0)
        with _served(folder, "0.parquet", KEY, workers) as server:
            seen.own_writes.append(own_writes(server, workers, others, rows, reads))

    return trial


def _judging(seen: Consistency, workers: int, seconds: float) -> Callable[[Path], None]:
    def trial(folder: Path) -> None:
        for edition in range(FILES):
            write_csv(folder / f"{edition}.csv", edition)
        with _served(folder, "0.csv", "sku", workers) as server:
            seen.judged.append(Twin(server, workers).run(seconds))

    return trial


def _killing(seen: Consistency, kills: int) -> Callable[[Path], None]:
    def trial(folder: Path) -> None:
        import duckdb

        file = folder / "items.duckdb"
        with duckdb.connect(str(file)) as connection:
            connection.execute(
                "CREATE TABLE items AS SELECT range::INTEGER AS sku, 0 AS price "
                f"FROM range({WRITERS * ITEMS})"
            )
        seen.killed = kill_and_look(folder, file, kills, max(WORKERS))

    return trial


@contextmanager
def _served(folder: Path, name: str, key: str, workers: int) -> Generator[Server]:
    with serving(folder, folder / name, key, ("--workers", str(workers))) as server:
        wait_until_all_are_ready(server)
        yield server
