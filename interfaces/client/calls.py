"""What each operation of a service asks for over HTTP: the same for every client of ours."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, cast, runtime_checkable
from urllib.parse import quote, urlencode

Json = dict[str, Any]
Row = Mapping[str, Any]


@runtime_checkable
class Recorded(Protocol):
    """What writes itself as a JSON object: a `Query`, a `Constraint`, an `Objective`."""

    def record(self) -> Json:
        """Return it as a JSON object."""
        ...


@dataclass(frozen=True)
class Call:
    """One request. `repeatable`: asked twice, it does no more than once; `reads` a catalog's rows.

    `catalog` is None for the server's default.
    """

    method: str
    path: str
    body: Json | None = None
    parameters: Sequence[tuple[str, str]] = ()
    repeatable: bool = True
    reads: bool = False
    writes: bool = False
    catalog: str | None = field(default=None)

    @property
    def target(self) -> str:
        """The path with its parameters."""
        return f"{self.path}?{urlencode(self.parameters)}" if self.parameters else self.path

    @property
    def content(self) -> bytes | None:
        """The body as it is sent."""
        if self.body is None:
            return None
        return json.dumps(self.body, ensure_ascii=False, default=_plain).encode()

    def from_version(self, name: str | None, version: int | None) -> Call:
        """Return the call answered from a version, or a later one, of the catalog called so."""
        if version is None or "min_version" in (self.body or ()):
            return self
        if self.body is None:
            return replace(self, parameters=(*self.parameters, ("min_version", str(version))))
        return replace(self, body={"catalog": name, **self.body, "min_version": version})


def _plain(value: object) -> object:
    """Return what JSON has no form for as it is written in bodies."""
    if isinstance(value, Recorded):
        return value.record()
    if hasattr(value, "isoformat"):
        return cast("Any", value).isoformat()
    if isinstance(value, Iterable):
        return list(cast("Iterable[Any]", value))
    # Decimals, and numbers of NumPy.
    return cast("Any", value).item() if hasattr(value, "item") else float(cast("Any", value))


def question(operation: str, query: object, options: Mapping[str, Any]) -> Call:
    """Return a question: a WHERE text, a `Query`, or the members of a body; options beside it."""
    members: Json = {}
    if isinstance(query, str):
        members = {"where": query}
    elif isinstance(query, Recorded):
        members = query.record()
    elif query is not None:
        members = dict(cast("Mapping[str, Any]", query))
    body = members | {name: value for name, value in options.items() if value is not None}
    return Call("POST", f"/v1/{operation}", body, reads=True, catalog=body.get("catalog"))


def text_question(operation: str, text: str, options: Mapping[str, Any]) -> Call:
    """Return a question about a text."""
    return question(operation, {"text": text}, options)


def batch(requests: Iterable[Mapping[str, Any]]) -> Call:
    """Return several questions in one request."""
    return Call("POST", "/v1/batch", {"requests": [dict(each) for each in requests]}, reads=True)


def rows_path(catalog: str) -> str:
    """Return the path of a catalog's rows."""
    return f"/v1/catalogs/{quote(catalog, safe='')}/rows"


def upsert(catalog: str, rows: Iterable[Row], key: str | None) -> Call:
    """Return a write of rows."""
    body: Json = {"rows": [dict(row) for row in rows]}
    if key is not None:
        body["key"] = key
    # Without a key rows are added, each time anew.
    path = rows_path(catalog)
    return Call("POST", path, body, repeatable=key is not None, writes=True, catalog=catalog)


def delete(
    catalog: str, keys: Iterable[Any] | None, where: str | None, row_ids: Iterable[int] | None
) -> Call:
    """Return a deletion of rows by their keys, a condition or their row ids."""
    given = {"keys": keys, "where": where, "row_ids": row_ids}
    body: Json = {
        name: value if isinstance(value, str) else list(value)
        for name, value in given.items()
        if value is not None
    }
    path = f"{rows_path(catalog)}/delete"
    return Call("POST", path, body, repeatable=row_ids is None, writes=True, catalog=catalog)


def fetch(
    catalog: str, keys: Iterable[Any] | None, where: str | None, options: Mapping[str, Any]
) -> Call:
    """Return a look at rows by their keys or a condition."""
    parameters = [] if keys is None else [("key", _as_parameter(key)) for key in keys]
    given = {"where": where, **options}
    for name, value in given.items():
        parameters += [(name, str(each)) for each in _as_list(value)]
    path = rows_path(catalog)
    return Call("GET", path, parameters=parameters, reads=True, catalog=catalog)


def _as_parameter(key: object) -> str:
    if isinstance(key, str) and not key.startswith("["):
        return key
    if isinstance(key, bool | int | float):
        return json.dumps(key)
    # Also a text that would be read as a list.
    values = [key] if isinstance(key, str) else list(cast("Iterable[Any]", key))
    return json.dumps(values, default=_plain)


def _as_list(value: object) -> Sequence[object]:
    if value is None:
        return ()
    is_one = isinstance(value, str | int | float)
    return (value,) if is_one else list(cast("Iterable[object]", value))


def chat(text: str | None, options: Mapping[str, Any]) -> Call:
    """Return the beginning of a conversation."""
    call = question("chat", None if text is None else {"text": text}, options)
    return replace(call, repeatable=False)


def step(identity: str, name: str, body: Json) -> Call:
    """Return a step of a conversation."""
    path = f"/v1/chat/{quote(identity, safe='')}/{name}"
    return Call("POST", path, body, repeatable=False)


def transcript(identity: str) -> Call:
    """Return a look at what was said in a conversation."""
    return Call("GET", f"/v1/chat/{quote(identity, safe='')}")


def end(identity: str) -> Call:
    """Return the end of a conversation."""
    return Call("DELETE", f"/v1/chat/{quote(identity, safe='')}", repeatable=False)


CATALOGS = Call("GET", "/v1/catalogs")


def found(answer: Json) -> Json:
    """Return the part of a repair that a search shows: what meets everything asked."""
    met = answer["status"] == "SAT_no_relaxation"
    result: Json = {
        "count": answer["count"] if met else 0,
        "items": answer["items"] if met else [],
        "complete": answer["complete"],
        "catalog_version": answer["catalog_version"],
    }
    return result | {name: answer[name] for name in ("facets", "did_you_mean") if name in answer}
