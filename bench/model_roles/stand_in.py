"""Replies as a model might give them, without a model: the least that fits a schema, or a sentence.

They make no sense; they let a conversation run for about as long as one with a model, so that its
prompts can be counted, and every path of a benchmark be tried.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...dialogs.models.chat_model import Request

SENTENCE = "I would have to look that up before I can say anything about it."


def least(schema: Mapping[str, Any]) -> Any:
    """Return a small value that a JSON schema takes: required members only, the first choice."""
    return _least(schema, cast("Mapping[str, Any]", schema.get("$defs", {})))


def _least(schema: Mapping[str, Any], named: Mapping[str, Any]) -> Any:
    if "$ref" in schema:
        return _least(named[str(schema["$ref"]).rpartition("/")[2]], named)
    for choice in ("enum", "anyOf", "oneOf", "allOf"):
        if choice in schema:
            first = schema[choice][0]
            return first if choice == "enum" else _least(first, named)
    if "const" in schema:
        return schema["const"]
    if schema.get("type") == "object":
        wanted: Sequence[str] = schema.get("required", ())
        return {name: _least(schema["properties"][name], named) for name in wanted}
    if schema.get("type") == "array":
        return [_least(schema["items"], named)] * int(schema.get("minItems", 0))
    plain: dict[str, Any] = {"string": SENTENCE, "boolean": False, "null": None}
    return plain.get(str(schema.get("type")), schema.get("minimum", 0))


def stand_in(request: Request) -> str:
    """Return the least that fits the request's schema; a sentence where it has none."""
    if request.json_schema is not None:
        return json.dumps(least(request.json_schema))
    return SENTENCE
