"""Find which constraint a sentence puts above another: "I'd rather lose the view than the lift"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from .naming import Naming

_THAN = re.compile(r"\b(?:more than|rather than|instead of|than)\b", re.IGNORECASE)
_OVER = re.compile(
    r"\b(?:beats?|outranks?|outweighs?|trumps?|ahead of|wins? over|ranks? above|goes? before"
    r"|comes? before|takes? precedence over|is above|over)\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:before|so that|to keep|to get|to save|in order to|for the sake of"
    r"|if (?:it|that|this) (?:gets|means|saves|gives)|in (?:exchange|return) for)\b",
    re.IGNORECASE,
)
_NO_MORE = re.compile(r"\b(?:no|not|nothing)(?: \w+)?(?: more| less)? than$", re.IGNORECASE)
_RANKS = re.compile(
    r"\b(?:matters?|important|care|rather|sooner|prefer|flexible|strict|firm|priority|counts?)\b",
    re.IGNORECASE,
)
_AS = re.compile(r"(?<!not)(?<!n['’]t)(?<!nearly)(?<!quite) as\b(?! (?:long|well|far|soon|to|for))")
_NOT_AS = re.compile(r"(?:\bnot|n['’]t)(?: \w+)? (?:as|so) \w+", re.IGNORECASE)
_AGAINST = re.compile(r"\b(?:compared (?:to|with)|in contrast to|unlike)\b", re.IGNORECASE)
_GIVES = re.compile(
    r"\b(?:give|gives|giving|lose|losing|sacrific\w+|drop\w*|skip\w*|compromis\w+|bend\w*"
    r"|flexib\w+|trade|trading|cut|relax\w*|let go|forgo|forego|do without|go without|negotiab\w+"
    r"|yield|swap|take away|miss|relent|budge|open|suffer)\b",
    re.IGNORECASE,
)
_FIRM = re.compile(r"\b(?:never|not|n['’]t|no)\b", re.IGNORECASE)
_LESS = re.compile(r"\b(?:less|lower|second|behind|below|fewer|looser|easier)\b", re.IGNORECASE)
_MORE = re.compile(
    r"\b(?:more|rather|sooner|stricter|firmer|higher|prefer\w*|choose|take|pick|keep|better"
    r"|stronger|matters?|priority|beyond|bigger|greater|care)\b",
    re.IGNORECASE,
)
_ELSE = re.compile(r"\s*(?:anything|everything|any|all|the rest|others?)\b", re.IGNORECASE)


ROUNDS = 3
MAX_COMPARED = 50
"""Comparisons of one conversation; nobody makes more."""

MAX_MARKERS = 5
"""Words like "than" of one kind in one sentence that are looked at."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Constraints that a sentence puts above others."""

    above: tuple[int, ...]
    below: tuple[int, ...]
    start: int = 0
    end: int = 0
    marker: int = 0
    message: int = 0


def comparisons(
    text: str, offset: int, names: Sequence[Naming], focus: Sequence[int], message: int = 0
) -> Iterator[Comparison]:
    """Yield what a sentence compares; `focus` is what a bare "it" in it would mean.

    `offset` is where the sentence starts in the message that `names` count from.
    """
    for pattern, kind in (
        (_THAN, "than"),
        (_OVER, "over"),
        (_BEFORE, "before"),
        (_AGAINST, "against"),
        (_AS, "as"),
    ):
        for marker in islice(pattern.finditer(text), MAX_MARKERS):
            if kind == "than" and _is_bound(text, marker):
                continue
            at, after = offset + marker.start(), offset + marker.end()
            left = _last(names, offset, at) or tuple(focus)
            right = _first(names, after, offset + len(text))
            right = tuple(constraint for constraint in right if constraint not in left)
            if left and right and not _ELSE.match(text, marker.end()):
                lead = text[max(0, marker.start() - 90) : marker.start()]
                above = _left_is_above(kind, lead, marker[0])
                if above is not None:
                    sides = (left, right) if above else (right, left)
                    yield Comparison(*sides, offset, offset + len(text), at, message)
            if kind == "than" or (left and right):
                break


def apply_comparisons(
    scores: Sequence[float], compared: Sequence[Comparison], margin: float
) -> list[float]:
    """Return the scores, moved so that what was put above another scores higher.

    At least by `margin`, as far as a few rounds and contradictions allow.
    """
    moved = list(scores)
    for _ in range(ROUNDS):
        for comparison in compared:
            for above in comparison.above:
                for below in comparison.below:
                    lacking = margin - (moved[above] - moved[below])
                    if lacking > 0:
                        moved[above] += lacking / 2
                        moved[below] -= lacking / 2
    return moved


def _is_bound(text: str, marker: re.Match[str]) -> bool:
    """Return whether "more than" opens a bound such as "no more than 5", and compares nothing."""
    lead = text[max(0, marker.start() - 30) : marker.start()]
    if _NO_MORE.search(lead + marker[0]):
        return True
    numeric = re.match(r"\s*[$€£]?\d", text[marker.end() : marker.end() + 10])
    plain = re.search(r"(?:\w+er|more|less)$", f"{lead}{marker[0]}".removesuffix("than").rstrip())
    return bool(numeric and plain) and not _RANKS.search(text[: marker.start()][-60:])


def _left_is_above(kind: str, lead: str, marker: str) -> bool | None:
    """Return whether what stands before the marker matters more; None if nothing is said."""
    gives = bool(_GIVES.search(lead)) and not _FIRM.search(lead)
    if kind == "than":
        if marker.lower() in ("rather than", "instead of"):
            return not gives
        if _LESS.search(lead):
            return gives
        return not gives if _MORE.search(lead) or marker.lower() == "more than" else None
    if kind == "as":
        return bool(_GIVES.search(lead)) if _NOT_AS.search(lead) else None
    if kind == "over":
        return True if marker.lower() != "over" or _MORE.search(lead) else None
    return False if gives else None


def _last(names: Sequence[Naming], start: int, end: int) -> tuple[int, ...]:
    """Return the constraints named last between two places, those in one breath together."""
    inside = [naming for naming in names if start <= naming.start < end]
    near = [naming for naming in inside if inside[-1].start - naming.end <= 8]
    return tuple(dict.fromkeys(naming.constraint for naming in near))


def _first(names: Sequence[Naming], start: int, end: int) -> tuple[int, ...]:
    inside = [naming for naming in names if start <= naming.start < end]
    near = [naming for naming in inside if naming.start - inside[0].end <= 8]
    return tuple(dict.fromkeys(naming.constraint for naming in near))
