"""Elasticsearch and OpenSearch: the filters of a search request, and the request relaxed.

`term`, `terms`, `range`, `exists`, and `match` on what is not analyzed, in `bool` (`filter`,
`must`, `must_not`, `should`) and `constant_score`. A clause that must hold is a constraint; so is
each bound of a range; a clause of several others is one expression, kept or dropped as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Unpack, cast

from ...catalogs.query.constraint import Constraint
from ...engine.repair_engine import RepairEngine
from ...engine.repair_options import RepairKeywords
from .relaxing import Changes, FilterReader, NotSupported, Relaxed, bounds_of, json_value, relaxed

Clause = dict[str, Any]
Rebuild = Callable[[Changes], Clause | None]
"""Writes a clause again; None where nothing is left of it."""

BOUNDS = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_KEYS = {op: key for key, op in BOUNDS.items()}
PLAIN = frozenset(("boost", "_name"))
"""Members of a clause that do not change what it matches."""
MATCHING = ("must", "filter", "must_not")


def relax_elasticsearch(
    query: Mapping[str, Any],
    engine: RepairEngine,
    *,
    fields: Mapping[str, str] | None = None,
    keywords: Collection[str] = (),
    hard: Collection[str] = (),
    weights: Mapping[str, float] | None = None,
    **options: Unpack[RepairKeywords],
) -> Relaxed[Clause]:
    """Return a search request, or a query clause alone, with what gives way relaxed.

    `fields` says which column a field is (`brand.keyword` is `brand` by itself); `keywords` are
    text fields that are not analyzed, whose `match` is an equality; `hard` columns never give way,
    `weights` says how much others matter. All else stays as it is; what of it could not be
    understood is named.

    Raises a `QueryError` where there is no filter, and what `RepairEngine.repair` raises.
    """
    reader = _Reader(engine, dict(fields or {}), keywords=frozenset(keywords))
    is_request = "query" in query
    members = ("query", "post_filter") if is_request else ("",)
    given = dict(query) if is_request else {"": dict(query)}
    parts = {name: reader.read(given[name], name) for name in members if name in given}

    def rebuild(changes: Changes) -> Clause:
        written = {name: part(changes) for name, part in parts.items()}
        if not is_request:
            return written[""] or {"match_all": {}}
        if written.get("post_filter", 0) is None:
            given.pop("post_filter", None)
            written.pop("post_filter")
        return {**given, **{name: part or {"match_all": {}} for name, part in written.items()}}

    return relaxed(
        reader, dict(query), rebuild, hard=hard, weights=weights or {}, options=dict(options)
    )


def clause_of(field: str, constraint: Constraint) -> Clause:
    """Return a constraint on a field as a clause; raise `NotSupported` for what no clause says."""
    op = constraint.op
    if op in ("==", "in"):
        return {"term" if op == "==" else "terms": {field: json_value(constraint)}}
    if op in _KEYS or op == "between":
        return {"range": {field: {_KEYS[key]: end for key, end in bounds_of(constraint)}}}
    if op == "is not null":
        return {"exists": {"field": field}}
    raise NotSupported(f"no clause says {op!r}")


class _Reader(FilterReader):
    """Takes in clauses; each returns how it is written again."""

    def __init__(
        self, engine: RepairEngine, fields: Mapping[str, str], *, keywords: Collection[str]
    ) -> None:
        super().__init__(engine, fields)
        self.keywords = keywords

    def read(self, clause: object, place: str) -> Rebuild:
        """Take in a clause that must hold."""
        try:
            return self._read(clause, place)
        except NotSupported as error:
            self.keep(place, error)
            return lambda _: cast("Clause", clause)

    def _read(self, clause: object, place: str) -> Rebuild:
        kind, body = _only(clause)
        if kind == "match_all":
            return lambda _: cast("Clause", clause)
        if kind == "bool":
            return self._bool(body, f"{place}.bool")
        if kind == "constant_score":
            inner = self.read(body.get("filter"), f"{place}.constant_score.filter")
            return lambda changes: _inside("constant_score", "filter", body, inner(changes))
        if kind == "range":
            return self._range(body)
        field, constraint = self._test(kind, body)
        return self._one(cast("Clause", clause), field, constraint)

    def _one(self, clause: Clause, field: str, constraint: Constraint) -> Rebuild:
        position = self.take(constraint)

        def rebuild(changes: Changes) -> Clause | None:
            if position not in changes:
                return clause
            moved = changes[position]
            return None if moved is None else clause_of(field, moved)

        return rebuild

    def _range(self, body: Clause) -> Rebuild:
        field, given = _only(body, PLAIN)
        tests = self._bounds(field, given)
        positions = {key: self.take(test) for key, test in tests.items()}

        def rebuild(changes: Changes) -> Clause | None:
            new = {key: each for key, each in given.items() if positions.get(key) not in changes}
            for position in positions.values():
                moved = changes.get(position)
                if moved is not None:
                    new |= {_KEYS[op]: value for op, value in bounds_of(moved)}
            left = any(new.get(key) is not None for key in BOUNDS)
            return {"range": {**body, field: new}} if left else None

        return rebuild

    def _bounds(self, field: str, given: object) -> dict[str, Constraint]:
        """Return the bounds of a range by their keys; those that are null bound nothing."""
        if not isinstance(given, dict):
            raise NotSupported("a range without bounds")
        known = cast("Clause", given)
        if odd := [key for key in known if key not in BOUNDS and key not in PLAIN]:
            raise NotSupported(f"a range with {odd[0]!r}")
        column = self.column(field)
        bounds = {key: value for key, value in known.items() if key in BOUNDS and value is not None}
        if not bounds:
            raise NotSupported("a range without bounds")
        return {key: self.made(column, BOUNDS[key], _scalar(end)) for key, end in bounds.items()}

    def _test(self, kind: str, body: Clause) -> tuple[str, Constraint]:
        """Return the field and the constraint of a clause about one field."""
        if kind == "exists":
            field = str(body.get("field"))
            return field, self.made(self.column(field), "is not null")
        if kind not in ("term", "terms", "match"):
            raise NotSupported(f"{kind!r} is no filter that is understood")
        field, given = _only(body, PLAIN)
        column = self.column(field)
        if kind == "terms":
            if not isinstance(given, list) or not given:
                raise NotSupported("terms that are no list of values")
            return field, self.made(
                column, "in", [_scalar(each) for each in cast("list[Any]", given)]
            )
        if kind == "match" and self.is_text(column) and not self._is_keyword(field):
            raise NotSupported(f"match on {field!r}, which may be analyzed: name it in keywords")
        return field, self.made(column, "==", _scalar(_value_in(given, kind)))

    def _is_keyword(self, field: str) -> bool:
        return field in self.keywords or field.endswith(".keyword")

    def _bool(self, body: Clause, place: str) -> Rebuild:
        least = _least(body)
        parts = {
            name: [self._occurring(name, each, f"{place}.{name}[{at}]")
                   for at, each in enumerate(_listed(body[name]))]
            for name in MATCHING if name in body
        }  # fmt: skip
        optional = self._should(body, least, f"{place}.should") if least else _nothing

        def rebuild(changes: Changes) -> Clause | None:
            new = dict(body)
            for name, rebuilds in parts.items():
                _replace(new, name, [rebuilt(changes) for rebuilt in rebuilds])
            if "should" in body and (optional(changes) is None or _least(new) != least):
                new["minimum_should_match"] = 0 if optional(changes) is None else least
            if new == body:
                return {"bool": body}
            is_filter = any(name in new for name in MATCHING) or "should" in new
            return {"bool": new} if is_filter else None

        return rebuild

    def _occurring(self, name: str, clause: object, place: str) -> Rebuild:
        if name != "must_not":
            return self.read(clause, place)
        try:
            kind, body = _only(clause)
            if kind in ("term", "terms", "exists", "match"):
                field, test = self._test(kind, body)
                return self._one(cast("Clause", clause), field, self.denied(test))
            whole = self.expression(f"NOT {self._sql(clause)}")
        except NotSupported as error:
            self.keep(place, error)
            return lambda _: cast("Clause", clause)
        return self._one(cast("Clause", clause), "", whole)

    def _should(self, body: Clause, least: int, place: str) -> Rebuild:
        try:
            whole = self.expression(self._some(_listed(body["should"]), least))
        except NotSupported as error:
            self.keep(place, error)
            return lambda _: {}
        return self._one({}, "", whole)

    def _sql(self, clause: object) -> str:
        """Return a clause as SQL that is true or false; raise `NotSupported` for what is none."""
        kind, body = _only(clause)
        if kind == "match_all":
            return "TRUE"
        if kind == "constant_score":
            return self._sql(body.get("filter"))
        if kind == "range":
            field, given = _only(body, PLAIN)
            return _joined(" AND ", map(self.sql, self._bounds(field, given).values()))
        if kind != "bool":
            return self.sql(self._test(kind, body)[1])
        parts = [self._sql(each) for name in ("must", "filter") for each in _listed(body.get(name))]
        parts += [f"NOT {self._sql(each)}" for each in _listed(body.get("must_not"))]
        if least := _least(body):
            parts.append(self._some(_listed(body["should"]), least))
        return _joined(" AND ", parts) if parts else "TRUE"

    def _some(self, clauses: list[object], least: int) -> str:
        if least == 1:
            return _joined(" OR ", map(self._sql, clauses))
        if least == len(clauses):
            return _joined(" AND ", map(self._sql, clauses))
        raise NotSupported(f"minimum_should_match {least} of {len(clauses)}")


def _nothing(_: Changes) -> Clause | None:
    """Rebuild a clause that matches everything: it is left out."""
    return {}


def _joined(word: str, parts: Any) -> str:
    return f"({word.join(parts)})"


def _only(clause: object, beside: Collection[str] = ()) -> tuple[str, Any]:
    """Return the one member of a clause, with what it holds; raise `NotSupported` for others."""
    if not isinstance(clause, dict):
        raise NotSupported("not a clause")
    names = [name for name in cast("Clause", clause) if name not in beside]
    if len(names) != 1:
        raise NotSupported("not a clause of one kind")
    body: Any = cast("Clause", clause)[names[0]]
    if not beside and not isinstance(body, dict):
        raise NotSupported(f"{names[0]!r} without members")
    return names[0], cast("Any", body)


def _value_in(given: object, kind: str) -> object:
    if not isinstance(given, dict):
        return given
    members = cast("Clause", given)
    name = "value" if kind == "term" else "query"
    if odd := [key for key in members if key != name and key not in PLAIN]:
        raise NotSupported(f"{kind} with {odd[0]!r}")
    return members.get(name)


def _scalar(value: object) -> object:
    if not isinstance(value, bool | int | float | str):
        raise NotSupported(f"{value!r} is no value of a column"[:200])
    return value


def _listed(clauses: object) -> list[object]:
    if clauses is None:
        return []
    return cast("list[object]", clauses) if isinstance(clauses, list) else [clauses]


def _least(body: Clause) -> int:
    """Return how many clauses of `should` must match; raise `NotSupported` for a formula."""
    if not _listed(body.get("should")):
        return 0
    given = body.get("minimum_should_match")
    if given is None:
        return 0 if _listed(body.get("must")) or _listed(body.get("filter")) else 1
    if isinstance(given, str) and given.isascii() and given.isdigit():
        given = int(given)
    if not isinstance(given, int) or isinstance(given, bool) or given < 0:
        raise NotSupported(f"minimum_should_match {given!r}")
    return given


def _replace(body: Clause, name: str, parts: list[Clause | None]) -> None:
    """Put clauses in the place of those there were; keep one alone, and what is unchanged."""
    left = [part for part in parts if part is not None]
    if not left:
        del body[name]
    elif left != _listed(body[name]):
        body[name] = left if isinstance(body[name], list) else left[0]


def _inside(kind: str, name: str, body: Clause, inner: Clause | None) -> Clause | None:
    return None if inner is None else {kind: {**body, name: inner}}
