"""Answers, diagnoses and catalogs as tables for a terminal, a pipe or a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile, takewhile
from typing import Any, cast

from rich.console import Group, RenderableType
from rich.text import Text

from ..catalogs.query.constraint import Constraint, condition, spoken, words
from ..catalogs.query.query import Query
from ..catalogs.query.schema import ColumnProfile
from ..engine.answer import Answer, Item, NearMiss, Repair, Status, Violation
from ..engine.diagnosis import Diagnosis
from ..engine.explanation import no_less
from .terminal_table import Cell, Grid, cut, harmless

SHOWN_SETS = 10
SHOWN_VALUES = 4
IDENTIFYING_COLUMNS = 3
"""The most leading text columns taken for what an item is called."""

PROSE_WIDTH = 100
"""Longer lines of plain text are tiring to read."""

MISSED = "✗"
_HEADLINES = {
    Status.SAT_NO_RELAXATION: ("green", "Matches as asked"),
    Status.SAT_AFTER_RELAXATION: ("yellow", "Repaired"),
    Status.UNSAT_EVEN_AFTER_RELAXATION: ("red", "No repair"),
    Status.UNKNOWN: ("magenta", "Stopped before an answer"),
}
_VERDICTS = {"SAT": ("green", "Matches as asked"), "UNSAT": ("yellow", "Nothing matches")}
_STOPPED = ("magenta", "Stopped before an answer")


def answer_tables(answer: Answer, cost_column: str | None = None, *, timing: bool = False) -> Group:
    """Return an answer as what a person reads: what gave way, alternatives, items, SQL.

    `cost_column` is shown of every item; `timing` adds how long it took.
    """
    style, headline = _HEADLINES[answer.status]
    parts: list[RenderableType] = [Text(headline, style=f"bold {style}")]
    parts += [_prose(answer.explanation), Text(), _constraints(answer)]
    if answer.repairs:
        parts.append(_changes(_repairs_title(answer), answer.repairs, answer))
    if answer.items:
        parts.append(_recommended(answer, cost_column))
    if answer.shifts:
        parts.append(_changes("Bounds that could move instead", answer.shifts, answer))
    if answer.near_misses and not answer.items:
        parts.append(_closest(answer, cost_column))
    if answer.status is Status.SAT_AFTER_RELAXATION:
        parts += [Text("Repaired query", style="bold"), _code(answer.sql)]
    parts += _footer(answer, timing)
    return Group(*parts)


def offer_tables(answer: Answer, cost_column: str | None = None) -> Group:
    """Return an answer as one turn of a conversation: why, what gives way, what is offered."""
    parts: list[RenderableType] = [_prose(answer.explanation)]
    if answer.relaxed:
        parts += [Text(), _constraints(answer)]
    if answer.items:
        parts.append(_recommended(answer, cost_column))
    elif answer.near_misses:
        parts.append(_closest(answer, cost_column))
    parts += _footer(answer, timing=False)
    return Group(*parts)


def _prose(text: str) -> RenderableType:
    from rich.constrain import Constrain

    return Constrain(Text(harmless(text)), PROSE_WIDTH)


def _code(sql: str) -> Text:
    """Return SQL that no line break of ours enters: it is there to be copied."""
    lines = "\n".join(map(harmless, sql.splitlines()))
    return Text(lines, no_wrap=True, overflow="ignore")


def _footer(answer: Answer, timing: bool) -> Iterator[RenderableType]:
    if not answer.complete:
        yield Text(f"Incomplete: stopped by {answer.stopped_by}.", style="magenta")
    if timing and answer.elapsed_ms is not None:
        yield Text()
        yield Text(f"Answered by {answer.solver} in {answer.elapsed_ms:,.1f} ms.", style="dim")


def _constraints(answer: Answer) -> Grid:
    """Return the query, a line a constraint, and what became of each."""
    hard = Query(constraints=answer.constraints).hard_positions
    base = answer.hard[: len(answer.hard) - len(hard)]
    rows: list[Sequence[Cell]] = [
        ("", cut(words(constraint)), "", "", "fixed") for constraint in base
    ]
    changes = answer.repairs[0].changes if answer.relaxed else ()
    moved = {change.position: change.to for change in changes}
    for position, constraint in enumerate(answer.constraints):
        gone, to = position in moved, moved.get(position)
        text = Text.assemble((cut(words(constraint)), "strike dim" if gone else ""))
        if to is not None:
            text.append(f" → {cut(condition(to))}")
        weight = f"{constraint.importance:.3g}"
        without = _count(answer.drop_one_counts[position], answer)
        fate = _gave_way(to) if gone else Text(_fate(answer, position in hard))
        group = f" with {cut(constraint.group)}" if constraint.group else ""
        rows.append((str(position), text, weight, without, fate + Text(group)))
    headers = ("#", "constraint", "weight", "rows without it", "")
    return Grid("What was asked", headers, rows, frozenset(("#", "weight", "rows without it")))


def _gave_way(to: Constraint | None) -> Text:
    return Text("gives way" if to is None else "moves", "bold yellow")


def _fate(answer: Answer, hard: bool) -> str:
    if hard:
        return "hard"
    if answer.status is Status.SAT_NO_RELAXATION:
        return "met"
    return "kept" if answer.relaxed else ""


def _repairs_title(answer: Answer) -> str:
    if answer.relaxed:
        return "What gives way" if len(answer.repairs) == 1 else "What gives way, and alternatives"
    return "What would do instead"


def _count(count: int, found: Answer | Diagnosis) -> str:
    """Return a count of an answer or a diagnosis for a cell."""
    return no_less(spoken(count), exact=found.counts_exact, brief=True)


def _changes(title: str, repairs: Sequence[Repair], answer: Answer) -> Grid:
    rows = [
        (
            harmless(repair.explanation.rsplit(":", 1)[0]),
            f"{repair.cost:.3f}",
            _count(repair.count, answer),
        )
        for repair in repairs
    ]
    return Grid(title, ("change", "cost", "rows"), rows, frozenset(("cost", "rows")))


def _recommended(answer: Answer, cost_column: str | None) -> Grid:
    rows = [item.row for item in answer.items]
    missed = [_missed_columns(item) for item in answer.items]
    columns = _shown_columns(answer, rows, frozenset[str]().union(*missed), cost_column)
    is_near = answer.rank == "near" and any(missed)
    some_dominated = not all(item.pareto for item in answer.items)
    listed: list[list[Cell]] = []
    for item, missing in zip(answer.items, missed, strict=True):
        cells = [_cell(item.row[name], name, name in missing) for name in columns]
        pareto = ["Pareto" if item.pareto else ""] if some_dominated else []
        meets = f"{len(item.meets)} of {len(answer.constraints)}"
        off = [f"{item.violation:.3f}"] if is_near else []
        listed.append([*cells, *off, f"{item.score:.3f}", meets, *pareto])
    count = no_less(spoken(answer.count), exact=answer.counts_exact)
    title = f"Recommended: {len(listed)} of {count}"
    if any(missed):
        title += f"   ({MISSED} misses what was asked)"
    off = ["violation"] if is_near else []
    headers = [*columns, *off, "score", "meets", *([""] if some_dominated else [])]
    right = _numeric(columns, rows).union(("violation", "score", "meets"))
    return Grid(title, headers, listed, right)


def _missed_columns(item: Item) -> frozenset[str]:
    """Return the columns of the constraints an item misses, as far as one column tells."""
    columns = {term.position: term.column for term in item.contributions}
    return frozenset(columns[i] for i in item.misses if i in columns).intersection(item.row)


def _cell(value: Any, column: str, missed: bool = False) -> Text:
    text = "–" if value is None else cut(spoken(value, column))
    return Text(f"{MISSED} {text}", style="yellow") if missed else Text(text)


def _numeric(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(
        name for name in columns if all(isinstance(row[name], int | float | None) for row in rows)
    )


def _shown_columns(
    answer: Answer,
    rows: Sequence[Mapping[str, Any]],
    missed: frozenset[str],
    cost_column: str | None,
) -> list[str]:
    """Return what a person looks at: what the item is, what was asked, what it costs.

    What was asked and is the same in several rows, and met, says nothing and is left out.
    """
    names = list(rows[0])
    by_folded = {name.casefold(): name for name in names}
    constrained = [each.column.casefold() for each in answer.constraints if each.column]
    telling = [
        name
        for name in (by_folded[folded] for folded in constrained if folded in by_folded)
        if name in missed or len(rows) == 1 or any(row[name] != rows[0][name] for row in rows)
    ]
    cost = [cost_column] if cost_column in names else []
    columns = list(dict.fromkeys([*_identifying(rows[0]), *telling, *cost]))
    return columns or names[:IDENTIFYING_COLUMNS]


def _identifying(row: Mapping[str, Any]) -> list[str]:
    """Return the first run of text columns: tables begin with what a row is called."""
    from_text = dropwhile(lambda name: not isinstance(row[name], str), row)
    return list(takewhile(lambda name: isinstance(row[name], str), from_text))[:IDENTIFYING_COLUMNS]


def _closest(answer: Answer, cost_column: str | None) -> Grid:
    rows = [near.row for near in answer.near_misses]
    violated = {
        str(violation.constraint.column).casefold()
        for near in answer.near_misses
        for violation in near.violates
    }
    columns = [
        name
        for name in _shown_columns(answer, rows, frozenset(), cost_column)
        if name.casefold() not in violated or name in _identifying(rows[0])
    ]
    listed = [
        [*(_cell(near.row[name], name) for name in columns), _misses(near), f"{near.violation:.3f}"]
        for near in answer.near_misses
    ]
    headers = [*columns, "misses", "violation"]
    return Grid("Closest rows", headers, listed, _numeric(columns, rows).union(["violation"]))


def _misses(near: NearMiss) -> str:
    return "; ".join(map(_instead, near.violates)) or "nothing"


def _instead(violation: Violation) -> str:
    """Return what a row has, and what was asked: `MSRP 27,990 instead of ≤ 24,515`."""
    constraint, actual = violation.constraint, violation.actual
    column = constraint.column or ""
    values = cast("Mapping[str, Any]", actual if isinstance(actual, Mapping) else {column: actual})
    has = ", ".join(f"{name} {_known(value, name)}" for name, value in values.items())
    wanted = words(constraint).removeprefix(f"{column} ").removeprefix("= ")
    return f"{harmless(has)} instead of {cut(wanted)}"


def _known(value: Any, column: str) -> str:
    return "unknown" if value is None else cut(spoken(value, column))


def diagnosis_tables(diagnosis: Diagnosis) -> Group:
    """Return a diagnosis as what a person reads: conflicts, repairs, counts."""
    constraints, base = diagnosis.query.constraints, diagnosis.query.base
    style, headline = _VERDICTS.get(diagnosis.verdict, _STOPPED)
    parts: list[RenderableType] = [Text(headline, style=f"bold {style}")]
    parts += [_prose(diagnosis.explanation), Text(), _counts(diagnosis)]
    for title, sets, pool in (
        ("Conflicts in the base", diagnosis.base_conflicts, base),
        ("Conflicts: cannot be met together", diagnosis.conflicts, constraints),
        ("Repairs: dropping these is enough", diagnosis.repairs, constraints),
    ):
        listed = [positions for positions in sets if positions]
        if listed:
            parts.append(_sets(title, listed, pool))
    if not diagnosis.complete:
        parts.append(Text(f"Incomplete: stopped by {diagnosis.stopped_by}.", style="magenta"))
    return Group(*parts)


def _counts(diagnosis: Diagnosis) -> Grid:
    without = diagnosis.drop_one_counts
    rows: list[Sequence[Cell]] = [
        ("", cut(words(constraint)), "", "", "fixed") for constraint in diagnosis.query.base
    ]
    for position, constraint in enumerate(diagnosis.query.constraints):
        alone = _count(diagnosis.count([position]), diagnosis)
        others = _count(without[position], diagnosis)
        hard = "hard" if position in diagnosis.query.hard_positions else ""
        rows.append((str(position), cut(words(constraint)), alone, others, hard))
    right = ("#", "rows alone", "rows without it")
    base_rows = no_less(spoken(diagnosis.base_rows), exact=diagnosis.counts_exact)
    title = f"What was asked, over a base of {base_rows} rows"
    headers = ("#", "constraint", "rows alone", "rows without it", "")
    return Grid(title, headers, rows, frozenset(right))


def _sets(title: str, sets: Sequence[frozenset[int]], constraints: Sequence[Constraint]) -> Grid:
    rows: list[Sequence[Cell]] = []
    for positions in map(sorted, sets[:SHOWN_SETS]):
        conditions = "; ".join(cut(words(constraints[i])) for i in positions)
        rows.append((" ".join(map(str, positions)), conditions))
    if len(sets) > SHOWN_SETS:
        rows.append(("…", f"{spoken(len(sets) - SHOWN_SETS)} more"))
    return Grid(title, ("#", "constraints"), rows)


def profile_table(name: str, rows: int, profiles: Sequence[ColumnProfile]) -> Grid:
    """Return a catalog's columns as a table."""
    headers = ("column", "kind", "NULL", "distinct", "range or values", "better")
    listed = [
        (
            cut(profile.name),
            profile.kind,
            spoken(profile.nulls),
            spoken(profile.distinct),
            _holds(profile),
            profile.desirable or "",
        )
        for profile in profiles
    ]
    title = f"{harmless(name)}: {spoken(rows)} rows"
    return Grid(title, headers, listed, frozenset(("NULL", "distinct")))


def _holds(profile: ColumnProfile) -> str:
    if profile.values:
        listed = ", ".join(cut(str(value), 30) for value in profile.values[:SHOWN_VALUES])
        return f"{listed}, …" if len(profile.values) > SHOWN_VALUES else listed
    if profile.minimum is None:
        return ""
    low, high = (spoken(end, profile.name) for end in (profile.minimum, profile.maximum))
    return f"{cut(low, 30)} – {cut(high, 30)} {cut(profile.unit, 10)}".rstrip()


def answers_table(answers: Sequence[tuple[int, Answer]]) -> Grid:
    """Return many answers as one table, a line each."""
    rows: list[Sequence[Cell]] = []
    for index, answer in answers:
        relaxed = "; ".join(cut(str(constraint)) for constraint in answer.relaxed)
        style, headline = _HEADLINES[answer.status]
        first = _called(answer.items[0].row) if answer.items else ""
        rows.append(
            (str(index), Text(headline, style), relaxed, _count(answer.count, answer), first)
        )
    headers = ("#", "status", "gives way", "rows", "first item")
    return Grid("Repairs", headers, rows, frozenset(("#", "rows")))


def _called(row: Mapping[str, Any]) -> str:
    names = _identifying(row) or list(row)[:IDENTIFYING_COLUMNS]
    return " ".join(cut(str(row[name])) for name in names)


def diagnoses_table(diagnoses: Sequence[tuple[int, Diagnosis]]) -> Grid:
    """Return many diagnoses as one table, a line each."""
    rows: list[Sequence[Cell]] = []
    for index, diagnosis in diagnoses:
        style, headline = _VERDICTS.get(diagnosis.verdict, _STOPPED)
        base_rows = _count(diagnosis.base_rows, diagnosis)
        sets = map(spoken, (len(diagnosis.conflicts), len(diagnosis.repairs)))
        rows.append((str(index), Text(headline, style), base_rows, *sets))
    headers = ("#", "verdict", "base rows", "conflicts", "repairs")
    right = frozenset(("#", "base rows", "conflicts", "repairs"))
    return Grid("Diagnoses", headers, rows, right)
