"""A seeker's utterance cut into segments, each with its terms; signs of what it is meant for.

Terms are stemmed words of English and pairs of neighbouring characters of Chinese, so that
everything after this file is the same for both languages. Linear in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ..language.column_phrases import stem
from ..language.tokens import folded_words

_LATIN = re.compile(r"[a-z0-9][a-z0-9.'+-]*")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_BULLET = re.compile(r"^\s*(?:\d{1,2}\s*[.)、．]|[-*•])\s*")
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
_KINDS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "question": (
        ("place", r"\bwhere\b|\bplaces?\b|\blocations?\b", r"哪里|哪儿|在哪|地点|位置|何处|去哪|什么地方"),
        ("choice", r"\bwhich\b|\bwhat (?:kind|type|sort|color|colour|brand|size)", r"哪[个种一座条款把些类家本位只]|什么样|什么颜色|何种"),
        ("what", r"\bwhat\b", r"什么"),
        ("manner", r"\bhow\b|\bsteps?\b|\bmethods?\b", r"怎么|怎样|如何|方法|步骤"),
        ("person", r"\bwhom?\b", r"谁"),
        ("time", r"\bwhen\b|\btimes?\b|\bhours?\b|\bdate\b", r"什么时候|时间|何时|几点|多久"),
        ("amount", r"\bhow (?:many|much|long|far|big|large)\b", r"多少|多大|几[个只次张条]"),
        ("option", r"\bor\b", r"还是|或者|或"),
        ("polar", r"(?:^|[.,;]\s*)(?:and |so |also )?(?:is|are|do|does|should|can|could|will|would|must)\b", r"吗|是否|对吧|是不是|可以"),
    ),
    "whole": (
        ("correct", r"\bcorrect\b|\bright\b|\baccurate\b|\bsound good\b", r"正确|对吗|对吧|对不对|没错|是这样|是吗"),
        ("confirm", r"\bconfirm|\bunderstand(?:ing)?\b|\bsummar|\brecap\b|\bmake sure\b|\bto be clear\b|\bso the plan\b|\bso i\b", r"确认|总结|理解|明白|归纳|梳理|也就是说|整理"),
        ("else", r"\banything else\b|\bany (?:other|additional|further|specific)\b|\bmore (?:details?|information|info)\b", r"还有|其他|别的|更多|详细|进一步|注意"),
        ("bye", r"\bgood-?bye\b|\bbye\b|\bfarewell\b", r"再见|拜拜"),
        ("thanks", r"\bthank|\bappreciate", r"谢谢|感谢|多谢"),
        ("plan", r"\bi(?:'ll| will| am going to|'m going to)\b|\bfirst\b|\bthen\b|\bfinally\b", r"我会|我将|首先|然后|最后|接着|出发"),
        ("again", r"\bagain\b|\brepeat|\bonce more\b|\bremind|\bforgot|\bsay that\b|\byou (?:said|told|mentioned)\b|\bearlier\b|\bjust now\b", r"再说|再讲|再告诉|重复|重新|忘|刚才|刚刚|又|你说的|再问"),
        ("vague", r"\bclarify\b|\belaborate\b|\bexplain\b|\bmean\b|\bhelp\b|\bconfus|\bunclear\b|\bunsure\b|\bspecific", r"解释|说明|意思|帮|糊涂|不懂|不明白|具体|展开"),
        ("given", r"\byou (?:mentioned|said|told)\b|\bsince\b|\bgiven\b|\bregarding\b|\bas for\b", r"你提到|您提到|提到|关于|至于"),
    ),
}  # fmt: skip
CUES = tuple(name for name, _, _ in _KINDS["whole"])
QUESTION_CUES = tuple(name for name, _, _ in _KINDS["question"])
_PATTERNS = {
    (part, lang): tuple(re.compile(row[1 + place], re.IGNORECASE) for row in rows)
    for part, rows in _KINDS.items()
    for place, lang in enumerate(("en", "zh"))
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
