"""`/docs`: the OpenAPI document for people, a page without a script or anything from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from ....rendering.html import Html, document, join, tag
from ..page.assets import STYLE
from ..page.responses import HEADERS, html_response

router = APIRouter(include_in_schema=False)

Schema = Mapping[str, Any]


@router.get("/docs")
async def docs(request: Request) -> Response:
    """Return every route with what it takes, for people."""
    return html_response(reference(request.app.openapi()))


@router.get("/docs/style.css")
async def style() -> Response:
    """Return the page's style, which is there where the search page is not."""
    return Response(STYLE.content, 200, HEADERS, media_type=STYLE.media_type)


def reference(openapi: Schema) -> Html:
    """Return an OpenAPI document as a page."""
    info, paths = openapi["info"], cast("Mapping[str, Schema]", openapi["paths"])
    routes = [
        _route(method, path, operation, openapi)
        for path, operations in paths.items()
        for method, operation in operations.items()
    ]
    link = tag("a", "/openapi.json", href="/openapi.json")
    main = tag(
        "main",
        tag("h1", f"{info['title']} {info['version']}"),
        tag("p", info.get("description", ""), " The exact shapes: ", link, "."),
        *routes,
        class_="reference",
    )
    head = join(
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", f"{info['title']} – HTTP"),
        tag("link", rel="stylesheet", href="/docs/style.css"),
    )
    return document(head, tag("body", main))


def _route(method: str, path: str, operation: Schema, openapi: Schema) -> Html:
    identity = f"{method}-{path.strip('/').replace('/', '-').replace('{', '').replace('}', '')}"
    return tag(
        "section",
        tag("h2", f"{method.upper()} {path}", id=f"heading-{identity}"),
        tag("p", str(operation.get("description") or operation.get("summary", ""))),
        *_parameters(operation),
        *_body(operation, openapi),
        tag("p", "Answers: ", ", ".join(_answers(operation))),
        id=identity,
        aria_labelledby=f"heading-{identity}",
    )


def _answers(operation: Schema) -> Iterator[str]:
    for status, answer in operation.get("responses", {}).items():
        yield f"{'any other' if status == 'default' else status} – {answer['description']}"


def _parameters(operation: Schema) -> Iterator[Html]:
    parameters = cast("list[Schema]", operation.get("parameters", []))
    if parameters:
        rows = ((each["name"], each.get("schema", {}), each.get("description", ""))
                for each in parameters)  # fmt: skip
        yield tag("table", tag("tbody", *(_row(*row) for row in rows)))


def _body(operation: Schema, openapi: Schema) -> Iterator[Html]:
    content = operation.get("requestBody", {}).get("content", {})
    schema = _found(content.get("application/json", {}).get("schema", {}), openapi)
    properties = cast("Mapping[str, Schema]", schema.get("properties", {}))
    if properties:
        rows = (
            _row(name, field, field.get("description", "")) for name, field in properties.items()
        )
        yield tag("table", tag("tbody", *rows))
    for example in schema.get("examples", [])[:1]:
        yield tag("pre", tag("code", json.dumps(example, indent=2, ensure_ascii=False)))


def _row(name: str, schema: Schema, description: str) -> Html:
    return tag(
        "tr", tag("th", tag("code", name), scope="row"), tag("td", _kind(schema)),
        tag("td", description),
    )  # fmt: skip


def _kind(schema: Schema) -> str:
    """Return the types a schema allows, in a word each."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_kind(part) for part in schema["anyOf"]))
    return str(schema.get("type", "any"))


def _found(schema: Schema, openapi: Schema) -> Schema:
    """Return a schema, looked up where it is a reference."""
    if "$ref" not in schema:
        return schema
    return openapi["components"]["schemas"][_kind(schema)]
