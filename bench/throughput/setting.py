"""The options of a run with its limits on time, and the one table that is kept between jobs."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .data import Table
from .report import Cell
from .timings import Pace

Job = Callable[[], Cell]

LARGE_ROWS = 100_000_000


@dataclass(frozen=True)
class Options:
    """How much is measured: `quick` ends within a minute, `large` adds 10⁸ rows.

    `repeats` is how often each method answers at most (default: 25, quick 7); `only` names
    the sections to run, all if empty; `cars` is the catalog whose base slices are searched.
    """

    quick: bool = False
    large: bool = False
    seed: int = 7
    repeats: int | None = None
    only: tuple[str, ...] = ()
    cars: str = "sample:cars"

    @property
    def cars_name(self) -> str:
        """The car catalog without its folders: where it lies is nobody's business."""
        return Path(self.cars).name

    def record(self) -> dict[str, Any]:
        """Return the options as JSON."""
        return {
            **asdict(self),
            "only": list(self.only),
            "repeats": self.pace.repeats,
            "cars": self.cars_name,
        }

    @property
    def pace(self) -> Pace:
        """How often a method of a grid is repeated, and how long at most."""
        repeats = self.repeats or (7 if self.quick else 25)
        return Pace(repeats, 0.03, least=2) if self.quick else Pace(repeats, 0.5)

    @property
    def fine_pace(self) -> Pace:
        """How often what takes milliseconds is repeated, where the tail matters."""
        repeats = self.repeats or (100 if self.quick else 1_000)
        return Pace(repeats, 1.0 if self.quick else 4.0)

    @property
    def foresight(self) -> float:
        """Seconds that a rival may need for one answer in the grid; foreseen, not measured."""
        return 0.5 if self.quick else 12.0

    @property
    def patience(self) -> float:
        """Seconds after which a rival's search is given up."""
        return 3.0 if self.quick else 120.0


class Setting:
    """Options, and the table used last: another one takes its place, so that memory is bounded."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._cached: tuple[tuple[int, int], Table] | None = None

    def table(self, rows: int, columns: int) -> Table:
        """Return the table of so many rows and columns."""
        if self._cached is None or self._cached[0] != (rows, columns):
            self.forget()
            self._cached = (rows, columns), Table(rows, columns, self.options.seed)
        return self._cached[1]

    def forget(self) -> None:
        """Give up the table held."""
        self._cached = None
        gc.collect()
