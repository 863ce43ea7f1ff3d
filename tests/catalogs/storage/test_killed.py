"""Whenever a writer is killed, the file opens again and holds every write it acknowledged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

import killed_writer
from concede import Catalog
from example_counts import examples

COLUMNS = ("sku", "price", "brand")


class Expected:
    """The rows as they must be at each version, made by plain Python."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, dict[str, Any]]] = []
        self.next_id = 0
        self.version = 1

    def take(self, seed: int) -> None:
        kind, given = killed_writer.step(seed, self.version, [one for one, _ in self.rows])
        self.version += 1
        if kind == "delete":
            self.rows = [pair for pair in self.rows if pair[0] not in given]
            return
        if kind == "reload":
            self.rows = []
        for row in given:
            self._put(row)

    def _put(self, row: dict[str, Any]) -> None:
        for place, (row_id, held) in enumerate(self.rows):
            if held["sku"] == row["sku"]:
                self.rows[place] = row_id, held | row
                return
        self.rows.append((self.next_id, dict.fromkeys(COLUMNS) | row))
        self.next_id += 1


def run_and_kill(path: Path, seed: int, dice: Random) -> int:
    """Let a writer take some steps, kill it amid the next; return the last version it said."""
    command = [sys.executable, killed_writer.__file__, str(path), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        acknowledged = 0
        for _ in range(dice.randrange(0, 30)):
            words = writer.stdout.readline().split()
            assert words, "the writer ended by itself"
            acknowledged = int(words[1]) if words[0] in ("open", "done") else acknowledged
        try:
            writer.wait(timeout=dice.uniform(0, 0.3))
        except subprocess.TimeoutExpired:
            writer.kill()
        for line in writer.stdout.read().splitlines():
            kind, version = line.split()
            acknowledged = int(version) if kind in ("open", "done") else acknowledged
    return acknowledged


def kill_often(path: Path, times: int, seed: int) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE items (sku VARCHAR, price INTEGER, brand VARCHAR)")
    dice, expected = Random(seed), Expected()
    for _ in range(times):
        acknowledged = run_and_kill(path, seed, dice)
        with Catalog.open(path, table="items", key="sku", writable=True) as catalog:
            # The write that was cut off is there as a whole or not at all.
            assert catalog.version in (max(acknowledged, expected.version), acknowledged + 1)
            while expected.version < catalog.version:
                expected.take(seed)
            numbers = catalog.slice(()).ids
            found = list(zip(catalog.row_ids(numbers), catalog.fetch(numbers), strict=True))
            assert found == expected.rows
            assert catalog.profile("price").rows == len(expected.rows)


@pytest.mark.slow
def test_no_acknowledged_row_is_lost_when_the_writer_is_killed(tmp_path: Path) -> None:
    kill_often(tmp_path / "shop.duckdb", times=examples(20), seed=50)
