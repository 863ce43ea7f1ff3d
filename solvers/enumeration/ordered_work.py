"""Work done by several threads and given out in its order, the thread that asks among them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

Work = TypeVar("Work")
Result = TypeVar("Result")

AHEAD_PER_THREAD = 4
"""Results that may wait for an earlier one, for each thread: they bound what is held."""


def in_order(
    function: Callable[[Work], Result], work: Iterable[Work], threads: int
) -> Iterator[Result]:
    """Yield the function of each piece of work, in order, computed on this many threads.

    The thread that asks is one of them: where the next result is not there yet it takes a piece
    that nobody has begun. At most `AHEAD_PER_THREAD` · threads pieces are taken ahead of what was
    yielded. With one thread nothing is, and none is started. An error comes where its result would
    have; closing the iterator drops what has not begun and waits for what has.
    """
    if threads == 1:
        yield from map(function, work)
        return
    pending: deque[_Piece[Work, Result]] = deque()
    with ThreadPoolExecutor(threads - 1) as pool:
        try:
            for each in work:
                piece = _Piece(function, each)
                pending.append(piece)
                pool.submit(piece.do)
                if len(pending) >= threads * AHEAD_PER_THREAD:
                    yield _first(pending)
            while pending:
                yield _first(pending)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


class _Piece(Generic[Work, Result]):
    """A piece of work, done once by whoever comes first."""

    def __init__(self, function: Callable[[Work], Result], work: Work) -> None:
        self._function, self._work = function, work
        # Taking from a list's iterator is one step under Python's lock.
        self._turn = iter([True])
        self.is_begun = False
        self.result: Future[Result] = Future()

    def do(self) -> None:
        """Do it, unless somebody else does."""
        if not next(self._turn, False):
            return
        self.is_begun = True
        try:
            self.result.set_result(self._function(self._work))
        except BaseException as error:
            self.result.set_exception(error)
            if not isinstance(error, Exception):
                raise


def _first(pending: deque[_Piece[Work, Result]]) -> Result:
    """Take the first piece and return its result; do others while somebody does that one."""
    first = pending.popleft()
    first.do()
    while not first.result.done():
        left = next((piece for piece in pending if not piece.is_begun), None)
        if left is None:
            break
        left.do()
    return first.result.result()
