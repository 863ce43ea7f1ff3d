"""Which entry to ask about next: what is likely critical, a list's order, or at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

import numpy as np

from ..transcripts.transcript import Transcript
from .agents import Asked, Planner
from .population import Particles, level, people
from .profile import Profile
from .questions import question_text
from .schema import Entry, Schema, travel_schema

PARTICLES = 4_000
"""Made travellers that stand for everybody; their seed is not that of any benchmark."""

MISMATCH = 0.25
"""How likely a person is like a made one that differs from it in an entry, beside 1 where
they agree: the made ones are not the real ones, so a difference rules nobody out."""


class CriticalPlanner:
    """Asks what is most likely critical to somebody who said what this person said.

    Made travellers are weighed by how well they agree with what is known; the next entry is
    the one critical to most of their weight. Ties go by the order of the schema.
    """

    def next(
        self, schema: Schema, profile: Profile, asked: Sequence[Asked], said: Transcript
    ) -> Asked | None:
        """Return the next question; None when every entry was asked about or is known."""
        chances = self.chances(schema, profile)
        left = open_entries(schema, profile, asked)
        if not left:
            return None
        best = max(left, key=lambda entry: chances[entry.name])
        return likely_critical(best, chances[best.name])

    @staticmethod
    def chances(schema: Schema, profile: Profile) -> dict[str, float]:
        """Return the chance of each entry of the schema to be critical to this person.

        All alike for a schema of which nothing is known but its entries.
        """
        if schema != travel_schema():
            return {entry.name: 1 / max(1, len(schema.askable)) for entry in schema.entries}
        particles = made_like_everybody(schema)
        shares = likeness(particles, profile) @ particles.critical
        return {entry.name: float(s) for entry, s in zip(schema.entries, shares, strict=True)}


def likely_critical(entry: Entry, chance: float) -> Asked:
    """Return the question about an entry that is critical with this chance, and why it is asked."""
    thought = f"{entry.label} is critical to {chance:.0%} of people like this one."
    return Asked(entry.name, question_text(entry), gain=round(chance, 4), thought=thought)


@lru_cache(maxsize=4)
def made_like_everybody(schema: Schema) -> Particles:
    """Return the made travellers that stand for everybody."""
    return Particles.of(schema, people(PARTICLES, "coherent", -1, schema))


def likeness(particles: Particles, profile: Profile) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return for each made traveller the chance that it is this person, float64, in sum 1."""
    weights = np.ones(len(particles.codes))
    for number, entry in enumerate(particles.schema.entries):
        if entry.name in profile:
            same = particles.codes[:, number] == level(entry, profile[entry.name].value)
            weights *= np.where(same, 1.0, MISMATCH)
    return weights / weights.sum()


Order = Callable[[Sequence[Entry], Transcript], Sequence[Entry]]
"""Open entries, and what was said, to the entries as they are to be asked about."""


class ListPlanner:
    """Asks about entries in a given order, whatever the person says."""

    def __init__(self, order: Order) -> None:
        self._order = order

    def next(
        self, schema: Schema, profile: Profile, asked: Sequence[Asked], said: Transcript
    ) -> Asked | None:
        """Return a question about the first entry that is open."""
        entries = open_entries(schema, profile, asked)
        if not entries:
            return None
        first = self._order(entries, said)[0]
        return Asked(first.name, question_text(first))


def random_planner(seed: int) -> Planner:
    """Return a planner of an order drawn by the seed and the request."""

    def drawn(entries: Sequence[Entry], said: Transcript) -> Sequence[Entry]:
        request = next((m.content for m in said if m.role == "user"), "")
        return sorted(entries, key=lambda e: sha256(f"{seed} {request} {e.name}".encode()).digest())

    return ListPlanner(drawn)


def published_planner() -> Planner:
    """Return the planner that asks in the order in which A.6 lists the entries."""
    sections = ("persona", "flight", "hotel", "restaurant", "attraction")
    return ListPlanner(lambda left, said: sorted(left, key=lambda e: sections.index(e.section)))


def open_entries(schema: Schema, profile: Profile, asked: Sequence[Asked]) -> list[Entry]:
    """Return the entries that may be asked about, are not known and were not asked about."""
    done = {question.entry for question in asked}
    return [e for e in schema.askable if e.name not in profile and e.name not in done]
