"""Judges of what no containment shows: was a fact told in other words?

The origin asks GPT-4o about each missing text, with all the provider said on its own account
(V-B). Of its 372 published verdicts 3 are yes, so a judge that always says no is right in 99 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel

from ...dialogs.information_seeking.telling import holds
from ...dialogs.models.chat_model import ChatModel, Request
from ...dialogs.models.prompt import load_prompt
from ...dialogs.models.structured import ask_for
from .published_data import JudgePair
from .words import content_words

ENOUGH = 0.8
"""Share of a fact's words that one turn must hold to have told it, offline."""

LANGUAGE = {"en": "English", "zh": "Chinese"}


class Judge(Protocol):
    """Says whether a fact was told in other words."""

    def told(self, lang: str, gold: str, purpose: str, said: Sequence[str]) -> bool:
        """Return whether any of these turns tells the fact, or what contradicts it."""
        ...


@dataclass(frozen=True)
class OfflineJudge:
    """A fact was told by a turn that holds its text, or nearly all of its words."""

    enough: float = ENOUGH

    def told(self, lang: str, gold: str, purpose: str, said: Sequence[str]) -> bool:
        """See `Judge.told`."""
        words = content_words(gold, lang)
        return any(
            holds(text, gold) or _share(words, content_words(text, lang)) >= self.enough
            for text in said
        )


def _share(words: frozenset[str], among: frozenset[str]) -> float:
    return len(words & among) / len(words) if words else 0.0


class _Verdict(BaseModel):
    told: bool


@dataclass(frozen=True)
class ModelJudge:
    """Asks a model. Raises what the model raises."""

    model: ChatModel

    def told(self, lang: str, gold: str, purpose: str, said: Sequence[str]) -> bool:
        """See `Judge.told`."""
        prompt = load_prompt("judge_told").render(
            language=LANGUAGE[lang],
            fact=gold,
            purpose=purpose or "(not said)",
            said="\n".join(f"- {' '.join(text.split())}" for text in said),
        )
        request = Request.of(prompt, role="judge")
        return ask_for(self.model, request, _Verdict).told


class NoJudge:
    """Nothing is told but in its own words."""

    def told(self, lang: str, gold: str, purpose: str, said: Sequence[str]) -> bool:
        """See `Judge.told`: no."""
        return False


@dataclass(frozen=True)
class JudgeScore:
    """How a judge does on pairs with a verdict: counts of yes and no, right and wrong."""

    pairs: int
    matches: int
    found: int
    false_alarms: int

    def record(self) -> dict[str, float | int | None]:
        """Return counts and shares; `always_no` is what a judge that only says no gets."""
        wrong = self.matches - self.found + self.false_alarms
        return {
            "pairs": self.pairs,
            "matches": self.matches,
            "found": self.found,
            "false_alarms": self.false_alarms,
            "agree": self._share(self.pairs - wrong),
            "always_no": self._share(self.pairs - self.matches),
        }

    def _share(self, part: int) -> float | None:
        return round(part / self.pairs, 4) if self.pairs else None


def judge_score(judge: Judge, pairs: Sequence[JudgePair]) -> JudgeScore:
    """Return how often a judge says what the origin's model said."""
    said = [judge.told(pair.lang, pair.gold, pair.purpose, pair.generated) for pair in pairs]
    both = [yes and pair.match for yes, pair in zip(said, pairs, strict=True)]
    return JudgeScore(
        len(pairs), sum(pair.match for pair in pairs), sum(both), sum(said) - sum(both)
    )
