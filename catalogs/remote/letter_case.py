"""Letters and their case as DuckDB has them, for engines that know other rules or only ASCII.

DuckDB lowers and raises one letter at a time, whatever stands beside it and whatever the language.
The table of them is read from it once (some 0.1 s), when an engine is first asked about case.
"""

from __future__ import annotations

from functools import cache

import duckdb


@cache
def _changes(function: str) -> dict[str, str]:
    """Return what letters become that a function of DuckDB changes."""
    connection = duckdb.connect(":memory:")
    try:
        rows = connection.execute(
            f"SELECT c, {function}(c) FROM (SELECT chr(CAST(i AS INTEGER)) AS c FROM "
            "(FROM range(1, 55296) UNION ALL FROM range(57344, 1114112)) AS t(i)) "
            f"WHERE c <> {function}(c)"
        ).fetchall()
    finally:
        connection.close()
    return {str(letter): str(changed) for letter, changed in rows}


def lowered(text: str) -> str:
    """Return a text in lower case, as DuckDB has it."""
    return text.translate({ord(letter): lower for letter, lower in _changes("lower").items()})


def folding_of(text: str) -> tuple[str, str]:
    """Return the letters that become one of a text's in lower case, and what each becomes."""
    wanted = set(text)
    pairs = [(letter, lower) for letter, lower in _changes("lower").items() if lower in wanted]
    return "".join(letter for letter, _ in pairs), "".join(lower for _, lower in pairs)


def every_change(function: str) -> tuple[str, str]:
    """Return all letters that `lower` or `upper` changes, and what each becomes."""
    changes = _changes(function)
    return "".join(changes), "".join(changes.values())
