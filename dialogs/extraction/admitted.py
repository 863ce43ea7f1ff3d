"""What will do as well: `900 is ok`, `like new is fine too`, `I could do 950`.

It moves what was wished so far that it is allowed, and is no bound by itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...catalogs.query.constraint import Constraint
from .group_sizes import LIKELY
from .judged import Judged, Weighed
from .mention import Mention
from .reading import Reading

_FINE_BEHIND = re.compile(
    r"(?:\s(?!(?:and|but|or|so|if|as|it|that|this|which|not|is|are)\b)[\w'-]{1,20}){0,3}?"
    r"(?:\s(?:is|are|would\sbe|will\sbe|might\sbe)|['’](?:s|d\sbe|ll\sbe))"
    r"(?:\s(?:also|still|totally|perfectly|just|even|quite|probably|absolutely|actually))?"
    r"\s(?:fine|ok|okay|alright|all\sright|acceptable|no\sproblem|good\stoo)\b",
    re.IGNORECASE,
)
_DO_BEFORE = re.compile(
    r"\b(?:could|can|would|i['’]d)\s(?:also\s|just\s)?do\s(?:an?\s|on\s|for\s)?[$€£]?$|"
    r"\b(?:fine|ok|okay|happy)\swith\s(?:an?\s)?[$€£]?$",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.?!]\s+(?!or\b)", re.IGNORECASE)
"""The end of a sentence behind which no alternative follows."""

_BEFORE = 24
"""Characters before what will do among which words say so."""

DOUBT = 1.0
"""The log-odds against a number that will do up to which it is meant."""

_BOUNDS = frozenset("over under most least not except against".split())


def is_admitted(reading: Reading, mention: Mention) -> bool:
    """Return whether a mention is said to do; no bound is: `up to 900 is fine`."""
    if not mention.has_words or mention.kind not in ("value", "number", "date"):
        return False
    start, end = reading.words[mention.first].start, reading.words[mention.last].end
    fine = _FINE_BEHIND.match(reading.text, end)
    does = _DO_BEFORE.search(reading.text[max(0, start - _BEFORE) : start])
    if fine is None and does is None:
        return False
    last = mention.last + (0 if fine is None else len(fine[0].split()))
    here = reading.clause_of[mention.first]
    near = (cue for cue in reading.cues if reading.clause_of[cue[0]] == here and cue[0] <= last)
    return not any(name in _BOUNDS for _, _, name in near)


def is_apart(one: Judged, item: Judged) -> bool:
    """Return whether a sentence ends between two values, and the next begins with no `or`.

    They are no alternatives then: `forget swimming. Tennis, please`.
    """
    reading = item.reading
    if (
        one.reading is not reading
        or not one.mention.has_words
        or is_admitted(reading, item.mention)
    ):
        return False
    start, end = reading.words[one.mention.last].end, reading.words[item.mention.first].start
    return _ENDS.search(reading.text[start:end]) is not None


def as_admitted(reading: Reading, item: Weighed) -> Weighed:
    """Return a number that will do as meant where the fitted decisions just pass it over."""
    if item.mention.kind != "number" or not -DOUBT < item.gain <= 0:
        return item
    if not is_admitted(reading, item.mention):
        return item
    logits = item.logits.copy()
    logits[item.best] = LIKELY
    return replace(item, logits=logits)


def allowing(known: Constraint, values: Sequence[Any]) -> Constraint | None:
    """Return a wish changed so that it allows some values as well; None for none any more.

    What allows them already stays as it is.
    """
    kinds = {isinstance(value, str) for value in (*known.values, *values)}
    if len(kinds) > 1:
        return known  # A number beside a text is none of its kind.
    ends: list[Any] = sorted({*known.values, *values})
    strict, bound = known.op in ("<", ">") and known.value in values, known.op[:1]
    if known.op in ("!=", "not in"):
        left = tuple(value for value in known.values if value not in values)
        alone = known.changed("!=", left[0]) if left else None
        return known.changed("not in", left) if len(left) > 1 else alone
    if known.op == "between":
        return known.changed("between", (ends[0], ends[-1]))
    if bound in ("<", ">"):
        end = ends[0] if bound == ">" else ends[-1]
        return known.changed(f"{bound}=", end) if strict or end != known.value else known
    every = tuple(dict.fromkeys((*known.values, *values)))
    return known if len(every) == len(known.values) else known.changed(_EITHER[known.op], every)


_EITHER = {"==": "in", "in": "in", "contains any": "contains any"}
WIDENED = ("!=", "not in", "between", "<", "<=", ">", ">=", *_EITHER)
"""Operators of wishes that may allow other values as well."""
