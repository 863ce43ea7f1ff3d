"""Which side of a number is meant: `at least 21`, `no more than`, `or newer`, `around`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from .english import AFTER, BEFORE, BEFORE_OPERATORS, COMPARATIVES, NOT_BEFORE
from .quantities import Quantity
from .reading import Reading

Side = Literal["<", "<=", ">", ">=", "==", "~", "!="]

LOOK_BACK = 64
"""Characters before a number in which its comparison may stand."""

MOST_BETWEEN = 4
"""Words between a comparison and its number: `at most an MSRP of 20,000`."""

_OPPOSITE: dict[Side, Side] = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "==": "!=", "!=": "=="}
_LOOSE: dict[Side, Side] = {">=": "<=", "<=": ">="}
"""`under 20` and `not over 20` both take 20 in: nobody minds the round figure itself."""

_NOT_NUMBER = re.compile(r"(?:\bnot|n['’]t(?:\s+\w+)?)\s+(?:a\s+|an\s+|the\s+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Bound:
    """A number's side, None where nothing says it; `topic` is what the comparison is about.

    `start` and `end` are the characters of the whole statement.
    """

    side: Side | None
    topic: str
    start: int
    end: int
    weak: bool = False


def bound_of(reading: Reading, one: Quantity, floor: int, ceiling: int) -> Bound:
    """Return the side of a number, read between the characters `floor` and `ceiling`.

    They are the ends of what belongs to the numbers before and after it.
    """
    clause = reading.clauses[reading.clause(one.first)]
    floor = max(floor, clause.start, one.start - LOOK_BACK)
    after = _after(reading, one, min(ceiling, clause.end, one.end + LOOK_BACK))
    before = _before(reading, one, floor)
    if after is not None and (before is None or before.side == "~" or before.weak):
        return after
    return before or after or _bare(reading, one, floor)


def _bare(reading: Reading, one: Quantity, floor: int) -> Bound:
    negated = bool(_NOT_NUMBER.search(reading.text[floor : one.start].rstrip("$€£ ") + " "))
    return Bound("!=" if negated else None, "", one.start, one.end)


def _before(reading: Reading, one: Quantity, floor: int) -> Bound | None:
    text = reading.text[floor : one.start]
    last = None
    for found in BEFORE.finditer(text):
        last = found
    if last is None or _is_far(text[last.end() :]):
        return None
    side, topic = _meaning(last)
    start = floor + last.start()
    negation = NOT_BEFORE.search(text[: last.start()])
    if negation and _turns(last, side):
        start = floor + negation.start()
        side = _LOOSE.get(side, side) if _is_loose(last) else _OPPOSITE.get(side, side)
    weak = last[0].casefold() in ("from", "since", "by", "about")
    return Bound(side, topic, start, one.end, weak)


def _is_far(between: str) -> bool:
    """Return whether what lies between a comparison and a number parts them."""
    words = re.findall(r"[\w'’]+", between)
    return len(words) > MOST_BETWEEN or bool(re.search(r"[;!?\n]|,\s", between))


def _meaning(found: re.Match[str]) -> tuple[Side, str]:
    if found["than"] is None:
        number = int((found.lastgroup or "o0")[1:])
        return cast("Side", BEFORE_OPERATORS[number]), ""
    words = " ".join(found["than"].casefold().split())
    key = max((one for one in COMPARATIVES if words.startswith(one)), key=len)
    topic, op = COMPARATIVES[key]
    return ("<" if op == "<" else ">"), topic


def _is_loose(found: re.Match[str]) -> bool:
    return found[0].casefold() in ("over", "above", "under", "below")


def _turns(found: re.Match[str], side: Side) -> bool:
    """Return whether a negation turns this comparison round: `not over`, never `not at most`."""
    return side in ("<", ">", "==") or _is_loose(found)


def _leads_on(reading: Reading, end: int, ceiling: int) -> bool:
    """Return whether an `at least` belongs to the number that comes next."""
    follows = reading.text[ceiling : ceiling + 1].isdigit()
    return follows and not reading.text[end:ceiling].strip(" $€£")


def _after(reading: Reading, one: Quantity, ceiling: int) -> Bound | None:
    """Read `or more`, `tops` after the number or after up to three words of its unit."""
    place = one.end
    for step in range(4):
        found = AFTER.match(reading.text, place, ceiling)
        if found and not _leads_on(reading, found.end(), ceiling):
            if found["near"]:
                return Bound("~", "", one.start, found.end())
            return Bound(">=" if found["low"] else "<=", "", one.start, found.end())
        following = one.last + 1 + step
        if following >= len(reading.words) or reading.words[following].end > ceiling:
            return None
        if re.search(r"[,;.!?\n(]", reading.text[place : reading.words[following].start]):
            return None
        place = reading.words[following].end
    return None
