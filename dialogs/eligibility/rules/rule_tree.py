"""Rules as a tree: conditions that all hold, of which so many hold, or that do not hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .conditions import Condition, income_key


@dataclass(frozen=True)
class AllOf:
    """Every part holds."""

    parts: tuple[Rule, ...]


@dataclass(frozen=True)
class AtLeast:
    """At least `count` of the parts hold; 1 is any of them."""

    parts: tuple[Rule, ...]
    count: int = 1


@dataclass(frozen=True)
class Not:
    """The part does not hold."""

    part: Rule


Rule = Condition | AllOf | AtLeast | Not


def all_of(parts: Sequence[Rule]) -> Rule:
    """Return the rule "every part holds"; parts that are such rules themselves are merged."""
    flat = [
        inner for part in parts for inner in (part.parts if isinstance(part, AllOf) else (part,))
    ]
    return flat[0] if len(flat) == 1 else AllOf(tuple(flat))


def any_of(parts: Sequence[Rule], count: int = 1) -> Rule:
    """Return the rule "at least `count` of the parts hold"."""
    return parts[0] if len(parts) == 1 else AtLeast(tuple(parts), min(count, len(parts)))


LIMITS_HERE = Condition(income_key(True), "", "income within the table's limits", True)
"""Stands where a sentence points to the table of limits."""


def with_limits(rule: Rule, limits: Rule) -> Rule:
    """Return a rule with `LIMITS_HERE` replaced by the limits of a table."""
    if rule is LIMITS_HERE:
        return limits
    if isinstance(rule, AllOf):
        return AllOf(tuple(with_limits(part, limits) for part in rule.parts))
    if isinstance(rule, AtLeast):
        return AtLeast(tuple(with_limits(part, limits) for part in rule.parts), rule.count)
    if isinstance(rule, Not):
        return Not(with_limits(rule.part, limits))
    return rule
