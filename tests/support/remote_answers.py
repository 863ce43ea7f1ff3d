"""What two answers to the same query have to share, wherever the rows are."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from concede.catalogs.catalog import Catalog
from concede.engine.answer import Answer
from concede.engine.repair_engine import RepairEngine

OWN = ("sql", "solver", "catalog_version", "elapsed_ms")
"""Keys that tell how an answer was found, and how to check it there."""


def same_keys(answer: Answer) -> Any:
    """Return an answer's JSON without the keys that may differ; floats as they are written."""
    return _without(json.loads(answer.to_json(), parse_float=str))


def _without(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _without(value) for key, value in part.items() if key not in OWN}
    return [_without(each) for each in part] if isinstance(part, list) else part


def check_answers(
    rows: Any, seeds: Iterable[int], in_memory: Catalog, remote: Catalog, **more: Any
) -> None:
    """Fail where the answer to a random query differs from the file's, or its SQL from its counts.

    `more`: options for the remote catalog alone.
    """
    for seed in seeds:
        query, options = rows.question(seed)
        expected = RepairEngine(in_memory).repair(query, **options)
        answer = RepairEngine(remote).repair(query, **options, **more)
        assert same_keys(answer) == same_keys(expected), f"query {seed}: {query} {options}"
        told = counted(answer)
        counts = engine_counts(remote, [sql for sql, _ in told])
        assert [(sql, count) for (sql, _), count in zip(told, counts, strict=True)] == told, seed


def counted(answer: Answer) -> list[tuple[str, int]]:
    """Return each SQL of an answer with the count that it says."""
    listed = [(part.sql, part.count) for part in (*answer.repairs, *answer.shifts)]
    is_answered = answer.status.value.startswith("SAT")
    return [*([(answer.sql, answer.count)] if is_answered else []), *listed]


def engine_counts(catalog: Catalog, queries: Sequence[str]) -> list[int]:
    """Return how many rows the engine itself gives for each SQL of an answer, all in one."""
    snapshot: Any = catalog.snapshot()
    counts = " UNION ALL ".join(
        f"SELECT {place} AS place, count(*) AS n FROM ({sql}) AS answer{place}"
        for place, sql in enumerate(queries)
    )
    schema = pa.schema([("place", pa.int64()), ("n", pa.int64())])
    found = snapshot.sessions.run(counts, schema) if queries else schema.empty_table()
    told = dict(zip(*(found.column(name).to_pylist() for name in schema.names), strict=True))
    return [told[place] for place in range(len(queries))]
