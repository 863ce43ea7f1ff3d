"""Whether recorded arguments match those of a call.

Every recorded argument that is not empty must be in the call and equal; what else the call holds
does not count. Texts are stripped, a number said as text is a number, and coordinates are cut
after 5 decimals, not rounded: numbers under a name of a coordinate, and texts like
`121.5,29.9;121.6,29.8`. Linear in the arguments.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from decimal import ROUND_DOWN, Decimal, InvalidOperation
from functools import lru_cache
from typing import Any, cast

DECIMALS = Decimal("0.00001")
"""About a metre."""

LONGEST_NUMBER = 40
"""Characters of a text that may be a number."""

LONGEST_POINTS = 100_000
"""Characters of a text that may be points, or JSON."""

_AXIS = "x|y|lon|lat|lng|longitude|latitude"
_COORDINATE = re.compile(rf"(?:.*[_.-])?(?:{_AXIS})\d*", re.IGNORECASE)
_CAMEL = re.compile(r"[a-z]\w*(?:Lon|Lat|Lng|Longitude|Latitude|X|Y|Location|Points?)\d*")
_POINT = re.compile(
    r"(?:.*_)?(?:loc|location|center|centre|origin|destination|point|coord|coordinate)s?\d*",
    re.IGNORECASE,
)
_MAY_BE_NUMBER = re.compile(r"[+-]?\.?\d", re.ASCII)
"""Most texts are none, and to find that out by an error takes long."""

_NUMBER = r"[+-]?\d{1,3}(?:\.\d+)?"
_POINTS = re.compile(
    rf"\s*{_NUMBER}\s*,\s*{_NUMBER}\s*(?:[;|]\s*{_NUMBER}\s*,\s*{_NUMBER}\s*)*[;|]?\s*", re.ASCII
)


def matches(recorded: Mapping[str, Any], called: Mapping[str, Any]) -> bool:
    """Return whether a call has all recorded arguments that are not empty."""
    return all(
        name in called and same(value, called[name], is_place=is_coordinate(name))
        for name, value in recorded.items()
        if not is_empty(value)
    )


def is_empty(value: Any) -> bool:
    """Return whether an argument says nothing: null, a blank text, an empty list or object."""
    return value is None or (isinstance(value, str | list | dict) and not _stripped(value))


def _stripped(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


@lru_cache(maxsize=4_096)
def is_coordinate(name: str) -> bool:
    """Return whether numbers under a name are coordinates, as under `end_lon`, `x`, `location`."""
    patterns = (_COORDINATE, _POINT, _CAMEL)
    return any(pattern.fullmatch(name) for pattern in patterns)


def is_points(text: str) -> bool:
    """Return whether a text is coordinates: pairs, at least one number of them with decimals."""
    return len(text) <= LONGEST_POINTS and "." in text and bool(_POINTS.fullmatch(text))


def same(recorded: Any, called: Any, *, is_place: bool = False) -> bool:
    """Return whether two values are equal; `is_place`: numbers in them are coordinates."""
    if isinstance(recorded, str) and isinstance(called, str):
        recorded, called = recorded.strip(), called.strip()
        # Neither numbers nor points nor JSON begin with a letter.
        if recorded == called or recorded[:1].isalpha() or called[:1].isalpha():
            return recorded == called
    if isinstance(recorded, bool) or isinstance(called, bool):
        return recorded is called
    first, second = number(recorded), number(called)
    if first is not None or second is not None:
        return first is not None and second is not None and _equal(first, second, is_place)
    recorded, called = _opened(recorded), _opened(called)
    if isinstance(recorded, str) and isinstance(called, str):
        return _same_text(recorded, called)
    if isinstance(recorded, dict) and isinstance(called, dict):
        return _same_object(recorded, called, is_place)
    if isinstance(recorded, list) and isinstance(called, list):
        return _same_list(recorded, called, is_place)
    return recorded is None and called is None


def number(value: Any) -> Decimal | None:
    """Return the number that a value is, or that a text says; None for any other."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = value.strip() if isinstance(value, str) else str(value)
    if not _MAY_BE_NUMBER.match(text) or len(text) > LONGEST_NUMBER:
        return None
    try:
        found = Decimal(text)
    except (InvalidOperation, ValueError):
        return None
    return found if found.is_finite() else None


def _equal(first: Decimal, second: Decimal, is_place: bool) -> bool:
    if is_place and abs(first) < 1_000 and abs(second) < 1_000:
        first, second = _cut(first), _cut(second)
    return first == second


def _cut(value: Decimal) -> Decimal:
    return value.quantize(DECIMALS, rounding=ROUND_DOWN)


def _opened(value: Any) -> Any:
    """Return the list or object that a text of JSON holds, else the value."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    if len(value) > LONGEST_POINTS:
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _same_text(first: str, second: str) -> bool:
    first, second = first.strip(), second.strip()
    if first == second:
        return True
    if not (is_points(first) and is_points(second)):
        return False
    return _points(first) == _points(second)


def _points(text: str) -> list[list[Decimal]]:
    pairs = [part for part in re.split(r"[;|]", text) if part.strip()]
    return [[_cut(Decimal(each.strip())) for each in pair.split(",")] for pair in pairs]


def _same_object(recorded: Any, called: Any, is_place: bool) -> bool:
    first, second = cast("dict[str, Any]", recorded), cast("dict[str, Any]", called)
    return all(
        name in second and same(value, second[name], is_place=is_place or is_coordinate(name))
        for name, value in first.items()
        if not is_empty(value)
    )


def _same_list(recorded: Any, called: Any, is_place: bool) -> bool:
    first, second = cast("Sequence[Any]", recorded), cast("Sequence[Any]", called)
    if len(first) != len(second):
        return False
    pairs = zip(first, second, strict=True)
    return all(same(one, other, is_place=is_place) for one, other in pairs)
