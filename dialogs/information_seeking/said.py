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


def sentences(lang: str, text: str) -> list[str]:
    """Return the sentences of an answer."""
    return chinese.sentences(text) if lang == "zh" else english.sentences(text)


def clauses(sentence: str) -> list[str]:
    """Return the clauses of a sentence, cut at its commas."""
    parts = re.split(r"[,，;；:：]", sentence.strip(" .。!！"))
    return [part.strip() for part in parts if part.strip()] or [sentence]
