"""A catalog over a table that stays where it is: what was said of it, checked."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Protocol

from ..errors import BadConstraint, CatalogError
from ..query.cost_column import guess_cost_column
from ..query.dictionary import Dictionary, fitted_dictionary
from ..query.presentation import Presentation
from ..query.schema import ColumnOverride, Schema
from ..remote.connection import opened
from ..remote.key_check import check_key
from ..remote.remote_schema import read_as_ours
from ..remote.remote_snapshot import RemoteFacts, RemoteSnapshot


class Said(Protocol):
    """What was said of a catalog when it was opened, as `OpenOptions` has it."""

    @property
    def overrides(self) -> Mapping[str, ColumnOverride]: ...
    @property
    def cost_column(self) -> str | None: ...
    @property
    def dictionary(self) -> Dictionary: ...
    @property
    def presentation(self) -> Presentation: ...
    @property
    def name(self) -> str | None: ...
    @property
    def hidden(self) -> Sequence[str]: ...
    @property
    def writable(self) -> bool: ...
    @property
    def publish_to(self) -> str | os.PathLike[str] | None: ...
    @property
    def follow(self) -> str | os.PathLike[str] | None: ...
    @property
    def location(self) -> tuple[str, str] | None: ...
    @property
    def hours(self) -> str | None: ...
    @property
    def travel(self) -> object: ...
    @property
    def in_executors(self) -> bool: ...

    def key_for(self, given: str | Sequence[str] | None) -> tuple[str, ...]: ...


def read_remote(options: Said, source: object, table: str | None) -> RemoteSnapshot:
    """Return a source that stays where it is; raise a `CatalogError` where it cannot be read.

    Raises `BadConstraint` for a key that is no column of unique whole numbers and for an option
    that needs the rows in memory, `UnknownColumn` for a column there is not.
    """
    _check_options(options)
    (key,) = options.key_for(None)
    source_table = opened(source, table)
    if options.in_executors and source_table.backend.name != "pyspark":
        problem = f"{source_table.name!r} has no executors: it is no table of Spark"
        raise CatalogError(problem, hint="leave in_executors out")
    remote = read_as_ours(source_table, key, options.hidden)
    schema = remote.schema
    presented = options.presentation.spelled(lambda column: schema.find(column).name)
    wanted = options.cost_column or presented.price
    facts = RemoteFacts(
        name=options.name or source_table.name,
        cost_column=schema.find(wanted).name if wanted else guess_cost_column(schema.columns),
        dictionary=fitted_dictionary(options.dictionary, schema),
        presentation=presented,
        overrides=_overrides(options, schema),
        in_executors=options.in_executors,
    )
    snapshot = RemoteSnapshot(remote, source_table.backend, source_table.sessions, facts)
    check_key(snapshot)
    return snapshot


def _overrides(options: Said, schema: Schema) -> dict[str, ColumnOverride]:
    known = {schema.find(name).name: each for name, each in options.overrides.items()}
    for name, override in known.items():
        if override.kind is not None or override.nulls:
            hint = "open a view that casts it"
            raise BadConstraint("columns", name, "is read as its database has it", hint=hint)
    return known


def _check_options(options: Said) -> None:
    if len(options.key_for(None)) != 1:
        hint = "name the column of unique whole numbers that tells rows apart"
        raise CatalogError("a catalog that stays where it is needs one key column", hint=hint)
    told = (options.publish_to, options.follow)
    if options.writable or told != (None, None):
        raise CatalogError("a catalog that stays where it is is not written to", hint="write there")
    if options.travel is not None or options.location or options.hours:
        hint = "open a copy of the rows: a file, or a frame"
        raise CatalogError("places and hours are not asked of remote catalogs", hint=hint)
