"""Partials counted so far, a line of JSON each, beside the histogram they are for.

A run that is killed loses the partition it was at: whoever goes on reads the lines that are whole,
and counts again what changed meanwhile.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Self

from ...catalogs.partitions.parquet_folder import Part
from .partial import Partial, partial_of_record, partial_record
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
        record = {"tag": self._tag, "part": vars(part), "partial": partial_record(partial)}
        # A line that was cut off before ends here.
        self._file.write(b"\n" + json.dumps(record, allow_nan=False).encode() + b"\n")

    def remove(self) -> None:
        """Forget it all, now that the histogram is written."""
        if os.path.lexists(self.path):
            self.path.unlink()


def _read_line(line: bytes, tag: str) -> tuple[Part, Partial] | None:
    try:
        record = json.loads(line)
        return (
            (Part(**record["part"]), partial_of_record(record["partial"]))
            if record["tag"] == tag
            else None
        )
    except (ValueError, KeyError, TypeError):
        # Blank, or cut off.
        return None
