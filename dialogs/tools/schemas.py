"""What tools take: the 13 that the MapSatisfyBench demo names, and others from a file.

A schema is a name, a description and a JSON schema of its parameters, as MCP and model endpoints
have them. `"format": "open-text"` marks the parameter whose nearest text may answer for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from ...catalogs.errors import QueryError, excerpt
from .calls import ToolCall
from .matching import is_empty, is_points, number

OPEN_TEXT = "open-text"

TEXT_NAMES = frozenset("query queries keyword keywords search search_query q text question".split())
"""Parameters with words of one's own, where no schema says so."""

MAX_TOOLS = 1_000

TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str, "number": (int, float), "integer": int, "boolean": bool, "array": list,
    "object": dict, "null": type(None),
}  # fmt: skip


@dataclass(frozen=True)
class ToolSchema:
    """A tool: `parameters` is the JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    @property
    def properties(self) -> Mapping[str, Any]:
        """The schema of each parameter by its name."""
        return self.parameters.get("properties", {})

    @property
    def required(self) -> tuple[str, ...]:
        """The parameters that a call must give."""
        return tuple(self.parameters.get("required", ()))

    @property
    def open_texts(self) -> frozenset[str]:
        """The parameters marked as open text, and names of such that the schema does not know."""
        of_schema = [name for name, each in self.properties.items() if _is_open(each)]
        return (TEXT_NAMES - self.properties.keys()).union(of_schema)

    def takes(self, value: Any, parameter: str) -> bool:
        """Return whether a value is of a type that the parameter has."""
        kinds = self.properties.get(parameter, {}).get("type", ())
        names: list[str] = [kinds] if isinstance(kinds, str) else list(kinds)
        if not names:
            return True
        if isinstance(value, bool):
            return "boolean" in names
        return any(isinstance(value, TYPES[name]) for name in names if name in TYPES)

    def complaint(self, call: ToolCall) -> str | None:
        """Return what is wrong with a call: a parameter missing, or of another type; else None."""
        for name in self.required:
            if is_empty(call.arguments.get(name)):
                return f"{name} is missing"
        for name, value in call.arguments.items():
            if not is_empty(value) and not self.takes(value, name):
                return f"{name} {excerpt(value)} is of another type"
        return None


def _is_open(parameter: Mapping[str, Any]) -> bool:
    return parameter.get("format") == OPEN_TEXT


Schemas = Mapping[str, ToolSchema]


@dataclass(frozen=True)
class Texts:
    """The arguments of a call that are words, by name.

    `are_open`: they are what is asked, and all that counts; else names beside other arguments.
    """

    by_name: Mapping[str, str]
    are_open: bool


def texts_of(call: ToolCall, schema: ToolSchema | None) -> Texts:
    """Return the arguments in words of one's own, as a schema marks them or names tell.

    Where there are none, these are the texts that are no number, coordinates or identifier.
    """
    texts = {
        name: value.strip()
        for name, value in call.arguments.items()
        if isinstance(value, str) and not is_empty(value)
    }
    marked = TEXT_NAMES if schema is None else schema.open_texts
    found = {name: text for name, text in texts.items() if name in marked}
    if found:
        return Texts(found, True)
    return Texts({name: text for name, text in texts.items() if _is_prose(name, text)}, False)


def _is_prose(name: str, text: str) -> bool:
    """Return whether a text may be words: it has letters, and is no identifier or point."""
    named = name.casefold()
    if named == "mode" or named.endswith(("id", "code", "_type")):
        return False
    if number(text) is not None or is_points(text):
        return False
    is_code = " " not in text and any(c.isdigit() for c in text) and text.isascii()
    return not is_code and any(character.isalpha() for character in text)


@lru_cache(maxsize=1)
def built_in_schemas() -> Schemas:
    """Return the tools that the demo of MapSatisfyBench names, by name."""
    text = Path(__file__).with_name("schemas.json").read_text(encoding="utf-8")
    return MappingProxyType(schemas_of(json.loads(text)))


def schemas_of(values: Iterable[Any]) -> dict[str, ToolSchema]:
    """Return schemas by name, from records of MCP or of a model endpoint.

    Raises `QueryError` for a record that is no schema, and for a name given twice.
    """
    found: dict[str, ToolSchema] = {}
    for value in values:
        schema = _schema_of(value)
        if schema.name in found:
            raise QueryError(f"tool {excerpt(schema.name)} twice", hint="name each tool once")
        if len(found) == MAX_TOOLS:
            raise QueryError(f"more than {MAX_TOOLS:,} tools")
        found[schema.name] = schema
    return found


def _schema_of(value: Any) -> ToolSchema:
    record = cast("Mapping[str, Any]", value if isinstance(value, dict) else {})
    if isinstance(record.get("function"), dict):
        record = cast("Mapping[str, Any]", record["function"])
    name, description = record.get("name"), record.get("description", "")
    keys = ("parameters", "inputSchema", "input_schema")
    parameters: Any = next((record[key] for key in keys if key in record), None)
    if not isinstance(name, str) or not name or not isinstance(description, str):
        hint = "give a tool's name, description and parameters"
        raise QueryError(f"no tool: {excerpt(cast('object', value))}", hint=hint)
    checked = _object_schema(name, {} if parameters is None else parameters)
    return ToolSchema(name, description, checked)


def _object_schema(name: str, parameters: Any) -> dict[str, Any]:
    """Return the JSON schema of an object; raise `QueryError` for what is none."""
    hint = 'give {"type": "object", "properties": {…}, "required": […]}'
    is_object = isinstance(parameters, dict)
    given = cast("dict[str, Any]", parameters) if is_object else dict[str, Any]()
    properties, required = given.get("properties", {}), given.get("required", [])
    is_map = isinstance(properties, dict) and all(
        isinstance(each, dict) for each in cast("dict[str, Any]", properties).values()
    )
    is_list = isinstance(required, list) and all(
        isinstance(each, str) for each in cast("list[Any]", required)
    )
    if not (is_object and is_map and is_list):
        shown = excerpt(cast("object", parameters))
        raise QueryError(f"parameters of {excerpt(name)}: {shown}", hint=hint)
    return {**given, "type": "object", "properties": properties, "required": required}
