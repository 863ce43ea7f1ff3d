"""A client in TypeScript, written from a service's OpenAPI document; it needs `fetch` alone.

`client.ts` holds types and code; `client.mjs` the code without types, for what runs no TypeScript,
and `client.d.mts` its types beside it. All come from one text, in which types stand in «».
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from ...catalogs.errors import QueryError, excerpt

Schema = Mapping[str, Any]

_NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean",
          "null": "null", "array": "unknown[]"}  # fmt: skip
_RUNTIME = Path(__file__).with_name("typescript_runtime.txt")
_HEAD = "// Written by `concede client typescript` from a service's OpenAPI document."


def files_of(document: Schema, out: Path) -> dict[Path, str]:
    """Return the texts of the files of a client: one .ts, or .mjs with its .d.mts.

    Raises `QueryError` for a file of another kind.
    """
    if out.suffix == ".ts":
        return {out: f"{_HEAD}\n\n{_types(document)}\n{_code(document, typed=True)}"}
    if out.suffix == ".mjs":
        code = _code(document, typed=False)
        declared = out.with_suffix(".d.mts")
        return {out: f"{_HEAD}\n\n{code}", declared: f"{_HEAD}\n\n{_declarations(document)}"}
    raise QueryError(f"cannot write {excerpt(out.name)}", hint="name a file .ts or .mjs")


def _code(document: Schema, *, typed: bool) -> str:
    text = _RUNTIME.read_text(encoding="utf-8")
    methods = "\n\n".join(_method(*each) for each in _operations(document))
    text = text.replace("  // Methods stand here.", methods)
    if typed:
        return re.sub("[«»]", "", text)
    return re.sub(r"^ +$\n", "", re.sub("«[^»]*»", "", text), flags=re.MULTILINE)


def _declarations(document: Schema) -> str:
    """Return the types, and what the code exports, without bodies."""
    runtime = _RUNTIME.read_text(encoding="utf-8")
    shared = re.findall(r"^«(export [^»]*)»$", runtime, re.MULTILINE)
    methods = [f"  {_signature(*each)};" for each in _operations(document)]
    lines = [
        "export declare class ServiceError extends Error {",
        "  status: number;\n  kind: string;\n  problem: { [name: string]: unknown };\n}\n",
        "export declare class ConcedeClient {",
        "  constructor(url: string, options?: ClientOptions);",
        *methods,
        "  forgetVersions(): void;\n}\n",
    ]
    return "\n".join([_types(document), *shared, "", *lines])


def _types(document: Schema) -> str:
    schemas = cast("Mapping[str, Schema]", document["components"]["schemas"])
    return "\n".join(
        f"{_comment(schema, '')}export type {_identifier(name)} = {_type(schema)};\n"
        for name, schema in sorted(schemas.items())
    )


def _type(schema: Schema, indent: str = "") -> str:
    """Return a JSON schema as a type; `unknown` for what says nothing."""
    if "$ref" in schema:
        return _identifier(str(schema["$ref"]).rpartition("/")[2])
    if "const" in schema or "enum" in schema:
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        return " | ".join(json.dumps(value) for value in values)
    for name, mark in (("anyOf", " | "), ("oneOf", " | "), ("allOf", " & ")):
        if name in schema:
            parts = [_type(part, indent) for part in cast("list[Schema]", schema[name])]
            return mark.join(dict.fromkeys(parts))
    kind = schema.get("type")
    if isinstance(kind, list):
        kinds = cast("list[str]", kind)
        return " | ".join(_type({**schema, "type": each}, indent) for each in kinds)
    if kind == "array" and "items" in schema:
        return f"ReadonlyArray<{_type(schema['items'], indent)}>"
    if kind == "object":
        return _object(schema, indent)
    return _NAMES.get(str(kind), "unknown")


def _object(schema: Schema, indent: str) -> str:
    properties = cast("Mapping[str, Schema]", schema.get("properties", {}))
    others = schema.get("additionalProperties")
    if not properties:
        values = _type(cast("Schema", others), indent) if isinstance(others, dict) else "unknown"
        return f"{{ [name: string]: {values} }}"
    inner, required = indent + "  ", schema.get("required", ())
    lines = [
        f"{_comment(each, inner)}{inner}{_property(name)}{'' if name in required else '?'}: "
        f"{_type(each, inner)};"
        for name, each in properties.items()
    ]
    if others is True:
        lines.append(f"{inner}[name: string]: unknown;")
    return "\n".join(["{", *lines, indent + "}"])


def _comment(schema: Schema, indent: str) -> str:
    words = " ".join(str(schema.get("description", "")).split()).replace("*/", "* /")
    return f"{indent}/** {words} */\n" if words else ""


def _property(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_$][\w$]*", name, re.ASCII) else json.dumps(name)


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name, flags=re.ASCII)


def _operations(document: Schema) -> Iterator[tuple[str, str, Schema]]:
    """Yield the operations under /v1: method, path, and what the document says."""
    for path, operations in cast("Mapping[str, Mapping[str, Schema]]", document["paths"]).items():
        if path.startswith("/v1/"):
            for method, operation in operations.items():
                yield method, path, operation


def _name(path: str, operation: Schema) -> str:
    """Return what an operation is called: its function, and what it is about."""
    verb = str(operation["operationId"]).partition("_v1_")[0]
    about = [part for part in path.split("/")[2:] if not part.startswith("{")][-1]
    first, *more = verb.split("_")
    said = first + "".join(map(str.capitalize, more))
    return said if about.startswith(first) else said + about.capitalize()


def _signature(_: str, path: str, operation: Schema) -> str:
    given = [f"{name}: string" for name in _in_path(path)]
    if "requestBody" in operation:
        body = cast("Schema", operation["requestBody"]["content"]["application/json"]["schema"])
        given.append(f"body: {_type(body)}")
    elif query := _query(operation):
        parts = "; ".join(f"{name}?: Parameter" for name in query)
        given.append(f"parameters?: {{ {parts} }}")
    return f"{_name(path, operation)}({', '.join(given)}): Promise<{_answer(operation)}>"


def _in_path(path: str) -> list[str]:
    return re.findall(r"\{(\w+)", path)


def _query(operation: Schema) -> list[str]:
    parameters = cast("list[Schema]", operation.get("parameters", []))
    return [str(each["name"]) for each in parameters if each["in"] == "query"]


def _answer(operation: Schema) -> str:
    responses = cast("Mapping[str, Schema]", operation["responses"])
    good = next(each for status, each in responses.items() if status.startswith("2"))
    content = good.get("content", {}).get("application/json", {})
    return _type(content.get("schema", {}), "  ")


def _method(method: str, path: str, operation: Schema) -> str:
    target = "".join(
        f"${{encodeURIComponent({part[1:-1].partition(':')[0]})}}" if part.startswith("{") else part
        for part in re.split(r"(\{[^}]*\})", path)
    )
    given = "undefined, {}"
    kinds = [f"{each}«: string»" for each in _in_path(path)]
    if "requestBody" in operation:
        body = cast("Schema", operation["requestBody"]["content"]["application/json"]["schema"])
        kinds.append(f"body«: {_type(body)}»")
        given = "body, {}"
    elif query := _query(operation):
        parts = "; ".join(f"{each}?: Parameter" for each in query)
        kinds.append(f"parameters«: {{ {parts} }}» = {{}}")
        given = "undefined, parameters"
    comment = _comment({"description": operation.get("description", "")}, "  ")
    head = f"  {_name(path, operation)}({', '.join(kinds)})«: Promise<{_answer(operation)}>»"
    return (
        f'{comment}{head} {{\n    return this.ask("{method.upper()}", `{target}`, {given});\n  }}'
    )
