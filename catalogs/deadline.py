"""When work has to end: a moment on a clock, looked at between pieces of the work.

Whatever may take longer than some milliseconds is done in pieces of at most five, with a look
before each. A look costs a tenth of a microsecond.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from numbers import Real
from typing import Self

from .errors import QueryError, excerpt


class DeadlinePassed(Exception):
    """A deadline came before the work was done; nothing half done may pass for the whole."""


def check_seconds(deadline: object) -> None:
    """Raise `QueryError` for what is no number of seconds, nor None."""
    if not isinstance(deadline, Real | None):
        raise QueryError(f"deadline is {excerpt(deadline)}", hint="give seconds, 0 or more")


@dataclass
class Deadline:
    """A number of seconds from now; None never ends. `clock` tells the time in seconds."""

    deadline: float | None = None
    clock: Callable[[], float] = field(
        default=time.monotonic, kw_only=True, repr=False, compare=False
    )
    _end: float = field(default=math.inf, init=False, repr=False, compare=False)
    _raises: bool = field(default=True, init=False, repr=False, compare=False)
    _given: float = field(default=math.inf, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_seconds(self.deadline)
        if self.deadline is None:
            return
        if not self.deadline >= 0:
            raise QueryError(f"deadline is {self.deadline}", hint="give seconds, 0 or more")
        self._given = self.deadline
        self._end = self.clock() + self.deadline

    @property
    def given(self) -> float:
        """Seconds that whoever asked gave, however much is left and whatever share this is."""
        return self._given

    @property
    def remaining(self) -> float:
        """Seconds left, never negative; infinite without a deadline."""
        if self._end == math.inf:
            return math.inf
        return max(0.0, self._end - self.clock())

    @property
    def expired(self) -> bool:
        """Whether the deadline has passed."""
        return self.clock() >= self._end

    @property
    def is_endless(self) -> bool:
        """Whether there is no deadline."""
        return self._end == math.inf

    def check(self) -> None:
        """Raise `DeadlinePassed` if the deadline has passed."""
        if self._raises and self.expired:
            raise DeadlinePassed

    def whatever_the_time(self) -> Self:
        """Return the same, whose `check` and `pieces` raise nothing.

        For work that is short and has to be done. `remaining` and `expired` tell the time still,
        so that nothing is begun beside it which only later questions gain by.
        """
        lenient = self._same()
        lenient._raises = False
        return lenient

    def share(self, part: float) -> Self:
        """Return the same with an earlier end: after this part (0 to 1) of what remains now."""
        earlier = self._same()
        if self._end != math.inf:
            now = self.clock()
            earlier.deadline = part * max(0.0, self._end - now)
            earlier._end = now + earlier.deadline
        return earlier

    def _same(self) -> Self:
        """Return a copy, in a quarter of the time of `copy.copy`: a question takes a dozen."""
        same = object.__new__(type(self))
        same.__dict__.update(self.__dict__)
        return same

    def pieces(self, total: int, size: int) -> Iterator[tuple[int, int]]:
        """Yield (start, stop) of pieces of at most `size` that make up 0 to `total`.

        Looks at the clock before each, the first too. Raises `DeadlinePassed` instead of going
        on: what was done before is the caller's to keep or to leave.
        """
        for start in range(0, total, size):
            self.check()
            yield start, min(total, start + size)


NEVER = Deadline()
"""No deadline: the default of whatever takes one."""
