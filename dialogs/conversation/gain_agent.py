"""Asks the column whose answer is expected to improve the choice most, and stops in time.

Nobody knows what the person will say, so anybody is taken to ask for any row's value, by the
share of rows that have it. A question gains what the best row is expected to be better by once
it is answered (`elicitation.choice`); where all the answers still open would add too little,
nothing more is asked. Worked out over at most 2,048 rows, anew for each question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.schema import ColumnProfile
from ...catalogs.versions.reader import CatalogReader
from ..elicitation.choice import Gains, OpenWish, Utilities, gains
from ..transcripts.transcript import Transcript
from .agents import NAMED, SAMPLE, OfflineAgent, parts_of
from .roles import Question

LEAST_GAIN = 0.05
"""Wishes met: where knowing everything would add less, nothing more is asked."""

BOUNDS = 8
"""Bounds that a number is taken to be asked for, at even shares of the rows."""

VALUES = 24
"""Values of a column that are told apart; the rest are one answer that no row meets."""


AskBy = Literal["reach", "gain"]
"""Which question comes next: the one that rules out most rows, or that improves the choice."""


def agent_by(ask_by: AskBy, catalog: CatalogReader) -> OfflineAgent:
    """Return the agent that asks so."""
    return GainAgent(catalog) if ask_by == "gain" else OfflineAgent(catalog)


class GainAgent(OfflineAgent):
    """Asks by expected gain. `least`: the gain of all open answers below which it stops."""

    def __init__(self, catalog: CatalogReader, least: float = LEAST_GAIN) -> None:
        super().__init__(catalog)
        self._least = least

    def ask(
        self, transcript: Transcript, known: Sequence[Constraint], slots: Sequence[str]
    ) -> Question | None:
        """See `Agent.ask`. Raises `UnknownColumn` for a slot that the catalog has not."""
        names = [self.catalog.schema.find(slot).name for slot in slots]
        found = self.gains(known, names)
        if not found.each or found.all < self._least:
            return None
        chosen = max(found.each, key=lambda name: found.each[name])
        gain = found.each[chosen]
        return replace(self._about(chosen, known), gain=round(gain, 4)) if gain > 0 else None

    def gains(self, known: Sequence[Constraint], slots: Sequence[str]) -> Gains:
        """Return the expected gain, in wishes met, of a question about each slot with a choice."""
        numbers, met = self._candidates(known)
        rows = self.catalog.fetch(numbers.tolist())
        fitting = [row for row, many in zip(rows, met, strict=True) if many == len(known)]
        wishes = {
            slot: self._wish(self._profile(slot), rows)
            for slot in slots
            # Where all that fit are alike, there is nothing to choose.
            if not fitting or any(row[slot] != fitting[0][slot] for row in fitting)
        }
        return gains(met, wishes)

    def _candidates(
        self, known: Sequence[Constraint]
    ) -> tuple[np.ndarray[Any, np.dtype[np.int64]], Utilities]:
        """Return rows that meet most of what is known, and how many wishes each meets."""
        everything = self.catalog.slice([]).ids.astype(np.int64)
        met = np.zeros(len(everything))
        for constraint in known:
            holding = self.catalog.rows(self.catalog.bind(constraint)).ids
            met += np.isin(everything, holding, assume_unique=True)
        # By even steps, the rows that meet most first.
        order = np.argsort(-met, kind="stable")
        best = order[: int((met == met.max()).sum())] if len(order) else order
        step = max(1, len(best) // (SAMPLE // 2))
        taken = best[::step][: SAMPLE // 2]
        rest = order[len(best) :][: SAMPLE - len(taken)]
        chosen = np.sort(np.concatenate([taken, rest]))
        return everything[chosen], met[chosen]

    def _wish(self, profile: ColumnProfile, rows: Sequence[Row]) -> OpenWish:
        values = [parts_of(row[profile.name]) for row in rows]
        if profile.kind in ("numeric", "date"):
            return _bound_wish(profile, values)
        return _value_wish(profile, values)


def _value_wish(profile: ColumnProfile, values: Sequence[tuple[Any, ...]]) -> OpenWish:
    seen = Counter(part for parts in values for part in parts)
    total = sum(seen.values()) or 1
    # Of hundreds of names hardly anybody has one in mind.
    cares = min(1.0, NAMED / max(1, profile.distinct)) ** 0.5
    named = [value for value, _ in seen.most_common(VALUES)]
    chances = [cares * seen[value] / total for value in named]
    met = [[float(value in parts) for parts in values] for value in named]
    return _with_nothing_asked(chances, met, len(values))


def _bound_wish(profile: ColumnProfile, values: Sequence[tuple[Any, ...]]) -> OpenWish:
    held = sorted(parts[0] for parts in values if parts)
    if not held:
        return _with_nothing_asked([], [], len(values))
    places = [int((n + 0.5) * len(held) / BOUNDS) for n in range(BOUNDS)]
    bounds = list(dict.fromkeys(held[place] for place in places))
    sides = {"low": ("<=",), "high": (">=",)}.get(profile.desirable or "", ("<=", ">="))
    met = [
        [float(bool(parts) and _within(parts[0], side, bound)) for parts in values]
        for side in sides
        for bound in bounds
    ]
    return _with_nothing_asked([1 / len(met)] * len(met), met, len(values))


def _within(value: Any, side: str, bound: Any) -> bool:
    return bool(value <= bound if side == "<=" else value >= bound)


def _with_nothing_asked(
    chances: Sequence[float], met: Sequence[Sequence[float]], rows: int
) -> OpenWish:
    """Return a wish with the chance left over for whoever asks for nothing here."""
    left = max(0.0, 1.0 - sum(chances))
    every = np.array([*met, [0.0] * rows], np.float64).reshape(len(met) + 1, rows)
    return OpenWish(np.array([*chances, left]), every, 1.0)
