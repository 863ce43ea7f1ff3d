"""Reads rows in pieces until a budget is over, on one thread or on several.

A piece of 131,072 rows of four constraints takes a kernel some milliseconds; of more constraints
it has fewer rows. While much time is left pieces are larger, since each call costs 10 µs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import TypeVar

from ...solvers.limits import Budget
from ...solvers.parallel_chunks import run_chunks

Result = TypeVar("Result")

PIECE_WORDS = 2_048
"""Words (64 rows each) read between two looks at the clock, and by a thread at a time."""

PIECE_WIDTH = 4
"""Constraints that a whole piece has; the more there are, the fewer words it has."""

LARGER = 16
"""Pieces are so many times as large while there is plenty of time."""

PLENTY = 0.5
"""Seconds left that are plenty."""

PARALLEL_WORDS = 32_768
"""From so many words on several threads may share a reading; of fewer a piece takes all."""

SHARED_PIECES = 4
"""Pieces for each thread where they share a reading, so that they end at about the same time."""


def read_pieces(
    words: int,
    budget: Budget,
    read: Callable[[int, int], Result],
    at_least: int = 0,
    step: int | None = None,
    width: int = PIECE_WIDTH,
) -> tuple[list[Result], bool]:
    """Return what `read` makes of the words from start to stop, for each piece, in order.

    And whether all were read: the clock is looked at before each piece but the first `at_least`.
    With `step`, words to a piece, on one thread; else for rows of `width` constraints.
    """
    threads = budget.threads if words >= PARALLEL_WORDS and step is None else 1
    whole = PIECE_WORDS if budget.remaining < PLENTY else PIECE_WORDS * LARGER
    if threads > 1:
        whole = min(whole, max(PIECE_WORDS, words // (SHARED_PIECES * threads)))
    step = step or max(1, whole * PIECE_WIDTH // max(PIECE_WIDTH, width))
    if 0 < words <= step:
        # What most readings of a small slice are.
        return ([], False) if not at_least and budget.expired else ([read(0, words)], True)

    def read_some(starts: Iterator[int]) -> tuple[list[tuple[int, Result]], bool]:
        done: list[tuple[int, Result]] = []
        for start in starts:
            if start >= at_least * step and budget.expired:
                return done, False
            done.append((start, read(start, min(words, start + step))))
        return done, True

    parts = run_chunks(range(0, words, step), read_some, threads)
    done = [piece for some, _ in parts for piece in some]
    in_order = [result for _, result in sorted(done, key=itemgetter(0))]
    return in_order, all(complete for _, complete in parts)
