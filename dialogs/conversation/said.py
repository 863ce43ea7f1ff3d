"""A sentence of a turn as the encoder heard it: what it does, and what it names by role."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..extraction.extracted import Extracted
from .averages import asks_average
from .lists_asked import list_asked
from .parts import LIKELY, cut, overlaps, place_of
from .turn import Turn
from .turn_encoder import NOTHING, HeardTurn, Span

PERHAPS = 0.3
"""The chance from which a sentence does what is likeliest, where it likely does nothing."""

CHANGING = ("affirm", "affirm select", "cancel", "retract all", "undo")
"""Acts that are not done where they are not likely."""

NAMELESS = 0.9
"""The chance from which on what was found names nothing."""

LONGEST = 500
"""Characters of a sentence that are told again."""


@dataclass
class Said:
    """A sentence: its characters, the chance of each act, and what it names by role.

    `found` is what the extractor found there, `spans` all words of a role.
    """

    span: Span
    text: str
    acts: dict[str, float]
    found: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])
    spans: dict[str, list[Span]] = field(default_factory=dict[str, list[Span]])

    @property
    def quote(self) -> str:
        """Its words, as they are told again."""
        return shortened(self.text)

    @property
    def done(self) -> list[str]:
        """What it likely does, surest first; what is likeliest, where nothing is likely."""
        ordered = sorted(self.acts, key=self.acts.__getitem__, reverse=True)
        found = [act for act in ordered if self.acts[act] >= LIKELY]
        perhaps = (act for act in ordered[:1] if act not in CHANGING)
        return found or [act for act in perhaps if self.acts[act] >= PERHAPS]

    def does(self, *acts: str) -> bool:
        """Return whether it likely does one of some acts."""
        return any(act in self.done for act in acts)

    def holds(self, place: int) -> bool:
        """Return whether a character of the turn is one of it."""
        return self.span[0] <= place < self.span[1]

    def constraints(self, *roles: str) -> list[Extracted]:
        """Return what was found in some roles that names a value."""
        found = (part for role in roles for part in self.found.get(role, ()))
        return [part for part in found if isinstance(part, Extracted)]

    def names(self, spans: Sequence[Span], roles: Sequence[str]) -> bool:
        """Return whether one of some characters is in it, and in no other role than these."""
        others = [span for role, held in self.spans.items() if role not in roles for span in held]
        return any(self.holds(start) and not overlaps((start, end), others) for start, end in spans)


_HOW_MANY = re.compile(
    r"\bhow\s+many\b[^,.?!]{0,60}\b(?:(?:are|is)\s+there|there\s+are|do\s+you\s+have|have\s+you|fit)\b",
    re.IGNORECASE,
)


_ASIDE = re.compile(
    r"\b(?:put|set|lay|keep|hold)\b[^,.?!]{0,40}?\b(?:aside|by|back|for\s+(?:me|us))\b",
    re.IGNORECASE,
)
"""Words of who wants something kept: `put that one aside for me`."""


def done_in(turn: Turn, one: Said) -> list[str]:
    """Return what a sentence does: its words may ask for a list, a number or an answer."""
    asked = one.spans.get("ask", ()) if not one.constraints("wish", "also") else ()
    asks = any(overlaps(span, asked) for spans in turn.named.values() for span in spans)
    asks &= any(part.asks and one.holds(part.start) for part in turn.sentences)
    compares = one.does("ask compare") and not one.does("ask best")
    told = None
    if _ASIDE.search(one.text) is not None and not one.does("note", "affirm select", "cancel"):
        return [*(act for act in one.done if act != "ask value"), "note"]
    if asks_average(one.text) and asked:
        told = "ask values"
    elif _HOW_MANY.search(one.text) is not None:
        told = "ask count"
    elif list_asked(one.text) is not None and not compares and not one.does("ask total"):
        told = "ask items"
    if told is not None:
        return [*(act for act in one.done if not act.startswith("ask ")), told]
    return one.done or (["ask value"] if asks else [])


def shortened(text: str) -> str:
    """Return the beginning of a text, of characters that can be written."""
    return text.strip()[:LONGEST].encode("utf-8", "replace").decode()


def sentences_of(text: str, heard: HeardTurn) -> list[Said]:
    """Return the sentences of a text as they were heard, nothing found in them yet."""
    spans = zip(cut(text), heard.acts, strict=True)
    return [Said(span, text[slice(*span)], acts) for span, acts in spans]


def said_in(turn: Turn, heard: HeardTurn) -> list[Said]:
    """Return the sentences of a turn with what was found in them by now."""
    said = sentences_of(turn.text, heard)
    for role, part, (start, _) in _found(turn, heard):
        if (one := sentence_at(said, start)) is not None:
            one.found.setdefault(role, []).append(part)
    for role in heard.roles:
        for start, end in heard.spans(role) if role != NOTHING else ():
            if (one := sentence_at(said, start)) is not None:
                one.spans.setdefault(role, []).append((start, end))
    return said


def _found(turn: Turn, heard: HeardTurn) -> Iterator[tuple[str, Any, Span]]:
    """Yield what was found in a turn's own words, its role, and where it stands."""
    found = turn.found
    for part in (*found.constraints, *found.named, *found.objectives, *found.leanings):
        span = place_of(part)
        if part.evidence.text == turn.text[slice(*span)]:
            yield role_of(heard, span), part, span


def sentence_at(said: Sequence[Said], place: int) -> Said | None:
    """Return the sentence that holds a character; None for none."""
    return next((one for one in said if one.holds(place)), None)


def role_of(heard: HeardTurn, span: Span) -> str:
    """Return the likeliest role of what the extractor found; most of it names something."""
    return likeliest(heard.role_of(span))


def likeliest(roles: Mapping[str, float]) -> str:
    """Return the likeliest of the roles of what the extractor found, by their chances."""
    named = {role: chance for role, chance in roles.items() if role != NOTHING}
    if roles.get(NOTHING, 1.0) >= NAMELESS or not named:
        return NOTHING
    return max(named, key=named.__getitem__)
