"""One short question about an unclear spot, with its answers in plain words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...catalogs.query.constraint import Constraint
from ..language.wording import Wording, listed, quoted
from .spots import Kind

NO_MATTER, LEAVE_OUT = "it does not matter", "leave it out"


def question(kind: Kind, said: str, options: Sequence[Constraint], wording: Wording) -> str:
    """Return the question about a spot."""
    either = listed(_apart(options, wording.wish), "or")
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
        ways = listed(_apart(options, wording.condition), "or")
        return f"By {quoted(said)}, what do you mean for {name}: {ways}?"
    return f"By {quoted(said)}, do you mean {either}?"


def _apart(options: Sequence[Constraint], told: Callable[[Constraint], str]) -> list[str]:
    """Return the answers in words; one that is any of several others is not told twice."""
    single = {wish.value for wish in options if not isinstance(wish.value, tuple)}
    any_of = "either of them" if len(single) == 2 else "any of them"
    several = [isinstance(wish.value, tuple) and single == set(wish.value) for wish in options]
    ways = [any_of if all_ else told(wish) for wish, all_ in zip(options, several, strict=True)]
    return list(dict.fromkeys(ways))


def option_text(kind: Kind, at: int, option: Constraint | None, wording: Wording) -> str:
    """Return an answer in words: `at most 900`, `either`, `it does not matter`."""
    if option is None:
        return LEAVE_OUT if kind == "unlinked" else NO_MATTER
    if kind == "alternatives" and at == 0 and isinstance(option.value, tuple):
        return f"either: {wording.condition(option)}"
    return wording.wish(option)
