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
from ...dialogs.elicitation.planners import CriticalPlanner, likely_critical, open_entries
from ...dialogs.elicitation.profile import Profile
from ...dialogs.elicitation.schema import Schema
from ...dialogs.transcripts.transcript import Transcript
from .run import Dialogue, Roles, hold
from .scores import ALPHA, reward
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
        left = open_entries(schema, profile, asked)
        if not left:
            return None
        chances = CriticalPlanner.chances(schema, profile)
        best = max(left, key=lambda e: chances[e.name] + self._noise(f"{len(asked)} {e.name}"))
        return likely_critical(best, chances[best.name])

    def _noise(self, what: str) -> float:
        digest = sha256(f"{self._seed} {what}".encode()).digest()
        uniform = (int.from_bytes(digest[:7], "big") + 0.5) / 2**56
        return -self._temperature * log(-log(uniform))


def preference_pairs(
    roles: Roles, travellers: Sequence[TravellerRecord], rounds: int, seed: int
) -> list[dict[str, Any]]:
    """Return a record a traveller with chosen and rejected dialogue and both rewards."""
    return [
        _pair(traveller, *pair)
        for traveller in travellers
        if (pair := better_and_worse(roles, traveller, rounds, seed))
    ]


def better_and_worse(
    roles: Roles, traveller: TravellerRecord, rounds: int, seed: int, alpha: float = ALPHA
) -> tuple[Dialogue, Dialogue] | None:
    """Return two dialogues with a traveller, that of higher reward first; None for equal ones."""
    first, second = (
        hold(roles, NoisyPlanner(f"{seed} {traveller.id} {turn}"), traveller, rounds)
        for turn in (0, 1)
    )
    return by_reward(first, second, alpha)


def by_reward(first: Dialogue, second: Dialogue, alpha: float) -> tuple[Dialogue, Dialogue] | None:
    """Return two dialogues, that of higher reward first; None for equal ones."""
    gain = reward(first.scores, alpha) - reward(second.scores, alpha)
    if not gain:
        return None
    return (first, second) if gain > 0 else (second, first)


def _pair(traveller: TravellerRecord, chosen: Dialogue, rejected: Dialogue) -> dict[str, Any]:
    return {
        "id": traveller.id,
        "prompt": [message.record() for message in list(chosen.elicitation.said)[:2]],
        "chosen": [message.record() for message in list(chosen.elicitation.said)[2:]],
        "rejected": [message.record() for message in list(rejected.elicitation.said)[2:]],
        "reward_chosen": chosen.scores.reward,
        "reward_rejected": rejected.scores.reward,
    }
