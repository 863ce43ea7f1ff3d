"""Stages: parts of the whole run that are done once, and kept by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Found = dict[str, Any]
"""What a stage found, as JSON holds it: figures, and nothing that tells the data itself."""

ONE_A_RECORD = (".jsonl", ".jsonl.gz")


@dataclass(frozen=True)
class Context:
    """What a stage is given: the folder of all data, and whether little is wanted."""

    data: Path
    quick: bool

    def folder(self, name: str) -> Path:
        """Return the folder of one data set."""
        return self.data / name


@dataclass(frozen=True)
class Input:
    """A file below the data folder; `records`: the fewest it can hold, 0 where nobody counts.

    A file that was cut short is one with fewer records than were published.
    """

    path: str
    records: int = 0


@dataclass(frozen=True)
class Stage:
    """One part of the run.

    `inputs`: the files it reads. `command` runs it by itself. `quick`: whether `--quick` runs it;
    `smaller`: whether it then does less, so that what was kept of one is nothing to the other.
    `alone`: nothing runs beside it, since it measures time. `optional`: left out, and said to be,
    where its data is not there.
    """

    name: str
    run: Callable[[Context], Found]
    inputs: Sequence[Input]
    command: str
    quick: bool = True
    smaller: bool = False
    alone: bool = False
    optional: bool = False
