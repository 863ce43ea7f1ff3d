"""Sequences with elements that may or may not be there, and what functions make of them.

A sequence is anything that yields `(value, slots)`: `slots` is None for an element that is
there for certain, else what its presence depends on. Where a sequence may go on with elements
nobody knows of, it ends by raising `Unsettled`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ...catalogs.errors import shown
from .unknowns import (
    NOTHING,
    ProgramError,
    Slots,
    Unknown,
    Unsettled,
    calculated,
    compared,
    either,
    joined,
    slots_of,
    truth,
)

Element = tuple[Any, Slots | None]

MAX_ELEMENTS = 400
"""Elements of a list, and numbers of a range; the largest household has 20 members."""


@dataclass(frozen=True, slots=True)
class Elements:
    """A list that is not known for certain; `tail`: what decides whether it goes on."""

    held: tuple[Element, ...]
    tail: Slots | None = None

    def __bool__(self) -> bool:
        raise ProgramError("the truth of a list is not asked for; use len")


def collected(source: Iterator[Element]) -> tuple[Any, ...] | Elements:
    """Return a list: a plain tuple where all of it is certain."""
    held: list[Element] = []
    tail: Slots | None = None
    try:
        for one in source:
            held.append(one)
            if len(held) > MAX_ELEMENTS:
                raise ProgramError(f"a list of more than {MAX_ELEMENTS:,} elements")
    except Unsettled as error:
        tail = error.slots
    if tail is None and all(slots is None for _, slots in held):
        return tuple(value for value, _ in held)
    return Elements(tuple(held), tail)


def shallow(value: Any) -> Any:
    """Return a list or tuple unless it holds lists of lists.

    So no operation can walk through more than `MAX_ELEMENTS` squared elements.
    """
    for one in _inside(value):
        if isinstance(one, tuple | dict | Elements) and any(map(_is_container, _inside(one))):
            raise ProgramError("a list of lists of lists")
    return value


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, Elements):
        return [one for one, _ in value.held]
    return cast("Iterable[Any]", value.values() if isinstance(value, dict) else value)


def _is_container(value: Any) -> bool:
    return isinstance(value, tuple | dict | Elements)


def elements(value: Any) -> Iterator[Element]:
    """Yield the elements of a list, table or text-free container."""
    if isinstance(value, Elements):
        yield from value.held
        if value.tail is not None:
            raise Unsettled(value.tail)
        return
    if isinstance(value, tuple | dict | frozenset):
        for one in cast("Iterable[Any]", value):
            yield one, None
        return
    if type(value) is Unknown:
        raise Unsettled(value.slots)
    raise ProgramError(f"{shown(value)} is no list")


def any_of(source: Iterator[Element]) -> Any:
    """Return whether any element is true."""
    return _search(source, True)


def all_of(source: Iterator[Element]) -> Any:
    """Return whether all elements are true."""
    return _search(source, False)


def _search(source: Iterator[Element], sought: bool) -> Any:
    slots = NOTHING
    try:
        for value, presence in source:
            held = truth(value)
            if held is sought and presence is None:
                return sought
            if held is None or held is sought:
                slots |= slots_of(value) | (presence or NOTHING)
    except Unsettled as error:
        return either(slots | error.slots)
    return either(slots) if slots else not sought


def sum_of(source: Iterator[Element], start: Any = 0) -> Any:
    """Return the sum of all elements."""
    total = start
    for value, presence in source:
        term = value if presence is None else joined(value, 0, presence)
        total = calculated("+", total, term)
    return total


def count_of(value: Any) -> Any:
    """Return how many elements a list has."""
    if isinstance(value, Elements):
        if value.tail is not None:
            raise Unsettled(value.tail)
        return sum_of((1, presence) for _, presence in value.held)
    if isinstance(value, tuple | dict | frozenset | str):
        return len(cast("tuple[Any, ...]", value))
    if type(value) is Unknown:
        raise Unsettled(value.slots)
    raise ProgramError(f"{shown(value)} has no length")


def extreme_of(source: Iterator[Element], op: str) -> Any:
    """Return the least (`<`) or greatest (`>`) element."""
    held = list(source)
    certain = [value for value, presence in held if presence is None]
    if not certain:
        slots = NOTHING.union(*(presence or NOTHING for _, presence in held))
        if slots:
            raise Unsettled(slots)
        raise ProgramError("the least or greatest of nothing")
    found = certain[0]
    for value in certain[1:]:
        found = _better(op, value, found)
    for value, presence in held:
        if presence is not None:
            found = joined(found, _better(op, value, found), presence)
    return found


def _better(op: str, value: Any, found: Any) -> Any:
    better = compared(op, value, found)
    held = truth(better)
    if held is None:
        return joined(found, value, slots_of(better))
    return value if held else found


def sorted_of(source: Iterator[Element]) -> tuple[Any, ...]:
    """Return the elements in order; `Unsettled` unless all are known."""
    held = collected(source)
    if isinstance(held, Elements):
        slots = held.tail or NOTHING
        raise Unsettled(slots.union(*(presence or NOTHING for _, presence in held.held)))
    if slots := slots_of(held):
        raise Unsettled(slots)
    try:
        return tuple(sorted(held))
    except TypeError:
        raise ProgramError("texts and numbers have no common order") from None


def numbered(source: Iterator[Element]) -> Iterator[Element]:
    """Yield (number, element) pairs; `Unsettled` after an element that may not be there."""
    for at, (value, presence) in enumerate(source):
        if presence is not None:
            raise Unsettled(presence)
        yield (at, value), None


def range_of(*given: Any) -> tuple[Any, ...] | Elements:
    """Return range(stop), range(start, stop) or range(start, stop, step) as a list.

    Where the stop is not known, the list is certain as far as its least value.
    """
    if not 1 <= len(given) <= 3:
        raise ProgramError(f"range of {len(given)} numbers")
    start, stop, *step = given if len(given) > 1 else (0, *given)
    tail: Slots | None = None
    if type(stop) is Unknown and type(start) is int and not step:
        tail, low = stop.slots, min(stop.options) if stop.options else stop.low
        stop = max(int(low), start) if low > -MAX_ELEMENTS else start
    for one in (start, stop, *step):
        if type(one) is Unknown:
            raise Unsettled(one.slots)
        if type(one) is not int:
            raise ProgramError(f"range of {shown(one)}")
    if step == [0]:
        raise ProgramError("range in steps of 0")
    numbers = range(int(start), int(cast("int", stop)), *step)
    if len(numbers) > MAX_ELEMENTS:
        raise ProgramError(f"a range of {len(numbers):,} numbers")
    if tail is None:
        return tuple(numbers)
    return Elements(tuple((one, None) for one in numbers), tail)


def _absolute(value: Any) -> Any:
    negative = compared("<", value, 0)
    held = truth(negative)
    if held is None:
        return joined(value, calculated("-", 0, value), slots_of(value))
    return calculated("-", 0, value) if held else value


def _whole(value: Any) -> Any:
    if type(value) is Unknown:
        if value.options is None:
            return Unknown(value.slots, None, _floor(value.low), _ceil(value.high))
        return Unknown(value.slots, frozenset(_whole(one) for one in value.options))
    return int(number_of(value))


def _floor(number: float) -> float:
    return number if math.isinf(number) else math.floor(number)


def _ceil(number: float) -> float:
    return number if math.isinf(number) else math.ceil(number)


def number_of(value: Any) -> Any:
    """Return a number, or the number that a text spells."""
    if isinstance(value, str):
        try:
            found = float(value[:40])
        except ValueError:
            raise ProgramError(f"{shown(value)} is no number") from None
        if abs(found) <= 1e12:
            return found
    elif isinstance(value, bool | int | float) or type(value) is Unknown:
        return value
    raise ProgramError(f"{shown(value)} is no number")


def _as_bool(value: Any) -> Any:
    held = truth(value)
    return either(slots_of(value)) if held is None else held


def _rounded(value: Any, digits: Any = 0) -> Any:
    if type(value) is Unknown:
        return Unknown(value.slots)
    if type(digits) is not int or not -12 <= digits <= 12:
        raise ProgramError("round to how many digits?")
    return round(number_of(value), digits) if digits else round(number_of(value))


def _float(value: Any) -> Any:
    found = number_of(value)
    return found if type(found) is Unknown else float(found)


SCALAR: Mapping[str, Callable[..., Any]] = {
    "abs": _absolute,
    "int": _whole,
    "float": _float,
    "bool": _as_bool,
    "round": _rounded,
    "len": count_of,
    "range": range_of,
}
"""Functions of single values."""


def _least(source: Iterator[Element]) -> Any:
    return extreme_of(source, "<")


def _greatest(source: Iterator[Element]) -> Any:
    return extreme_of(source, ">")


def _enumerated(source: Iterator[Element]) -> Any:
    return collected(numbered(source))


OVER_ELEMENTS: Mapping[str, Callable[..., Any]] = {
    "any": any_of,
    "all": all_of,
    "sum": sum_of,
    "min": _least,
    "max": _greatest,
    "sorted": sorted_of,
    "enumerate": _enumerated,
}
"""Functions of a sequence."""
