"""A number that somebody says, with all that its words tell of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number said by words `first` to `last` (included), and where its characters end.

    `suffix` is a `k`, `m` or `mil` right behind it. `high` is the other end of a range. `year_like`
    is a plain whole number of four digits. `only` limits it to columns of calendar years, or to
    those about a topic. `follows`: the first word of the number before it in a list of which one is
    enough; `refused`: neither of them will do.
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
    refused: bool = False


def scale_of(one: Quantity, other: Quantity, most: float) -> float:
    """Return what a number is times where only the one behind it says so: `20 or 30k`.

    1 where it would be more than `most`.
    """
    hundreds = other.spelled and other.value % 100 == 0 and one.value < 10
    if not (other.scaled or hundreds) or one.scaled or one.value >= 1000:
        return 1.0
    scale = next((scale for scale in (1e9, 1e6, 1e3, 1e2) if other.value >= scale), 1.0)
    return scale if one.value * scale <= most else 1.0
