"""Decisions in words: the verdict, the lines it rests on, and the facts those lines read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..keys import SIZE, KeyTable, Slot, Value
from ..roles import Decision, Reason
from .questions import name_of, phrase, spoken_value

MAX_FACTS, MAX_MISSING = 6, 5


def verbalize_decision(decision: Decision, keys: KeyTable, names: Mapping[int, str]) -> str:
    """Return a decision and its reasons in a few sentences."""
    if decision.eligible is None:
        return f"{decision.program}: undecided. {_undecided(decision, keys, names)}"
    verdict = "eligible" if decision.eligible else "not eligible"
    reasons = "; ".join(verbalize_reason(reason, keys, names) for reason in decision.reasons)
    because = f" because: {reasons}." if reasons else ", whatever the answers."
    return f"{decision.program}: {verdict}{because}"


def _undecided(decision: Decision, keys: KeyTable, names: Mapping[int, str]) -> str:
    if not decision.missing:
        return f"{decision.why[:1].upper()}{decision.why[1:]}."
    facts = [verbalize_slot(slot, keys, names) for slot in decision.missing[:MAX_MISSING]]
    more = len(decision.missing) - len(facts)
    rest = f" and {more} more" if more else ""
    return f"Missing ({decision.why}): {'; '.join(facts)}{rest}."


def verbalize_reason(reason: Reason, keys: KeyTable, names: Mapping[int, str]) -> str:
    """Return one line's requirement and the facts it read."""
    facts = verbalize_facts(reason.facts, keys, names)
    return f"“{reason.requirement}” – {facts}" if reason.requirement else facts


def verbalize_facts(
    facts: Sequence[tuple[Slot, Value]], keys: KeyTable, names: Mapping[int, str]
) -> str:
    """Return facts in words, the first few of many."""
    phrases = [
        f"{verbalize_slot(slot, keys, names)}: {spoken_value(value)}"
        for slot, value in facts[:MAX_FACTS]
    ]
    more = len(facts) - len(phrases)
    return ", ".join(phrases) + (f" and {more} more" if more else "")


def verbalize_slot(slot: Slot, keys: KeyTable, names: Mapping[int, str]) -> str:
    """Return what a slot stands for, in words."""
    about = phrase(keys.key(slot.key))
    if slot.member is None or slot == SIZE:
        return about
    return f"{name_of(slot.member, names)}, {about}"
