"""Statements about one column brought together: lists joined, the later statement kept."""

from __future__ import annotations

from collections.abc import Iterable

from ...catalogs.constraint import Constraint, Scalar
from .extracted import Extracted
from .findings import BoundFinding, Finding, ValueFinding

AMBIGUOUS = 0.08
"""Values whose scores differ by less are told apart only by asking."""

MAX_ALTERNATIVES = 8

_SIDES = {">": "low", ">=": "low", "<": "high", "<=": "high"}


def merged(findings: Iterable[Finding]) -> tuple[Extracted, ...]:
    """Return one constraint a column and side, in the order of the last word on each."""
    texts: dict[str, list[ValueFinding]] = {}
    bounds: dict[tuple[str, str], BoundFinding] = {}
    for one in findings:
        if isinstance(one, ValueFinding):
            _keep_value(texts, one)
        else:
            _keep_bound(bounds, one)
    made = [_of_bound(one) for one in bounds.values()]
    for held in texts.values():
        made.extend(_of_values(held))
    return tuple(sorted(made, key=lambda one: (one.evidence.message, one.evidence.start)))


def _keep_bound(held: dict[tuple[str, str], BoundFinding], one: BoundFinding) -> None:
    side = _SIDES.get(one.op, "both")
    if side == "both" or one.op == "!=":
        gone = [key for key in held if key[0] == one.column]
    else:
        gone = [(one.column, side), (one.column, "both")]
    for key in gone:
        held.pop(key, None)
    held[one.column, side] = one


def _keep_value(held: dict[str, list[ValueFinding]], one: ValueFinding) -> None:
    """Add to a list that goes on, else replace what was said before of the same sort."""
    before = held.setdefault(one.column, [])
    same = [other for other in before if other.wanted == one.wanted]
    is_list = one.ranked[0][0].op == "contains"
    if one.wanted and same and not one.continues and not is_list:
        best = max(other.ranked[0][1] for other in same)
        values = {entry.value for entry, _ in one.ranked}
        known = {entry.value for other in same for entry, _ in other.ranked}
        if (
            one.conceded
            or one.ranked[0][1] < 0.8 * best
            or (values & known and one.ranked[0][1] < best)
        ):
            return
        held[one.column] = [other for other in before if not other.wanted]
    held[one.column].append(one)


def _of_values(held: list[ValueFinding]) -> list[Extracted]:
    wanted = [one for one in held if one.wanted]
    chosen = wanted or held
    if not chosen:
        return []
    if chosen[0].ranked[0][0].op == "contains":
        by_value = {one.ranked[0][0].value: one for one in chosen}
        return [_single(one) for one in by_value.values()]
    values = list(dict.fromkeys(value for one in chosen for value in _meant(one)))
    if len(values) == 1:
        return [_single(max(chosen, key=lambda one: one.ranked[0][1]))]
    first, last = chosen[0], chosen[-1]
    constraint = Constraint(
        column=first.column, op="in" if first.wanted else "not in", value=tuple(values)
    )
    score = min(one.ranked[0][1] for one in chosen)
    said = " / ".join(dict.fromkeys(one.evidence.text for one in chosen))
    return [Extracted(constraint, score, last.evidence, said)]


def _meant(one: ValueFinding) -> list[str]:
    """Return the values a finding stands for: all of a category, else the likeliest."""
    return [entry.value for entry, _ in one.ranked] if one.together else [one.ranked[0][0].value]


def _single(one: ValueFinding) -> Extracted:
    (entry, score), rest = one.ranked[0], one.ranked[1:]
    ambiguous = bool(rest) and score - rest[0][1] < AMBIGUOUS
    alternatives = tuple((other.value, s) for other, s in rest[:MAX_ALTERNATIVES])
    question = None
    if ambiguous:
        listed = [entry.value, *(str(value) for value, _ in alternatives[:2])]
        question = f"By “{one.evidence.text}”, do you mean {_listed(listed)}?"
    return Extracted(
        Constraint(column=one.column, op=_operator(one), value=entry.value),
        score,
        one.evidence,
        one.evidence.text,
        alternatives,
        ambiguous,
        question=question,
    )


def _operator(one: ValueFinding) -> str:
    if one.ranked[0][0].op == "contains":
        return "contains"
    return "==" if one.wanted else "!="


def _listed(values: list[str]) -> str:
    return f"{', '.join(values[:-1])} or {values[-1]}"


def _of_bound(one: BoundFinding) -> Extracted:
    close = [column for column, score in one.others if one.score - score < AMBIGUOUS]
    question = None
    if close:
        question = f"Is “{one.said}” about {_listed([one.column, *close[:2]])}?"
    elif one.approximate:
        question = f"How far from {one.said} may {one.column} be?"
    value: Scalar | tuple[Scalar, ...] = one.value
    return Extracted(
        Constraint(column=one.column, op=one.op, value=value),
        one.score,
        one.evidence,
        one.said,
        (),
        bool(close),
        one.approximate,
        question,
    )
