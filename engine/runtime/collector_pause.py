"""Keeps Python's collector of garbage out of a question that has to be back soon.

It looks through everything that was imported, some 60 ms, wherever the objects made by a question
are the last straw: longer than the deadline of many. What is put off comes once the answer is made,
and far more seldom: a question counts as one step of the collector then, not as a dozen.
"""

from __future__ import annotations

import gc
import os
from contextlib import AbstractContextManager, nullcontext

SOON = 0.5
"""Seconds up to which a deadline is short; in a longer question memory may have to be found."""


class _Pause(AbstractContextManager[None]):
    """Turns the collector off and on again; a class, since to leave a generator makes objects."""

    is_on = False

    def __enter__(self) -> None:
        self.is_on = True
        gc.disable()

    def __exit__(self, *error: object) -> None:
        self.is_on = False
        gc.enable()

    def forget(self) -> None:
        """Go on in a process that was forked while another thread paused."""
        if self.is_on:
            self.__exit__()


_PAUSE = _Pause()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_PAUSE.forget)


def collector_paused(deadline: float | None) -> AbstractContextManager[None]:
    """Return a context in which nothing is collected if the deadline, in seconds, is short.

    Where questions of several threads overlap, it goes on when the first of them has ended. A
    process that has turned it off before finds it off.
    """
    is_short = deadline is not None and deadline <= SOON
    return _PAUSE if is_short and gc.isenabled() else nullcontext()
