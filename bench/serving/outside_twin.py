"""Readers beside upserts, deletes and swaps, judged by a twin outside: plain dictionaries.

The writer keeps what each version that it was told holds. An answer is wrong that is not the one of
the version it names, and torn where it is that of no version at all.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .calls import answered, call
from .server import Server

READERS = 4
ROWS = 400
COLOURS = ("red", "green", "blue")
FILES = 3

Row = Mapping[str, Any]
Rows = dict[int, Row]
"""Rows by their key."""


@dataclass
class Judged:
    """What the answers were, and how many versions they came from."""

    workers: int
    answers: int = 0
    wrong: int = 0
    torn: int = 0
    failed: int = 0
    versions: int = 0
    writes: dict[str, int] = field(default_factory=dict[str, int])


def rows_of(edition: int) -> Rows:
    """Return the rows of one file."""
    dice = random.Random(edition)
    return {sku: _row(sku, dice) for sku in range(ROWS + 50 * edition)}


def write_csv(path: Path, edition: int) -> None:
    """Write the rows of one edition as a file."""
    lines = [f"{row['sku']},{row['price']},{row['colour']}" for row in rows_of(edition).values()]
    path.write_text("\n".join(["sku,price,colour", *lines]) + "\n", encoding="utf-8")


def _row(sku: int, dice: random.Random) -> Row:
    return {"sku": sku, "price": dice.randrange(10, 1_000), "colour": dice.choice(COLOURS)}


class Twin:
    """Asks and writes for some seconds; then judges every answer."""

    def __init__(self, server: Server, workers: int) -> None:
        self.judged = Judged(workers)
        self._server = server
        self._states: dict[int, Rows] = {1: rows_of(0)}
        self._given: list[tuple[tuple[int, str], Any]] = []
        self._until = 0.0

    def run(self, seconds: float) -> Judged:
        """Return what was right and wrong."""
        self._until = time.monotonic() + seconds
        threads = [threading.Thread(target=self._read, args=(n,)) for n in range(READERS)]
        threads.append(threading.Thread(target=self._write))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for asked, answer in self._given:
            self._judge(asked, answer)
        self.judged.versions = len({answer["catalog_version"] for _, answer in self._given})
        return self.judged

    def _read(self, seed: int) -> None:
        dice = random.Random(seed)
        while time.monotonic() < self._until:
            asked = dice.randrange(5, 1_000), dice.choice(COLOURS)
            wishes = [
                {"column": "price", "op": "<=", "value": asked[0]},
                {"column": "colour", "op": "==", "value": asked[1]},
            ]
            body = {"constraints": wishes, "top": 100, "rank": "score"}
            status, answer = call(self._server, "POST", "/v1/repair", body)
            if status == 200:
                self._given.append((asked, answer))
            else:
                self.judged.failed += 1

    def _write(self) -> None:
        dice, now = random.Random(99), rows_of(0)
        while time.monotonic() < self._until:
            kind = dice.choices(("upsert", "delete", "swap"), (8, 3, 1))[0]
            version, now = getattr(self, f"_{kind}")(dice, now)
            self._states[version] = now
            self.judged.writes[kind] = self.judged.writes.get(kind, 0) + 1

    def _upsert(self, dice: random.Random, now: Rows) -> tuple[int, Rows]:
        rows = [_row(dice.randrange(600), dice) for _ in range(dice.randrange(1, 40))]
        body = {"rows": rows}
        _, told = answered(self._server, "POST", "/v1/catalogs/shop/rows", body)
        return told["version"], now | {row["sku"]: row for row in rows}

    def _delete(self, dice: random.Random, now: Rows) -> tuple[int, Rows]:
        gone = set(dice.sample(sorted(now), min(len(now), dice.randrange(1, 20))))
        query = "&".join(f"key={sku}" for sku in gone)
        _, told = answered(self._server, "DELETE", f"/v1/catalogs/shop/rows?{query}")
        return told["version"], {sku: row for sku, row in now.items() if sku not in gone}

    def _swap(self, dice: random.Random, now: Rows) -> tuple[int, Rows]:
        edition = dice.randrange(FILES)
        body = {"source": f"{edition}.csv"}
        _, told = answered(self._server, "POST", "/v1/catalogs/shop/swap", body)
        return told["version"], rows_of(edition)

    def _judge(self, asked: tuple[int, str], answer: Any) -> None:
        self.judged.answers += 1
        if not is_right(asked, answer, self._states.get(answer["catalog_version"], {})):
            self.judged.wrong += 1
            self.judged.torn += not any(
                is_right(asked, answer, rows) for rows in self._states.values()
            )


def is_right(asked: tuple[int, str], answer: Any, rows: Rows) -> bool:
    """Return whether an answer is that of these rows: its counts, and each row that it shows."""
    cheap = {sku for sku, row in rows.items() if row["price"] <= asked[0]}
    coloured = {sku for sku, row in rows.items() if row["colour"] == asked[1]}
    met = cheap & coloured
    # Dropping the first wish leaves what meets the second.
    if answer["drop_one_counts"] != [len(coloured), len(cheap)]:
        return False
    shown = [*answer["items"], *answer["near_misses"]]
    shown += [{"row": repair["witness"]} for repair in (*answer["repairs"], *answer["shifts"])]
    if any(rows.get(each["row"]["sku"]) != each["row"] for each in shown):
        return False
    if (answer["status"] == "SAT_no_relaxation") != bool(met):
        return False
    keys = {item["row"]["sku"] for item in answer["items"]}
    return not met or (
        answer["count"] == len(met) and keys <= met and len(keys) == min(100, len(met))
    )
