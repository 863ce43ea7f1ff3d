"""One short question about an unclear spot, with its answers in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from ...catalogs.query.constraint import Constraint
from ..language.wording import Wording, listed, quoted
from .spots import Kind

NO_MATTER, LEAVE_OUT = "it does not matter", "leave it out"


def question(kind: Kind, said: str, options: Sequence[Constraint], wording: Wording) -> str:
    """Return the question about a spot."""
    wishes = [wording.wish(wish) for wish in options]
    either = listed(wishes, "or")
    if kind == "unlinked":
        if not options:
            return f"I find nothing for {quoted(said)}; shall I leave it out?"
        return f"I find nothing for {quoted(said)}: do you mean {either}, or shall I leave it out?"
    if kind == "alternatives" and len(options) == 3:
        first, second = (wording.condition(wish) for wish in options[1:])
        name = wording.label(options[1].column)
        return f"For {name}, is either of {first} and {second} fine, or only one of them?"
    if not options:
        return f"What do you mean by {quoted(said)}?"
    if len(options) == 1:
        return f"By {quoted(said)}, do you mean {either}?"
    if len({wish.column for wish in options}) == len(options) and kind == "number":
        return f"What is {quoted(said)} about: {either}?"
    if len({wish.column for wish in options}) == 1:
        name = wording.label(options[0].column)
        ways = listed([wording.condition(wish) for wish in options], "or")
        return f"By {quoted(said)}, what do you mean for {name}: {ways}?"
    return f"By {quoted(said)}, do you mean {either}?"


def option_text(kind: Kind, at: int, option: Constraint | None, wording: Wording) -> str:
    """Return an answer in words: `at most 900`, `either`, `it does not matter`."""
    if option is None:
        return LEAVE_OUT if kind == "unlinked" else NO_MATTER
    if kind == "alternatives" and at == 0 and isinstance(option.value, tuple):
        return f"either: {wording.condition(option)}"
    return wording.wish(option)
