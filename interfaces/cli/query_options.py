"""Options into a catalog and queries: the file is opened, SQL, JSON and records are parsed."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...catalogs.errors import CatalogError, QueryError, UnreadableFile, excerpt, nearest
from ...catalogs.remote.remote_sources import is_address, is_remote

if TYPE_CHECKING:
    from ...bench.instances import Instance
    from ...catalogs.catalog import Catalog
    from ...catalogs.query.constraint import Constraint, Objective
    from ...catalogs.query.query import Query
    from ...engine.answer import Rank


RECORDED = {
    "--base": "base",
    "--weight": "weights",
    "--hard": "hard",
    "--group": "groups",
    "--minimize": "minimize",
    "--maximize": "maximize",
}
"""Options, and their fields, for what the records of an instance file say themselves."""


@dataclass(frozen=True)
class CatalogOptions:
    """Which catalog, and how the result is written; `form` is table, json or ndjson."""

    catalog: str | None
    table: str | None
    as_text: Sequence[str]
    form: str
    _: KW_ONLY
    dictionary: str | None = None
    location: str | None = None
    hours: str | None = None
    config: str | None = None
    travel_times: str | None = None
    key: str | None = None
    sample: float | None = None

    @property
    def is_remote(self) -> bool:
        """Whether the rows stay in their database, or in a folder of Parquet files."""
        return self.config is None and stays(self.catalog)


def stays(catalog: str | None) -> bool:
    """Return whether the rows of a catalog stay where they are."""
    return bool(catalog) and is_remote(catalog, "")


@dataclass(frozen=True)
class QueryOptions(CatalogOptions):
    """What is asked, in SQL, in a JSON file, or as records of an instance file."""

    base: str | None
    where: str | None
    query_file: str | None
    instances: str | None
    profile: str | None
    index: int | None
    weights: Sequence[str]
    hard: Sequence[str]
    groups: Sequence[str]
    solver: str
    deadline: float

    @property
    def many(self) -> bool:
        """Whether every record of an instance file is asked."""
        return self.instances is not None and self.index is None

    @property
    def seconds(self) -> float | None:
        """The deadline; None for no end."""
        return None if math.isinf(self.deadline) else self.deadline

    def check(self) -> None:
        """Raise `QueryError` for options that cannot be meant together."""
        check_deadline(self.deadline)
        if self.index is not None and self.instances is None:
            raise QueryError("--index without --instances", hint="name the file of records")
        sources = {
            "--where": self.where,
            "--query": self.query_file,
            "--instances": self.instances,
            "--profile": self.profile,
        }
        given = [name for name, value in sources.items() if value is not None]
        if len(given) > 1:
            raise QueryError(f"{given[0]} and {given[1]} given", hint="give one of them")
        if not given:
            raise QueryError("nothing to repair", hint='give --where "column <= value AND …"')
        recorded = [name for name, field in RECORDED.items() if vars(self).get(field)]
        if self.instances is not None and recorded:
            hint = "the records say it; leave it out"
            raise QueryError(f"{recorded[0]} with --instances", hint=hint)


def check_deadline(deadline: float) -> None:
    """Raise `QueryError` for what is no number of seconds."""
    if math.isnan(deadline) or deadline < 0:
        raise QueryError(f"bad --deadline {deadline}", hint="give seconds, 0 or more")


@dataclass(frozen=True)
class RepairOptions(QueryOptions):
    """How the relaxation is chosen, and how much is listed."""

    policy: str
    priority: str | None
    rank: Rank | None
    minimize: Sequence[str]
    maximize: Sequence[str]
    top: int
    diverse: bool
    timing: bool

    def check(self) -> None:
        """Raise `QueryError` for options that cannot be meant together."""
        super().check()
        if self.priority is not None and self.policy != "priority":
            raise QueryError("--priority without --policy priority", hint="add the policy")

    @property
    def item_order(self) -> Rank | None:
        """The order of the items; by the published formula for published records."""
        return self.rank or ("score" if self.instances is not None else None)


@dataclass(frozen=True)
class DiagnoseOptions(QueryOptions):
    """How many sets a diagnosis lists."""

    limit: int

    def check_stored(self) -> None:
        """Raise `QueryError` for options that stored histograms have no use for."""
        check_deadline(self.deadline)
        said = {"--catalog": self.catalog, "--table": self.table, "--as-text": self.as_text,
                "--config": self.config, "--base": self.base, "--where": self.where,
                "--query": self.query_file, "--instances": self.instances,
                "--profile": self.profile, "--weight": self.weights, "--hard": self.hard,
                "--group": self.groups, "--key": self.key,
                "--sample": self.sample}  # fmt: skip
        for name in (name for name, value in said.items() if value):
            raise QueryError(f"{name} with --histogram", hint="the histogram says it")


STANDARD_INPUT = "-"
MAX_READ = 1_000_000
"""Bytes read from standard input; more than anyone's wishes."""


def text_or_stdin(text: str) -> str:
    """Return a text as given, or standard input for `-`; raise `QueryError` beyond 1 MB."""
    if text != STANDARD_INPUT:
        return text
    raw = sys.stdin.buffer.read(MAX_READ + 1)
    if len(raw) > MAX_READ:
        raise QueryError("more than 1 MB on standard input", hint="give a shorter text")
    return raw.decode("utf-8", errors="replace")


def read_up_to(path: str, most: int) -> bytes:
    """Return the content of a file; raise `UnreadableFile` beyond so many bytes."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise UnreadableFile(path, error.strerror or str(error)) from None
    if len(content) > most:
        raise UnreadableFile(path, f"longer than {most:,} bytes")
    return content


def open_catalog(options: CatalogOptions) -> Catalog:
    """Open the catalog that the options name; raise a `QueryError` or `CatalogError`.

    With a configuration `catalog` is the name of one there, by default the first's.
    """
    if options.config is not None:
        return _configured(options)
    if not options.catalog:
        raise QueryError("no catalog", hint="give --catalog FILE or --catalog sample:cars")
    if options.is_remote:
        return _remote(options)
    if options.sample is not None:
        problem = f"--sample: {excerpt(options.catalog)} is read into memory"
        raise QueryError(problem, hint="leave --sample out")
    from ...catalogs.catalog import Catalog
    from ...catalogs.sources.registry import find_reader

    reader = None if options.table is None else find_reader(Path(options.catalog))
    if options.table is not None and not (reader and reader.has_tables):
        raise QueryError(
            f"--table {excerpt(options.table)}: {excerpt(options.catalog)} is no database",
            hint="leave --table out",
        )
    columns = {name: {"kind": "categorical"} for name in options.as_text}
    return Catalog.open(
        options.catalog,
        table=options.table,
        columns=columns,
        dictionary=options.dictionary,
        location=location_columns(options.location),
        hours=options.hours,
        travel_times=options.travel_times,
    )


def _remote(options: CatalogOptions) -> Catalog:
    """Open a catalog whose rows stay where they are; raise a `QueryError` for what needs them."""
    said = {"--as-text": options.as_text, "--location": options.location,
            "--hours": options.hours, "--travel-times": options.travel_times}  # fmt: skip
    for name in (name for name, value in said.items() if value):
        raise QueryError(f"{name}: the rows stay where they are", hint="open a copy of them")
    if options.key is None:
        hint = "give --key COLUMN, the column of unique whole numbers (repair, diagnose)"
        named = "a database" if is_address(options.catalog) else excerpt(options.catalog)
        raise CatalogError(f"{named} stays where it is, and no key tells its rows apart", hint=hint)
    from ...catalogs.catalog import Catalog

    assert options.catalog is not None
    return Catalog.open(
        options.catalog, table=options.table, key=options.key, dictionary=options.dictionary
    )


def _configured(options: CatalogOptions) -> Catalog:
    from ...catalogs.configuration.shop_config import ShopConfig

    said = {"--table": options.table, "--as-text": options.as_text,
            "--dictionary": options.dictionary, "--location": options.location,
            "--hours": options.hours, "--travel-times": options.travel_times}  # fmt: skip
    for name in (name for name, value in said.items() if value):
        raise QueryError(f"{name} with --config", hint="say it in the file")
    assert options.config is not None
    return ShopConfig.read(options.config).open(options.catalog)


def location_columns(text: str | None) -> tuple[str, str] | None:
    """Return the columns of `--location LAT,LON`; raise `QueryError` for other than two."""
    if text is None:
        return None
    columns = column_list(text)
    if len(columns) != 2:
        raise QueryError(f"bad --location {excerpt(text)}", hint="write LAT,LON, two columns")
    return columns[0], columns[1]


def queries(catalog: Catalog, options: QueryOptions) -> list[tuple[int, Query]]:
    """Return the queries asked, each with its number in the instance file (0 without one).

    All of them fit the catalog; the first that does not raises a `QueryError`.
    """
    if options.instances is None:
        return [(0, _query(catalog, options))]
    from ...bench.instances import read_instances

    instances = read_instances(options.instances)
    chosen = range(len(instances)) if options.index is None else [options.index]
    if options.index is not None and options.index not in range(len(instances)):
        raise QueryError(f"no record {options.index}", hint=f"records: 0 to {len(instances) - 1}")
    return [(index, _query_of_record(catalog, instances[index], index)) for index in chosen]


def _query_of_record(catalog: Catalog, instance: Instance, index: int) -> Query:
    """Return a record's query, bound once so that a bad one is found before any is answered."""
    try:
        query = instance.query(catalog)
        for constraint in (*query.base, *query.constraints):
            catalog.bind(constraint)
    except QueryError as error:
        raise QueryError(f"record {index}: {error.problem}", hint=error.hint) from None
    return query


def _query(catalog: Catalog, options: QueryOptions) -> Query:
    from ...catalogs.query.query import Query
    from ...catalogs.query.where_clause import parse_where

    if options.query_file is not None:
        query = read_query(options.query_file)
    elif options.profile is not None:
        query = _carried_over(catalog, options.profile)
    else:
        query = Query(constraints=tuple(parse_where(options.where or "", catalog.schema)))
    if not query.constraints:
        hint = "name what may give way as constraints"
        raise QueryError("nothing to repair: the query has no constraints", hint=hint)
    base = query.base
    if options.base is not None:
        base = (*base, *parse_where(options.base, catalog.schema))
    objectives = query.objectives
    if isinstance(options, RepairOptions):
        objectives = (*objectives, *_objectives(options))
    constraints = _marked(catalog, query.constraints, options)
    return Query(base=base, constraints=constraints, objectives=objectives)


def _carried_over(catalog: Catalog, path: str) -> Query:
    """Return the query of a saved profile, and say which wishes the catalog has no place for."""
    from ...dialogs.conversation.saved_profile import carried_over, read_profile
    from .output import complain

    text = read_up_to(path, MAX_READ).decode("utf-8-sig", errors="replace")
    carried = carried_over(read_profile(text), catalog)
    for wish in carried.lacking:
        complain(f"left out: {catalog.name} has no place for {wish.constraint}")
    return carried.query


def read_query(path: str) -> Query:
    """Return the query of a JSON file; raise `UnreadableFile` or a `QueryError`."""
    from ...catalogs.query.query import Query

    try:
        record = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise UnreadableFile(path, "not UTF-8 text") from None
    except OSError as error:
        raise UnreadableFile(path, error.strerror or str(error)) from None
    except RecursionError:
        raise UnreadableFile(path, "nested too deeply") from None
    except ValueError as error:
        raise UnreadableFile(path, f"not JSON: {error}") from None
    if not isinstance(record, dict):
        hint = 'give {"base": […], "constraints": […]}'
        raise UnreadableFile(path, f"{excerpt(record)} is no query", hint=hint)
    return Query.model_validate(record)


def _marked(
    catalog: Catalog, constraints: Sequence[Constraint], options: QueryOptions
) -> tuple[Constraint, ...]:
    """Return the constraints with weights, hard flags and groups as the options say."""
    on_column = _positions_by_column(catalog, constraints)
    changes: list[dict[str, Any]] = [{} for _ in constraints]
    for option, column, field, value in _marks(options):
        for position in _positions(catalog, on_column, column, option):
            if changes[position].setdefault(field, value) != value:
                raise QueryError(f"{option} says two things of {excerpt(column)}", hint="say one")
    return tuple(
        _changed(constraint, change) if change else constraint
        for constraint, change in zip(constraints, changes, strict=True)
    )


def _changed(constraint: Constraint, change: dict[str, Any]) -> Constraint:
    return type(constraint).model_validate(constraint.model_dump(exclude_unset=True) | change)


def _marks(options: QueryOptions) -> Iterator[tuple[str, str, str, Any]]:
    """Yield what the options set: option, column, field of its constraints, value."""
    for text in options.weights:
        column, weight = _named_number(text, "--weight")
        yield "--weight", column, "weight", weight
    for column in options.hard:
        yield "--hard", column, "hard", True
    for text in options.groups:
        name, _, listed = text.partition("=")
        columns = column_list(listed)
        if not name.strip() or not columns:
            raise QueryError(f"bad --group {excerpt(text)}", hint="write NAME=COLUMN,COLUMN")
        for column in columns:
            yield "--group", column, "group", name.strip()


def column_list(text: str) -> list[str]:
    """Return the columns of a comma-separated list; a name with a comma stands in quotes."""
    return [name for row in csv.reader([text], skipinitialspace=True) for name in row if name]


def _positions_by_column(
    catalog: Catalog, constraints: Sequence[Constraint]
) -> dict[str, list[int]]:
    positions: dict[str, list[int]] = {}
    for position, constraint in enumerate(constraints):
        for column in catalog.bind(constraint).columns:
            positions.setdefault(column, []).append(position)
    return positions


def _positions(
    catalog: Catalog, on_column: dict[str, list[int]], name: str, option: str
) -> list[int]:
    column = catalog.schema.find(name).name
    if column not in on_column:
        near = nearest(name, on_column) or tuple(on_column)
        raise QueryError(
            f"{option} {excerpt(name)}: no constraint on that column",
            hint=f"constrained: {', '.join(map(excerpt, near))}",
        )
    return on_column[column]


def _objectives(options: RepairOptions) -> Iterator[Objective]:
    from ...catalogs.query.constraint import NEUTRAL_WEIGHT, Objective

    for option, direction, texts in (
        ("--minimize", "min", options.minimize),
        ("--maximize", "max", options.maximize),
    ):
        for text in texts:
            column, weight = _named_number(text, option) if "=" in text else (text, NEUTRAL_WEIGHT)
            fields = {"column": column, "direction": direction, "weight": weight}
            yield Objective.model_validate(fields)


def _named_number(text: str, option: str) -> tuple[str, float]:
    from ...catalogs.query.constraint import check_weight

    name, _, number = text.rpartition("=")
    try:
        weight = float(number)
    except ValueError:
        weight = None
    if weight is None or not name.strip():
        raise QueryError(f"bad {option} {excerpt(text)}", hint="write COLUMN=0.7")
    check_weight(weight)
    return name.strip(), weight
