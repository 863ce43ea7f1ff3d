"""All minimal conflicts of two, three and four, and all unique-repair quads, among candidates.

Two notions, kept apart. A *minimal conflict* (MUS) of k candidates: no row meets all k, and
dropping any one of them leaves rows. A *unique-repair quad*: no row meets all four, and there
is exactly one of them whose dropping leaves rows; it is no MUS but contains smaller ones, since
every triple with that candidate is empty as well. The first is what AWARE-US (section 2.2 and
Algorithm 1) looks for, the second what its Algorithm 2 does; here both are exhaustive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Literal, TypedDict, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from ...catalogs.errors import QueryError
from .candidates import Candidates, Hits, Words
from .ordered_work import in_order

Sought = Literal["MUS-2", "MUS-3", "MUS-4", "unique-repair"]
Order = Literal["position", "tightness", "random"]

SIZES: dict[Sought, int] = {"MUS-2": 2, "MUS-3": 3, "MUS-4": 4, "unique-repair": 4}
BATCH_LINES = 16_384
"""The most hits in a batch, 512 KiB; one line for each candidate where there are more."""

BLOCKS_PER_THREAD = 32
"""Parts the search is cut in for each thread: small enough to end at about the same time."""

PIECE = 100**3
"""Work that a thread takes at a time, as candidates to the third: about a millisecond. Small sets
are taken together, a large one is cut."""

PAIR_CELLS = 2**20
"""Pairs looked at together, one byte each."""


class SearchOptions(TypedDict, total=False):
    """How hits are searched for and listed.

    `order` is "position" (lexicographic in the members; streams), "tightness" (tightest
    first) or "random" (a shuffle under `seed`). The last two hold all hits, or the best
    `limit` and a batch, before the first is out; with `limit` a random order is a uniform
    sample without replacement. `seed` with "tightness" shuffles among equals, which else come
    by position. `max_tightness` leaves out looser hits. With more `threads` the hits and
    their order are the same; batches may be cut elsewhere, and those of a few parts of the
    search are held at a time.
    """

    order: Order
    limit: int | None
    seed: int | None
    max_tightness: int | None
    threads: int


def minimal_conflicts(
    candidates: Candidates, size: int, **options: Unpack[SearchOptions]
) -> Iterator[Hits]:
    """Yield all minimal conflicts of 2, 3 or 4 candidates, in batches.

    Raises `QueryError` for another size, limit, thread count, or a seed that is missing or
    would do nothing.
    """
    sought = cast("Sought", f"MUS-{size}")
    if sought not in SIZES:
        raise QueryError(f"conflicts of {size}", hint="ask for 2, 3 or 4")
    return search(candidates, sought, **options)


def unique_repair_quads(candidates: Candidates, **options: Unpack[SearchOptions]) -> Iterator[Hits]:
    """Yield all quads with exactly one single-drop repair, which stands last.

    Each quad comes once. "position" is lexicographic in the members as they stand. All else as
    in `minimal_conflicts`.
    """
    return search(candidates, "unique-repair", **options)


def search(
    candidates: Candidates,
    sought: Sought,
    *,
    order: Order = "position",
    limit: int | None = None,
    seed: int | None = None,
    max_tightness: int | None = None,
    threads: int = 1,
) -> Iterator[Hits]:
    """Yield what is sought, by name; see `minimal_conflicts` and `unique_repair_quads`."""
    _check(order, limit, seed, threads)
    batched = _by_position(candidates, sought, threads)
    if max_tightness is not None:
        batched = (hits.take(hits.tightness <= max_tightness) for hits in batched)
    if order == "position":
        return _first(batched, limit)
    return _best(batched, SIZES[sought], order, limit, seed)


def search_each(
    candidates: Iterable[Candidates], sought: Sought, *, threads: int = 1
) -> Iterator[Hits]:
    """Yield all hits of each set of candidates, by position; threads take pieces of equal work.

    Raises `QueryError` for fewer threads than one.
    """
    _check("position", None, None, threads)
    if threads == 1:
        return map(partial(_all, sought=sought), candidates)
    return _in_pieces(candidates, sought, threads)


def _in_pieces(candidates: Iterable[Candidates], sought: Sought, threads: int) -> Iterator[Hits]:
    def found(piece: Sequence[Part]) -> list[tuple[list[Hits], bool]]:
        return [(list(_part(part.of, sought, part.block)), part.is_last) for part in piece]

    parts: list[Hits] = []
    for piece in in_order(found, _pieces(candidates, sought, threads), threads):
        for hits, is_last in piece:
            parts += hits
            if is_last:
                yield Hits.joined(parts, SIZES[sought])
                parts.clear()


@dataclass(frozen=True, slots=True)
class Part:
    """The first members `block` of a set of candidates, and whether they are the last."""

    of: Candidates
    block: tuple[int, int]
    is_last: bool


def _pieces(candidates: Iterable[Candidates], sought: Sought, threads: int) -> Iterator[list[Part]]:
    """Yield parts of sets in their order, of about `PIECE` together."""
    piece: list[Part] = []
    work = 0
    for each in candidates:
        whole = len(each) ** 3
        count = min(1 + whole // PIECE, threads * BLOCKS_PER_THREAD)
        blocks = _blocks(len(each), SIZES[sought], count) or [(0, 0)]
        if len(blocks) > 1:
            # Threads share what is made on first use, so it is made before them.
            _ = tables(each, sought)
        for block in blocks:
            piece.append(Part(each, block, block is blocks[-1]))
            work += whole // len(blocks)
            if work >= PIECE // 2:
                yield piece
                piece, work = [], 0
    if piece:
        yield piece


def _check(order: Order, limit: int | None, seed: int | None, threads: int) -> None:
    if order not in ("position", "tightness", "random"):
        raise QueryError(f"order is {order!r}", hint="position, tightness or random")
    if order == "random" and seed is None:
        raise QueryError("a random order without a seed", hint="give seed=0")
    if order == "position" and seed is not None:
        hint = 'leave it out, or ask for order="random"'
        raise QueryError(f"seed {seed} does nothing to order by position", hint=hint)
    if limit is not None and limit < 1:
        raise QueryError(f"limit is {limit}", hint="ask for at least 1")
    if threads < 1:
        raise QueryError(f"threads is {threads}", hint="give at least 1")


def _all(candidates: Candidates, sought: Sought) -> Hits:
    return Hits.joined(_part(candidates, sought, (0, len(candidates))), SIZES[sought])


def _by_position(candidates: Candidates, sought: Sought, threads: int) -> Iterator[Hits]:
    """Yield all hits by position."""
    if threads == 1:
        return _part(candidates, sought, (0, len(candidates)))
    # Threads share what is made on first use, so it is made before them.
    _ = tables(candidates, sought)
    blocks = _blocks(len(candidates), SIZES[sought], threads * BLOCKS_PER_THREAD)

    def whole(block: tuple[int, int]) -> list[Hits]:
        return list(_part(candidates, sought, block))

    return (hits for part in in_order(whole, blocks, threads) for hits in part)


def _blocks(count: int, size: int, parts: int) -> list[tuple[int, int]]:
    """Return ranges of first members with about the same number of sets to look at."""
    ahead = np.cumsum(np.arange(count, 0, -1, dtype=np.float64) ** (size - 1))
    if not count:
        return []
    shares = np.linspace(0, float(ahead[-1]), parts + 1)
    edges = cast("list[int]", np.searchsorted(ahead, shares[1:-1]).tolist())
    return list(pairwise(sorted({0, *edges, count})))


def _part(candidates: Candidates, sought: Sought, block: tuple[int, int]) -> Iterator[Hits]:
    """Yield the hits whose first member lies in a range, by position."""
    from . import kernels

    first, stop = block
    if sought == "MUS-2":
        return _pairs(candidates, range(first, stop))
    if sought == "MUS-3":
        place = np.array([first, 0, stop, 0], dtype=np.int64)
        write = partial(kernels.triples, *tables(candidates, sought), False, place)
        return batches(write, lambda: place[0] < stop, len(candidates), 3)
    place = np.array([first, 0, 0, stop], dtype=np.int64)
    write = partial(kernels.quads, *tables(candidates, sought), sought == "unique-repair", place)
    return batches(write, lambda: place[0] < stop, len(candidates), 4)


def tables(candidates: Candidates, sought: Sought) -> tuple[Words, Words, Words, Words]:
    """Return what kernels read: words, met, others and what may stand beside what."""
    unique = sought == "unique-repair"
    beside = candidates.overlapping if unique else candidates.crossing
    return candidates.words, candidates.met, candidates.others, beside


def batches(
    write: Callable[[NDArray[np.int32], NDArray[np.int32]], int],
    unfinished: Callable[[], bool],
    count: int,
    size: int,
) -> Iterator[Hits]:
    """Yield what a kernel writes, one buffer after the other; `count` candidates."""
    lines = max(BATCH_LINES, count)
    members, counts = (np.empty((lines, size), dtype=np.int32) for _ in range(2))
    while unfinished():
        written = write(members, counts)
        if written:
            yield Hits(members[:written].copy(), counts[:written].copy())


def _pairs(candidates: Candidates, firsts: range) -> Iterator[Hits]:
    """Yield the conflicts of two with these first members, some lines of pairs at a time."""
    count = len(candidates)
    sizes = np.bitwise_count(candidates.words).sum(axis=1, dtype=np.int32)
    lines = max(1, PAIR_CELLS // max(1, count))
    for first in range(firsts.start, firsts.stop, lines):
        block = slice(first, min(first + lines, firsts.stop))
        words = candidates.others[block] & ~candidates.overlapping[block]
        apart = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little", count=count)
        apart[:, sizes == 0] = 0
        apart[sizes[block] == 0] = 0
        members = np.argwhere(np.triu(apart, first + 1)).astype(np.int32)
        members[:, 0] += np.int32(first)
        if len(members):
            yield Hits(members, sizes[members[:, ::-1]])


def _first(batched: Iterator[Hits], limit: int | None) -> Iterator[Hits]:
    left = limit
    for hits in batched:
        if left is None:
            yield hits
            continue
        yield hits.take(slice(left))
        left -= min(left, len(hits))
        if not left:
            return


def _best(
    batched: Iterable[Hits], size: int, order: Order, limit: int | None, seed: int | None
) -> Iterator[Hits]:
    """Yield hits by tightness or at random, in one batch; hold the best `limit` and a batch."""
    random = None if seed is None else np.random.default_rng(seed)
    kept, keys = Hits.joined((), size), np.empty((0, 2))
    waiting: list[Hits] = []
    waiting_keys: list[NDArray[np.float64]] = []

    def settle() -> None:
        nonlocal kept, keys
        together = Hits.joined([kept, *waiting], size)
        ranked = np.concatenate([keys, *waiting_keys])
        # Stable, and hits come by position: so position decides last.
        best = np.lexsort((ranked[:, 1], ranked[:, 0]))[:limit]
        kept, keys = together.take(best), ranked[best]
        waiting.clear()
        waiting_keys.clear()

    for hits in batched:
        waiting.append(hits)
        drawn = np.zeros(len(hits)) if random is None else random.random(len(hits))
        tightness = hits.tightness * (order == "tightness")
        waiting_keys.append(np.column_stack([tightness.astype(np.float64), drawn]))
        if limit is not None and sum(map(len, waiting)) > max(limit, BATCH_LINES):
            settle()
    settle()
    if len(kept):
        yield kept
