"""Reasons why an episode misses the gold repair or item, the earliest stage first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...engine.answer import Status
from .gold import IDENTITY, ConstraintKey, as_text, constraint_key
from .outcome import Outcome


@dataclass(frozen=True)
class Failure:
    """One instance that went wrong, and the reasons, the earliest stage first."""

    instance: str
    reasons: tuple[str, ...]


def failure(outcome: Outcome) -> Failure | None:
    """Return why the gated match fails; None where it holds or nothing is there to compare."""
    if outcome.failure is not None:
        return Failure(outcome.gold.id, (f"the model failed: {outcome.failure}",))
    if outcome.gold.relaxed is None or outcome.car_match:
        return None
    if outcome.relax_match and outcome.gold.item is None:
        return None
    reasons = (*_reading(outcome), *_relaxing(outcome), *_ranking(outcome))
    return Failure(outcome.gold.id, reasons)


def _reading(outcome: Outcome) -> Iterator[str]:
    """Yield what was not understood, or not as it is meant."""
    parsed = {constraint_key(constraint) for constraint in outcome.parsed}
    meant = {constraint_key(constraint) for constraint in outcome.gold.constraints}
    for key in sorted(meant - parsed):
        instead = [other for other in parsed if other[0] == key[0]]
        readings = ", ".join(map(_key_text, sorted(instead)))
        yield f"read {readings} for {_key_text(key)}" if readings else f"missed {_key_text(key)}"
    for key in sorted(parsed - meant):
        if key[0] not in {column for column, _, _ in meant}:
            yield f"read {_key_text(key)}, which is not asked"


def _relaxing(outcome: Outcome) -> Iterator[str]:
    if outcome.relax_match or outcome.gold.relaxed is None:
        return
    if outcome.status is Status.SAT_NO_RELAXATION:
        yield "as read, nothing has to give way"
        return
    weights = {constraint_key(constraint): constraint.importance for constraint in outcome.parsed}

    def weighed(key: ConstraintKey) -> str:
        weight = weights.get(key)
        return _key_text(key) if weight is None else f"{_key_text(key)} (weight {weight:.2f})"

    gone = " and ".join(map(weighed, outcome.relaxed)) or "nothing"
    yield f"relaxed {gone} instead of {weighed(outcome.gold.relaxed)}"


def _ranking(outcome: Outcome) -> Iterator[str]:
    """Yield which item came first, where what gave way is right and the item is not."""
    gold = outcome.gold.item
    if gold is None or not outcome.relax_match or outcome.same_item:
        return
    columns = [column for column in IDENTITY if column in gold] or list(gold)
    first = outcome.item or {}
    other = ", ".join(as_text(first.get(column, "nothing")) for column in columns)
    meant = ", ".join(as_text(gold[column]) for column in columns)
    yield f"offered {other} instead of {meant}"


def _key_text(key: ConstraintKey) -> str:
    return " ".join(key)
