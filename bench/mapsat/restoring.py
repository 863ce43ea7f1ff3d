"""Restore, identify, filter: from a case to the implicit factors that an agent could know of.

Restore: what was asked and chosen after the question, as far as it goes on with the same task, is
the complete need; what was chosen last is its anchor. Identify: the needs that the question does
not name, and that some of its answers meet and others do not, are those asked for afterwards, and
the person's habits, unless the choice speaks against them: a choice that could have met a need for
nothing, and did not, does. Filter: only needs stay that history and circumstances before the
question speak for, with that evidence and its weight. What came after never gives evidence nor
weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...catalogs.query.constraint import Constraint
from ...dialogs.weighters.evidence.events import Event, named
from ...dialogs.weighters.evidence.implicit_factors import ImplicitFactor, implicit_factors
from .case import Case
from .items import Items, Truths
from .task import ImplicitNeed
from .wishes import ALIKE, overlap, subject

AGREES = 0.5
"""What was asked for later goes on with a factor that so much of its items meet."""


@dataclass(frozen=True)
class Restored:
    """The needs that are kept, and the place of the item that was chosen after the question."""

    needs: tuple[ImplicitNeed, ...]
    anchor: int


class NotKept(Exception):
    """A case that makes no task; its text says why."""


def factors_before(items: Items, case: Case) -> list[ImplicitFactor]:
    """Return what speaks, before the question, for what it does not name; each thing once."""
    return known_factors(items, case.events, case)


def known_factors(items: Items, events: Sequence[Event], case: Case) -> list[ImplicitFactor]:
    """Return the implicit factors of some events and the circumstances of a case."""
    found = implicit_factors(
        items.catalog, items.key, events, case.profile, case.moment, case.explicit
    )
    return distinct(items, found)


def distinct(items: Items, factors: Sequence[ImplicitFactor]) -> list[ImplicitFactor]:
    """Return the factors without those that ask for the same items as a heavier one."""
    kept: list[tuple[ImplicitFactor, Truths]] = []
    for factor in sorted(factors, key=lambda each: (-each.weight, str(each.constraint))):
        met = items.met(factor.constraint)
        if all(overlap(met, other) < ALIKE for _, other in kept):
            kept.append((factor, met))
    return [factor for factor, _ in kept]


def anchor_of(items: Items, case: Case) -> int:
    """Return the place of what was chosen in the end; raise `NotKept` without a valid choice."""
    anchor = _anchor(items, chain_of(case))
    if anchor is None:
        raise NotKept("nothing was chosen afterwards")
    if not items.meeting(case.explicit)[anchor]:
        raise NotKept("what was chosen does not meet what was asked")
    return anchor


def chain_of(case: Case) -> list[Event]:
    """Return what came after the question and goes on with its task."""
    return [event for event in case.later if _goes_on(case, event)]


def restored(items: Items, case: Case, factors: Sequence[ImplicitFactor]) -> Restored:
    """Return the implicit needs of a case; raise `NotKept` where it makes no task."""
    chain, anchor = chain_of(case), anchor_of(items, case)
    asked = _asked_later(case, chain)
    needs = [need for factor in factors if (need := _need(items, factor, asked)) is not None]
    needs = [need for need in needs if _narrows(items, case, need)]
    needs = _not_refused(items, case, needs, asked, anchor)
    if not needs:
        raise NotKept("no need can be known before the question")
    return Restored(tuple(needs), anchor)


def _narrows(items: Items, case: Case, need: ImplicitNeed) -> bool:
    """Return whether some of the items that meet the question meet a need, and some do not."""
    asked = items.meeting(case.explicit)
    return 0 < (asked & items.met(need.constraint)).sum() < asked.sum()


def _not_refused(
    items: Items,
    case: Case,
    needs: Sequence[ImplicitNeed],
    asked: dict[str, Constraint],
    anchor: int,
) -> list[ImplicitNeed]:
    """Return the needs without those that the choice speaks against.

    It does where the need was not asked for, the choice misses it, and another item has it
    beside all that the choice has: it was to be had for nothing.
    """
    wanted = [*(need.constraint for need in needs), *asked.values()]
    beside = items.meeting(case.explicit)
    for constraint in wanted:
        if items.met(constraint)[anchor]:
            beside = beside & items.met(constraint)
    return [
        need
        for need in needs
        if subject(need.constraint) in asked
        or items.met(need.constraint)[anchor]
        or not (beside & items.met(need.constraint)).any()
    ]


def _goes_on(case: Case, event: Event) -> bool:
    """Return whether an event belongs to the task: it asks for nothing else of the same columns."""
    wanted = {subject(constraint): constraint for constraint in case.explicit}
    if event.time < case.moment.until:
        return False
    return all(
        (constraint.op, constraint.value) == (wanted[about].op, wanted[about].value)
        for constraint in event.constraints
        if (about := subject(constraint)) in wanted
    )


def _anchor(items: Items, chain: Sequence[Event]) -> int | None:
    """Return the place of what was bought last, else clicked last."""
    for name in ("bought", "clicked"):
        for event in sorted(chain, key=lambda event: (event.time, event.id), reverse=True):
            for key in getattr(event, name):
                place = items.place(named(key))
                if place is not None:
                    return place
    return None


def _asked_later(case: Case, chain: Sequence[Event]) -> dict[str, Constraint]:
    """Return the constraints that the question does not name, the last of each subject."""
    said = {subject(constraint) for constraint in case.explicit}
    later: dict[str, Constraint] = {}
    for event in chain:
        for constraint in event.constraints:
            if subject(constraint) not in said:
                later[subject(constraint)] = constraint
    return later


def _need(
    items: Items, factor: ImplicitFactor, asked: dict[str, Constraint]
) -> ImplicitNeed | None:
    """Return a factor as a need; None where something against it was asked for.

    Where more was asked for than the factor says, only so much can be known before the question.
    """
    wanted = asked.get(subject(factor.constraint))
    met = items.met(factor.constraint)
    if wanted is not None:
        of_wanted = items.met(wanted)
        if (of_wanted & met).sum() < AGREES * of_wanted.sum():
            return None
    fields = factor.constraint.model_dump(exclude_unset=True, include={"column", "op", "value"})
    return ImplicitNeed(
        constraint=Constraint.model_validate(fields),
        type=factor.type,
        weight=round(factor.weight, 6),
        source=factor.source,
        evidence=factor.evidence,
    )
