"""Keeps Python's collector of garbage out of a question that has to be back soon.

It looks through everything that was imported, some 60 ms, wherever the objects made by a question
are the last straw: longer than the deadline of many. What it does not do meanwhile it does right
after, on nobody's clock.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext

SOON = 0.5
"""Seconds up to which a deadline is short; in a longer question memory may have to be found."""


def collector_paused(deadline: float | None) -> AbstractContextManager[None]:
    """Return a context in which nothing is collected if the deadline, in seconds, is short.

    Where questions of several threads overlap, it goes on when the first of them has ended. A
    process that has turned it off finds it off.
    """
    is_short = deadline is not None and deadline <= SOON
    return _paused() if is_short and gc.isenabled() else nullcontext()


@contextmanager
def _paused() -> Generator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
