"""Asks only what can still change which row of a catalog is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...catalogs.query.constraint import Constraint
from ...catalogs.versions.reader import CatalogReader
from ..transcripts.transcript import Transcript
from .agents import Asked
from .binding import Binding, bind_profile
from .choice import Gains, OpenWish, Utilities, expected, gains
from .priors import Prior
from .profile import Profile
from .questions import question_text
from .schema import Schema

LEAST_GAIN = 0.03
"""Of a critical wish met: where knowing everything would add less, nothing is asked."""

BROKEN = 4.0
"""What a row loses where it breaks a wish that must hold."""


class ChoicePlanner:
    """Asks the question of the highest expected gain, and none where answers add too little.

    The rows to choose from are those of the catalog that meet `base`. Only entries that
    `bindings` name can change the choice. `rows`: their row numbers. Raises what binding a
    constraint raises.
    """

    def __init__(
        self,
        catalog: CatalogReader,
        base: Sequence[Constraint],
        bindings: Sequence[Binding],
        prior: Prior,
        least: float = LEAST_GAIN,
    ) -> None:
        self._catalog, self._bindings, self._prior, self._least = catalog, bindings, prior, least
        self.rows = catalog.slice([catalog.bind(constraint) for constraint in base]).ids
        self._met: dict[str, np.ndarray[Any, np.dtype[np.bool_]]] = {}

    def next(
        self, schema: Schema, profile: Profile, asked: Sequence[Asked], said: Transcript
    ) -> Asked | None:
        """Return the question that gains most; None where all answers add less than `least`."""
        found = self.gains(schema, profile, {question.entry for question in asked})
        return _best_question(schema, found, self._least)

    def gains(self, schema: Schema, profile: Profile, asked: set[str]) -> Gains:
        """Return the expected gain of each question that is open, and of all."""
        worths = self._prior.worths(profile)
        wishes = {
            binding.entry: self._open(schema, binding, profile, worths[binding.entry])
            for binding in self._bindings
            if binding.entry not in profile
        }
        known = self.known(profile, worths)
        for name in asked.intersection(wishes):
            # Nobody knows, and asking once more would not help: it counts as expected.
            known = known + wishes.pop(name).expected
        return gains(known, wishes)

    def utilities(self, schema: Schema, profile: Profile) -> Utilities:
        """Return what each row is expected to be worth to this person, in row order."""
        worths = self._prior.worths(profile)
        wishes = [
            self._open(schema, binding, profile, worths[binding.entry])
            for binding in self._bindings
            if binding.entry not in profile
        ]
        return self.known(profile, worths) + expected(wishes, len(self.rows))

    def known(self, profile: Profile, worths: dict[str, float]) -> Utilities:
        """Return what each row gets from the wishes that are known."""
        total = np.zeros(len(self.rows))
        bound = bind_profile(profile, self._bindings, lambda entry: min(1.0, worths[entry]))
        for entry, constraint in bound.constraints.items():
            total += self._gets(constraint) * worths[entry]
        return total

    def _open(self, schema: Schema, binding: Binding, profile: Profile, worth: float) -> OpenWish:
        answers = self._prior.answers(schema.find(binding.entry), profile)
        met = [self._gets(binding.constraint(value)) for value, _ in answers]
        return OpenWish(np.array([chance for _, chance in answers]), np.array(met), worth)

    def _gets(self, constraint: Constraint | None) -> Utilities:
        if constraint is None:
            return np.zeros(len(self.rows))
        met = self._is_met(constraint)
        return np.where(met, 0.0, -BROKEN) if constraint.hard else met.astype(np.float64)

    def _is_met(self, constraint: Constraint) -> np.ndarray[Any, np.dtype[np.bool_]]:
        key = f"{constraint.column} {constraint.op} {constraint.value!r}"
        if key not in self._met:
            holding = self._catalog.rows(self._catalog.bind(constraint)).ids
            self._met[key] = np.isin(self.rows, holding, assume_unique=True)
        return self._met[key]


class TogetherPlanner:
    """Asks what can change any of several choices: the gains of a question add up."""

    def __init__(self, planners: Sequence[ChoicePlanner], least: float = LEAST_GAIN) -> None:
        self._planners, self._least = planners, least

    def next(
        self, schema: Schema, profile: Profile, asked: Sequence[Asked], said: Transcript
    ) -> Asked | None:
        """Return the question that gains most over all choices; None where too little is left."""
        done = {question.entry for question in asked}
        found = [planner.gains(schema, profile, done) for planner in self._planners]
        names = dict.fromkeys(name for one in found for name in one.each)
        each = {name: sum(one.each.get(name, 0.0) for one in found) for name in names}
        return _best_question(schema, Gains(sum(one.all for one in found), each), self._least)


def _best_question(schema: Schema, found: Gains, least: float) -> Asked | None:
    """Return the question that gains most; None where all answers together add less."""
    if not found.each or found.all < least or not max(found.each.values()):
        return None
    name = max(found.each, key=lambda entry: found.each[entry])
    gain, entry = found.each[name], schema.find(name)
    thought = f"Knowing {entry.label} is expected to improve the choice by {gain:.2f}."
    return Asked(name, question_text(entry), gain=round(gain, 4), thought=thought)
