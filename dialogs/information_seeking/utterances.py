"""A seeker's utterance cut into segments, each with its terms; signs of what it is meant for.

Terms are stemmed words of English and pairs of neighbouring characters of Chinese, so that
everything after this file is the same for both languages. Linear in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ..language.column_phrases import stem
from ..language.tokens import folded_words

_LATIN = re.compile(r"[a-z0-9][a-z0-9.'+-]*")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_BULLET = re.compile(r"^\s*(?:\d{1,2}\s*[.)、\uff0e]|[-*•])\s*")
_CUTS = {
    "en": re.compile(
        r"(?<=[?!;])\s+|(?<=[.])\s+(?=[A-Z\"'(\d*-])|\n+"
        r"|,?\s+(?=(?:and|or)\s+(?:also\s+)?(?:which|what|where|how|who|when|should|do|is|are|can)\b)"
        r"|,\s+(?=(?:which|what|where|how|who|when)\b)",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?<=[。！？!?；;])|\n+|(?<=[，,])(?=.{0,12}(?:哪|什么|怎么|如何|是否|多少|谁))"
    ),
}
_ASKS = {
    "en": re.compile(
        r"\?|\b(?:which|what|where|how|who|whom|when|whether|could you|can you|would you"
        r"|do you|tell me|let me know|clarify|specify|need to know|wonder|not sure|unsure)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"[?？]|哪|什么|怎么|怎样|如何|吗|呢|是否|还是|多少|几|谁|告诉我|请问|想知道|不清楚|不知道|不确定"
    ),
}


def _cues() -> list[list[str]]:
    table = Path(__file__).with_name("utterance_cues.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in table.splitlines()[1:]]


_ROWS = _cues()
CUES = tuple(name for part, name, _, _ in _ROWS if part == "whole")
"""What a turn may show: that it confirms, thanks, sums up a plan, asks again."""
QUESTION_CUES = tuple(name for part, name, _, _ in _ROWS if part == "question")
"""What a question may ask for: a place, one of several, a way."""
_PATTERNS = {
    (part, lang): tuple(re.compile(row[at], re.IGNORECASE) for row in _ROWS if row[0] == part)
    for part in ("whole", "question")
    for at, lang in ((2, "en"), (3, "zh"))
}


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence or question of an utterance; `cues`: which of `QUESTION_CUES` it shows."""

    text: str
    terms: frozenset[str]
    asks: bool
    cues: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Utterance:
    """A seeker's turn; `cues`: which of `CUES` it shows."""

    text: str
    lang: str
    segments: tuple[Segment, ...]
    terms: frozenset[str]
    cues: tuple[bool, ...]


@lru_cache(maxsize=8_192)
def terms(text: str, lang: str) -> frozenset[str]:
    """Return stemmed words of English; pairs and lone runs of characters of Chinese."""
    if lang == "zh":
        return frozenset(_pairs(text.lower()))
    return frozenset(root(word.removesuffix("'s").replace("'", "")) for word in folded_words(text))


def _pairs(text: str) -> list[str]:
    found = _LATIN.findall(text)
    for run in _HAN.findall(text):
        found.extend(run[at : at + 2] for at in range(max(1, len(run) - 1)))
    return found


def root(word: str) -> str:
    """Return a folded word without plural, past and -ing endings, roughly."""
    word = stem(word)
    for ending in ("ing", "ed"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            word = word.removesuffix(ending)
            return word[:-1] if word[-1] == word[-2] and word[-1] not in "ls" else word
    return word[:6].removesuffix("e") if len(word) > 4 else word


@lru_cache(maxsize=1_024)
def utterance(text: str, lang: str) -> Utterance:
    """Cut a turn into segments, and read its cues."""
    segments = tuple(_segments(text, lang))
    every = frozenset[str]().union(*(each.terms for each in segments))
    return Utterance(text, lang, segments, every, _shown(text, "whole", lang))


def _segments(text: str, lang: str) -> list[Segment]:
    found: list[Segment] = []
    for piece in _CUTS[lang].split(text):
        bare = _BULLET.sub("", piece or "").strip()
        if not bare or not (words := terms(bare, lang)):
            continue
        asks = _ASKS[lang].search(bare) is not None
        found.append(Segment(bare, words, asks, _shown(bare, "question", lang)))
    return found


def question_cues(text: str, lang: str) -> tuple[bool, ...]:
    """Return which of `QUESTION_CUES` a text shows."""
    return _shown(text, "question", lang)


def _shown(text: str, part: str, lang: str) -> tuple[bool, ...]:
    return tuple(pattern.search(text) is not None for pattern in _PATTERNS[part, lang])
