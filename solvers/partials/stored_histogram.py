"""Partials kept in a Parquet file: one row a mask, and the query, the columns and the partitions
in the file's own metadata.

Any reader of Parquet can add the counts up. A file is replaced whole or not at all.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import duckdb
import numpy as np

from ...catalogs.cached_attribute import cached_attribute
from ...catalogs.errors import CatalogError, UnreadableCatalog, excerpt
from ...catalogs.partitions.parquet_folder import Part
from ...catalogs.query.predicate import Predicate, literal
from ...catalogs.query.query import Query
from ...catalogs.query.schema import Schema
from ...catalogs.sources.file_reader import file_argument, first_line
from .mask_statement import MaskQuestion
from .partial import Partial, merged

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FORMAT = 1
"""Raised whenever the same query may mean other masks than before."""

METADATA = "concede_histogram"


@dataclass(frozen=True)
class Header:
    """Of what masks were counted: two histograms add up where their headers fit together.

    `folder` is where the partitions lie. `asked` and `columns` are hashes of the bound constraints
    and of the columns' names and types: weights and objectives change neither.
    """

    query: Query
    key: str
    folder: str
    asked: str
    columns: str

    @classmethod
    def of(cls, query: Query, question: MaskQuestion, schema: Schema, folder: str) -> Header:
        """Return the header of a bound query."""
        bound = [[_bound(each) for each in part] for part in (question.base, question.predicates)]
        measured = sorted(column.name for column in question.measured)
        columns = [[column.name, column.sql_type] for column in schema.columns]
        asked = _hash([FORMAT, question.key, bound, measured])
        return cls(query, question.key, folder, asked, _hash(columns))

    def check_fits(self, other: Header, place: str) -> None:
        """Raise `CatalogError` unless another's masks mean the same; `place` names it."""
        hint = "count the same query over the same columns, or write to another file"
        if self.asked != other.asked:
            raise CatalogError(f"{place} is the histogram of another query", hint=hint)
        if self.columns != other.columns:
            raise CatalogError(f"{place} is the histogram of other columns", hint=hint)


@dataclass(frozen=True, eq=False)
class StoredHistogram:
    """A header, and the partial of each partition."""

    header: Header
    partials: Mapping[Part, Partial]

    @property
    def query(self) -> Query:
        """The query whose constraints were counted."""
        return self.header.query

    @cached_attribute
    def together(self) -> Partial:
        """All partitions added up."""
        return merged(len(self.query.constraints), self.partials.values())


def merged_histograms(stored: Sequence[StoredHistogram]) -> StoredHistogram:
    """Return several histograms as one; the first's query stands for all.

    Raises `CatalogError` for those of another query or other columns, and for a partition that two
    of them have counted.
    """
    first, *others = stored
    partials = dict(first.partials)
    names = {(first.header.folder, part.name) for part in partials}
    for other in others:
        first.header.check_fits(other.header, excerpt(other.header.folder))
        for part, partial in other.partials.items():
            if part in partials or (other.header.folder, part.name) in names:
                hint = "leave one of the histograms out"
                raise CatalogError(f"{excerpt(part.name)} is counted twice", hint=hint)
            partials[part] = partial
            names.add((other.header.folder, part.name))
    return StoredHistogram(first.header, partials)


def write_histogram(
    path: Path, stored: StoredHistogram, connection: DuckDBPyConnection | None = None
) -> None:
    """Replace a file by this histogram at once; raises `OSError`.

    Opening DuckDB takes five times as long as the rest: hand over a connection where there is one.
    """
    metadata = json.dumps(_metadata(stored), ensure_ascii=False, allow_nan=False)
    with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as folder:
        written = Path(folder) / path.name
        with _cursor(connection) as cursor:
            cursor.register("masks", _columns(stored.partials.values()))
            cursor.execute(
                f"COPY (FROM masks) TO {literal(str(written))} "
                f"(FORMAT parquet, KV_METADATA {{{METADATA}: {literal(metadata)}}})"
            )
        with written.open("rb") as file:
            os.fsync(file.fileno())
        written.replace(path)


@contextmanager
def _cursor(connection: DuckDBPyConnection | None) -> Generator[DuckDBPyConnection]:
    opened = duckdb.connect(":memory:") if connection is None else connection.cursor()
    try:
        yield opened
    finally:
        opened.close()


def read_histogram(path: Path, connection: DuckDBPyConnection | None = None) -> StoredHistogram:
    """Return the histogram in a file; raises `CatalogError` for what is none."""
    argument = file_argument(path)
    if not path.is_file():
        raise UnreadableCatalog(str(path), "no such file", hint="check the path")
    try:
        with _cursor(connection) as cursor:
            found = cursor.execute(
                f"SELECT decode(value) FROM parquet_kv_metadata({argument.rpartition(',')[0]}) "
                f"WHERE decode(key) = '{METADATA}'"
            ).fetchall()
            if not found:
                raise _stranger(path)
            result = cursor.execute(f"SELECT * FROM read_parquet({argument})").fetchnumpy()
    except duckdb.Error as error:
        raise UnreadableCatalog(str(path), first_line(error)) from None
    try:
        return _stored(json.loads(found[0][0]), cast("dict[str, Any]", result))
    except (KeyError, ValueError, TypeError) as error:
        raise UnreadableCatalog(str(path), f"a damaged histogram: {error}") from None


def _stranger(path: Path) -> UnreadableCatalog:
    hint = "concede histogram writes one"
    return UnreadableCatalog(str(path), "no mask histogram", hint=hint)


def header_record(header: Header) -> dict[str, Any]:
    """Return a header as a JSON object."""
    return {
        "format": FORMAT,
        "query": header.query.record(),
        "key": header.key,
        "folder": header.folder,
        "asked": header.asked,
        "columns": header.columns,
    }


def header_of(record: Mapping[str, Any]) -> Header:
    """Return the header of a JSON object; raises `ValueError`, `KeyError`, `TypeError`."""
    if record["format"] != FORMAT:
        raise ValueError(f"format {record['format']}, and this version reads {FORMAT}")
    query = Query.model_validate(record["query"])
    return Header(query, record["key"], record["folder"], record["asked"], record["columns"])


def _metadata(stored: StoredHistogram) -> dict[str, Any]:
    parts = [
        {"name": part.name, "size": part.size, "modified": part.modified, "tag": part.tag,
         "ends": partial.ends, "base_is_empty": partial.base is not None}
        for part, partial in stored.partials.items()
    ]  # fmt: skip
    return {**header_record(stored.header), "parts": parts}


def _columns(partials: Iterable[Partial]) -> dict[str, Any]:
    """Return the rows of a file: a partition's number, of which constraints, and the masks."""
    rows = [(part, of_base, partial) for part, of_base, partial in _listed(partials)]
    sizes = [len(partial.masks) for _, _, partial in rows]

    def joined(arrays: Iterable[Any], kind: type[np.generic]) -> Any:
        return np.concatenate([np.zeros(0, dtype=kind), *arrays])

    return {
        "part": np.repeat(np.array([part for part, _, _ in rows], dtype=np.int64), sizes),
        "of_base": np.repeat(np.array([of_base for _, of_base, _ in rows], dtype=bool), sizes),
        "mask": joined((partial.masks for _, _, partial in rows), np.uint64),
        "rows": joined((partial.counts for _, _, partial in rows), np.int64),
        "first_key": joined((partial.first_keys for _, _, partial in rows), np.int64),
    }


def _listed(partials: Iterable[Partial]) -> Iterator[tuple[int, bool, Partial]]:
    for number, partial in enumerate(partials):
        yield number, False, partial
        if partial.base is not None:
            yield number, True, partial.base


def _stored(record: Mapping[str, Any], columns: Mapping[str, Any]) -> StoredHistogram:
    header = header_of(record)
    listed = record["parts"]
    # Rows of a partition lie together, those over its base behind the others.
    place = 2 * np.asarray(columns["part"], dtype=np.int64) + np.asarray(columns["of_base"])
    edges = np.searchsorted(place, np.arange(2 * len(listed) + 1)).tolist()
    widths = (len(header.query.constraints), len(header.query.base))

    def read(number: int, of_base: int) -> Partial:
        rows = slice(edges[2 * number + of_base], edges[2 * number + of_base + 1])
        names = ("mask", "rows", "first_key")
        masks, counts, keys = (np.asarray(columns[name])[rows] for name in names)
        return Partial(widths[of_base], masks.astype(np.uint64), counts, keys)

    partials: dict[Part, Partial] = {}
    for number, each in enumerate(listed):
        main = read(number, 0)
        ends = {name: None if pair is None else tuple(pair) for name, pair in each["ends"].items()}
        base = read(number, 1) if each["base_is_empty"] else None
        part = Part(each["name"], each["size"], each["modified"], each["tag"])
        partials[part] = Partial(main.width, main.masks, main.counts, main.first_keys, ends, base)
    return StoredHistogram(header, partials)


def _bound(predicate: Predicate) -> list[Any]:
    values = [literal(value) for value in predicate.values]
    return [predicate.sql, values, predicate.nulls_match]


def _hash(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()
