"""Merge findings about one column: lists are joined, later statements replace earlier ones."""

from __future__ import annotations

from collections.abc import Iterable

from ...catalogs.query.constraint import Constraint, Scalar
from .extracted import BoundFinding, Extracted, Finding, ValueFinding

AMBIGUOUS = 0.08
"""Values whose scores differ by less are told apart only by asking."""

MAX_ALTERNATIVES = 8

SIDES = {">": "low", ">=": "low", "<": "high", "<=": "high"}


def merged(findings: Iterable[Finding]) -> tuple[Extracted, ...]:
    """Return one constraint a column and side, in the order of the last word on each."""
    texts: dict[str, list[ValueFinding]] = {}
    bounds: dict[tuple[str, str], BoundFinding] = {}
    for finding in findings:
        if isinstance(finding, ValueFinding):
            _keep_value(texts, finding)
        else:
            _keep_bound(bounds, finding)
    extracted = [_of_bound(finding) for finding in bounds.values()]
    for column_findings in texts.values():
        extracted.extend(_of_values(column_findings))
    return in_order(extracted)


def in_order(extracted: Iterable[Extracted]) -> tuple[Extracted, ...]:
    """Return constraints in the order of their evidence."""
    return tuple(sorted(extracted, key=lambda item: (item.evidence.message, item.evidence.start)))


def _keep_bound(bounds: dict[tuple[str, str], BoundFinding], finding: BoundFinding) -> None:
    side = SIDES.get(finding.op, "both")
    if side == "both" or finding.op == "!=":
        replaced = [key for key in bounds if key[0] == finding.column]
    else:
        replaced = [(finding.column, side), (finding.column, "both")]
    for key in replaced:
        bounds.pop(key, None)
    bounds[finding.column, side] = finding


def _keep_value(texts: dict[str, list[ValueFinding]], finding: ValueFinding) -> None:
    """Add to a list that goes on, else replace what was said before of the same sort."""
    before = texts.setdefault(finding.column, [])
    same = [other for other in before if other.wanted == finding.wanted]
    is_list = finding.ranked[0][0].op == "contains"
    if finding.wanted and same and not finding.continues and not is_list:
        best = max(other.ranked[0][1] for other in same)
        values = {entry.value for entry, _ in finding.ranked}
        known = {entry.value for other in same for entry, _ in other.ranked}
        if (
            finding.conceded
            or finding.ranked[0][1] < 0.8 * best
            or (values & known and finding.ranked[0][1] < best)
        ):
            return
        texts[finding.column] = [other for other in before if not other.wanted]
    texts[finding.column].append(finding)


def _of_values(findings: list[ValueFinding]) -> list[Extracted]:
    wanted = [finding for finding in findings if finding.wanted]
    chosen = wanted or findings
    if not chosen:
        return []
    if chosen[0].ranked[0][0].op == "contains":
        by_value = {finding.ranked[0][0].value: finding for finding in chosen}
        return [_single(finding) for finding in by_value.values()]
    values = list(dict.fromkeys(value for finding in chosen for value in _meant(finding)))
    if len(values) == 1:
        return [_single(max(chosen, key=lambda finding: finding.ranked[0][1]))]
    first, last = chosen[0], chosen[-1]
    constraint = Constraint(
        column=first.column, op="in" if first.wanted else "not in", value=tuple(values)
    )
    score = min(finding.ranked[0][1] for finding in chosen)
    phrase = " / ".join(dict.fromkeys(finding.evidence.text for finding in chosen))
    return [Extracted(constraint, score, last.evidence, phrase)]


def _meant(finding: ValueFinding) -> list[str]:
    """Return the values a finding stands for: all of a category, else the likeliest."""
    return (
        [entry.value for entry, _ in finding.ranked]
        if finding.together
        else [finding.ranked[0][0].value]
    )


def _single(finding: ValueFinding) -> Extracted:
    (entry, score), rest = finding.ranked[0], finding.ranked[1:]
    ambiguous = bool(rest) and score - rest[0][1] < AMBIGUOUS
    alternatives = tuple((other.value, s) for other, s in rest[:MAX_ALTERNATIVES])
    question = None
    if ambiguous:
        listed = [entry.value, *(str(value) for value, _ in alternatives[:2])]
        question = f"By “{finding.evidence.text}”, do you mean {_listed(listed)}?"
    return Extracted(
        Constraint(column=finding.column, op=_operator(finding), value=entry.value),
        score,
        finding.evidence,
        finding.evidence.text,
        alternatives,
        ambiguous,
        question=question,
    )


def _operator(finding: ValueFinding) -> str:
    if finding.ranked[0][0].op == "contains":
        return "contains"
    return "==" if finding.wanted else "!="


def _listed(values: list[str]) -> str:
    return f"{', '.join(values[:-1])} or {values[-1]}"


def _of_bound(finding: BoundFinding) -> Extracted:
    close = [column for column, score in finding.others if finding.score - score < AMBIGUOUS]
    question = None
    if close:
        question = f"Is “{finding.said}” about {_listed([finding.column, *close[:2]])}?"
    elif finding.approximate:
        question = f"How far from {finding.said} may {finding.column} be?"
    value: Scalar | tuple[Scalar, ...] = finding.value
    return Extracted(
        Constraint(column=finding.column, op=finding.op, value=value),
        finding.score,
        finding.evidence,
        finding.said,
        (),
        bool(close),
        finding.approximate,
        question,
    )
