"""Spans of a text that may be values: of which column is decided elsewhere.

A catalog's values are found whole or in part through an index of their words; dates, times,
amounts and numbers by their form; names by their capital letters or by what leads them in. Work
grows with the words of the text, not with the values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..language.column_phrases import stem
from ..language.numbers import ONES, TENS
from ..language.tokens import Token, tokens
from .tracked_columns import PLAIN, TrackedColumn

LONGEST = 12
"""Words of the longest value that is found whole."""

COMMON = 4
"""Values that may share a part before the part stands for none of them."""

_NUMBER_WORD = "|".join(sorted(ONES | TENS, key=len, reverse=True))
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_DAY = r"\d{1,2}(?:st|nd|rd|th)"
_PART = r"(?:morning|afternoon|evening|night|noon)"
_HOUR = rf"(?:\d{{1,2}}(?:[:.]\d\d)?|{_NUMBER_WORD})"
FORMS: Mapping[str, re.Pattern[str]] = {
    kind: re.compile(rf"(?<![\w$]){pattern}(?!\w)", re.IGNORECASE)
    for kind, pattern in {
        "date": (
            rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?"
            rf"|{_MONTH}\.?\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?"
            rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH}|(?:this|next)\s+month)"
            rf"|(?:the\s+)?{_DAY}(?!\s+of\s+(?:{_MONTH}|this|next))"
            rf"|(?:(?:this|next|coming)\s+)?{_WEEKDAY}(?:\s+(?:this|next)\s+week)?"
            r"|day\s+after\s+tomorrow|(?:later\s+)?today|tomorrow|tonight"
            rf"|(?:this|next)\s+(?:week(?:end)?|month))"
        ),
        "time": (
            rf"(?:(?:half|quarter|{_HOUR})\s+(?:past|to)\s+{_HOUR}(?:\s+(?:in|at)\s+(?:the\s+)?{_PART})?"
            rf"|(?:{_PART}\s+)(?:at\s+)?{_HOUR}(?:\s*(?:[ap]m|[ap]\.m\.)|\s+o.?.clock)?"
            rf"|{_HOUR}\s*(?:o.?.clock|[ap]m|[ap]\.m\.|(?=\s+(?:in|at)\s+the\s+{_PART}))"
            rf"(?:\s+(?:in|at)\s+(?:the\s+)?{_PART})?"
            rf"|\d{{1,2}}:\d\d|noon|midnight)"
        ),
        "amount": (
            r"(?:[$€£]\s?\d+(?:,\d{3})*(?:\.\d+)?"
            rf"|(?:\d+(?:,\d{3})*(?:\.\d+)?|(?:(?:{_NUMBER_WORD}|hundred|thousand|and|a)[\s-]+)*"
            rf"(?:{_NUMBER_WORD}|hundred|thousand))\s+(?:dollars?|bucks|euros?|pounds?))"
        ),
        "number": rf"(?:\d+(?:,\d{3})*(?:\.\d+)?|{_NUMBER_WORD})",
    }.items()
}
_LEADS = frozenset(
    "in to from at called named by for with near of on is title titled like around see about it"
    "".split()
)
_GLUE = frozenset("of the and & for in at de la el du by to a an is on".split())
_SELVES = frozenset("i i'm i'd i'll i've".split())


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


@dataclass(frozen=True, slots=True)
class ValueSpans:
    """An index of the values of some columns, and the reader of spans over it."""

    columns: Sequence[TrackedColumn]
    index: Mapping[tuple[str, ...], Sequence[tuple[int, str, bool]]]

    @classmethod
    def of(cls, columns: Sequence[TrackedColumn]) -> ValueSpans:
        """Index the values of text columns: time in their words."""
        whole: dict[tuple[str, ...], list[tuple[int, str, bool]]] = {}
        parts: dict[tuple[str, ...], list[tuple[int, str, bool]]] = {}
        for number, column in enumerate(columns):
            if column.kind != "text":
                continue
            for value in column.values:
                words = _words(value)
                if words:
                    whole.setdefault(words, []).append((number, value, True))
                for part in set(_parts(words)):
                    parts.setdefault(part, []).append((number, value, False))
        for part, entries in parts.items():
            fewest = _few(entries)
            if fewest:
                whole.setdefault(part, []).extend(fewest)
        return cls(columns, whole)

    def find(self, text: str) -> list[Mention]:
        """Return the mentions of a text by their place; they may overlap."""
        words = tokens(text)
        forms = list(_forms(text))
        values = list(self._values(text, words))
        taken = [m for m in forms if m.kind in ("date", "time", "amount")]
        kept = [m for m in values if not _inside(m, taken)]
        whole = [m for m in kept if any(said for _, said in m.matches.values())]
        kept = [m for m in kept if not _inside(m, whole)]
        names = [m for m in _names(text, words) if not _covered(m, [*taken, *kept])]
        numbers = [m for m in forms if m.kind == "number" and not _inside(m, [*taken, *whole])]
        return sorted([*taken, *numbers, *kept, *names], key=lambda m: (m.start, -m.end))

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


def _words(value: str) -> tuple[str, ...]:
    return tuple(stem(token.folded) for token in tokens(value))


def _parts(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if not 2 <= len(words) <= LONGEST:
        return
    for size in range(1, len(words)):
        for first in range(len(words) - size + 1):
            part = words[first : first + size]
            if any(len(word) > 2 and word not in PLAIN and not word.isdigit() for word in part):
                yield part


def _few(entries: Sequence[tuple[int, str, bool]]) -> list[tuple[int, str, bool]]:
    counts: dict[int, int] = {}
    for column, _, _ in entries:
        counts[column] = counts.get(column, 0) + 1
    return [entry for entry in entries if counts[entry[0]] <= COMMON]


def _forms(text: str) -> Iterator[Mention]:
    ends: list[tuple[int, int]] = []
    for kind, pattern in FORMS.items():
        for match in pattern.finditer(text):
            if not any(match.start() < end and start < match.end() for start, end in ends):
                ends.append(match.span())
                yield Mention(*match.span(), kind, match[0].strip())


def _names(text: str, words: Sequence[Token]) -> Iterator[Mention]:
    """Yield runs of capitalised words, and runs of uncommon words behind a word that leads in."""
    seen: set[tuple[int, int]] = set()
    for first, last in [*_capital_runs(text, words), *_led_runs(text, words)]:
        if (first, last) not in seen and first < last:
            seen.add((first, last))
            start, end = words[first].start, words[last - 1].end
            said = text[start:end]
            if said.endswith(("'s", "’s")):
                said = said[:-2]
            yield Mention(start, start + len(said), "name", said)


def _joined(text: str, words: Sequence[Token], place: int) -> bool:
    """Return whether nothing but blanks and light marks stands before a word."""
    return (
        place > 0
        and re.fullmatch(r"[\s&'’,.:#/-]{1,4}", text[words[place - 1].end : words[place].start])
        is not None
    )


def _capital_runs(text: str, words: Sequence[Token]) -> Iterator[tuple[int, int]]:
    place = 0
    while place < len(words):
        if not _is_name_word(words[place]) or (
            words[place].folded in PLAIN and not words[place].text.isupper()
        ):
            place += 1
            continue
        last = place + 1
        while last < len(words) and _joined(text, words, last):
            gap = text[words[last - 1].end : words[last].start]
            if _is_name_word(words[last]) and not re.match(
                r"[.]\s", gap if len(words[last - 1].text) > 2 else ""
            ):
                last += 1
            elif (
                words[last].folded in _GLUE
                and last + 1 < len(words)
                and _is_name_word(words[last + 1])
                and words[last + 1].text[0].isupper()
            ):
                last += 2
            else:
                break
        yield place, last
        commas = [
            n for n in range(place + 1, last) if "," in text[words[n - 1].end : words[n].start]
        ]
        if commas:
            yield place, commas[0]
            yield commas[-1], last
        if words[place - 1].folded == "the" and place > 0 and words[place - 1].text[0].isupper():
            yield place - 1, last
        place = last


def _is_name_word(word: Token) -> bool:
    return (word.text[0].isupper() or word.text[0].isdigit()) and word.folded not in _SELVES


def _led_runs(text: str, words: Sequence[Token]) -> Iterator[tuple[int, int]]:
    for place in range(len(words)):
        if place and words[place - 1].folded not in _LEADS:
            continue
        last = place
        while (
            last < len(words)
            and last - place < 5
            and words[last].folded not in PLAIN
            and (last == place or _joined(text, words, last))
        ):
            last += 1
        yield place, last


def _inside(inner: Mention, outer: Sequence[Mention]) -> bool:
    return any(
        m.start <= inner.start and inner.end <= m.end and m.end - m.start > inner.end - inner.start
        for m in outer
    )


def _covered(inner: Mention, outer: Sequence[Mention]) -> bool:
    return any(m.start <= inner.start and inner.end <= m.end for m in outer)
