"""A household's facts, each as a value and as the sentence of its profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ...dialogs.eligibility.keys import SIZE, Key, KeyTable, Slot
from .records import Feature, Household, Value

NAME = "{name}"
BREAK = "=============="


@dataclass(frozen=True)
class Profile:
    """A household with the sentence that tells each fact.

    A published profile has one line for each feature of each member, in the features' order;
    for a household without one the features' own sentences are filled in.
    """

    household: Household
    features: Mapping[str, Feature]

    @cached_property
    def _lines(self) -> tuple[tuple[str, ...], ...]:
        blocks = self.household.profile_text.split(BREAK)[: len(self.household.members)]
        blocks_of_lines: list[tuple[str, ...]] = []
        for place, block in enumerate(blocks):
            lines = [line.strip() for line in block.split("\n") if line.strip()]
            first = next((at for at, line in enumerate(lines) if line.startswith("Name:")), 0)
            name = self.household.names[place]
            blocks_of_lines.append(tuple(line.replace(name, NAME) for line in lines[first:]))
        return tuple(blocks_of_lines)

    def sentence(self, member: int, feature: str) -> str:
        """Return what tells a fact, with `{name}` for the member and no full stop."""
        if member < len(self._lines) and len(self._lines[member]) == len(self.features):
            line = self._lines[member][list(self.features).index(feature)]
        else:
            line = _filled(self.features[feature], self.household.members[member][feature])
        # One published sentence counts years in True and False.
        line = line.replace("has True years of", "has").replace("has False years of", "has no")
        return line.replace("_", " ").rstrip(". ")

    def value(self, slot: Slot, key: Key) -> Value | None:
        """Return the value of a slot; None for a key that is no feature of the household.

        Of a key of the whole household: the applicant's value, or for a bool whether it is
        true of anybody. Raises nothing for a member that the household does not have: None.
        """
        members = self.household.members
        if slot == SIZE:
            return len(members)
        if slot.key not in self.features or not 0 <= (slot.member or 0) < len(members):
            return None
        if key.level == "household" and key.kind == "bool":
            return any(member[slot.key] for member in members)
        return members[slot.member or 0][slot.key]

    def known(self, keys: KeyTable) -> dict[Slot, Value]:
        """Return every fact of the household that has a key."""
        facts: dict[Slot, Value] = {SIZE: len(self.household.members)}
        for key in keys:
            places = range(len(self.household.members)) if key.level == "member" else (0,)
            for place in places:
                value = self.value(key.slot(place), key)
                if value is not None:
                    facts[key.slot(place)] = keys.typed(key.slot(place), value)
        return facts


def _filled(feature: Feature, value: Value) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if text in feature.text:
        return feature.text[text]
    if not isinstance(value, str) and value < 0:
        return f"{NAME} never had any of that"
    pattern = feature.text.get("any") or feature.text.get("7", f"{NAME}: {feature.feature} 7")
    return pattern.replace("7", f"{value:.15g}" if isinstance(value, float) else str(value))
