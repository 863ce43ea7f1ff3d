"""Sequences whose elements may be absent, and `any`, `sum`, `min`, `range` … over them.

A sequence is anything that yields `(value, slots)`: `slots` is None for an element that is
there for certain, else what its presence depends on. Where a sequence may go on with elements
nobody knows of, it ends by raising `Unsettled`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from ....catalogs.errors import excerpt
from .unknowns import (
    NOTHING,
    ProgramError,
    Slots,
    Unknown,
    Unsettled,
    calculate,
    compare,
    join,
    slots_of,
    truth,
    unknown_truth,
)

Element = tuple[Any, Slots | None]

MAX_ELEMENTS = 400
"""Elements of a list, and numbers of a range; the largest household has 20 members."""


@dataclass(frozen=True, slots=True)
class Elements:
    """A list that is not known for certain; `tail`: what decides whether it goes on."""

    items: tuple[Element, ...]
    tail: Slots | None = None

    def __bool__(self) -> bool:
        raise ProgramError("the truth of a list is not asked for; use len")


def collect(source: Iterator[Element]) -> tuple[Any, ...] | Elements:
    """Return a list: a plain tuple where all of it is certain."""
    items: list[Element] = []
    tail: Slots | None = None
    try:
        for item in source:
            items.append(item)
            if len(items) > MAX_ELEMENTS:
                raise ProgramError(f"a list of more than {MAX_ELEMENTS:,} elements")
    except Unsettled as error:
        tail = error.slots
    if tail is None and all(slots is None for _, slots in items):
        return tuple(value for value, _ in items)
    return Elements(tuple(items), tail)


def check_shallow(value: Any) -> Any:
    """Return a list or tuple unless it holds lists of lists.

    So no operation can walk through more than `MAX_ELEMENTS` squared elements.
    """
    for item in _inside(value):
        if isinstance(item, tuple | dict | Elements) and any(map(_is_container, _inside(item))):
            raise ProgramError("a list of lists of lists")
    return value


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, Elements):
        return [item for item, _ in value.items]
    return cast("Iterable[Any]", value.values() if isinstance(value, dict) else value)


def _is_container(value: Any) -> bool:
    return isinstance(value, tuple | dict | Elements)


def elements(value: Any) -> Iterator[Element]:
    """Yield the elements of a list, table or text-free container."""
    if isinstance(value, Elements):
        yield from value.items
        if value.tail is not None:
            raise Unsettled(value.tail)
        return
    if isinstance(value, tuple | dict | frozenset):
        for item in cast("Iterable[Any]", value):
            yield item, None
        return
    if type(value) is Unknown:
        raise Unsettled(value.slots)
    raise ProgramError(f"{excerpt(value)} is no list")


def _search(source: Iterator[Element], *, sought: bool) -> Any:
    """Return whether any element is true (`sought` True), or all are (False)."""
    slots = NOTHING
    try:
        for value, presence in source:
            is_true = truth(value)
            if is_true is sought and presence is None:
                return sought
            if is_true is None or is_true is sought:
                slots |= slots_of(value) | (presence or NOTHING)
    except Unsettled as error:
        return unknown_truth(slots | error.slots)
    return unknown_truth(slots) if slots else not sought


def sum_of(source: Iterator[Element], start: Any = 0) -> Any:
    """Return the sum of all elements."""
    total = start
    for value, presence in source:
        term = value if presence is None else join(value, 0, presence)
        total = calculate("+", total, term)
    return total


def count_of(value: Any) -> Any:
    """Return how many elements a list has."""
    if isinstance(value, Elements):
        if value.tail is not None:
            raise Unsettled(value.tail)
        return sum_of((1, presence) for _, presence in value.items)
    if isinstance(value, tuple | dict | frozenset | str):
        return len(cast("tuple[Any, ...]", value))
    if type(value) is Unknown:
        raise Unsettled(value.slots)
    raise ProgramError(f"{excerpt(value)} has no length")


def extreme_of(source: Iterator[Element], op: str) -> Any:
    """Return the least (`<`) or greatest (`>`) element."""
    items = list(source)
    certain = [value for value, presence in items if presence is None]
    if not certain:
        slots = NOTHING.union(*(presence or NOTHING for _, presence in items))
        if slots:
            raise Unsettled(slots)
        raise ProgramError("the least or greatest of nothing")
    best = certain[0]
    for value in certain[1:]:
        best = _better(op, value, best)
    for value, presence in items:
        if presence is not None:
            best = join(best, _better(op, value, best), presence)
    return best


def _better(op: str, value: Any, best: Any) -> Any:
    better = compare(op, value, best)
    is_better = truth(better)
    if is_better is None:
        return join(best, value, slots_of(better))
    return value if is_better else best


def sorted_of(source: Iterator[Element]) -> tuple[Any, ...]:
    """Return the elements in order; `Unsettled` unless all are known."""
    values = collect(source)
    if isinstance(values, Elements):
        slots = values.tail or NOTHING
        raise Unsettled(slots.union(*(presence or NOTHING for _, presence in values.items)))
    if slots := slots_of(values):
        raise Unsettled(slots)
    try:
        return tuple(sorted(values))
    except TypeError:
        raise ProgramError("texts and numbers have no common order") from None


def enumerate_elements(source: Iterator[Element]) -> Iterator[Element]:
    """Yield (number, element) pairs; `Unsettled` after an element that may not be there."""
    for number, (value, presence) in enumerate(source):
        if presence is not None:
            raise Unsettled(presence)
        yield (number, value), None


def range_of(*arguments: Any) -> tuple[Any, ...] | Elements:
    """Return range(stop), range(start, stop) or range(start, stop, step) as a list.

    Where the stop is not known, the list is certain as far as its least value.
    """
    if not 1 <= len(arguments) <= 3:
        raise ProgramError(f"range of {len(arguments)} numbers")
    start, stop, *step = arguments if len(arguments) > 1 else (0, *arguments)
    tail: Slots | None = None
    if type(stop) is Unknown and type(start) is int and not step:
        tail, low = stop.slots, min(stop.options) if stop.options else stop.low
        stop = max(int(low), start) if low > -MAX_ELEMENTS else start
    for number in (start, stop, *step):
        if type(number) is Unknown:
            raise Unsettled(number.slots)
        if type(number) is not int:
            raise ProgramError(f"range of {excerpt(number)}")
    if step == [0]:
        raise ProgramError("range in steps of 0")
    numbers = range(int(start), int(cast("int", stop)), *step)
    if len(numbers) > MAX_ELEMENTS:
        raise ProgramError(f"a range of {len(numbers):,} numbers")
    if tail is None:
        return tuple(numbers)
    return Elements(tuple((number, None) for number in numbers), tail)


def _absolute(value: Any) -> Any:
    negative = compare("<", value, 0)
    is_negative = truth(negative)
    if is_negative is None:
        return join(value, calculate("-", 0, value), slots_of(value))
    return calculate("-", 0, value) if is_negative else value


def _whole(value: Any) -> Any:
    if type(value) is Unknown:
        if value.options is None:
            return Unknown(value.slots, None, _floor(value.low), _ceil(value.high))
        return Unknown(value.slots, frozenset(_whole(option) for option in value.options))
    return int(number_of(value))


def _floor(number: float) -> float:
    return number if math.isinf(number) else math.floor(number)


def _ceil(number: float) -> float:
    return number if math.isinf(number) else math.ceil(number)


def number_of(value: Any) -> Any:
    """Return a number, or the number that a text spells."""
    if isinstance(value, str):
        try:
            number = float(value[:40])
        except ValueError:
            raise ProgramError(f"{excerpt(value)} is no number") from None
        if abs(number) <= 1e12:
            return number
    elif isinstance(value, bool | int | float) or type(value) is Unknown:
        return value
    raise ProgramError(f"{excerpt(value)} is no number")


def _as_bool(value: Any) -> Any:
    is_true = truth(value)
    return unknown_truth(slots_of(value)) if is_true is None else is_true


def _rounded(value: Any, digits: Any = 0) -> Any:
    if type(value) is Unknown:
        return Unknown(value.slots)
    if type(digits) is not int or not -12 <= digits <= 12:
        raise ProgramError("round to how many digits?")
    return round(number_of(value), digits) if digits else round(number_of(value))


def _float(value: Any) -> Any:
    number = number_of(value)
    return number if type(number) is Unknown else float(number)


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


def _enumerate(source: Iterator[Element]) -> Any:
    return collect(enumerate_elements(source))


OVER_ELEMENTS: Mapping[str, Callable[..., Any]] = {
    "any": partial(_search, sought=True),
    "all": partial(_search, sought=False),
    "sum": sum_of,
    "min": partial(extreme_of, op="<"),
    "max": partial(extreme_of, op=">"),
    "sorted": sorted_of,
    "enumerate": _enumerate,
}
"""Functions of a sequence."""
