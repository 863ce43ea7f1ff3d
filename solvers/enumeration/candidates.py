"""Candidate predicates as bits, and the conflicts or quads found among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...catalogs.cached_attribute import cached_attribute
from ...catalogs.errors import QueryError
from ...catalogs.vectors.array_types import Words

MOST_CANDIDATES = 2**16

Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidate predicates over the rows of one slice.

    words: uint64[n, row_words]; bit r of candidate c says that it holds for the slice's row r,
    where rows are numbered inside the slice. columns: int64[n], what a candidate is about; two
    of one column never stand together. Give every candidate a number of its own to allow that.
    Candidates that hold for no row or for all are searched like any other.

    Raises `QueryError` for other shapes or more than 65,536 candidates.
    """

    words: Words
    columns: NDArray[np.int64]

    def __post_init__(self) -> None:
        words = np.array(self.words, dtype=np.uint64, order="C")
        columns = np.array(self.columns, dtype=np.int64)
        if words.ndim != 2 or columns.shape != words.shape[:1]:
            problem = f"words {words.shape} and columns {columns.shape} do not fit"
            raise QueryError(problem, hint="give words [n, row_words] and columns [n]")
        if len(words) > MOST_CANDIDATES:
            hint = f"give {MOST_CANDIDATES:,} at most"
            raise QueryError(f"{len(words):,} candidates", hint=hint)
        object.__setattr__(self, "words", _fixed(words))
        object.__setattr__(self, "columns", _fixed(columns))

    @classmethod
    def of_truth(cls, truth: ArrayLike, columns: Sequence[int]) -> Candidates:
        """Return candidates from bool[n, rows]: whether each holds for each row."""
        table = np.asarray(truth, dtype=np.bool_)
        return cls(_packed(table), np.asarray(columns, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.words)

    @cached_attribute
    def met(self) -> Words:
        """The transpose: uint64[rows, spans], bit c of row r."""
        truth = np.unpackbits(self.words.view(np.uint8), axis=1, bitorder="little")
        return _fixed(_packed(truth.T))

    @cached_attribute
    def others(self) -> Words:
        """The candidates of another column: uint64[n, spans]."""
        kinds, kind = np.unique(self.columns, return_inverse=True)
        apart = np.arange(len(kinds))[:, None] != kind[None, :]
        return _fixed(_packed(apart)[kind])

    @cached_attribute
    def overlapping(self) -> Words:
        """The candidates of another column that share a row with each: uint64[n, spans]."""
        return self._tables[0]

    @cached_attribute
    def crossing(self) -> Words:
        """Of the overlapping candidates those neither within the other: uint64[n, spans]."""
        return self._tables[1]

    @cached_attribute
    def _tables(self) -> tuple[Words, Words]:
        from .kernels import overlaps

        overlapping, crossing = np.empty_like(self.others), np.empty_like(self.others)
        overlaps(self.words, self.met, self.others, overlapping, crossing)
        return _fixed(overlapping), _fixed(crossing)


def _packed(truth: NDArray[Any]) -> Words:
    """Return bool or uint8[lines, bits] as uint64[lines, words], bit b in word b // 64."""
    lines, bits = truth.shape
    packed = np.zeros((lines, max(1, -(-bits // 64)) * 8), dtype=np.uint8)
    packed[:, : -(-bits // 8)] = np.packbits(truth, axis=1, bitorder="little")
    return packed.view(np.uint64)


def _fixed(array: NDArray[Number]) -> NDArray[Number]:
    # Kernels are compiled for read-only arrays; a writable one would compile them again.
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False)
class Hits:
    """Conflicts or quads that were found.

    members: int32[h, k], positions of candidates. A minimal conflict's ascend; a unique-repair
    quad's last is the one repair and the three before it ascend. drop_counts: int32[h, k], how
    many rows remain when that member alone is dropped (AWARE-US, section 2.3).
    """

    members: NDArray[np.int32]
    drop_counts: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.members)

    @property
    def tightness(self) -> NDArray[np.int64]:
        """The sum of the drop-one counts, int64[h]; the smaller the tighter."""
        return self.drop_counts.sum(axis=1, dtype=np.int64)

    def take(self, lines: NDArray[np.bool_] | NDArray[np.intp] | slice) -> Hits:
        """Return these lines, in this order."""
        return Hits(self.members[lines], self.drop_counts[lines])

    @classmethod
    def joined(cls, parts: Iterable[Hits], size: int) -> Hits:
        """Return all parts one after the other; `size` is k where there are none."""
        listed = [cls(*(np.empty((0, size), dtype=np.int32) for _ in range(2))), *parts]
        return cls(
            np.concatenate([hits.members for hits in listed]),
            np.concatenate([hits.drop_counts for hits in listed]),
        )
