"""The sentences of diagnoses and answers: which conflicts, what gives way, what would help."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..catalogs.query.constraint import NO_LABELS, Constraint, condition, words
from ..catalogs.query.query import Query
from .answer import Change, Repair

SHOWN_CONFLICTS = 2


def no_less(counted: str, *, exact: bool, brief: bool = False) -> str:
    """Return a count in words, led by “at least” unless it is exact; in brief by “≥”."""
    return counted if exact else f"≥ {counted}" if brief else f"at least {counted}"


def rows_of(count: int, *, exact: bool = True) -> str:
    """Return a count with its noun: “at least” so many unless it is exact."""
    counted = "1 match" if count == 1 else f"{count:,} matches"
    return no_less(counted, exact=exact)


def listed(parts: Sequence[str], joint: str = "and") -> str:
    """Return parts as a list in a sentence."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {joint} {parts[-1]}"


def explain_changes(changes: Sequence[str], rows: int, *, exact: bool = True) -> str:
    """Return what a repair does, its changes in words: `drop A; B ≤ 4 → ≤ 5: 3 matches`."""
    return f"{'; '.join(changes) or 'change nothing'}: {rows_of(rows, exact=exact)}"


def bound_words(to: Constraint) -> str:
    """Return where a bound is moved; what minutes are was said before."""
    bound = condition(to)
    return re.sub(r" \((estimate|measured)\)$", "", bound) if bound.endswith(")") else bound


def explain_matches(count: int, *, exact: bool = True) -> str:
    """Return that so many rows are as asked."""
    return f"{rows_of(count, exact=exact).capitalize()} as asked."


def explain_unread() -> str:
    """Return that time was up before every row was read."""
    return "Not all rows could be read in the time given: whether anything matches is unknown."


def explain_conflicts(names: Sequence[str], conflicts: Sequence[frozenset[int]]) -> str:
    """Return why nothing matches."""
    return " ".join(["Nothing matches.", *conflict_sentences(names, conflicts)])


def explain_empty_base(
    query: Query,
    base_conflicts: Sequence[frozenset[int]],
    labels: Mapping[str, str] = NO_LABELS,
) -> str:
    """Return why the base slice has no rows at all."""
    if not query.base or frozenset() in base_conflicts:
        return "Nothing matches: the catalog has no rows."
    names = [words(constraint, labels) for constraint in query.base]
    sentences = conflict_sentences(names, base_conflicts)
    return " ".join(["Nothing matches even before anything else is asked.", *sentences])


def conflict_sentences(names: Sequence[str], conflicts: Sequence[frozenset[int]]) -> list[str]:
    """Return the first conflicts, one sentence each, and how many more there are."""
    sentences = [_conflict(names, conflict) for conflict in conflicts[:SHOWN_CONFLICTS]]
    more = len(conflicts) - len(sentences)
    # The same constraint given twice makes two conflicts that read alike.
    sentences = list(dict.fromkeys(sentences))
    if more:
        sentences.append(f"There {'is' if more == 1 else 'are'} {more} more such conflict"
                         f"{'' if more == 1 else 's'}.")  # fmt: skip
    return sentences


def _conflict(names: Sequence[str], conflict: frozenset[int]) -> str:
    parts = [names[i] for i in sorted(conflict)]
    if len(parts) == 1:
        return f"No row meets {parts[0]}."
    how = "both" if len(parts) == 2 else f"all {len(parts)} of"
    return f"No row meets {how} {listed(parts)}."


def explain_relaxation(
    names: Sequence[str],
    conflicts: Sequence[frozenset[int]],
    chosen: Repair,
    nearest: Repair | None,
    *,
    exact: bool = True,
) -> str:
    """Return what stood in the way, what gave way, what is kept, and the nearest shift.

    `names` are the constraints in words, by position: here and below.
    """
    gone = {change.position for change in chosen.changes}
    kept = [name for i, name in enumerate(names) if i not in gone]
    sentences = [
        "Nothing matches everything asked.",
        *conflict_sentences(names, conflicts),
        f"{_changed(names, chosen.changes)} "
        f"there {'is' if chosen.count == 1 else 'are'} {rows_of(chosen.count, exact=exact)}.",
    ]
    if kept:
        sentences.append(f"Kept: {listed(kept)}.")
    if nearest is not None and chosen.dropped:
        sentences.append(f"Instead of dropping anything: {nearest.explanation}.")
    return " ".join(sentences)


def _changed(names: Sequence[str], changes: Sequence[Change]) -> str:
    """Return what gave way: `Without A and with B ≤ 5 → ≤ 6`."""
    dropped = [names[change.position] for change in changes if change.to is None]
    moved = [
        f"{names[change.position]} → {bound_words(change.to)}"
        for change in changes
        if change.to is not None
    ]
    parts = [
        *([f"without {listed(dropped)}"] if dropped else []),
        *([f"with {listed(moved)}"] if moved else []),
    ]
    sentence = listed(parts)
    return sentence[0].upper() + sentence[1:]


def explain_dead_end(
    names: Sequence[str],
    conflicts: Sequence[frozenset[int]],
    policy: str,
    alternatives: Sequence[Repair],
) -> str:
    """Return why the policy found nothing, and what would help instead."""
    sentences = ["Nothing matches everything asked.", *conflict_sentences(names, conflicts)]
    if alternatives:
        sentences.append(
            f"Policy {policy} finds no repair; this would do: {alternatives[0].explanation}."
        )
    else:
        sentences.append("Nothing that may give way helps: what is hard stands in the way.")
    return " ".join(sentences)
