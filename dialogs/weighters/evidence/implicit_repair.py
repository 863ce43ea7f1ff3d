"""Implicit factors in a query, and named in the answer to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from ....catalogs.query.constraint import Constraint, words
from ....catalogs.query.limits import MAX_CONSTRAINTS
from ....catalogs.query.query import Query
from ....engine.answer import Answer, ConstraintPart
from .implicit_factors import ImplicitFactor

if TYPE_CHECKING:
    from ....catalogs.versions.reader import CatalogReader


class ImplicitPart(ConstraintPart):
    """What nobody asked for, at `position` of the answer's constraints, and why it counted."""

    position: int
    constraint: Constraint
    type: Literal["hard", "soft"]
    weight: float
    source: Literal["context", "preference", "spatio-temporal"]
    evidence: tuple[str, ...]
    because: str


class ImplicitAnswer(Answer):
    """An answer to a query with implicit factors, which it lists."""

    implicit: tuple[ImplicitPart, ...] = ()


def with_factors(
    catalog: CatalogReader, query: Query, factors: Sequence[ImplicitFactor]
) -> tuple[Query, list[ImplicitFactor]]:
    """Return a query that also asks for the factors, after its own constraints, and those added.

    A hard one that no row of the base slice meets beside what is hard already is asked for as a
    soft one: nobody asked for it, so it may not be why nothing is offered.
    """
    held = [catalog.bind(constraint) for constraint in query.base]
    held += [catalog.bind(query.constraints[at]) for at in sorted(query.hard_positions)]
    added: list[ImplicitFactor] = []
    for factor in factors[: MAX_CONSTRAINTS - len(query.constraints)]:
        if factor.type == "hard":
            predicate = catalog.bind(factor.constraint)
            if catalog.count([*held, predicate]):
                held.append(predicate)
            else:
                factor = _softened(factor)
        added.append(factor)
    return query.replace((*query.constraints, *(factor.constraint for factor in added))), added


def _softened(factor: ImplicitFactor) -> ImplicitFactor:
    fields = factor.constraint.model_dump(exclude_unset=True, exclude={"hard"})
    return replace(factor, type="soft", constraint=Constraint.model_validate(fields))


def with_reasons(answer: Answer, factors: Sequence[ImplicitFactor]) -> ImplicitAnswer:
    """Return an answer whose explanation names the factors, which stand last in its query."""
    first = len(answer.constraints) - len(factors)
    parts = [
        ImplicitPart(
            position=position,
            constraint=factor.constraint,
            type=factor.type,
            weight=round(factor.weight, 6),
            source=factor.source,
            evidence=factor.evidence,
            because=factor.because,
        )
        for position, factor in enumerate(factors, first)
    ]
    fields: dict[str, Any] = answer.__dict__ | {
        "explanation": answer.explanation + _sentence(factors)
    }
    return ImplicitAnswer.model_construct(None, **fields, implicit=tuple(parts))


def _sentence(factors: Sequence[ImplicitFactor]) -> str:
    if not factors:
        return ""
    parts = [
        f"{words(factor.constraint)}{' (a must)' if factor.type == 'hard' else ''}, "
        f"because of {factor.because}"
        for factor in factors
    ]
    return f" Not asked for, but taken into account: {'; '.join(parts)}."
