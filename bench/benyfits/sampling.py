"""Households drawn feature by feature, then made consistent by the features' rules.

ProADA, sections 2.3, 2.5 and 2.6.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from .records import Condition, Copy, Dataset, Feature, Household, Rule, Value

Member = dict[str, Value]
By = Literal["uniform", "nyc"]

MOST_MEMBERS = 6
"""The most members of a drawn household (section 2.3)."""

NAMES = (
    "Ada Alba Bea Carl Dina Egon Emil Fina Gus Hana Ida Igor Jana Kurt Lena Lior Mara Nils "
    "Nora Olaf Olga Paul Pia Quin Rosa Rudi Saul Tess Ulla Vera Wim Xeni Yara Zeno"
).split()

_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda value, among: value in among,
}


@dataclass(frozen=True)
class Sampler:
    """Draws households; the same seed draws the same ones.

    `by`: "uniform" balances what checkers distinguish: any declared value alike, and numbers
    at and around the `limits` that checkers compare the feature with; "nyc" draws from the
    features' own distributions, where they have one.
    """

    features: Mapping[str, Feature]
    by: By = "uniform"
    limits: Mapping[str, Sequence[float]] = field(default_factory=dict[str, Sequence[float]])
    most_members: int = MOST_MEMBERS

    def households(self, count: int, seed: int) -> list[Household]:
        """Return that many households, named after their place."""
        return [self.household(at, Random(f"{seed} {at}")) for at in range(count)]

    def household(self, at: int, random: Random) -> Household:
        """Return one household."""
        size = random.randint(1, self.most_members)
        names = random.sample(NAMES, size) if size <= len(NAMES) else [f"P{n}" for n in range(size)]
        members = [self._member(place, names[place], random) for place in range(size)]
        _one_spouse(members, self.features)
        for name, feature in self.features.items():
            for place, member in enumerate(members):
                member[name] = consistent(feature, place, members)
        dataset: Dataset = "representative" if self.by == "nyc" else "diverse"
        return Household(
            household=f"drawn-{at:05}", dataset=dataset, target_programs=(), members=tuple(members)
        )

    def _member(self, place: int, name: str, random: Random) -> Member:
        drawn = {name: self._value(feature, random) for name, feature in self.features.items()}
        if "relation" in drawn:
            others = [value for value in self.features["relation"].values if value != "self"]
            while place and others and drawn["relation"] == "self":
                drawn["relation"] = self._value(self.features["relation"], random)
            drawn["relation"] = drawn["relation"] if place else "self"
        if "name" in drawn:
            drawn["name"] = name
        return drawn

    def _value(self, feature: Feature, random: Random) -> Value:
        if self.by == "nyc" and feature.nyc_distribution is not None:
            return _from_distribution(feature, random)
        if feature.type == "bool":
            return random.random() < 0.5
        if feature.type == "enum":
            return random.choice(feature.values)
        if feature.type == "str":
            return feature.default
        return _number(feature, self.limits.get(feature.feature, ()), random)


def _from_distribution(feature: Feature, random: Random) -> Value:
    pairs = feature.nyc_distribution or ()
    (drawn,) = random.choices([value for value, _ in pairs], [weight for _, weight in pairs])
    if isinstance(drawn, tuple):
        return random.randint(*sorted(drawn))
    return drawn == "Yes" if feature.type == "bool" else drawn


def _number(feature: Feature, limits: Sequence[float], random: Random) -> Value:
    """Draw half the time at a limit or next to it, and else from the feature's whole range."""
    least = feature.min or 0
    if limits and random.random() < 0.5:
        drawn = random.choice(list(limits)) + random.choice((-1, 0, 1))
    else:
        ranges = [span for span, _ in feature.nyc_distribution or () if isinstance(span, tuple)]
        low, high = random.choice(ranges) if ranges else (least, 2 * int(max(limits, default=6)))
        # The last range of rents goes to ten millions, where nobody's rent is.
        drawn = random.uniform(low, min(high, 10 * max(low, 1) + 100))
    if feature.type == "float":
        return max(float(least), round(drawn, 2))
    return max(least, round(drawn))


def _one_spouse(members: Sequence[Member], features: Mapping[str, Feature]) -> None:
    """Make every spouse but the first some other relation."""
    if "relation" not in features:
        return
    others = [value for value in features["relation"].values if value not in ("self", "spouse")]
    spouses = [member for member in members if member["relation"] == "spouse"]
    for place, member in enumerate(spouses[1:]):
        member["relation"] = others[place % len(others)] if others else "spouse"


def consistent(feature: Feature, place: int, members: Sequence[Member]) -> Value:
    """Return a member's value after the first rule that applies; as it is where none does.

    A rule without `then` only notes what the form cannot express; it changes nothing.
    """
    for rule in feature.consistency_rules:
        if _applies(rule, place, members):
            return _outcome(rule, feature, place, members)
    return members[place][feature.feature]


def _applies(rule: Rule, place: int, members: Sequence[Member]) -> bool:
    return rule.then is not None and (rule.when is None or _holds(rule.when, place, members))


def _holds(when: Condition, place: int, members: Sequence[Member]) -> bool:
    if when.member_index is not None:
        return _COMPARE[when.op](place, when.member_index)
    value = members[place if when.member == "this" else 0].get(when.feature or "")
    try:
        return _COMPARE[when.op](value, when.value)
    except TypeError:
        # A rule that compares words with numbers holds for nobody.
        return False


def _outcome(rule: Rule, feature: Feature, place: int, members: Sequence[Member]) -> Value:
    then = rule.then
    if not isinstance(then, Copy):
        return members[place][feature.feature] if then is None else then
    value = members[place if then.member == "this" else 0].get(then.copy_of, feature.default)
    return value * then.times if then.times != 1 and not isinstance(value, str) else value
