"""Preference data for DPO: two dialogues a traveller, the better by reward (APEC-Travel, 3.4).

Offline the two differ by a seeded noise on the planner's chances, where the document samples
its agent at temperature 1. Pairs of equal reward are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from math import log
from typing import Any

from ...dialogs.elicitation.agents import Asked
from ...dialogs.elicitation.planners import CriticalPlanner
from ...dialogs.elicitation.profile import Profile
from ...dialogs.elicitation.questions import question_text
from ...dialogs.elicitation.schema import Schema
from ...dialogs.transcripts.transcript import Transcript
from .run import Dialogue, Roles, hold
from .travellers import TravellerRecord

TEMPERATURE = 0.1
"""Of the noise on a chance: enough that two runs part within a few questions."""


class NoisyPlanner:
    """The planner of what is likely critical, with noise of its own in each round (Gumbel)."""

    def __init__(self, seed: str, temperature: float = TEMPERATURE) -> None:
        self._seed, self._temperature = seed, temperature

    def next(
        self, schema: Schema, profile: Profile, asked: Sequence[Asked], said: Transcript
    ) -> Asked | None:
        """Return a question drawn by chance; the same seed draws the same."""
        done = {question.entry for question in asked}
        left = [e for e in schema.askable if e.name not in profile and e.name not in done]
        if not left:
            return None
        chances = CriticalPlanner.chances(schema, profile)
        best = max(left, key=lambda e: chances[e.name] + self._noise(f"{len(asked)} {e.name}"))
        return Asked(best.name, question_text(best), gain=round(chances[best.name], 4))

    def _noise(self, what: str) -> float:
        digest = sha256(f"{self._seed} {what}".encode()).digest()
        uniform = (int.from_bytes(digest[:7], "big") + 0.5) / 2**56
        return -self._temperature * log(-log(uniform))


def preference_pairs(
    roles: Roles, travellers: Sequence[TravellerRecord], rounds: int, seed: int
) -> list[dict[str, Any]]:
    """Return a record a traveller with chosen and rejected dialogue and both rewards."""
    pairs: list[dict[str, Any]] = []
    for traveller in travellers:
        first, second = (
            hold(roles, NoisyPlanner(f"{seed} {traveller.id} {turn}"), traveller, rounds)
            for turn in (0, 1)
        )
        if first.scores.reward != second.scores.reward:
            better, worse = sorted((first, second), key=lambda one: -one.scores.reward)
            pairs.append(_pair(traveller, better, worse))
    return pairs


def _pair(traveller: TravellerRecord, chosen: Dialogue, rejected: Dialogue) -> dict[str, Any]:
    return {
        "id": traveller.id,
        "prompt": [message.record() for message in list(chosen.elicitation.said)[:2]],
        "chosen": [message.record() for message in list(chosen.elicitation.said)[2:]],
        "rejected": [message.record() for message in list(rejected.elicitation.said)[2:]],
        "reward_chosen": chosen.scores.reward,
        "reward_rejected": rejected.scores.reward,
    }
