"""Partials counted so far, a line of JSON each, beside the histogram they are for.

A run that is killed loses the partition it was at: whoever goes on reads the lines that are whole,
and counts again what changed meanwhile.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np

from ...catalogs.partitions.parquet_folder import Part
from .partial import Partial
from .stored_histogram import Header


class Progress:
    """The lines of one header in a file called `NAME.progress`; those of others are passed over."""

    def __init__(self, histogram: Path, header: Header) -> None:
        self.path = histogram.with_name(f"{histogram.name}.progress")
        self._tag = f"{header.asked} {header.columns}"
        self._file: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()

    def read(self) -> dict[Part, Partial]:
        """Return what was counted before, the last of each partition."""
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return {}
        found = [_read_line(line, self._tag) for line in lines]
        return dict(pair for pair in found if pair is not None)

    def add(self, part: Part, partial: Partial) -> None:
        """Write one partial, whole or not at all for whoever reads it."""
        if self._file is None:
            self._file = self.path.open("ab", buffering=0)
        record = {"tag": self._tag, "part": vars(part), "partial": _record(partial)}
        # A line that was cut off before ends here.
        self._file.write(b"\n" + json.dumps(record, allow_nan=False).encode() + b"\n")

    def remove(self) -> None:
        """Forget it all, now that the histogram is written."""
        if os.path.lexists(self.path):
            self.path.unlink()


def _record(partial: Partial) -> dict[str, Any]:
    return {
        "width": partial.width,
        "masks": partial.masks.tolist(),
        "counts": partial.counts.tolist(),
        "first_keys": partial.first_keys.tolist(),
        "ends": dict(partial.ends),
        "base": None if partial.base is None else _record(partial.base),
    }


def _partial(record: Mapping[str, Any]) -> Partial:
    return Partial(
        record["width"],
        np.array(record["masks"], dtype=np.uint64),
        np.array(record["counts"], dtype=np.int64),
        np.array(record["first_keys"], dtype=np.int64),
        {name: None if pair is None else tuple(pair) for name, pair in record["ends"].items()},
        None if record["base"] is None else _partial(record["base"]),
    )


def _read_line(line: bytes, tag: str) -> tuple[Part, Partial] | None:
    try:
        record = json.loads(line)
        return (
            (Part(**record["part"]), _partial(record["partial"])) if record["tag"] == tag else None
        )
    except (ValueError, KeyError, TypeError):
        # Blank, or cut off.
        return None
