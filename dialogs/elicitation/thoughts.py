"""A thought that nobody hears, before what is said: how agents are trained to think first.

Source: APEC-Travel, A.8.
"""

from __future__ import annotations

import re

BEGIN, END = "[Think]", "[End Think]"

_THOUGHT = re.compile(r"\s*\[think\]\s*:?(?P<thought>.*?)\[end think\]", re.IGNORECASE | re.DOTALL)


def with_thought(thought: str, text: str) -> str:
    """Return what is thought and said in one text."""
    return f"{BEGIN} {thought} {END} {text}" if thought else text


def without_thought(text: str) -> tuple[str, str]:
    """Return the thought at the beginning of a text, if any, and what is said after it."""
    found = _THOUGHT.match(text)
    if not found:
        return "", text.strip()
    return found["thought"].strip(), text[found.end() :].strip()
