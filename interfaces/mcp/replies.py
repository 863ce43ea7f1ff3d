"""Replies of the tools: their models, with lists, rows and texts cut to what a model can read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ...catalogs.json_values import json_row
from ...catalogs.query.constraint import Constraint, spoken, words
from ...catalogs.query.query import Query
from ...catalogs.query.schema import ColumnProfile
from ...catalogs.versions.reader import CatalogReader
from ...dialogs.clarification.unknowns import Clarification
from ...dialogs.extraction.extracted import Extraction
from ...dialogs.extraction.to_query import to_query
from ...engine.answer import Answer, Item, Repair
from ...engine.diagnosis import Diagnosis
from ...engine.explanation import no_less
from ...engine.value_suggestions import Suggestion

MAX_CELL = 300
"""Characters of a text cell; an item's description may be a page."""

MAX_CELLS = 60
"""Columns of a row."""

MAX_COLUMNS = 100
"""Columns described by `catalog_schema`."""

MAX_SETS = 20
"""Conflicts and repairs listed; whoever wants thousands uses the library."""

MAX_WORDS = 1_500
"""Characters of an explanation or a statement in SQL."""


class Reply(BaseModel):
    """What one tool replies; frozen, and small."""

    model_config = ConfigDict(frozen=True)


class UnderstoodReply(Reply):
    """What a text asks for: `constraints`, `minimize` and `maximize` go to `search` and `repair`.

    Vague wishes are among them, with less weight; `hard` ones never give way. `not_understood`
    are the user's own words; `waived`, columns they have no wish about; `chance`, how likely all
    of it is right.
    """

    constraints: list[dict[str, Any]]
    minimize: list[str]
    maximize: list[str]
    waived: list[str]
    not_understood: list[str]
    questions: list[str]
    chance: float
    explanation: str


class FoundItem(Reply):
    """An item that meets every wish; a higher score is better."""

    row_id: int
    row: dict[str, Any]
    score: float


class Meant(Reply):
    """A text that no item has, where it was asked for, and the texts nearest to it."""

    place: Literal["base", "constraints"]
    position: int
    column: str
    value: str
    nearest: list[str]


class SearchReply(Reply):
    """The items that meet everything asked: `count` in all, the best of them in `items`.

    Unless `counts_exact` the time was too short to count: there are at least `count`.
    """

    count: int
    counts_exact: bool
    items: list[FoundItem]
    complete: bool
    catalog_version: int
    next_step: str
    did_you_mean: list[Meant] = Field(default_factory=list[Meant])


class Wish(Reply):
    """A constraint by its position: what it says, and rows that meet all others but it."""

    position: int
    says: str
    weight: float
    hard: bool
    rows_without_it: int


class WayOut(Reply):
    """A least set of wishes whose giving way leaves rows, and how many."""

    gives_way: list[int]
    says: str
    count: int


class DiagnosisReply(Reply):
    """Why nothing matches: wishes that cannot be met together, and what would help.

    `conflicts` and `repairs` are positions of wishes; `left_out` counts what is not listed. Unless
    `counts_exact` the time was too short to count all items: each count is of at least so many.
    """

    verdict: Literal["SAT", "UNSAT", "UNKNOWN"]
    count: int
    counts_exact: bool
    base_rows: int
    wishes: list[Wish]
    conflicts: list[list[int]]
    repairs: list[WayOut]
    explanation: str
    complete: bool
    left_out: dict[str, int]
    catalog_version: int


class Choice(WayOut):
    """One of several repairs that cost the same; `gives_way` asks for it in another call.

    Unless `counts_exact` there are at least `count` items.
    """

    counts_exact: bool = True


TieBreak = Literal["user", "caller", "order"]


class RepairReply(Answer):
    """The answer, and, where several repairs cost the same, the `choices` between them.

    `tie_broken_by` says who chose: the user, who was asked; the caller, by `gives_way`; or
    nobody, so that the first in order was taken. `left_out` counts what is not listed.
    """

    choices: tuple[Choice, ...] = ()
    tie_broken_by: TieBreak | None = None
    did_you_mean: list[Meant] = Field(default_factory=list[Meant])
    left_out: dict[str, int] = Field(default_factory=dict[str, int])


class ColumnReply(Reply):
    """A column: its kind, its ends, its most frequent values, and which way is better."""

    name: str
    kind: str
    sql_type: str
    minimum: str | float | int | None
    maximum: str | float | int | None
    distinct: int
    unknown: int
    better: Literal["low", "high"] | None
    values: list[Any]


class SchemaReply(Reply):
    """What can be asked about; `columns` beyond a hundred are counted in `left_out`."""

    name: str
    rows: int
    catalog_version: int
    cost_column: str | None
    columns: list[ColumnReply]
    left_out: dict[str, int]


def short(value: Any, most: int = MAX_CELL) -> Any:
    """Return a text cut to a length, anything else as it is."""
    return value[: most - 1] + "…" if isinstance(value, str) and len(value) > most else value


def short_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as JSON holds it, with short texts, and no more than `MAX_CELLS` columns."""
    cells = json_row({name: row[name] for name in list(row)[:MAX_CELLS]})
    return {name: short(cell) for name, cell in cells.items()}


class ClarifiedReply(Reply):
    """What is clear of a user's words, and what to ask: `unknowns` has what matters most first.

    Each has a `question` and `options`: a constraint, or null where it does not matter, and the
    exact number of rows that meet it and all that is clear.
    """

    constraints: list[dict[str, Any]]
    unknowns: list[dict[str, Any]]
    not_understood: list[str]
    explanation: str


def clarified_reply(found: Clarification) -> ClarifiedReply:
    """Return what is unclear in a text."""
    record = found.record()
    asked = " ".join(unknown.question for unknown in found.unknowns)
    return ClarifiedReply(
        constraints=record["constraints"],
        unknowns=record["unknowns"][:MAX_SETS],
        not_understood=[short(part.evidence.text) for part in found.not_understood[:MAX_SETS]],
        explanation=short(asked or "Nothing is unclear.", MAX_WORDS),
    )


def understood_reply(found: Extraction) -> UnderstoodReply:
    """Return what was read from a text; raise `QueryError` for more than a query holds."""
    query = to_query(found)
    left = (*found.unresolved, *found.not_understood)
    return UnderstoodReply(
        constraints=[constraint.record() for constraint in query.constraints],
        minimize=[aim.column for aim in query.objectives if aim.direction == "min"],
        maximize=[aim.column for aim in query.objectives if aim.direction == "max"],
        waived=list(found.waived),
        not_understood=[short(part.evidence.text) for part in left[:MAX_SETS]],
        questions=[short(part.question) for part in found.constraints if part.question],
        chance=round(found.chance, 3),
        explanation=short(_understood_words(query, found), MAX_WORDS),
    )


def _understood_words(query: Query, found: Extraction) -> str:
    parts = [
        f"{words(wish)}{' (must)' if wish.hard else ''}"
        for wish in query.constraints[: len(found.constraints)]
    ]
    parts += [f"rather {words(wish)}" for wish in query.constraints[len(found.constraints) :]]
    ways = {"min": "low", "max": "high"}
    parts += [f"{aim.column} as {ways[aim.direction]} as possible" for aim in query.objectives]
    left = [f"“{part.evidence.text}”" for part in (*found.unresolved, *found.not_understood)]
    sentences = [f"Understood: {'; '.join(parts) or 'no wish'}."]
    if found.waived:
        sentences.append(f"No wish about {', '.join(found.waived)}.")
    if left:
        sentences.append(f"Not understood: {', '.join(left)}.")
    return " ".join(sentences)


def found_item(item: Item) -> FoundItem:
    """Return an item of an answer without what is the same for all that meet everything."""
    return FoundItem(row_id=item.row_id, row=short_row(item.row), score=item.score)


def diagnosis_reply(diagnosis: Diagnosis) -> DiagnosisReply:
    """Return a diagnosis with the first of its conflicts and repairs."""
    constraints = diagnosis.query.constraints
    shown = [repair for repair in diagnosis.repairs[:MAX_SETS] if repair]
    hard = diagnosis.query.hard_positions
    return DiagnosisReply(
        verdict=diagnosis.verdict.value,
        count=diagnosis.count(range(len(constraints))),
        counts_exact=diagnosis.counts_exact,
        base_rows=diagnosis.base_rows,
        wishes=[
            Wish(
                position=position,
                says=short(words(constraint)),
                weight=constraint.importance,
                hard=position in hard,
                rows_without_it=rows,
            )
            for position, (constraint, rows) in enumerate(
                zip(constraints, diagnosis.drop_one_counts, strict=True)
            )
        ],
        conflicts=[sorted(conflict) for conflict in diagnosis.conflicts[:MAX_SETS]],
        repairs=[
            WayOut(
                gives_way=sorted(repair),
                says=_all_words(constraints[position] for position in sorted(repair)),
                count=count,
            )
            for repair, count in zip(shown, diagnosis.counts_of(shown), strict=True)
        ],
        explanation=short(diagnosis.explanation, MAX_WORDS),
        complete=diagnosis.complete,
        left_out=_left_out(conflicts=len(diagnosis.conflicts), repairs=len(diagnosis.repairs)),
        catalog_version=diagnosis.catalog_version or 0,
    )


def _left_out(**listed: int) -> dict[str, int]:
    return {name: count - MAX_SETS for name, count in listed.items() if count > MAX_SETS}


def _all_words(constraints: Iterable[Constraint]) -> str:
    return short(" and ".join(words(constraint) for constraint in constraints))


def choice_of(repair: Repair, *, exact: bool) -> Choice:
    """Return a repair as something to choose; `exact` says that its count is."""
    says = _all_words(change.from_ for change in repair.changes)
    gives_way = list(repair.dropped)
    return Choice(gives_way=gives_way, says=says, count=repair.count, counts_exact=exact)


def label(choice: Choice) -> str:
    """Return a choice as a person reads it in a list."""
    rows = no_less(spoken(choice.count), exact=choice.counts_exact)
    return f"{choice.says} ({rows} {'item' if choice.count == 1 else 'items'} without it)"


def repair_reply(
    answer: Answer,
    top: int,
    choices: list[Choice],
    tie_broken_by: TieBreak | None,
    meant: Sequence[Suggestion] = (),
) -> RepairReply:
    """Return an answer with at most `top` of each list, its rows and texts cut."""
    record = answer.record()
    left_out = _left_out(conflicts=len(record["conflicts"]))
    record["conflicts"] = record["conflicts"][:MAX_SETS]
    for name in ("repairs", "shifts", "items", "near_misses"):
        record[name] = [_short_part(part) for part in record[name][:top]]
    record["explanation"] = short(record["explanation"], MAX_WORDS)
    record |= {"did_you_mean": meant_replies(meant)}
    return RepairReply.model_validate(
        {**record, "choices": choices, "tie_broken_by": tie_broken_by, "left_out": left_out}
    )


def meant_replies(meant: Sequence[Suggestion]) -> list[Meant]:
    """Return what may have been meant, cut."""
    return [
        Meant.model_validate(each.record() | {"value": short(each.value, MAX_WORDS)})
        for each in meant
    ]


def _short_part(part: dict[str, Any]) -> dict[str, Any]:
    """Return a repair, item or near miss with a short row."""
    cut = {name: short_row(part[name]) for name in ("row", "witness") if name in part}
    if "explanation" in part:
        cut["explanation"] = short(part["explanation"], MAX_WORDS)
    return {**part, **cut}


def schema_reply(catalog: CatalogReader, columns: Sequence[str], values: int) -> SchemaReply:
    """Return the columns named, or all; at most `values` values each.

    Raises `UnknownColumn`.
    """
    names = [catalog.schema.find(name).name for name in columns] or list(catalog.columns)
    listed = [_column(catalog.profile(name), values) for name in names[:MAX_COLUMNS]]
    more = len(names) - len(listed)
    return SchemaReply(
        name=catalog.name,
        rows=catalog.row_count,
        catalog_version=catalog.version,
        cost_column=catalog.cost_column,
        columns=listed,
        left_out={"columns": more} if more else {},
    )


def _column(profile: ColumnProfile, values: int) -> ColumnReply:
    record: dict[str, Any] = profile.record()
    return ColumnReply(
        name=profile.name,
        kind=profile.kind,
        sql_type=profile.sql_type,
        minimum=short(record["minimum"]),
        maximum=short(record["maximum"]),
        distinct=profile.distinct,
        unknown=profile.nulls,
        better=profile.desirable,
        values=[short(value) for value in record["values"][:values]],
    )
