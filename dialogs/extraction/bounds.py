"""Find which side of a number is meant: `at least 21`, `no more than`, `or newer`, `around`."""

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


def bound_of(reading: Reading, quantity: Quantity, floor: int, ceiling: int) -> Bound:
    """Return the side of a number, read between the characters `floor` and `ceiling`.

    They are the ends of what belongs to the numbers before and after it.
    """
    clause = reading.clauses[reading.clause(quantity.first)]
    floor = max(floor, clause.start, quantity.start - LOOK_BACK)
    after = _after(reading, quantity, min(ceiling, clause.end, quantity.end + LOOK_BACK))
    before = _before(reading, quantity, floor)
    if after is not None and (before is None or before.side == "~" or before.weak):
        return after
    return before or after or _bare(reading, quantity, floor)


def _bare(reading: Reading, quantity: Quantity, floor: int) -> Bound:
    negated = bool(_NOT_NUMBER.search(reading.text[floor : quantity.start].rstrip("$€£ ") + " "))
    return Bound("!=" if negated else None, "", quantity.start, quantity.end)


def _before(reading: Reading, quantity: Quantity, floor: int) -> Bound | None:
    text = reading.text[floor : quantity.start]
    last = None
    for match in BEFORE.finditer(text):
        last = match
    if last is None or _is_far(text[last.end() :]):
        return None
    side, topic = _meaning(last)
    start = floor + last.start()
    negation = NOT_BEFORE.search(text[: last.start()])
    if negation and _turns(last, side):
        start = floor + negation.start()
        side = _LOOSE.get(side, side) if _is_loose(last) else _OPPOSITE.get(side, side)
    weak = last[0].casefold() in ("from", "since", "by", "about")
    return Bound(side, topic, start, quantity.end, weak)


def _is_far(between: str) -> bool:
    """Return whether what lies between a comparison and a number parts them."""
    words = re.findall(r"[\w'’]+", between)
    return len(words) > MOST_BETWEEN or bool(re.search(r"[;!?\n]|,\s", between))


def _meaning(match: re.Match[str]) -> tuple[Side, str]:
    if match["than"] is None:
        number = int((match.lastgroup or "o0")[1:])
        return cast("Side", BEFORE_OPERATORS[number]), ""
    words = " ".join(match["than"].casefold().split())
    key = max((phrase for phrase in COMPARATIVES if words.startswith(phrase)), key=len)
    topic, op = COMPARATIVES[key]
    return ("<" if op == "<" else ">"), topic


def _is_loose(match: re.Match[str]) -> bool:
    return match[0].casefold() in ("over", "above", "under", "below")


def _turns(match: re.Match[str], side: Side) -> bool:
    """Return whether a negation turns this comparison round: `not over`, never `not at most`."""
    return side in ("<", ">", "==") or _is_loose(match)


def _leads_on(reading: Reading, end: int, ceiling: int) -> bool:
    """Return whether an `at least` belongs to the number that comes next."""
    follows = reading.text[ceiling : ceiling + 1].isdigit()
    return follows and not reading.text[end:ceiling].strip(" $€£")


def _after(reading: Reading, quantity: Quantity, ceiling: int) -> Bound | None:
    """Read `or more`, `tops` after the number or after up to three words of its unit."""
    place = quantity.end
    for step in range(4):
        match = AFTER.match(reading.text, place, ceiling)
        if match and not _leads_on(reading, match.end(), ceiling):
            if match["near"]:
                return Bound("~", "", quantity.start, match.end())
            return Bound(">=" if match["low"] else "<=", "", quantity.start, match.end())
        following = quantity.last + 1 + step
        if following >= len(reading.words) or reading.words[following].end > ceiling:
            return None
        if re.search(r"[,;.!?\n(]", reading.text[place : reading.words[following].start]):
            return None
        place = reading.words[following].end
    return None
