"""Values that are not known yet: a set or an interval, with three-valued operators on them.

An `Unknown` is a finite set of values or an interval of numbers, with the slots it depends on.
Operators on it give what holds for every value it may have: three-valued logic for truth,
interval arithmetic for numbers. A result that does not depend on what is unknown is an ordinary
value again and forgets the slots.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ....catalogs.errors import excerpt
from ..keys import HIGHEST, Key, Slot

Slots = frozenset[Slot]
NOTHING: Slots = frozenset()

MAX_PAIRS = 2_500
"""Pairs of possible values looked at one by one; beyond it the result is any."""


class ProgramError(Exception):
    """A program did what its values do not allow: it adds a text, it divides by zero."""


class Exhausted(Exception):
    """An evaluation took more steps or time than it may."""


class Unsettled(Exception):
    """What happens next depends on slots in a way that is not followed any further."""

    def __init__(self, slots: Slots) -> None:
        super().__init__()
        self.slots = slots


@dataclass(frozen=True, slots=True)
class Unknown:
    """One of `options`, or where they are None a number from `low` to `high`."""

    slots: Slots
    options: frozenset[Any] | None = None
    low: float = -math.inf
    high: float = math.inf


BOTH = frozenset((True, False))


def unknown_truth(slots: Slots) -> Unknown:
    """Return an unknown truth value."""
    return Unknown(slots, BOTH)


def unknown_of(key: Key, slot: Slot) -> Unknown:
    """Return what is known of a slot by its key alone."""
    slots = frozenset((slot,))
    if key.kind == "bool":
        return Unknown(slots, BOTH)
    if key.kind == "choice":
        return Unknown(slots, frozenset(key.values))
    return Unknown(slots, None, key.low, key.high)


def truth(value: Any) -> bool | None:
    """Return whether a value is true; None where it may be either."""
    if type(value) is not Unknown:
        return bool(value)
    if value.options is not None:
        truths = {bool(option) for option in value.options}
        return truths.pop() if len(truths) == 1 else None
    if value.low > 0 or value.high < 0:
        return True
    return False if value.low == value.high == 0 else None


def slots_of(value: Any) -> Slots:
    """Return the slots a value depends on."""
    if type(value) is Unknown:
        return value.slots
    if type(value) is tuple:
        return NOTHING.union(*map(slots_of, cast("tuple[Any, ...]", value)))
    return NOTHING


def join(first: Any, second: Any, slots: Slots) -> Any:
    """Return what is known of a value that is one of two, which one depending on slots."""
    if first is second or (type(first) is type(second) and _same(first, second)):
        return first
    slots = slots | slots_of(first) | slots_of(second)
    options, others = _options(first), _options(second)
    if options is not None and others is not None and len(options | others) <= MAX_PAIRS:
        return Unknown(slots, options | others)
    a, b = _bounds(first), _bounds(second)
    if a is None or b is None:
        return Unknown(slots)
    return Unknown(slots, None, min(a[0], b[0]), max(a[1], b[1]))


def _same(first: Any, second: Any) -> bool:
    return type(first) is not Unknown and bool(first == second)


def _options(value: Any) -> frozenset[Any] | None:
    if type(value) is Unknown:
        return value.options
    plain = value is None or isinstance(value, bool | int | float | str)
    return frozenset((value,)) if plain else None


def _bounds(value: Any) -> tuple[float, float] | None:
    if type(value) is Unknown:
        if value.options is None:
            return value.low, value.high
        if not all(isinstance(option, bool | int | float) for option in value.options):
            return None
        return min(value.options), max(value.options)
    return (value, value) if isinstance(value, bool | int | float) else None


ORDER: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def compare(op: str, first: Any, second: Any) -> Any:
    """Return whether a comparison holds: True, False, or an unknown truth value."""
    if op in ("in", "not in"):
        result = contains(second, first)
        return result if op == "in" else negate(result)
    if op in ("!=", "is not"):
        return negate(compare("==", first, second))
    if type(first) is not Unknown and type(second) is not Unknown:
        return _compared(op, first, second)
    slots = slots_of(first) | slots_of(second)
    options, others = _options(first), _options(second)
    if options is not None and others is not None and len(options) * len(others) <= MAX_PAIRS:
        return _settled((_compared(op, a, b) for a in options for b in others), slots)
    a, b = _bounds(first), _bounds(second)
    if a is None or b is None:
        return unknown_truth(slots)
    result = _ordered(op, a, b)
    return unknown_truth(slots) if result is None else result


def _compared(op: str, first: Any, second: Any) -> bool:
    if not (_is_plain(first) and _is_plain(second)):
        raise ProgramError("only texts, numbers and truth values are compared")
    if op in ("==", "is"):
        return bool(first == second)
    try:
        return bool(ORDER[op](first, second))
    except TypeError:
        raise ProgramError(f"{excerpt(first)} {op} {excerpt(second)} has no answer") from None


def _ordered(op: str, a: tuple[float, float], b: tuple[float, float]) -> bool | None:
    """Return whether a comparison of two intervals holds for all, for no values, or for some."""
    if op in (">", ">="):
        a, b, op = b, a, "<" if op == ">" else "<="
    if op == "<":
        return True if a[1] < b[0] else False if a[0] >= b[1] else None
    if op == "<=":
        return True if a[1] <= b[0] else False if a[0] > b[1] else None
    if a[1] < b[0] or b[1] < a[0]:
        return False
    return True if a[0] == a[1] == b[0] == b[1] else None


def _settled(results: Iterable[bool], slots: Slots) -> Any:
    values = set(results)
    return values.pop() if len(values) == 1 else unknown_truth(slots)


def negate(value: Any) -> Any:
    """Return not value."""
    is_true = truth(value)
    return unknown_truth(slots_of(value)) if is_true is None else not is_true


def contains(container: Any, value: Any) -> Any:
    """Return whether a container or text holds a value."""
    if isinstance(container, str) and isinstance(value, str):
        return value in container
    if not isinstance(container, tuple | dict | frozenset):
        raise ProgramError("in is asked of what is no list")
    slots = NOTHING
    for element in cast("tuple[Any, ...]", container):
        result = compare("==", element, value)
        if result is True:
            return True
        slots |= slots_of(result)
    return unknown_truth(slots) if slots else False


def _checked(value: Any) -> Any:
    if isinstance(value, int | float) and abs(value) <= HIGHEST**2 and value == value:
        return value
    raise ProgramError("a number is out of bounds")


def calculate(op: str, first: Any, second: Any) -> Any:
    """Return the result of + - * / // %; numbers only, and none beyond bounds."""
    if type(first) is not Unknown and type(second) is not Unknown:
        if not (_is_number(first) and _is_number(second)):
            raise ProgramError(f"{excerpt(first)} {op} {excerpt(second)} is no sum of numbers")
        if op in ("/", "//", "%") and second == 0:
            raise ProgramError("a division by zero")
        return _checked(ARITHMETIC[op](first, second))
    slots = slots_of(first) | slots_of(second)
    a, b = _bounds(first), _bounds(second)
    if a is None or b is None:
        return Unknown(slots)
    return _interval(op, a, b, slots)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float | str)


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float)


ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda first, second: first / second,
    "//": lambda first, second: first // second,
    "%": lambda first, second: first % second,
}


def _interval(op: str, a: tuple[float, float], b: tuple[float, float], slots: Slots) -> Unknown:
    if op == "+":
        return Unknown(slots, None, a[0] + b[0], a[1] + b[1])
    if op == "-":
        return Unknown(slots, None, a[0] - b[1], a[1] - b[0])
    if op == "*" or (op in ("/", "//") and (b[0] > 0 or b[1] < 0)):
        ends = [ARITHMETIC[op](x, y) for x in a for y in b]
        if not any(math.isnan(end) for end in ends):
            return Unknown(slots, None, min(ends), max(ends))
    return Unknown(slots)


def minus(value: Any) -> Any:
    """Return -value."""
    return calculate("-", 0, value)
