"""A number that somebody says, with all that its words tell of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number said by words `first` to `last` (included), and where its characters end.

    `suffix` is a `k`, `m` or `mil` right behind it, or `.` where `two fifty` may be 2.50. `high`
    is the other end of a range. `year_like` is a plain whole number of four digits. `only` limits
    it to columns of calendar years, or to those about a topic. `follows`: the first word of the
    number before it in a list of which one is enough; `is_next`: all up to it follow each other,
    `refused`: neither of them will do.
    """

    first: int
    last: int
    value: float
    high: float | None = None
    currency: bool = False
    scaled: bool = False
    unit: str | None = None
    spelled: bool = False
    year_like: bool = False
    ordinal: bool = False
    suffix: str = ""
    only: str = ""
    follows: int | None = None
    is_next: bool = False
    refused: bool = False


def scale_of(low: Quantity, high: Quantity) -> float:
    """Return what a number is times, where only the one behind it says so: `20 or 30k`."""
    hundreds = high.spelled and high.value % 100 == 0 and low.value < 10
    if not (high.scaled or hundreds) or low.scaled or low.value >= 1000:
        return 1.0
    scale = next((scale for scale in (1e9, 1e6, 1e3, 1e2) if high.value >= scale), 1.0)
    return scale if low.value < high.value and low.value * scale <= high.value else 1.0
