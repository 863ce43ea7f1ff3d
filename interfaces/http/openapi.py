"""The OpenAPI document: schemas of each route's body and answer, given to FastAPI as they are.

Bodies are parsed and answers written without FastAPI, once, so that it cannot find the schemas.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from .body_reader import Body
from .problem_details import MEDIA_TYPE, Problem

Schema = dict[str, Any]

_REF = "#/components/schemas/{model}"
_DEFINITIONS: dict[str, Schema] = {}

INTEGER: Schema = {"type": "integer"}
BOOLEAN: Schema = {"type": "boolean"}
TEXT: Schema = {"type": "string"}
POSITIONS: Schema = {"type": "array", "items": INTEGER, "description": "Positions of constraints."}
SETS: Schema = {"type": "array", "items": POSITIONS}
OBJECT: Schema = {"type": "object"}
OBJECTS: Schema = {"type": "array", "items": OBJECT}


def object_of(**members: Schema) -> Schema:
    """Return the schema of an object that has all these members."""
    return {"type": "object", "properties": members, "required": list(members)}


def or_null(schema: Schema) -> Schema:
    """Return the schema of what may also be null."""
    return {"anyOf": [schema, {"type": "null"}]}


DIAGNOSIS = object_of(
    schema_version=INTEGER,
    verdict={"type": "string", "enum": ["SAT", "UNSAT", "UNKNOWN"]},
    count=INTEGER,
    base_rows=INTEGER,
    base=OBJECTS,
    constraints=OBJECTS,
    conflicts=SETS,
    repairs=SETS,
    repair_counts={"type": "array", "items": INTEGER},
    maximal=SETS,
    base_conflicts=SETS,
    single_counts={"type": "array", "items": INTEGER},
    drop_one_counts={"type": "array", "items": INTEGER},
    explanation=TEXT,
    complete=BOOLEAN,
    proven_minimal=BOOLEAN,
    stopped_by=or_null({"type": "string", "enum": ["deadline", "limit"]}),
    catalog_version=INTEGER,
)
CLARIFICATION = object_of(
    constraints=OBJECTS,
    unknowns={
        "type": "array",
        "items": object_of(
            kind={
                "type": "string",
                "enum": ["vague", "ambiguous", "alternatives", "number", "unlinked"],
            },
            said=TEXT,
            columns={"type": "array", "items": TEXT},
            question=TEXT,
            options={
                "type": "array",
                "items": object_of(constraint=or_null(OBJECT), rows=INTEGER, text=TEXT),
            },
            effect={"type": "number"},
        ),
        "description": "What is unclear, what changes most of what is found first.",
    },
    not_understood=OBJECTS,
)
EXTRACTION = object_of(
    constraints=OBJECTS,
    objectives=OBJECTS,
    leanings=OBJECTS,
    not_understood=OBJECTS,
    unresolved=OBJECTS,
    waived={"type": "array", "items": TEXT},
    query={
        "anyOf": [
            object_of(base=OBJECTS, constraints=OBJECTS, objectives=OBJECTS),
            {"type": "null"},
        ],
        "description": "What was understood as members of a body for /v1/repair: leanings weigh "
        "less; null for more than a query may hold.",
    },
)


def schema_of(kind: type[BaseModel] | Schema, *, written: bool = False) -> Schema:
    """Return a schema or a reference to a model's, which joins the document's components."""
    if not isinstance(kind, type):
        return kind
    mode = "serialization" if written else "validation"
    schema = kind.model_json_schema(ref_template=_REF, mode=mode)
    if issubclass(kind, Body):
        schema["additionalProperties"] = False
    _DEFINITIONS.update(schema.pop("$defs", {}))
    _DEFINITIONS[kind.__name__] = schema
    return {"$ref": _REF.format(model=kind.__name__)}


def extended(kind: type[BaseModel], optional: Mapping[str, Schema]) -> Schema:
    """Return a reference to a model's schema as it is written, with members that may be there."""
    reference = schema_of(kind, written=True)
    _DEFINITIONS[kind.__name__]["properties"] |= optional
    return reference


def documented(
    body: type[BaseModel] | None,
    answer: type[BaseModel] | Schema | None,
    description: str,
    *,
    status: int = 200,
    media_type: str = "application/json",
) -> dict[str, Any]:
    """Return a route's keywords: the body it takes, what it answers, and the problems."""
    content = {}
    if answer is not None:
        content = {"content": {media_type: {"schema": schema_of(answer, written=True)}}}
    problem = {"content": {MEDIA_TYPE: {"schema": schema_of(Problem)}}}
    responses = {
        str(status): {"description": description, **content},
        "default": {"description": "A problem, with the way out.", **problem},
    }
    extra: Schema = {"responses": responses}
    if body is not None:
        taken = {"application/json": {"schema": schema_of(body)}}
        extra["requestBody"] = {"required": True, "content": taken}
    return {"response_model": None, "status_code": status, "openapi_extra": extra}


def openapi_document(app: FastAPI) -> Schema:
    """Return the OpenAPI document of the application, made once."""
    if app.openapi_schema is None:
        generated = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        components = cast("dict[str, Any]", generated.setdefault("components", {}))
        schemas = cast("dict[str, Any]", components.setdefault("schemas", {}))
        schemas.update(_DEFINITIONS)
        components["securitySchemes"] = _SECURITY
        _drop_default_responses(generated)
        app.openapi_schema = generated
    return app.openapi_schema


_SECURITY: Schema = {
    "apiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
    "adminToken": {"type": "http", "scheme": "bearer"},
}


def _drop_default_responses(document: Mapping[str, Any]) -> None:
    """Take FastAPI's own 422 out: problems have one shape, under `default`."""
    for operations in cast("dict[str, dict[str, Any]]", document["paths"]).values():
        for operation in operations.values():
            responses = cast("dict[str, Any]", operation.get("responses", {}))
            if "default" in responses:
                responses.pop("422", None)
