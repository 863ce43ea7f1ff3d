"""The gold item: what the engine ranks first once the gold constraint is dropped.

That dropping it leaves rows, and how many, the search has found already. So of a repair only
the ranking is left to do; `RepairEngine` under the policy `single` gives the same item.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import ConfigDict, TypeAdapter

from ...catalogs.catalog import Catalog
from ...catalogs.query.query import Query
from ...engine.bound_query import bind
from ...engine.repair_context import row_ranker

_ROW = TypeAdapter(dict[str, Any], config=ConfigDict(ser_json_bytes="base64"))


def gold_item(catalog: Catalog, query: Query, softest: int, count: int) -> dict[str, Any]:
    """Return the best of the `count` rows that meet all but the constraint at `softest`.

    As JSON can hold it: dates are ISO text, what is infinite is null. AWARE-US, section 2.4.
    """
    rows = row_ranker(bind(catalog, query))
    best = rows.rank(frozenset((softest,)), count, 1)
    (row,) = catalog.fetch(rows.row_ids(best.places))
    return _finite(_ROW.dump_python(row, mode="json"))


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, Any]", value)
        return {str(key): _finite(value) for key, value in fields.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in cast("Sequence[Any]", value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value
