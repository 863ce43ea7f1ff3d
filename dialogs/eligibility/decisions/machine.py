"""State of one evaluation: facts, call frames, facts read and lines executed.

Where a test depends on unknown facts, `fork` follows each branch and joins the variables after
it. Steps, seconds and call depth are limited; beyond them `Exhausted` is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, cast

from ....catalogs.errors import excerpt
from ..keys import MAX_MEMBERS, SIZE, KeyTable, Known, Slot
from .sequences import Elements
from .unknowns import (
    NOTHING,
    Exhausted,
    ProgramError,
    Slots,
    Unknown,
    Unsettled,
    join,
    unknown_of,
    unknown_truth,
)

MAX_STEPS = 100_000
"""Statements, calls, comparisons and elements of one evaluation."""

MAX_SECONDS, MAX_CALL_DEPTH = 2.0, 20


class MissingSlot(Exception):
    """A program that runs as Python would read a slot that is not known."""

    def __init__(self, slot: Slot, line: int) -> None:
        super().__init__(str(slot))
        self.slot = slot
        self.line = line


class Household:
    """What a program is given: `hh`."""


@dataclass(frozen=True, slots=True)
class Member:
    """One person of the household."""

    number: int


HOUSEHOLD = Household()
MEMBERS = tuple(Member(number) for number in range(MAX_MEMBERS))

Names = dict[str, Any]


@dataclass(slots=True)
class Frame:
    """One call of a function.

    `names`: its variables on the path followed, None where no path goes on. `guard`: what
    decides whether this path is followed at all. `returned`: values with their guards.
    """

    names: Names | None
    parent: Frame | None = None
    guard: Slots = NOTHING
    returned: list[tuple[Any, Slots]] = field(default_factory=list[tuple[Any, Slots]])
    broken: list[list[Names]] = field(default_factory=list[list[Names]])
    continued: list[list[Names]] = field(default_factory=list[list[Names]])

    def result(self) -> Any:
        """Return what the function returned, on whichever path."""
        if not self.returned:
            return None
        result, guards = self.returned[0]
        for value, guard in self.returned[1:]:
            guards |= guard
            result = join(result, value, guards)
        return result


@dataclass(slots=True)
class Step:
    """One test or return executed: its line, whether it held, and what it read."""

    line: int
    value: Any
    read: tuple[Slot, ...]


@dataclass(slots=True)
class Machine:
    """One evaluation. `stops` at the first slot that is not known, or goes on without it."""

    known: Known
    keys: KeyTable
    stops: bool
    count: int = 0
    depth: int = 0
    until: float = field(default_factory=lambda: monotonic() + MAX_SECONDS)
    lines: dict[int, None] = field(default_factory=dict[int, None])
    read: dict[Slot, int] = field(default_factory=dict[Slot, int])
    unread: dict[Slot, int] = field(default_factory=dict[Slot, int])
    trail: list[Slot] = field(default_factory=list[Slot])
    steps: list[Step] = field(default_factory=list[Step])

    def step(self) -> None:
        """Count a step; raise `Exhausted` beyond the limits."""
        self.count += 1
        if self.count > MAX_STEPS:
            raise Exhausted(f"more than {MAX_STEPS:,} steps")
        if not self.count & 63 and monotonic() > self.until:
            raise Exhausted(f"more than {MAX_SECONDS:g} s")

    def note(self, line: int, value: Any, mark: int) -> None:
        """Note a test or return, and what was read for it since the trail was `mark` long."""
        self.steps.append(Step(line, value, tuple(dict.fromkeys(self.trail[mark:]))))

    def value(self, slot: Slot, line: int) -> Any:
        """Return the value of a slot, or what is known of it."""
        value = self.known.get(slot)
        if value is None:
            if self.stops:
                raise MissingSlot(slot, line)
            self.unread.setdefault(slot, line)
            return unknown_of(self.keys.key(slot.key), slot)
        if slot not in self.read:
            self.read[slot] = line
        if self.stops:
            self.trail.append(slot)
        return value

    def least_size(self) -> int:
        """Return how many members there are at least."""
        return 1 + max((slot.member or 0 for slot in self.known), default=0)

    def size(self, line: int) -> Any:
        """Return how many members there are, or what is known of it."""
        size = self.value(SIZE, line)
        if type(size) is Unknown:
            return Unknown(size.slots, None, self.least_size(), MAX_MEMBERS)
        return size

    def members(self, line: int) -> tuple[Member, ...] | Elements:
        """Return the members; as far as they are certain where the size is not known."""
        size = self.size(line)
        if type(size) is not Unknown:
            return MEMBERS[:size]
        certain = MEMBERS[: self.least_size()]
        return Elements(tuple((member, None) for member in certain), size.slots)

    def read_key(self, holder: Any, name: str, line: int) -> Any:
        """Return hh['name'], hh[i]['name'] or a table's entry."""
        if type(holder) is dict:
            return _entry(cast("dict[Any, Any]", holder), name)
        key = self.keys.key(name)
        if type(holder) is Member:
            return self.value(key.slot(holder.number), line)
        if type(holder) is not Household:
            raise ProgramError(f"{excerpt(holder)} has no key {excerpt(name)}")
        if key.level == "member":
            raise ProgramError(f"{name} is a key of members, not of the household")
        return self.value(Slot(None, name), line)

    def read_index(self, holder: Any, index: Any, line: int) -> Any:
        """Return hh[i], a list's element or a table's entry."""
        if type(index) is Unknown:
            return self._at_unknown(holder, index)
        if type(holder) is Household:
            return self._member(index, line)
        if type(holder) is dict:
            return _entry(cast("dict[Any, Any]", holder), index)
        if type(holder) is not tuple or type(index) is not int:
            raise ProgramError(f"nothing is at {excerpt(index)}")
        sequence = cast("tuple[Any, ...]", holder)
        if not -len(sequence) <= index < len(sequence):
            raise ProgramError(f"no element {index} in a list of {len(sequence)}")
        return sequence[index]

    def _member(self, index: Any, line: int) -> Member:
        if type(index) is not int or not 0 <= index < MAX_MEMBERS:
            raise ProgramError(f"no member {excerpt(index)}")
        # The applicant is always there, and so is whoever something is known about.
        if index >= self.least_size():
            size = self.size(line)
            if type(size) is Unknown:
                raise Unsettled(size.slots)
            if index >= size:
                raise ProgramError(f"no member {index} in a household of {size}")
        return MEMBERS[index]

    def _at_unknown(self, holder: Any, index: Unknown) -> Any:
        """Return what is known of an entry when its key is not."""
        if type(holder) is dict:
            entries = cast("dict[Any, Any]", holder)
            fits = [value for key, value in entries.items() if _may_be(index, key)]
            if fits:
                entry = fits[0]
                for value in fits[1:]:
                    entry = join(entry, value, index.slots)
                return entry
        raise Unsettled(index.slots)

    def call(
        self, body: Callable[[Frame, Machine], None], names: Names, parent: Frame | None
    ) -> Any:
        """Return what a function returns; a path that cannot be followed returns anything."""
        self.step()
        if self.depth >= MAX_CALL_DEPTH:
            raise Exhausted(f"calls nested more than {MAX_CALL_DEPTH} deep")
        self.depth += 1
        frame = Frame(names, parent)
        try:
            body(frame, self)
        except Unsettled as error:
            frame.returned.append((Unknown(error.slots | frame.guard), frame.guard))
        except ProgramError:
            if not frame.guard:
                raise
            frame.returned.append((Unknown(frame.guard), frame.guard))
        else:
            if frame.names is not None:
                frame.returned.append((None, frame.guard))
        finally:
            self.depth -= 1
        return frame.result()

    def suppose(self, slots: Slots, frame: Frame, do: Callable[[Frame, Machine], Any]) -> Any:
        """Return a value on a path that is followed or not, depending on slots."""
        guard = frame.guard
        frame.guard = guard | slots
        try:
            return do(frame, self)
        except Unsettled as error:
            return Unknown(slots | error.slots)
        except ProgramError:
            return Unknown(slots)
        finally:
            frame.guard = guard


def _entry(table: Mapping[Any, Any], key: Any) -> Any:
    try:
        return table[key]
    except (KeyError, TypeError):
        raise ProgramError(f"no entry {excerpt(key)} in a table") from None


def _may_be(index: Unknown, key: Any) -> bool:
    if index.options is not None:
        return key in index.options
    return isinstance(key, int | float) and index.low <= key <= index.high


def merge_paths(paths: list[Names], slots: Slots) -> Names | None:
    """Return the variables after paths that meet again, which one was taken depending on slots."""
    if not paths:
        return None
    names = paths[0]
    for other in paths[1:]:
        names = {
            name: join(names.get(name, _UNBOUND), other.get(name, _UNBOUND), slots)
            for name in {**names, **other}
        }
    return names


_UNBOUND = Unknown(NOTHING)


def fork(
    frame: Frame,
    machine: Machine,
    slots: Slots,
    bodies: tuple[Callable[[Frame, Machine], None], ...],
) -> None:
    """Follow several paths, one of which is taken, and go on where they meet."""
    guard, before = frame.guard, frame.names
    frame.guard = guard | slots
    ends: list[Names] = []
    leavers = _leavers(frame)
    for body in bodies:
        frame.names = dict(before or {})
        try:
            body(frame, machine)
        except (Unsettled, ProgramError) as error:
            more = error.slots if isinstance(error, Unsettled) else NOTHING
            frame.returned.append((unknown_truth(frame.guard | more), frame.guard))
            frame.names = None
        if frame.names is not None:
            ends.append(frame.names)
    if _leavers(frame) == leavers and len(ends) == len(bodies):
        frame.guard = guard
    frame.names = merge_paths(ends, slots)


def _leavers(frame: Frame) -> int:
    """Count the paths that left the straight one."""
    return len(frame.returned) + sum(map(len, frame.broken)) + sum(map(len, frame.continued))
