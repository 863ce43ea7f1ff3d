"""What a provider's answer speaks of: things, and things to do, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from . import chinese, english

SaidKind = Literal["thing", "action"]


@dataclass(frozen=True, slots=True)
class Said:
    """A phrase of an answer.

    `vague`: the answer itself says that it is a certain one, without saying which. `wanted`:
    it is something to get, use or give. `turn`: the answer's place among the answers, from 0.
    """

    kind: SaidKind
    text: str
    vague: bool
    wanted: bool
    sentence: str
    turn: int


def read_answers(lang: str, answers: Sequence[str]) -> tuple[Said, ...]:
    """Return what the answers speak of, in order, each phrase once a sentence."""
    return tuple(
        Said(*found, turn) for turn, text in enumerate(answers) for found in _read(lang, text)
    )


@lru_cache(maxsize=4096)
def _read(lang: str, text: str) -> tuple[tuple[SaidKind, str, bool, bool, str], ...]:
    read = chinese.read if lang == "zh" else english.read
    return tuple(dict.fromkeys(read(text)))


_PUT_OFF = re.compile(
    r"\boverthink|\b(?:not?|n['’]t) (?:need to |have to )?worry|\bplan (?:looks|sounds|seems)\b|"
    r"\bnot that complicated|\b(?:have|got) a (?:solid|good|great) (?:plan|strategy|idea)|"
    r"\b(?:do not|don['’]t) (?:know|understand)\b|\bnot sure what you\b|"
    r"\b(?:cannot|can['’]t) (?:say|tell|answer|help)\b|"
    r"\balready (?:told|said|answered|explained)\b|"
    r"\b(?:nothing|no) (?:more|else|further)\b|\b(?:does|do)(?: not|n['’]t) matter\b|"
    r"\bmore (?:specific|precise|exact)\b|"
    r"想多了|没有(?:更多|别的)|不用管|(?:再|更)(?:明确|具体|详细)一?[点些]|没那么复杂|不(?:用|需要|必)(?:担心|考虑|操心)|计划(?:看起来|听起来|很)|不(?:知道|清楚|太明白|明白)|"
    r"已经(?:说过|讲过|告诉|回答)|无法回答",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"\bgood luck\b|\blet me know\b|\bhappy to help\b|\bfeel free\b|"
    r"\byou(?:['’]re| are) on the right\b|"
    r"\bsounds (?:good|great)\b|\b(?:great|good) question\b|\bfocus on\b|\bright track\b|"
    r"祝你|加油|随时|有什么(?:具体)?问题|专注|很好的问题|帮助吗",
    re.IGNORECASE,
)


def told_part(lang: str, answer: str) -> str:
    """Return the sentences of an answer that may tell something.

    Questions and small talk go; whoever puts the seeker off tells nothing from there on.
    """
    kept: list[str] = []
    for sentence in sentences(lang, answer):
        if _PUT_OFF.search(sentence):
            break
        if not _SMALL_TALK.search(sentence) and not sentence.rstrip("”\"' ").endswith(("?", "？")):
            kept.append(sentence)
    return ("" if lang == "zh" else " ").join(kept)


def sentences(lang: str, text: str) -> list[str]:
    """Return the sentences of an answer."""
    return chinese.sentences(text) if lang == "zh" else english.sentences(text)


def clauses(sentence: str) -> list[str]:
    """Return the clauses of a sentence, cut at its commas."""
    parts = re.split(r"[,，;；:：]", sentence.strip(" .。!！"))
    return [part.strip() for part in parts if part.strip()] or [sentence]
