"""The reply of `catalog_schema`: kinds, ends and frequent values of a catalog's columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .replies import ColumnReply, SchemaReply, short

if TYPE_CHECKING:
    from ...catalogs.query.schema import ColumnProfile
    from ...catalogs.versions.reader import CatalogReader

MAX_COLUMNS = 100


def schema_reply(catalog: CatalogReader, columns: Sequence[str], values: int) -> SchemaReply:
    """Return the columns named, or all; at most `values` values each.

    Raises `UnknownColumn`.
    """
    names = [catalog.schema.find(name).name for name in columns] or list(catalog.columns)
    listed = [_column(catalog.profile(name), values) for name in names[:MAX_COLUMNS]]
    more = len(names) - len(listed)
    return SchemaReply(
        name=catalog.name,
        rows=catalog.row_count,
        catalog_version=catalog.version,
        cost_column=catalog.cost_column,
        columns=listed,
        left_out={"columns": more} if more else {},
    )


def _column(profile: ColumnProfile, values: int) -> ColumnReply:
    record: dict[str, Any] = profile.record()
    return ColumnReply(
        name=profile.name,
        kind=profile.kind,
        sql_type=profile.sql_type,
        minimum=short(record["minimum"]),
        maximum=short(record["maximum"]),
        distinct=profile.distinct,
        unknown=profile.nulls,
        better=profile.desirable,
        values=[short(value) for value in record["values"][:values]],
    )
