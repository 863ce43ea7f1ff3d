"""Find the first JSON object or array in a model's text, in one pass and to a bounded depth."""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from ...catalogs.errors import BadReply

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

    What stands before a closing think tag is skipped; what is balanced and no JSON is passed
    over. One that is never closed ends the search: what it holds is a part of an answer, not
    the answer. Raises `BadReply` where there is none or a limit is passed.
    """
    if len(text) > max_characters:
        raise BadReply(f"a reply of {len(text):,} characters, more than {max_characters:,}")
    at = text.rfind(END_OF_THOUGHT) + 1
    for _ in range(MAX_PASSED_OVER):
        begin = BEGINS[kind].search(text, at)
        if not begin:
            break
        at = _end(text, begin.start(), kind, max_depth)
        try:
            return json.loads(text[begin.start() : at], parse_constant=_no_constant)
        except (ValueError, RecursionError):
            continue
    raise BadReply(f"the reply holds no JSON {kind}")


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
