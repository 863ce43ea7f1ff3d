"""Restoring on a model: several candidates for what a person left unsaid, compared with each other.

A model reads question, circumstances and what was done before and after, and names needs with their
evidence. It is believed only as far as it can be checked: evidence has to be from before the
question, and the weight is counted from the history, not taken from the model. A need that all
candidates name is agreed on; what only some name is disputed, and goes to a person.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, Field

from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import Constraint
from ...dialogs.models.chat_model import ChatModel, Request
from ...dialogs.models.prompt import load_prompt
from ...dialogs.models.structured import ask_for
from ...dialogs.weighters.evidence.events import Event, named
from ...dialogs.weighters.evidence.implicit_factors import SESSION, ImplicitFactor
from ...dialogs.weighters.factors import NEEDS, Factor
from .case import Case, Record
from .items import Items
from .restoring import AGREES
from .task import CIRCUMSTANCES, ImplicitNeed, Kind, Source
from .wishes import overlap, subject
from .wording import TaskWords

CANDIDATES = 3
MOST_SHOWN = 60
"""Events of a history that a model is shown, the newest."""


class NamedNeed(BaseModel):
    """A need as a model names it."""

    constraint: Constraint
    type: Kind
    source: Source
    evidence: Annotated[list[str], Field(max_length=200)]


class NamedNeeds(BaseModel):
    """All that a candidate names."""

    needs: Annotated[list[NamedNeed], Field(max_length=50)]


@dataclass(frozen=True)
class Annotation:
    """A need with how many of the candidates name it."""

    need: ImplicitNeed
    named_by: int
    of: int

    @property
    def is_agreed(self) -> bool:
        """Whether every candidate names it."""
        return self.named_by == self.of


@dataclass(frozen=True)
class Annotator:
    """Asks a model for candidates. Raises what the model raises."""

    model: ChatModel
    items: Items
    candidates: int = CANDIDATES

    def annotations(self, case: Case, known: Sequence[ImplicitFactor]) -> list[Annotation]:
        """Return the needs of a case that hold before the question, those named most first."""
        named_needs = [self._candidate(case, number) for number in range(self.candidates)]
        groups: list[list[ImplicitNeed]] = []
        for needs in named_needs:
            taken: set[int] = set()
            for need in (self._checked(case, each, known) for each in needs):
                if need is None:
                    continue
                at = self._group(groups, need, taken)
                taken.add(at)
                if at == len(groups):
                    groups.append([])
                groups[at].append(need)
        found = [Annotation(group[0], len(group), self.candidates) for group in groups]
        return sorted(found, key=lambda each: (-each.named_by, -each.need.weight))

    def _candidate(self, case: Case, number: int) -> list[NamedNeed]:
        words = TaskWords(self.items)
        prompt = load_prompt("restore_needs").render(
            query=words.query(case.explicit),
            circumstances=json.dumps(case.context, ensure_ascii=False),
            columns="\n".join(self._columns()),
            before="\n".join(map(self._line, case.events[-MOST_SHOWN:])),
            after="\n".join(map(self._line, case.later)),
        )
        request = Request.of(prompt, role="builder", episode=f"{case.id} {number}")
        return ask_for(self.model, request, NamedNeeds).needs

    def _columns(self) -> Iterable[str]:
        for profile in self.items.catalog.profiles():
            values = ", ".join(map(str, profile.values[:8]))
            yield f"- {profile.name}: {values or f'{profile.minimum} to {profile.maximum}'}"

    def _line(self, event: Event) -> str:
        """Return an event with the rows that were taken, for a prompt."""
        places = [self.items.place(named(key)) for key in (*event.bought, *event.clicked)]
        record: Record = {
            "id": event.id,
            "time": event.time,
            "asked": [str(constraint) for constraint in event.constraints],
            "put_back": [str(event.constraints[position]) for position in event.put_back],
            "taken": [self.items.rows[place] for place in places if place is not None],
        }
        return json.dumps(record, ensure_ascii=False, default=str)

    def _group(
        self, groups: Sequence[Sequence[ImplicitNeed]], need: ImplicitNeed, taken: set[int]
    ) -> int:
        """Return which group asks for the same, of those not yet taken; else a new one."""
        met = self.items.met(need.constraint)
        for at, group in enumerate(groups):
            other = group[0].constraint
            same = subject(other) == subject(need.constraint)
            if at not in taken and same and overlap(self.items.met(other), met) >= AGREES:
                return at
        return len(groups)

    def _checked(
        self, case: Case, said: NamedNeed, known: Sequence[ImplicitFactor]
    ) -> ImplicitNeed | None:
        """Return a need with the evidence that holds, and its weight; None where none holds."""
        try:
            self.items.catalog.bind(said.constraint)
        except QueryError:
            return None
        if subject(said.constraint) in {subject(each) for each in case.explicit}:
            return None
        return with_evidence(self.items, case, said, known)


def with_evidence(
    items: Items, case: Case, said: NamedNeed, known: Sequence[ImplicitFactor]
) -> ImplicitNeed | None:
    """Return a need weighed by what was done before the question; None where nothing speaks for it.

    A factor that is known of the same thing gives the weight; else earlier choices are counted.
    """
    met = items.met(said.constraint)
    evidence, weight = _counted(items, case, said)
    for factor in known:
        same = subject(factor.constraint) == subject(said.constraint)
        if same and overlap(items.met(factor.constraint), met) >= AGREES:
            evidence, weight = factor.evidence, factor.weight
    if not evidence:
        return None
    fields = said.constraint.model_dump(exclude_unset=True, include={"column", "op", "value"})
    return ImplicitNeed(
        constraint=Constraint.model_validate(fields),
        type=said.type,
        weight=round(weight, 6),
        source=said.source,
        evidence=evidence,
    )


def _counted(items: Items, case: Case, said: NamedNeed) -> tuple[tuple[str, ...], float]:
    """Return the evidence named that holds, and the weight that earlier choices give.

    An event holds where what was taken meets the need, or where just this was put back.
    """
    met = items.met(said.constraint)
    told: list[tuple[float, bool, str]] = []
    for event in case.events:
        if event.time >= case.moment.until:
            continue
        places = [items.place(named(key)) for key in (*event.bought, *event.clicked)]
        held = [bool(met[place]) for place in places if place is not None]
        back = any(_same(event.constraints[at], said.constraint) for at in event.put_back)
        if held or back:
            told.append((event.time, back or any(held), event.id))
    supporting = {name for _, holds, name in told if holds}
    circumstances = [name for name in said.evidence if name.startswith(CIRCUMSTANCES)]
    evidence = [name for name in said.evidence if name in supporting]
    if not evidence:
        return tuple(circumstances), NEEDS["strong"] if circumstances else 0.0
    middle = (told[0][0] + case.moment.until) / 2
    recent = sum(holds and time >= middle for time, holds, _ in told)
    just_now = any(holds and time >= case.moment.until - SESSION for time, holds, _ in told)
    factor = Factor(
        supporting=len(supporting),
        total=len(told),
        recent=recent,
        early=len(supporting) - recent,
        current_need=NEEDS["strong"] if just_now else None,
    )
    return (*evidence, *circumstances), factor.weight


def _same(one: Constraint, other: Constraint) -> bool:
    return (one.column, one.op, one.value) == (other.column, other.op, other.value)
