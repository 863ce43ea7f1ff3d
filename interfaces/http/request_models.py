"""Models of the bodies of questions: fields, bounds, and the query each one makes."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal, cast

from pydantic import BeforeValidator, ConfigDict, FailFast, Field, JsonValue, WithJsonSchema

from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import Constraint, Objective
from ...catalogs.query.limits import MAX_CONSTRAINTS
from ...catalogs.query.query import Query
from ...catalogs.query.where_clause import parse_where
from ...catalogs.versions.reader import CatalogReader
from ...catalogs.versions.sorted_rows import MAX_KEYS
from ...engine.policies import DEFAULT_POLICY
from ...engine.repair_options import MAX_OFFSET
from .body_reader import Body

MOST_LISTED = 100
MOST_SETS = 10_000
LONGEST_TEXT = 10_000
MOST_FACETS = 20
MOST_COLUMNS = 1_000

CatalogName = Annotated[
    str | None,
    Field(default=None, max_length=200, description="The catalog's name; without it the first."),
]
UserName = Annotated[
    str | None,
    Field(
        default=None,
        min_length=1,
        max_length=200,
        description="Whose behaviour weighs what has no weight.",
    ),
]
Deadline = Annotated[
    float | None,
    Field(
        default=None,
        ge=10,
        le=3_600_000,
        description="Milliseconds from the arrival of the body; then comes the best answer so "
        "far. The server's own deadline holds if it is shorter.",
    ),
]

ColumnText = Annotated[str, Field(min_length=1, max_length=1_000)]


def _listed(given: object) -> object:
    """Return a list for one text alone."""
    if isinstance(given, str):
        return (given,)
    return tuple(cast("list[object]", given)) if isinstance(given, list) else given


Columns = Annotated[tuple[ColumnText, ...], Field(max_length=MOST_COLUMNS)]
Facets = Annotated[tuple[ColumnText, ...], Field(max_length=MOST_FACETS)]
SortTexts = Annotated[
    tuple[ColumnText, ...],
    Field(max_length=MAX_KEYS),
    FailFast(),
    BeforeValidator(_listed),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "minLength": 1},
                {"type": "array", "items": {"type": "string"}, "maxItems": MAX_KEYS},
            ]
        }
    ),
]
MinVersion = Annotated[
    int | None,
    Field(
        default=None,
        ge=1,
        le=2**53,
        description="The least version to answer from, as a write told it. It is waited for until "
        "the deadline; then comes 409 with the version there is.",
    ),
]

Constraints = Annotated[tuple[Constraint, ...], Field(max_length=MAX_CONSTRAINTS)]
Equalities = Annotated[
    # Values are checked one after another where they become constraints.
    dict[str, Any],
    WithJsonSchema(
        {
            "type": "object",
            "maxProperties": MAX_CONSTRAINTS,
            "additionalProperties": {"type": ["boolean", "integer", "number", "string"]},
        }
    ),
]

EXAMPLE_QUERY: dict[str, JsonValue] = {
    "base": {"Make": "Toyota", "Vehicle Style": "Sedan"},
    "constraints": [
        {"column": "Year", "op": ">=", "value": 2017, "weight": 0.3},
        {"column": "MSRP", "op": "<=", "value": 38500, "weight": 0.9},
    ],
    "where": '"highway MPG" >= 34 AND "Vehicle Size" = \'Large\'',
}


class QueryRequest(Body):
    """A query: what is fixed, and what may give way, structured, as SQL, or both.

    `where` is one SQL condition over the catalog's columns; each part of its top-level ANDs is
    a constraint, after those of `constraints`.
    """

    catalog: CatalogName
    base: Constraints | Equalities = Field(
        default=(), description="Constraints that define the base slice, or {column: value}."
    )
    constraints: Constraints = Field(default=(), description="What may give way.")
    where: str | None = Field(default=None, description="What may give way, as SQL.")
    deadline_ms: Deadline
    min_version: MinVersion

    @property
    def is_lasting(self) -> bool:
        """Whether the answer hangs on nothing but the query and the catalog's version."""
        return True

    def query(self, catalog: CatalogReader) -> Query:
        """Return the query as it is asked of a catalog; raise a `QueryError`."""
        constraints = self.constraints
        if self.where is not None:
            constraints = (*constraints, *parse_where(self.where, catalog.schema))
        if not constraints:
            raise QueryError(
                "nothing to repair: the query has no constraints",
                hint='give "constraints" or "where"',
            )
        return Query.model_validate({"base": self.base, "constraints": constraints})


class RepairRequest(QueryRequest):
    """A query to repair, and how."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE_QUERY | {"top": 3}]})

    objectives: Annotated[tuple[Objective, ...], Field(max_length=MAX_CONSTRAINTS), FailFast()] = (
        Field(default=(), description="Columns to make the least or the most of.")
    )
    user: UserName
    implicit: bool = Field(
        default=False, description="Also ask for what history, profile and moment say."
    )
    profile: dict[str, Any] | None = Field(
        default=None, description="For implicit: what is known of the user once and for all."
    )
    time: str | int | float | None = Field(
        default=None, description="For implicit: when it is asked; no later event counts."
    )
    place: Annotated[tuple[float, ...], Field(min_length=2, max_length=2)] | None = Field(
        default=None, description="For implicit: where it is asked, latitude and longitude."
    )
    policy: str = Field(
        default=DEFAULT_POLICY,
        description="How what gives way is chosen.",
        json_schema_extra={
            "enum": ["least-weight", "closest", "fewest", "cumulative", "single", "priority"]
        },
    )
    priority: Annotated[tuple[str, ...], Field(max_length=1_000), FailFast()] = Field(
        default=(), description="For policy priority: columns, the first gives way first."
    )
    top: int = Field(
        default=5, ge=1, le=MOST_LISTED, description="The most repairs, and items, to list."
    )
    order: Literal["cost", "diverse"] = "cost"
    rank: Literal["score", "near"] | None = Field(
        default=None,
        description="The order of the items; without it near what gave way first, if anything did.",
    )

    offset: int = Field(
        default=0, ge=0, le=MAX_OFFSET, description="Items to leave out before those listed."
    )
    sort: SortTexts = Field(
        default=(),
        description="Columns to order the items by instead: `price`, `-price` or `price desc`.",
    )
    fields: Columns | None = Field(
        default=None, description="The columns of rows to answer with; all without it."
    )
    facets: Facets | None = Field(
        default=None,
        description="Columns whose values are counted among what matches, and what matches once "
        "something gave way.",
    )

    @property
    def is_lasting(self) -> bool:
        """Whether the answer hangs on nothing but the query and the catalog's version."""
        return self.user is None and not self.implicit

    def query(self, catalog: CatalogReader) -> Query:
        """Return the query as it is asked of a catalog; raise a `QueryError`."""
        given = [name for name in ("profile", "time", "place") if getattr(self, name) is not None]
        if given and not self.implicit:
            raise QueryError(f"{given[0]} without implicit", hint='give "implicit": true')
        query = super().query(catalog)
        if not self.objectives:
            return query
        return Query(base=query.base, constraints=query.constraints, objectives=self.objectives)


class DiagnoseRequest(QueryRequest):
    """A query to diagnose."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE_QUERY]})

    limit: int = Field(
        default=1_000, ge=1, le=MOST_SETS, description="The most conflicts, and repairs, to list."
    )


class ClarifyRequest(Body):
    """A text whose unclear spots are to be found."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": "a cheap Lexus or maybe an Audi"}]}
    )

    catalog: CatalogName
    text: str = Field(max_length=LONGEST_TEXT, description="What somebody says they want.")
    today: date | None = Field(
        default=None, description="The day that relative dates count from; the server's without it."
    )
    min_version: MinVersion


class ExtractRequest(Body):
    """A text, and where its constraints are looked for."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": "a Lexus sedan under 40,000, not a manual"}]}
    )

    catalog: CatalogName
    text: str = Field(max_length=LONGEST_TEXT, description="What somebody says they want.")
    slot: str | None = Field(
        default=None, description="The column that the text answers a question about."
    )
    today: date | None = Field(
        default=None, description="The day that relative dates count from; the server's without it."
    )
    min_version: MinVersion
