"""What DuckDB itself makes of a SQL expression: nothing but a predicate over some columns?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import duckdb

from concede.catalogs.query.sql_expression import FUNCTIONS

CLASSES = frozenset(
    "COLUMN_REF CONSTANT PARAMETER COMPARISON CONJUNCTION OPERATOR BETWEEN CASE CAST TYPE "
    "FUNCTION".split()
)
OPERATORS = frozenset("~~ !~~ ~~* !~~* + - * / // % ||".split())
NAMED_OTHERWISE = frozenset(
    # What the grammar of DuckDB calls the allowed functions that have a syntax of their own.
    "like_escape not_like_escape ilike_escape not_ilike_escape substring".split()
)


def objections(expression: str, columns: frozenset[str]) -> list[str]:
    """Return what an expression is beyond a predicate over the columns, as DuckDB parses it."""
    with duckdb.connect() as connection:
        row = connection.execute(
            "SELECT json_serialize_sql(?)", [f"SELECT ({expression}) FROM catalog"]
        ).fetchone()
    parsed = json.loads(row[0]) if row else {"error": True}
    if parsed["error"] or len(parsed["statements"]) != 1:
        return [f"not one statement: {str(parsed)[:200]}"]
    node = parsed["statements"][0]["node"]
    plain = node["type"] == "SELECT_NODE" and len(node["select_list"]) == 1
    bare = not node["modifiers"] and not node["cte_map"]["map"] and node["where_clause"] is None
    listed = [] if plain and bare else ["clauses around the expression"]
    return [*listed, *_objections(node["select_list"], columns)]


def _objections(value: Any, columns: frozenset[str]) -> Iterator[str]:
    if isinstance(value, list):
        for part in value:
            yield from _objections(part, columns)
    elif isinstance(value, dict):
        if "class" in value:
            yield from _of_node(value, columns)
        for part in value.values():
            yield from _objections(part, columns)


def _of_node(node: dict[str, Any], columns: frozenset[str]) -> Iterator[str]:
    if node["class"] not in CLASSES:
        yield f"a {node['class']}"
    if node["class"] == "COLUMN_REF" and not (
        len(node["column_names"]) == 1 and node["column_names"][0] in columns
    ):
        yield f"column {node['column_names']}"
    if node["class"] == "FUNCTION":
        name = node["function_name"].casefold()
        if name not in FUNCTIONS | OPERATORS | NAMED_OTHERWISE or node["schema"] or node["catalog"]:
            yield f"function {name}"
        if node["filter"] or node["distinct"] or node["order_bys"]["orders"]:
            yield f"clauses inside {name}"
