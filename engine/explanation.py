"""Diagnoses and answers in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..catalogs.constraint import Constraint, spoken, words
from ..catalogs.query import Query
from ..solvers.limits import Verdict

if TYPE_CHECKING:
    from .answer import Change, Repair
    from .diagnosis import Diagnosis

SHOWN_CONFLICTS = 2


def rows_of(count: int) -> str:
    """Return a count with its noun."""
    return f"{spoken(count)} match" if count == 1 else f"{spoken(count)} matches"


def listed(parts: Sequence[str], joint: str = "and") -> str:
    """Return parts as a list in a sentence."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {joint} {parts[-1]}"


def explain_changes(changes: Sequence[Change], rows: int) -> str:
    """Return what a repair does: `drop A; B to B ≤ 5: 3 matches`."""
    parts = [
        f"drop {words(one.from_)}" if one.to is None else f"{words(one.from_)} → {_bound(one)}"
        for one in changes
    ]
    return f"{'; '.join(parts) or 'change nothing'}: {rows_of(rows)}"


def _bound(change: Change) -> str:
    text = words(change.to) if change.to is not None else ""
    return text.removeprefix(f"{change.from_.column} ")


def explain_diagnosis(diagnosis: Diagnosis) -> str:
    """Return why nothing matches, or that something does."""
    query = diagnosis.query
    if diagnosis.verdict is Verdict.SAT:
        count = diagnosis.count(range(len(query.constraints)))
        return f"{rows_of(count).capitalize()} as asked."
    if diagnosis.verdict is Verdict.UNKNOWN:
        return "Not all rows could be read in the time given: whether anything matches is unknown."
    if not diagnosis.base_rows:
        return explain_empty_base(query, diagnosis.base_conflicts)
    return " ".join(["Nothing matches.", *conflict_sentences(query, diagnosis.conflicts)])


def explain_empty_base(query: Query, base_conflicts: Sequence[frozenset[int]]) -> str:
    """Return why the base slice has no rows at all."""
    if not query.base or frozenset() in base_conflicts:
        return "Nothing matches: the catalog has no rows."
    sentences = _conflicts_in_words(query.base, base_conflicts)
    return " ".join(["Nothing matches even before anything else is asked.", *sentences])


def conflict_sentences(query: Query, conflicts: Sequence[frozenset[int]]) -> list[str]:
    """Return the first conflicts, one sentence each, and how many more there are."""
    return _conflicts_in_words(query.constraints, conflicts)


def _conflicts_in_words(
    constraints: Sequence[Constraint], conflicts: Sequence[frozenset[int]]
) -> list[str]:
    sentences = [_conflict(constraints, one) for one in conflicts[:SHOWN_CONFLICTS]]
    more = len(conflicts) - len(sentences)
    # The same constraint given twice makes two conflicts that read alike.
    sentences = list(dict.fromkeys(sentences))
    if more:
        sentences.append(f"There {'is' if more == 1 else 'are'} {more} more such conflict"
                         f"{'' if more == 1 else 's'}.")  # fmt: skip
    return sentences


def _conflict(constraints: Sequence[Constraint], conflict: frozenset[int]) -> str:
    parts = [words(constraints[i]) for i in sorted(conflict)]
    if len(parts) == 1:
        return f"No row meets {parts[0]}."
    how = "both" if len(parts) == 2 else f"all {len(parts)} of"
    return f"No row meets {how} {listed(parts)}."


def explain_relaxation(
    query: Query, conflicts: Sequence[frozenset[int]], chosen: Repair, nearest: Repair | None
) -> str:
    """Return what stood in the way, what gave way, what is kept, and the nearest shift."""
    gone = set(chosen.dropped)
    kept = [words(one) for i, one in enumerate(query.constraints) if i not in gone]
    sentences = [
        "Nothing matches everything asked.",
        *conflict_sentences(query, conflicts),
        f"Without {listed([words(query.constraints[i]) for i in chosen.dropped])} "
        f"there {'is' if chosen.count == 1 else 'are'} {rows_of(chosen.count)}.",
    ]
    if kept:
        sentences.append(f"Kept: {listed(kept)}.")
    if nearest is not None:
        sentences.append(f"Instead of dropping anything: {nearest.explanation}.")
    return " ".join(sentences)


def explain_dead_end(
    query: Query, conflicts: Sequence[frozenset[int]], policy: str, alternatives: Sequence[Repair]
) -> str:
    """Return why the policy found nothing, and what would help instead."""
    sentences = ["Nothing matches everything asked.", *conflict_sentences(query, conflicts)]
    if alternatives:
        sentences.append(
            f"Policy {policy} finds no repair; this would do: {alternatives[0].explanation}."
        )
    else:
        sentences.append("Nothing that may give way helps: what is hard stands in the way.")
    return " ".join(sentences)
