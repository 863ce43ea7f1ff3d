"""Keeps the histogram of a folder up to date: reads partitions that are new or were replaced, lets
removed ones go, and takes the others from the file of the last time.

Costs a look at every file's footer, and a pass over what changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...catalogs.deadline import NEVER, Deadline
from ...catalogs.errors import CatalogError, QueryError, UnreadableCatalog, excerpt
from ...catalogs.partitions.parquet_folder import ParquetFolder, Part
from ...catalogs.query.binding import bind
from ...catalogs.query.query import Query
from ...catalogs.query.schema import Schema
from .counting import count_partitions
from .mask_statement import MaskQuestion
from .partial import Partial
from .progress import Progress
from .stored_histogram import Header, StoredHistogram, read_histogram, write_histogram

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Tell = Callable[[int, int], None]
"""Is told how many partitions are read, and of how many."""


@dataclass(frozen=True)
class Update:
    """What an update did: partitions read again, taken as they were, and no longer there."""

    histogram: StoredHistogram
    read: int
    kept: int
    removed: int


def update_histogram(
    folder: ParquetFolder,
    query: Query,
    key: str,
    output: Path,
    *,
    until: Deadline = NEVER,
    tell: Tell = lambda done, of: None,
) -> Update:
    """Bring the histogram in `output` up to date with a folder, or make it.

    The file before stays until the new one is whole. Raises a `QueryError` for a query or key that
    does not fit the columns, `CatalogError` where `output` holds anything but the histogram of this
    query over these columns and for a file that cannot be read or changes meanwhile,
    `DeadlinePassed`, and `OSError` where it cannot be written; the next call goes on from there.
    """
    question = bound_question(query, folder.schema, key)
    header = Header.of(query, question, folder.schema, str(folder.path.resolve()))
    before = _before(output, header, folder.connection)
    with Progress(output, header) as progress:
        known = {**before, **progress.read()}
        missing = [part for part in folder.parts if part not in known]
        for batch in folder.batches(missing):
            until.check()
            for part, partial in _counted(folder, batch, question, until):
                known[part] = partial
                progress.add(part, partial)
            tell(sum(part in known for part in missing), len(missing))
        stored = StoredHistogram(header, {part: known[part] for part in folder.parts})
        write_histogram(output, stored, folder.connection)
        progress.remove()
    removed = len({part.name for part in before} - {part.name for part in folder.parts})
    return Update(stored, len(missing), len(folder.parts) - len(missing), removed)


def bound_question(query: Query, schema: Schema, key: str) -> MaskQuestion:
    """Return a query bound to columns; raises a `QueryError` where it does not fit them.

    Opening hours are refused: what they mean depends on texts that other partitions may hold.
    """
    column = schema.find(key)
    if not column.is_integer:
        problem = f"key {excerpt(column.name)} is of type {column.sql_type}"
        raise QueryError(problem, hint="a key is a column of whole numbers, unique")
    schema = schema.with_places()
    base = tuple(bind(each, schema, _no_hours) for each in query.base)
    predicates = tuple(bind(each, schema, _no_hours) for each in query.constraints)
    names = [each.columns[0] for each in predicates if len(each.columns) == 1]
    names += [objective.column for objective in query.objectives]
    columns = {found.name: found for found in map(schema.find, names) if found.ordered}
    return MaskQuestion(base, predicates, column.name, tuple(columns.values()))


def _no_hours(column: str) -> Sequence[str]:
    hint = "leave it out, or copy the catalog"
    raise QueryError(f"opening hours of {excerpt(column)} are not counted by file", hint=hint)


def _before(output: Path, header: Header, connection: DuckDBPyConnection) -> dict[Part, Partial]:
    if not output.exists():
        return {}
    stored = read_histogram(output, connection)
    header.check_fits(stored.header, excerpt(str(output)))
    if stored.header.folder != header.folder:
        hint = "write to another file; diagnose adds several up"
        problem = f"{excerpt(str(output))} is the histogram of {excerpt(stored.header.folder)}"
        raise CatalogError(problem, hint=hint)
    return dict(stored.partials)


def _counted(
    folder: ParquetFolder, batch: Sequence[Part], question: MaskQuestion, until: Deadline
) -> list[tuple[Part, Partial]]:
    for part in batch:
        folder.check(part)
    try:
        partials = count_partitions(folder, batch, question, until)
    except QueryError as error:
        named = excerpt(batch[0].name) + (f" … {excerpt(batch[-1].name)}" if batch[1:] else "")
        raise QueryError(f"{named}: {error.problem}", hint=error.hint) from None
    for part in batch:
        if not folder.unchanged(part):
            place = str(folder.path / part.name)
            raise UnreadableCatalog(place, "it changed while it was read", hint="run it again")
    return list(zip(batch, partials, strict=True))
