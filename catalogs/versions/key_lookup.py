"""Look up the rows that have the same key as rows given, by hashes of the key's columns in memory.

Every row's key is hashed, a few nanoseconds each: an index would have to follow every write. Where
a key's column is not in memory DuckDB joins instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import BadConstraint
from ..query.predicate import quoted
from ..query.schema import Column
from ..storage.duckdb_values import GIVEN, duckdb_array, duckdb_cast, encode_float64, registered
from ..vectors.array_types import Floats
from ..vectors.column_vectors import MAX_TEXTS, Copy, NumberCopy, TextCopy
from ..vectors.packed_numbers import PackedNumbers
from ..vectors.row_numbering import LongIds
from .row_batch import Cells, RowBatch

if TYPE_CHECKING:
    from .snapshot import Snapshot

Truth = NDArray[np.bool_]
Hashes = NDArray[np.uint64]
Identities = Callable[[slice], Hashes]

CHUNK = 1 << 14
"""Rows looked at together: few enough to stay in the cache of a core."""

PREFIX_BITS = 18
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def matched(now: Snapshot, given: RowBatch) -> LongIds:
    """Return the number of the row that each given row replaces, −1 where it is new.

    Raises `BadConstraint` for a key that several rows of the catalog share.
    """
    if not given.key:
        return np.full(given.count, -1, dtype=np.int64)
    numbers = matched_in_memory(now, given)
    return matched_in_duckdb(now, given) if numbers is None else numbers


def matched_in_memory(now: Snapshot, given: RowBatch) -> LongIds | None:
    """Return what `matched` does, None where columns in memory do not tell."""
    copies, _ = now.vectors.store.in_memory()
    identities: list[Identities] = []
    key_hashes: list[Hashes] = []
    for name in given.key:
        column = now.schema.find(name)
        identified = _identified(copies.get(name), column, given.columns[name])
        if identified is None:
            return None
        identities.append(identified[0])
        key_hashes.append(identified[1])
    wanted = _mixed(key_hashes)
    order = np.argsort(wanted)
    ordered = wanted[order]
    if (ordered[1:] == ordered[:-1]).any():
        return None
    numbers, hashes = _hash_prefiltered(identities, ordered, now.universe)
    places = np.minimum(np.searchsorted(ordered, hashes), len(ordered) - 1)
    alike = (ordered[places] == hashes) & now.numbering.rows.within(numbers)
    numbers, positions = numbers[alike], order[places[alike]]
    same = np.ones(len(numbers), dtype=np.bool_)
    for name in given.key:
        cells = given.columns[name].taken(positions)
        same &= unchanged(copies[name], now.schema.find(name), numbers, cells)
    numbers, positions = numbers[same], positions[same]
    replaced = np.full(given.count, -1, dtype=np.int64)
    replaced[positions] = numbers
    # Where several rows share a key DuckDB says which and how many.
    return replaced if len(numbers) == np.count_nonzero(replaced >= 0) else None


def _identified(
    copy: Copy | None, column: Column, cells: Cells
) -> tuple[Identities, Hashes] | None:
    """Return a number for each row and for each cell, equal where they are; None if unknown."""
    if isinstance(copy, NumberCopy):
        given = encode_float64(cells.values, column)
        return None if given is None or not copy.exact else _numbered(copy.packed, given)
    if isinstance(copy, TextCopy):
        codes = copy.codes
        # An unknown text is as unlike any row's as it is unlike the others.
        found = [copy.code(text) for text in cells.values]
        known = [MAX_TEXTS + 1 + i if code is None else code for i, code in enumerate(found)]
        return lambda rows: codes[rows].astype(np.uint64), np.array(known, dtype=np.uint64)
    if copy is None:
        return None
    hashes = copy.hashes
    own = np.fromiter(map(hash, cells.values), np.int64, len(cells.values))
    return lambda rows: hashes[rows].view(np.uint64), own.view(np.uint64)


def _numbered(packed: PackedNumbers, given: Floats) -> tuple[Identities, Hashes]:
    """Return a number for each row of a column and for each number given, equal where they are."""
    if not packed.is_coded:
        # The two zeros are equal.
        return lambda rows: (packed.at(rows) + 0.0).view(np.uint64), (given + 0.0).view(np.uint64)
    cells, fits = packed.encoded(given + 0.0)
    # What no row can hold is unlike any row's, and unlike the others.
    unknown = np.arange(len(given), dtype=np.uint64) + np.uint64(1 << 32)
    known = np.where(fits, cells.astype(np.uint64), unknown)
    return lambda rows: packed.cells[rows].astype(np.uint64), known


def _mixed(columns: Sequence[Hashes]) -> Hashes:
    """Return one number a row: of one column another for each another, of several nearly so."""
    mixed = columns[0] * MULTIPLIER
    for more in columns[1:]:
        mixed ^= mixed >> np.uint64(29)
        mixed += more
        mixed *= MULTIPLIER
    return mixed


def _hash_prefiltered(
    identities: Sequence[Identities], wanted: Hashes, universe: int
) -> tuple[LongIds, Hashes]:
    """Return the rows whose mixed number may be wanted, ascending, and those numbers."""
    shift = np.uint64(64 - PREFIX_BITS)
    prefixes = np.zeros(1 << PREFIX_BITS, dtype=np.bool_)
    prefixes[wanted >> shift] = True
    numbers, hashes = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.uint64)]
    for start in range(0, universe, CHUNK):
        rows = slice(start, min(start + CHUNK, universe))
        mixed = _mixed([identity(rows) for identity in identities])
        # Faster than by an index, which would be checked first.
        passed = np.flatnonzero(prefixes.take((mixed >> shift).view(np.int64), mode="clip"))
        numbers.append(passed + start)
        hashes.append(mixed[passed])
    return np.concatenate(numbers), np.concatenate(hashes)


def unchanged(copy: Copy | None, column: Column, numbers: LongIds, cells: Cells) -> Truth:
    """Return which rows are known to have their cell's value already, NULL if that is one."""
    if copy is None:
        return np.zeros(len(numbers), dtype=np.bool_)
    if isinstance(copy, NumberCopy):
        given = encode_float64(cells.values, column) if copy.exact else None
        if given is None:
            return np.zeros(len(numbers), dtype=np.bool_)
        present = copy.at(numbers)
        return (present == given) | (np.isnan(present) & np.isnan(given))
    if isinstance(copy, TextCopy):
        found = [copy.null if text is None else copy.code(text) for text in cells.values]
        codes = [-1 if code is None else code for code in found]
        return copy.codes[numbers] == np.array(codes, dtype=np.int64)
    pairs = zip(copy.values[numbers].tolist(), cells.values, strict=True)
    return np.array([value == given for value, given in pairs], dtype=np.bool_)


def matched_in_duckdb(now: Snapshot, given: RowBatch) -> LongIds:
    """Return what `matched` does by a join."""
    row_id = now.table.row_id
    columns = [now.schema.find(name) for name in given.key]
    arrays = {f"k{i}": duckdb_array(given.columns[c.name].values, c) for i, c in enumerate(columns)}
    listed = ", ".join(f"{duckdb_cast(f'k{i}', c)} AS k{i}" for i, c in enumerate(columns))
    same = " AND ".join(f"g.k{i} = o.{quoted(c.name)}" for i, c in enumerate(columns))
    arrays["position"] = np.arange(given.count)
    with registered(now.table.connection, arrays) as cursor:
        pairs = cast(
            "dict[str, NDArray[Any]]",
            cursor.execute(
                f"SELECT g.position, o.{row_id} AS i FROM {now.rows_clause} AS o JOIN "
                f"(SELECT position, {listed} FROM {GIVEN}) AS g ON {same}"
            ).fetchnumpy(),
        )
    _check_one_each(pairs["position"], given)
    numbers = np.full(given.count, -1, dtype=np.int64)
    numbers[pairs["position"]] = now.numbering.numbers(pairs["i"])
    return numbers


def _check_one_each(positions: LongIds, given: RowBatch) -> None:
    several, counts = np.unique(positions, return_counts=True)
    for position, count in zip(several.tolist(), counts.tolist(), strict=True):
        if count > 1:
            values = tuple(given.columns[name].values[position] for name in given.key)
            key = values[0] if len(values) == 1 else values
            problem = f"{count} rows of the catalog have the same, {key!r}"
            hint = "name columns that tell rows apart"
            raise BadConstraint("key", list(given.key), problem, hint=hint)
