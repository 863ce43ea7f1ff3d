"""A catalog as AWARE-US reads it: a missing text is the value `Unknown`."""

from __future__ import annotations

from ...catalogs.catalog import Catalog
from ...catalogs.predicate import quoted
from ..instances import MISSING
from ..quiet_connection import quiet_connection


def labelled(catalog: Catalog) -> Catalog:
    """Return the catalog with missing cells of its text columns read as `Unknown`.

    So the published instances were made (README of the data), and so one of their personas
    speaks (S3-09). Returned as it is where nothing is missing, or where it is read from no
    file. The rows keep their order.
    """
    columns = [
        one.name
        for one in catalog.profiles()
        if one.nulls and one.kind in ("categorical", "text") and MISSING not in one.values
    ]
    if not columns or not catalog.from_clause.startswith("read_"):
        return catalog
    told = ", ".join(f"coalesce({quoted(one)}, '{MISSING}') AS {quoted(one)}" for one in columns)
    with quiet_connection() as connection:
        # The clause is the catalog's own, with its types.
        relation = connection.sql(f"SELECT * REPLACE ({told}) FROM {catalog.from_clause}")
        return Catalog.open(relation)
