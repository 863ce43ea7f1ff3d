"""The search of the published generator, over Python integers: the slow, obvious twin.

A candidate is an integer whose bit r says that it holds for row r (AWARE-US, section 2.2:
"bitset intersections over U"). Made exhaustive; used to check `solvers.enumeration` and to
time it side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations

from ....solvers.enumeration.candidates import Candidates
from ....solvers.enumeration.search import Sought

Members = tuple[int, ...]


def integers(candidates: Candidates) -> list[int]:
    """Return each candidate's rows as one Python integer."""
    return [int.from_bytes(row.tobytes(), "little") for row in candidates.words]


def python_int_search(
    bits: Sequence[int], columns: Sequence[int], sought: Sought
) -> Iterator[Members]:
    """Yield what is sought in the order of `solvers.enumeration.search` by position."""
    searches = {"MUS-2": _pairs, "MUS-3": _triples, "MUS-4": _quads}
    if sought == "unique-repair":
        return _unique_repair_quads(bits, columns)
    return searches[sought](bits, columns)


def drop_counts(bits: Sequence[int], members: Members) -> tuple[int, ...]:
    """Return how many rows remain when each member alone is dropped."""
    return tuple(
        reduce(int.__and__, (bits[member] for member in members if member != dropped)).bit_count()
        for dropped in members
    )


def _pairs(bits: Sequence[int], columns: Sequence[int]) -> Iterator[Members]:
    for i, j in combinations(range(len(bits)), 2):
        if columns[i] != columns[j] and bits[i] and bits[j] and not bits[i] & bits[j]:
            yield i, j


def _triples(bits: Sequence[int], columns: Sequence[int]) -> Iterator[Members]:
    for i, j in combinations(range(len(bits)), 2):
        both = bits[i] & bits[j]
        if not both or columns[i] == columns[j]:
            continue
        for k in range(j + 1, len(bits)):
            if columns[k] in (columns[i], columns[j]) or both & bits[k]:
                continue
            if bits[i] & bits[k] and bits[j] & bits[k]:
                yield i, j, k


def good_triples(
    bits: Sequence[int], columns: Sequence[int]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield i < j < k of different columns that some row meets, and the rows that do."""
    for i, j in combinations(range(len(bits)), 2):
        both = bits[i] & bits[j]
        if not both or columns[i] == columns[j]:
            continue
        for k in range(j + 1, len(bits)):
            if columns[k] not in (columns[i], columns[j]) and (rows := both & bits[k]):
                yield i, j, k, rows


def _quads(bits: Sequence[int], columns: Sequence[int]) -> Iterator[Members]:
    for i, j, k, rows in good_triples(bits, columns):
        used = columns[i], columns[j], columns[k]
        for fourth in range(k + 1, len(bits)):
            fourth_rows = bits[fourth]
            if columns[fourth] in used or rows & fourth_rows:
                continue
            if (
                bits[i] & bits[j] & fourth_rows
                and bits[i] & bits[k] & fourth_rows
                and bits[j] & bits[k] & fourth_rows
            ):
                yield i, j, k, fourth


def _unique_repair_quads(bits: Sequence[int], columns: Sequence[int]) -> Iterator[Members]:
    for i, j, k, _ in good_triples(bits, columns):
        used = columns[i], columns[j], columns[k]
        for fourth, fourth_rows in enumerate(bits):
            if columns[fourth] in used:
                continue
            if (
                bits[i] & bits[j] & fourth_rows
                or bits[i] & bits[k] & fourth_rows
                or bits[j] & bits[k] & fourth_rows
            ):
                continue
            yield i, j, k, fourth
