"""Ask a model for JSON that fits a schema, validate it, and ask again with the complaint.

The first object or array in a reply counts, found in one pass and to a bounded depth.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Lock
from typing import Any, Literal, TypeVar, get_args

from pydantic import TypeAdapter, ValidationError

from ...catalogs.errors import BadReply, ModelRefused, QueryError, excerpt, one_line
from ..transcripts.transcript import Message
from .chat_model import ChatModel, Reply, Request, SchemaBy
from .prompt import load_prompt

MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 64
MAX_PASSED_OVER = 100
"""Texts in braces that are no JSON, after which no JSON is expected any more."""

END_OF_THOUGHT = "</think>"
BEGINS = {
    # Braces before anything else are prose, or a template's double ones.
    "object": re.compile(r'\{(?=\s*["}])'),
    "array": re.compile(r'\[(?=\s*[\[{"\]\-0-9tfn])'),
}
MARK = re.compile(r'["{}\[\]]')
END_OF_STRING = re.compile(r'(?:[^"\\]|\\.)*+"', re.DOTALL)
CLOSES = {"}": "{", "]": "["}


def first_json(
    text: str,
    kind: Literal["object", "array"] = "object",
    *,
    max_characters: int = MAX_CHARACTERS,
    max_depth: int = MAX_DEPTH,
) -> Any:
    """Return the first balanced JSON object or array in a text, parsed.

    What stands before a closing think tag is skipped, but for JSON that holds the tag itself; what
    is balanced and no JSON is passed over. One that is never closed ends the search: what it holds
    is a part of an answer, not the answer. Raises `BadReply` where there is none or a limit is
    passed.
    """
    if len(text) > max_characters:
        raise BadReply(f"a reply of {len(text):,} characters, more than {max_characters:,}")
    thought = text.rfind(END_OF_THOUGHT)
    if thought >= 0:
        try:
            for end, found in _balanced(text, 0, kind, max_depth):
                if end > thought:
                    return found
        except BadReply:
            pass  # Thoughts need not be balanced.
    for _, found in _balanced(text, thought + 1, kind, max_depth):
        return found
    raise BadReply(f"the reply holds no JSON {kind}")


def _balanced(text: str, at: int, kind: str, max_depth: int) -> Iterator[tuple[int, Any]]:
    """Yield where what is balanced and JSON ends, and what it is, from a place on."""
    for _ in range(MAX_PASSED_OVER):
        begin = BEGINS[kind].search(text, at)
        if not begin:
            return
        at = _end(text, begin.start(), kind, max_depth)
        try:
            found = json.loads(text[begin.start() : at], parse_constant=_no_constant)
        except (ValueError, RecursionError):
            continue
        yield at, found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _end(text: str, start: int, kind: str, max_depth: int) -> int:
    """Return where what the bracket at `start` opens is closed."""
    stack: list[str] = []
    at = start
    while mark := MARK.search(text, at):
        at, character = mark.end(), mark[0]
        if character == '"':
            closed = END_OF_STRING.match(text, at)
            if not closed:
                break
            at = closed.end()
        elif character not in CLOSES:
            stack.append(character)
            if len(stack) > max_depth:
                raise BadReply(f"JSON nested deeper than {max_depth}")
        elif stack.pop() != CLOSES[character]:
            raise BadReply(f"the reply's JSON {kind} mixes up its brackets")
        elif not stack:
            return at
    raise BadReply(f"the reply's JSON {kind} is never closed")


T = TypeVar("T")

LADDER: tuple[SchemaBy, ...] = get_args(SchemaBy)
UNSUPPORTED = frozenset({400, 415, 422, 501})
"""HTTP statuses by which servers refuse a response format they do not know."""

Suffix = Callable[[str, str], str]
"""From a schema and the last complaint to what is appended to the system message."""

RetryPolicy = tuple[Suffix, ...]
"""One suffix for each attempt, so as many attempts as suffixes."""


def _suffix(name: str) -> Suffix:
    def write(schema: str, complaint: str) -> str:
        prompt = load_prompt(name)
        values = {"schema": schema, "complaint": complaint}
        return prompt.render(**{variable: values[variable] for variable in prompt.variables})

    return write


AWARE_US: RetryPolicy = tuple(
    map(_suffix, ("reply_in_json", "reply_in_json_only", "reply_in_json_last"))
)
"""Three attempts, a stricter system suffix each time (AWARE-US, appendix D); our words."""

ONE_ATTEMPT: RetryPolicy = AWARE_US[:1]


class SchemaMemory:
    """Which way of giving a schema each model's endpoint takes, once it has refused another."""

    def __init__(self) -> None:
        self._known: dict[str, SchemaBy] = {}
        self._lock = Lock()

    def best(self, name: str) -> SchemaBy:
        """Return the fullest way that is not known to be refused."""
        with self._lock:
            return self._known.get(name, LADDER[0])

    def learn(self, name: str, way: SchemaBy) -> None:
        """Keep a way that was answered where a fuller one was refused."""
        with self._lock:
            self._known[name] = way


REMEMBERED = SchemaMemory()


def ask_for(
    model: ChatModel,
    request: Request,
    kind: type[T] | TypeAdapter[T],
    *,
    policy: RetryPolicy = AWARE_US,
    memory: SchemaMemory = REMEMBERED,
    max_characters: int = MAX_CHARACTERS,
    max_depth: int = MAX_DEPTH,
) -> T:
    """Return a model's reply as `kind`: a pydantic model, or what a type adapter validates.

    The schema goes along as `response_format` where the server takes it (JSON schema, else
    "some JSON object") and in the system message always: servers that ignore the format
    answer with free text. Each attempt of `policy` is checked; the next one is told what was
    wrong. Raises `BadReply` with the last complaint, and any other `ModelError` of the model.
    """
    adapter: TypeAdapter[T] = kind if isinstance(kind, TypeAdapter) else TypeAdapter(kind)
    schema = adapter.json_schema()
    written = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    with_schema = replace(request, json_schema=schema)
    complaint = _Complaint("there was none")
    for suffix in policy:
        attempt = with_suffix(with_schema, suffix(written, complaint.to_model))
        try:
            reply = _complete(model, attempt, memory)
            return _validated(reply, adapter, schema, max_characters, max_depth)
        except _Complaint as error:
            complaint = error
        except BadReply as error:
            complaint = _Complaint(error.problem)
    raise BadReply(
        f"no usable reply from {model.name} in {len(policy)} attempts: {complaint.to_user}",
        hint="try another model",
    )


def with_suffix(request: Request, suffix: str) -> Request:
    """Return the request with a text at the end of its system message."""
    first, rest = request.messages[:1], request.messages[1:]
    if first and first[0].role == "system":
        system = Message("system", f"{first[0].content}\n\n{suffix}")
        return replace(request, messages=(system, *rest))
    return replace(request, messages=(Message("system", suffix), *request.messages))


class _Complaint(Exception):
    """What is wrong with a reply, for the user with the value, for the model without.

    The model is told in a system message, where text of its own choice has no place.
    """

    def __init__(self, to_model: str, to_user: str = "") -> None:
        super().__init__(to_model)
        self.to_model = to_model
        self.to_user = to_user or to_model


def _complete(model: ChatModel, request: Request, memory: SchemaMemory) -> Reply:
    """Return the reply to the fullest way of giving the schema that is not refused."""
    best = memory.best(model.name)
    *fuller, last = LADDER[LADDER.index(best) :]
    for way in fuller:
        try:
            reply = model.complete(replace(request, schema_by=way))
        except ModelRefused as error:
            if error.status not in UNSUPPORTED:
                raise
        else:
            memory.learn(model.name, way)
            return reply
    reply = model.complete(replace(request, schema_by=last))
    memory.learn(model.name, last)
    return reply


def _validated(
    reply: Reply,
    adapter: TypeAdapter[T],
    schema: dict[str, Any],
    max_characters: int,
    max_depth: int,
) -> T:
    kind = "array" if schema.get("type") == "array" else "object"
    try:
        value = first_json(reply.text, kind, max_characters=max_characters, max_depth=max_depth)
    except BadReply as error:
        cut = " (cut off at max_tokens)" if reply.finish_reason == "length" else ""
        raise _Complaint(error.problem + cut) from None
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        raise _first_complaint(error) from None
    except QueryError as error:
        # Our own models complain in their own way.
        raise _Complaint("a value is not one that is possible", str(error)) from None


def _first_complaint(error: ValidationError) -> _Complaint:
    first = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"] if _is_plain(part))
    problem = one_line(f"{place}: {first['msg'][:150]}" if place else first["msg"][:150])
    return _Complaint(problem, f"{problem}, not {excerpt(first['input'])}")


def _is_plain(part: int | str) -> bool:
    return isinstance(part, int) or (part.isidentifier() and len(part) <= 40)
