"""Read tables of income limits by household size."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..keys import Key
from .conditions import Condition, income_key
from .outline import Section

_SIZE_CELL = re.compile(
    r"^(?:household of |family of )?(\d{1,2})(?: (?:people|persons?|members?))?$", re.I
)
_AMOUNT = re.compile(r"^[$€£]?\s*(\d[\d,]*(?:\.\d+)?)$")
_MORE = re.compile(r"\b(?:each|every|additional|extra|add)\b", re.IGNORECASE)


@dataclass(frozen=True)
class LimitTable(Condition):
    """Income up to a limit by household size; `each` is added for every further person."""

    limits: tuple[tuple[int, float], ...] = ()
    each: float = 0.0
    factor: float = 1.0


def income_limits(section: Section) -> LimitTable | None:
    """Return the income limits that a section's tables state, yearly where there is a choice."""
    for rows in section.tables:
        table = _limits(rows)
        if table:
            limits, each, factor = table
            key: Key = income_key(True)
            text = "your household's income is at or below the limit for its size"
            return LimitTable(key, "", text, True, tuple(limits.items()), each, factor)
    return None


def _limits(rows: list[list[str]]) -> tuple[dict[int, float], float, float] | None:
    column, factor = _column(rows)
    limits: dict[int, float] = {}
    each = 0.0
    for row in rows:
        amount = _amount(row[min(column, len(row) - 1)])
        size = _SIZE_CELL.match(row[0].strip())
        if amount is None:
            continue
        if size and 1 <= int(size[1]) <= 20:
            limits[int(size[1])] = amount
        elif _MORE.search(row[0]):
            each = amount
    sizes = sorted(limits)
    in_a_row = sizes == list(range(sizes[0], sizes[0] + len(sizes))) if sizes else False
    return (limits, each, factor) if len(limits) >= 2 and in_a_row else None


def _column(rows: list[list[str]]) -> tuple[int, float]:
    """Return which column holds the limits, and what makes them yearly."""
    monthly: int | None = None
    for row in rows[:3]:
        for column, cell in enumerate(row):
            if re.search(r"\b(?:year|annual)", cell, re.IGNORECASE):
                return column, 1
            if monthly is None and re.search(r"\bmonth", cell, re.IGNORECASE):
                monthly = column
    return (1, 1) if monthly is None else (monthly, 12)


def _amount(cell: str) -> float | None:
    match = _AMOUNT.match(cell.strip())
    return float(match[1].replace(",", "")) if match else None
