"""Moves of a turn put together: what is taken beside something else, or asked once more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..extraction.extracted import Extracted
from .model_turns import Move
from .named_items import ItemSaid

_ALL = re.compile(r"\b(?:about|tell|more|everything|details?)\b", re.IGNORECASE)

Asking = tuple[Move, Sequence[Extracted]]
"""A move, and the values that it asks for."""


def orders(found: list[Asking], asking: Asking) -> bool:
    """Let a question for the least or most be of what was asked for before; return whether it was.

    `Which Hofners have you got, and which is the cheapest?`
    """
    (move, values), last = asking, found[-1] if found else None
    ends = move.act in ("best", "compare") and move.direction and not (move.items or values)
    if not ends or last is None or last[0].act != "show" or not last[1]:
        return False
    more = {"columns": move.columns, "direction": move.direction}
    found[-1] = last[0].model_copy(update=more), last[1]
    return True


def of_those_counted(asking: Asking, found: Sequence[Asking]) -> Asking:
    """Return a question for the least or most, of what was counted before it where it is of that.

    `How many cellos have you in all, and what is the dearest of them?`
    """
    (move, values), last = asking, found[-1] if found else None
    if last is None or last[0].act != "count" or move.act != "best" or values or move.items:
        return asking
    return move.model_copy(update={"all": last[0].all}), last[1]


def join(found: list[Asking], asking: Asking) -> None:
    """Add a move to those found; what is taken beside something else is taken with it."""
    move, last = asking[0], found[-1][0] if found else None
    if last is not None and last.act == move.act == "take" and last.items == move.items:
        found[-1] = last.model_copy(update={"number": move.number or last.number}), ()
    elif last is None or not last.act == move.act == "take" or last.number != move.number:
        found.append(asking)
    elif last.items and move.items:
        items = [*dict.fromkeys([*last.items, *move.items])]
        found[-1] = last.model_copy(update={"items": items}), ()
    elif last.items != move.items:
        found.append(asking)


def each_number(asking: Asking, items: Sequence[ItemSaid]) -> Iterator[Asking]:
    """Yield what is taken for each number of it: `two of the oak and one elm`.

    A number that is said of none of them, `two places`, is that of each.
    """
    move, values = asking
    numbers = {item.ref: item.number for item in items}
    if move.act != "take" or not any(numbers.get(ref) for ref in move.items):
        yield asking
        return
    for number in dict.fromkeys(numbers.get(ref) for ref in move.items):
        those = [ref for ref in move.items if numbers.get(ref) == number]
        yield move.model_copy(update={"items": those, "number": number}), values


def once(found: Sequence[Asking]) -> list[Asking]:
    """Return moves without those that ask again what one before them asks.

    Of sums that of more is asked: `So that's each? And for the two of us, what does it come to?`
    """
    kept: list[Asking] = []
    for move, values in found:
        alike = (
            at
            for at, (before, held) in enumerate(kept)
            if before.act == move.act
            and before.columns == move.columns
            and [*held] == [*values]
            and (before.items == move.items or not move.items)
        )
        if (at := next(alike, None)) is None:
            kept.append((move, values))
        elif _times(move) > _times(kept[at][0]):
            kept[at] = kept[at][0].model_copy(update={"total": move.total}), values
    return kept


def _times(move: Move) -> float:
    """Return how many are added up in a sum, of all its parts."""
    return sum(abs(term.times) for term in move.total)


def as_before(asking: Asking, found: Sequence[Asking]) -> Asking:
    """Return what is asked of an item, as before where only another is named: `and Crane Hall?`."""
    move, values = asking
    before = next((pair for pair in reversed(found) if pair[0].act == "tell"), None)
    bare = move.act == "tell" and move.items and not (move.columns or values or move.total)
    if before is None or not bare or before[0].items == move.items or _ALL.search(move.quote):
        return asking
    alike = (m for m, _ in found if m.act == "tell" and m.items == before[0].items)
    columns = dict.fromkeys(name for m in alike for name in m.columns)
    return move.model_copy(update={"columns": [*columns]}), before[1]
