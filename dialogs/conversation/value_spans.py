"""Spans of a text that may be values: of which column is decided elsewhere.

A catalog's values are found whole or in part through an index of their words; dates, times,
amounts and numbers by their form; names by their capital letters or by what leads them in. Work
grows with the words of the text, not with the values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from ..extraction.clocks import find_clocks
from ..extraction.dates import find_days
from ..language.column_phrases import stem
from ..language.numbers import ONES, TENS
from ..language.tokens import Token, tokens
from .tracked_columns import PLAIN, TrackedColumn

LONGEST = 12
"""Words of the longest value that is found whole."""

LONGEST_TURN = 4_000
"""Characters of a turn in which values are looked for."""

COMMON = 4
"""Values that may share a part before the part stands for none of them."""

_NUMBER_WORD = "|".join(sorted(ONES | TENS, key=len, reverse=True))
_DIGITS = r"\d+(?:,\d\d\d)*(?:\.\d+)?"
_SPELLED = rf"(?:{_NUMBER_WORD}|hundred|thousand)"
FORMS = {
    "amount": rf"[$€£]\s?{_DIGITS}"
    rf"|(?:{_DIGITS}|(?:(?:{_SPELLED}|and|a)[\s-]+){{0,8}}{_SPELLED})"
    r"\s+(?:dollars?|bucks|euros?|pounds?)",
    "number": rf"{_DIGITS}|{_NUMBER_WORD}",
}
_FORMS = {
    kind: re.compile(rf"(?<![\w$])(?:{form})(?!\w)", re.IGNORECASE) for kind, form in FORMS.items()
}
_DAYS = frozenset("iso numeric dm md named weekday period nth".split())
_AT_ONCE = re.compile(
    r"now|asap|immediately|(?:straight|right)\s+(?:now|away)|at\s+once", re.IGNORECASE
)
_SOME_DAY = date(2024, 1, 1)
"""Spans of relative dates do not depend on the day they count from; January has all days."""

_LEADS = frozenset(
    "in to from at called named by for with near of on is title titled like around see".split()
)
_PLAIN_WORD = "|".join(map(re.escape, sorted(PLAIN, key=len, reverse=True)))
_CAPITAL = r"(?:(?:(?!I\b)[A-ZÀ-Þ][a-zà-ÿ]?\.\s?)|(?!I\b)[A-ZÀ-Þ\d][\w'’]*(?:-\w+)*)"
_GLUE = "of|the|and|for|in|at|de|la|el|du|by|to|a|an|is|on"
_GAP = rf"(?:,?\s+|\s?[&:/#-]\s?|\s+&\s+|(?:\s+(?:{_GLUE})){{1,2}}\s+)"
_NAME = re.compile(
    rf"(?<![\w$])(?:[Tt]he\s+)?(?!(?i:{_PLAIN_WORD})(?![\w'’])(?!(?<=[A-Z]{{2}})))"
    rf"{_CAPITAL}(?:{_GAP}{_CAPITAL})*(?!\w)"
)
_CUT = re.compile(r",\s*|\s(?:in|at|to|on|for|from)\s(?:the\s)?")
_STOP = re.compile(r"[^\s&'’,:#/-]")


@dataclass(frozen=True, slots=True)
class Mention:
    """Characters `start` to `end` (excluded) that may be a value.

    `kind` says how it was found; `matches` are the columns (by position) that hold such a
    value, each with the value as the catalog spells it and whether all of it was said.
    """

    start: int
    end: int
    kind: str
    text: str
    matches: Mapping[int, tuple[str, bool]] = field(default_factory=dict[int, "tuple[str, bool]"])

    def holds(self, other: Mention) -> bool:
        """Return whether another mention lies within this one."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class ValueSpans:
    """An index of the values of some columns, and the reader of spans over it."""

    columns: Sequence[TrackedColumn]
    index: Mapping[tuple[str, ...], Sequence[tuple[int, str, bool]]]

    @classmethod
    def of(cls, columns: Sequence[TrackedColumn]) -> ValueSpans:
        """Index the values of text columns, whole and by parts that few share."""
        index: dict[tuple[str, ...], list[tuple[int, str, bool]]] = {}
        counts: Counter[tuple[int, tuple[str, ...]]] = Counter()
        for number, column in enumerate(columns):
            for value in column.values if column.kind == "text" else ():
                words = tuple(stem(token.folded) for token in tokens(value))
                index.setdefault(words, []).append((number, value, True))
                for part in _parts(words):
                    index.setdefault(part, []).append((number, value, False))
                    counts[number, part] += 1
        for part, entries in index.items():
            index[part] = [e for e in entries if e[2] or counts[e[0], part] <= COMMON]
        return cls(columns, index)

    def find(self, text: str) -> list[Mention]:
        """Return the mentions of a text by their place; they may overlap."""
        text = text[:LONGEST_TURN]
        words = tokens(text)
        forms = list(_forms(text))
        values = self._values(text, words)
        taken = [m for m in forms if m.kind != "number"]
        kept = [m for m in values if not _inside(m, taken)]
        whole = [m for m in kept if any(said for _, said in m.matches.values())]
        kept = [m for m in kept if not _inside(m, whole)]
        solid = [*taken, *kept]
        names = [m for m in _names(text, words) if not any(o.holds(m) for o in solid)]
        numbers = [m for m in forms if m.kind == "number" and not _inside(m, [*taken, *whole])]
        return sorted([*solid, *numbers, *names], key=lambda m: (m.start, -m.end))

    def _values(self, text: str, words: Sequence[Token]) -> Iterator[Mention]:
        stems = [stem(word.folded) for word in words]
        for first in range(len(words)):
            reached = 0
            for last in range(min(len(words), first + LONGEST), first, -1):
                entries = self.index.get(tuple(stems[first:last]))
                if not entries or (last < reached and not any(whole for *_, whole in entries)):
                    continue
                reached = max(reached, last)
                start, end = words[first].start, words[last - 1].end
                matches: dict[int, tuple[str, bool]] = {}
                for column, value, whole in entries:
                    if column not in matches or (whole and not matches[column][1]):
                        matches[column] = value, whole
                yield Mention(start, end, "value", text[start:end], matches)


def _parts(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Return the runs of words within a value that tell something."""
    length = len(words) if len(words) <= LONGEST else 0
    runs = {words[i : i + size] for size in range(1, length) for i in range(length - size + 1)}
    return {run for run in runs if any(len(w) > 2 and w not in PLAIN and w.isalpha() for w in run)}


def _forms(text: str) -> Iterator[Mention]:
    """Yield dates, times, amounts and numbers, each part of the text once."""
    days = [(day.start, day.end) for day in find_days(text, _SOME_DAY) if day.kind in _DAYS]
    found = {
        "date": [span for span in days if not _AT_ONCE.fullmatch(text, *span)],
        "time": [(clock.start, clock.end) for clock in find_clocks(text) if clock.is_exact],
        **{kind: [m.span() for m in form.finditer(text)] for kind, form in _FORMS.items()},
    }
    seen = bytearray(len(text))
    for kind, spans in found.items():
        for start, end in spans:
            if not any(seen[start:end]):
                seen[start:end] = b"\1" * (end - start)
                said = re.sub(r"^the\s+(?=.*\s)|(?<=[^.]m)\.$", "", text[start:end], flags=re.I)
                start = text.index(said, start)
                yield Mention(start, start + len(said), kind, said)


def _names(text: str, words: Sequence[Token]) -> Iterator[Mention]:
    """Yield runs of capitalised words, and runs of uncommon words behind a word that leads in."""
    spans: dict[tuple[int, int], None] = {}
    for match in _NAME.finditer(text):
        cuts = [cut.span() for cut in _CUT.finditer(text, match.start(), match.end())][:4]
        starts, ends = [match.start(), *(b for _, b in cuts)], [*(a for a, _ in cuts), match.end()]
        spans |= dict.fromkeys((start, end) for start in starts for end in ends if start < end)
    for first in range(len(words)):
        if not first or words[first - 1].folded in _LEADS:
            last = first
            while last < min(len(words), first + 5) and words[last].folded not in PLAIN:
                last += 1
                if last < len(words) and _STOP.search(text, words[last - 1].end, words[last].start):
                    break
            if last > first:
                spans[words[first].start, words[last - 1].end] = None
    for start, end in spans:
        said = re.sub(r"['’]s$", "", text[start:end])
        yield Mention(start, start + len(said), "name", said)


def _inside(inner: Mention, outer: Sequence[Mention]) -> bool:
    """Return whether a longer mention holds one."""
    return any(m.holds(inner) and not inner.holds(m) for m in outer)
