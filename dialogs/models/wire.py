"""Encode a request as fields of a chat completion, and decode a reply from any bytes."""

from __future__ import annotations

import json
import math
import re
from typing import Any, cast

from ...catalogs.errors import BadReply, ModelError, ModelUnavailable
from .chat_model import Reply, Request, Tokens

SCHEMA_NAME = "reply"
MAX_SHOWN_LOGPROBS = 20
"""The most that servers offer; a longer list is cut."""


def fields_of(request: Request) -> dict[str, Any]:
    """Return the fields of a chat completion; what was not asked for is left out."""
    fields: dict[str, Any] = {"messages": [message.record() for message in request.messages]}
    for name in ("temperature", "max_tokens", "seed"):
        if (value := getattr(request, name)) is not None:
            fields[name] = value
    if request.stop:
        fields["stop"] = list(request.stop)
    if request.top_logprobs is not None:
        fields |= {"logprobs": True, "top_logprobs": request.top_logprobs}
    if (format_ := _response_format(request)) is not None:
        fields["response_format"] = format_
    return fields


def _response_format(request: Request) -> dict[str, Any] | None:
    if request.json_schema is None or request.schema_by == "prompt":
        return None
    if request.schema_by == "json_object":
        return {"type": "json_object"}
    schema = dict(request.json_schema)
    named_schema = {"name": SCHEMA_NAME, "schema": schema, "strict": _is_closed(schema)}
    return {"type": "json_schema", "json_schema": named_schema}


def _is_closed(schema: Any) -> bool:
    """Whether every object names all its properties: only such a schema can be strict."""
    if isinstance(schema, list):
        return all(_is_closed(part) for part in cast("list[Any]", schema))
    if not isinstance(schema, dict):
        return True
    fields = cast("dict[str, Any]", schema)
    if fields.get("type") == "object":
        properties = cast("dict[str, Any]", fields.get("properties", {}))
        required = cast("list[str]", fields.get("required", []))
        if fields.get("additionalProperties") is not False or set(required) != set(properties):
            return False
    return all(_is_closed(part) for part in fields.values())


def reply_of(body: bytes) -> Reply:
    """Return the reply that an HTTP body with status 200 holds.

    Raises `ModelUnavailable` for a body that is no JSON (cut off on its way, or some page of
    a proxy) and `BadReply` for JSON that is no chat completion.
    """
    completion = _parsed(body)
    if isinstance(completion, ModelError):
        raise completion
    choice = _first(_member(completion, "choices"))
    message = _member(choice, "message")
    if not isinstance(message, dict):
        raise BadReply(f"the model's server sent no chat completion but {_type(completion)}")
    return Reply(
        text=clean(_content(cast("dict[str, Any]", message))),
        finish_reason=_text(_member(choice, "finish_reason")) or "stop",
        tokens=_tokens(_member(completion, "usage")),
        top_logprobs=_top_logprobs(choice),
        model=_text(_member(completion, "model")),
    )


def _parsed(body: bytes) -> Any:
    """Return JSON or an error; not raised here, where the body would be its context.

    The body is not shown: whatever page it is, it may repeat the request and its key.
    """
    try:
        return json.loads(body)
    except RecursionError:
        return BadReply("the model's server sent JSON nested too deeply")
    except ValueError:
        return ModelUnavailable(f"the model's server sent no JSON ({len(body):,} bytes)")


def clean(text: str) -> str:
    """Return text without the characters that no file or database can hold."""
    return re.sub("[\0\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", text)


def _member(value: Any, name: str) -> Any:
    return cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None


def _first(value: Any) -> Any:
    return cast("list[Any]", value)[0] if isinstance(value, list) and value else None


def _text(value: Any) -> str:
    return clean(value[:200]) if isinstance(value, str) else ""


def _type(value: Any) -> str:
    return "an object without a message" if isinstance(value, dict) else f"a {type(value).__name__}"


def _content(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        # Some servers write parts: [{"type": "text", "text": "…"}].
        content = "".join(str(_member(part, "text") or "") for part in cast("list[Any]", content))
    if content is None:
        content = message.get("refusal") or ""
    if not isinstance(content, str):
        raise BadReply(f"the model's reply is no text but a {type(content).__name__}")
    return content


def _tokens(usage: Any) -> Tokens:
    return Tokens(_count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


def _count(usage: Any, name: str) -> int:
    count = _member(usage, name)
    is_count = isinstance(count, int) and not isinstance(count, bool)
    return count if is_count and 0 <= count < 2**53 else 0


def _top_logprobs(choice: Any) -> tuple[tuple[str, float], ...]:
    first = _first(_member(_member(choice, "logprobs"), "content"))
    offered = _member(first, "top_logprobs")
    pairs = [
        (clean(token), float(logprob))
        for alternative in cast("list[Any]", offered if isinstance(offered, list) else [])
        if isinstance(token := _member(alternative, "token"), str)
        and _is_logprob(logprob := _member(alternative, "logprob"))
    ]
    pairs.sort(key=lambda pair: (-pair[1], pair[0]))
    return tuple(pairs[:MAX_SHOWN_LOGPROBS])


def _is_logprob(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    # An integer of thousands of digits has no float.
    return abs(value) < 1e9 and math.isfinite(value)
