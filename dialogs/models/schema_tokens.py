"""Replies held to a JSON schema, token by token: what would leave it cannot be chosen."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...catalogs.errors import ModelError
from .libraries import library

WRITTEN = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
"""JSON as `json.dumps` writes it: a model that is free to could write blanks for ever."""


def held_to(
    schemas: Sequence[Mapping[str, Any] | None], tokenizer: Any, width: int, begun: int, room: int
) -> Any:
    """Return a processor of scores for `generate`, for a batch of prompts of one length.

    `schemas`: one a prompt, None for any text; `width`: tokens that the scores speak of;
    `begun`: the length of the prompts, `room`: tokens of a reply. In the last quarter of the
    room what closes something is taken where it can be, so that a reply ends before it is cut
    off. Raises `ModelError` for a schema that cannot be held to.
    """
    guidance, masks = library("llguidance"), library("llguidance.torch")
    known = library("llguidance.hf").from_tokenizer(tokenizer, n_vocab=width)
    matchers = [_matcher(guidance, known, schema) for schema in schemas]
    texts = [tokenizer.decode([at]) for at in range(width)]
    closing = [[at for at, text in enumerate(texts) if text == mark] for mark in CLOSING]
    hurry = begun + room - max(1, room // 4)

    def process(ids: Any, scores: Any) -> Any:
        allowed = masks.allocate_token_bitmask(1, width)
        for at, matcher in enumerate(matchers):
            if matcher is None:
                continue
            if ids.shape[1] > begun and not matcher.is_stopped():
                matcher.consume_token(int(ids[at, -1]))
            if not matcher.is_stopped():
                masks.fill_next_token_bitmask(matcher, allowed, 0)
                masks.apply_token_bitmask_inplace(scores[at : at + 1], allowed.to(scores.device))
                if ids.shape[1] >= hurry:
                    _close(scores[at], closing)
        return scores

    return process


CLOSING = ('"', "}", "]")
"""A text first: inside of one the others are letters like any."""


def _close(scores: Any, closing: Sequence[Sequence[int]]) -> None:
    """Leave only what closes, where any of that is allowed."""
    for tokens in closing:
        kept = scores[list(tokens)].clone()
        if bool((kept > float("-inf")).any()):
            scores.fill_(float("-inf"))
            scores[list(tokens)] = kept
            return


def closed(schema: Any) -> Any:
    """Return a schema whose objects have no other fields than those it names."""
    if isinstance(schema, list):
        return [closed(part) for part in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    fields = {name: closed(part) for name, part in cast("dict[str, Any]", schema).items()}
    if "properties" in fields and fields.get("type") == "object":
        fields.setdefault("additionalProperties", False)
    return fields


def _matcher(guidance: Any, known: Any, schema: Mapping[str, Any] | None) -> Any:
    if not schema:
        return None
    grammar = guidance.LLMatcher.grammar_from_json_schema(json.dumps(closed(dict(schema))), WRITTEN)
    matcher = guidance.LLMatcher(known, grammar)
    if error := matcher.get_error():
        raise ModelError(f"no reply can be held to this schema: {error}", hint="ask without one")
    return matcher
