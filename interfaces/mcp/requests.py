"""Arguments of the tools: their schemas and bounds, and the query they make of a catalog."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from ...catalogs.catalog import Catalog
from ...catalogs.errors import QueryError, excerpt, nearest
from ...catalogs.query.constraint import OPERATORS, Constraint, Objective
from ...catalogs.query.limits import MAX_CONSTRAINTS
from ...catalogs.query.query import Query
from ...catalogs.query.where_clause import parse_where

MAX_ARGUMENTS = 16_000
"""Characters of one call's arguments as JSON; wishes of a person take a few hundred."""

_CONSTRAINT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "column": {"type": "string"},
        "op": {"type": "string", "enum": [operator for operator in OPERATORS if operator != "sql"]},
        "value": {
            "description": "a scalar; a list for in, not in, contains any; [low, high] for between",
            "type": ["string", "number", "boolean", "array"],
        },
        "weight": {"type": "number", "minimum": 0, "maximum": 1},
        "hard": {"type": "boolean"},
        "group": {"type": "string", "description": "constraints of a group give way together"},
    },
    "required": ["column", "op"],
}


def _listed(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item, "maxItems": MAX_CONSTRAINTS}


Where = Annotated[
    str,
    Field(
        description="SQL condition over the catalog's columns; each part between ANDs is one "
        "wish. Names with spaces in double quotes, text in single quotes: "
        "price <= 300 AND \"screen size\" >= 6 AND brand = 'Acme'"
    ),
]
Constraints = Annotated[
    list[Any],
    WithJsonSchema(_listed(_CONSTRAINT)),
    Field(max_length=MAX_CONSTRAINTS, description="Wishes instead of, or beside, `where`."),
]
Base = Annotated[
    list[Any] | dict[str, Any],
    WithJsonSchema({"anyOf": [_listed(_CONSTRAINT), {"type": "object"}]}),
    Field(
        description="What is settled and never gives way, such as the category: constraints, "
        "or {column: value}."
    ),
]
Weights = Annotated[
    dict[str, float],
    Field(
        max_length=MAX_CONSTRAINTS,
        description="How much the wishes on a column matter, 0 to 1; 0.5 where not given.",
    ),
]
Columns = Annotated[list[str], Field(max_length=MAX_CONSTRAINTS)]
Positions = Annotated[
    list[int],
    Field(
        max_length=MAX_CONSTRAINTS,
        description="Positions of the wishes that matter least, as `choices` of an earlier "
        "reply lists them; they give way first.",
    ),
]


@dataclass(frozen=True)
class QueryArguments:
    """The arguments of a call that make a query, as they came."""

    where: str = ""
    constraints: Sequence[Any] = ()
    base: Sequence[Any] | Mapping[str, Any] = ()
    weights: Mapping[str, float] | None = None
    hard: Sequence[str] = ()
    minimize: Sequence[str] = ()
    maximize: Sequence[str] = ()

    def query(self, catalog: Catalog) -> Query:
        """Return the query; raise a `QueryError` for what does not fit the catalog."""
        constraints = [Constraint.model_validate(fields) for fields in self.constraints]
        if self.where.strip():
            constraints = [*parse_where(self.where, catalog.schema), *constraints]
        constraints = _marked(catalog, constraints, self.weights or {}, self.hard)
        return Query.model_validate(
            {"base": self.base, "constraints": constraints, "objectives": self._objectives()}
        )

    def _objectives(self) -> list[Objective]:
        directions = {"min": self.minimize, "max": self.maximize}
        return [
            Objective.model_validate({"column": column, "direction": direction})
            for direction, columns in directions.items()
            for column in columns
        ]


def _marked(
    catalog: Catalog,
    constraints: list[Constraint],
    weights: Mapping[str, float],
    hard: Sequence[str],
) -> list[Constraint]:
    """Return the constraints, those on the named columns with a weight or hard."""
    columns_of = [set(catalog.bind(constraint).columns) for constraint in constraints]
    marks = [(column, {"weight": weight}) for column, weight in weights.items()]
    for column, change in [*marks, *((column, {"hard": True}) for column in hard)]:
        name = catalog.schema.find(column).name
        if not any(name in columns for columns in columns_of):
            raise QueryError(f"no wish on column {excerpt(name)}", hint="name a column of a wish")
        constraints = [
            changed(constraint, change) if name in columns else constraint
            for constraint, columns in zip(constraints, columns_of, strict=True)
        ]
    return constraints


def changed(constraint: Constraint, change: Mapping[str, Any]) -> Constraint:
    """Return the constraint with some fields changed, checked again."""
    fields = constraint.model_dump(exclude_unset=True)
    return Constraint.model_validate({**fields, **change})


def check_arguments(arguments: Mapping[str, Any], known: Sequence[str]) -> None:
    """Raise `QueryError` for an argument the tool does not have, and for too long ones."""
    for name in arguments:
        if name not in known:
            near = nearest(name, known) or tuple(known)
            raise QueryError(f"no argument {excerpt(name)}", hint=f"arguments: {', '.join(near)}")
    length = _length(arguments)
    if length > MAX_ARGUMENTS:
        problem = f"the arguments take {length:,} characters, and {MAX_ARGUMENTS:,} is the most"
        raise QueryError(problem, hint="ask for less at once")


def _length(arguments: Mapping[str, Any]) -> int:
    try:
        return len(json.dumps(arguments, ensure_ascii=False))
    except RecursionError:
        raise QueryError("arguments nested too deeply", hint="make them flat") from None
    except ValueError:
        raise QueryError("arguments that are no JSON", hint="send plain values") from None
