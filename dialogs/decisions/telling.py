"""Decisions told in words: the executed lines, what they ask for, and the facts they met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .keys import SIZE, KeyTable, Slot, Value
from .questions import name_of, phrase, said
from .roles import Decision, Reason

MAX_FACTS_TOLD, MAX_MISSING_TOLD = 6, 5


def told(decision: Decision, keys: KeyTable, names: Mapping[int, str]) -> str:
    """Return a decision and its reasons in a few sentences."""
    if decision.eligible is None:
        return f"{decision.program}: undecided. {_undecided(decision, keys, names)}"
    verdict = "eligible" if decision.eligible else "not eligible"
    reasons = "; ".join(reason_told(one, keys, names) for one in decision.reasons)
    because = f" because: {reasons}." if reasons else ", whatever the answers."
    return f"{decision.program}: {verdict}{because}"


def _undecided(decision: Decision, keys: KeyTable, names: Mapping[int, str]) -> str:
    if not decision.missing:
        return f"{decision.why[:1].upper()}{decision.why[1:]}."
    facts = [slot_told(slot, keys, names) for slot in decision.missing[:MAX_MISSING_TOLD]]
    more = len(decision.missing) - len(facts)
    rest = f" and {more} more" if more else ""
    return f"Missing ({decision.why}): {'; '.join(facts)}{rest}."


def reason_told(reason: Reason, keys: KeyTable, names: Mapping[int, str]) -> str:
    """Return one line's requirement and the facts it read."""
    facts = facts_told(reason.facts, keys, names)
    return f"“{reason.requirement}” – {facts}" if reason.requirement else facts


def facts_told(
    facts: Sequence[tuple[Slot, Value]], keys: KeyTable, names: Mapping[int, str]
) -> str:
    """Return facts in words, the first few of many."""
    told_facts = [
        f"{slot_told(slot, keys, names)}: {said(value)}" for slot, value in facts[:MAX_FACTS_TOLD]
    ]
    more = len(facts) - len(told_facts)
    return ", ".join(told_facts) + (f" and {more} more" if more else "")


def slot_told(slot: Slot, keys: KeyTable, names: Mapping[int, str]) -> str:
    """Return what a slot stands for, in words."""
    about = phrase(keys.key(slot.key))
    if slot.member is None or slot == SIZE:
        return about
    return f"{name_of(slot.member, names)}, {about}"
