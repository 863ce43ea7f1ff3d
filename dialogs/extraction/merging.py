"""Merge what was judged of one column: lists are joined, later statements replace earlier ones.

One pass over the judged mentions; what is kept of a column is its last word on each side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from ...catalogs.query.constraint import OPERATORS, Constraint, Scalar, Value
from ...catalogs.versions.reader import CatalogReader
from ..transcripts.transcript import Span
from .decoding import Judged
from .extracted import Extracted, ExtractedObjective, Extraction, Leaning, Unresolved
from .features import is_calendar_year
from .mentions import Option
from .value_index import ValueIndex, nearest_values, values_with

AMBIGUOUS = 0.08
"""Values whose chances differ by less are told apart only by asking."""

MAX_ALTERNATIVES = 8
SOFT = 0.1
"""How far from a number `around` reaches, as a share of it."""

LEANING = 1 / 3
"""The share of the rows that a vague wish keeps: `cheap` is the cheapest third."""

ANY_OF_LISTS = "contains any" in OPERATORS
"""Whether `contains any` is an operator of constraints; else any of several parts means all."""

SIDES = {">": "low", ">=": "low", "<": "high", "<=": "high"}
_LOW, _HIGH = "low", "high"


def in_order(extracted: Iterable[Extracted]) -> tuple[Extracted, ...]:
    """Return constraints in the order of their evidence."""
    return tuple(sorted(extracted, key=lambda item: (item.evidence.message, item.evidence.start)))


@dataclass
class Column:
    """What is wished of one column so far: groups of wanted values, unwanted ones, and bounds."""

    wanted: list[list[Judged]] = field(default_factory=list[list[Judged]])
    unwanted: list[Judged] = field(default_factory=list[Judged])
    bounds: dict[str, Extracted] = field(default_factory=dict[str, Extracted])
    any_of: bool = False


@dataclass
class Wishes:
    """What the messages read so far state."""

    catalog: CatalogReader
    index: ValueIndex
    columns: dict[str, Column] = field(default_factory=dict[str, Column])
    objectives: dict[str, ExtractedObjective] = field(default_factory=dict[str, ExtractedObjective])
    leanings: dict[str, Leaning] = field(default_factory=dict[str, Leaning])
    waived: dict[str, None] = field(default_factory=dict[str, None])
    unresolved: list[Unresolved] = field(default_factory=list[Unresolved])
    not_understood: list[Unresolved] = field(default_factory=list[Unresolved])

    def add(self, item: Judged) -> None:
        """Take up what one mention says, after all that was said before it."""
        column = self.columns.setdefault(item.column, Column())
        if item.mention.kind == "open":
            self.unresolved.append(self._unknown(item))
        elif item.mention.kind == "grade":
            self._add_grade(item)
        elif item.polarity == "unneeded":
            self._waive(item.column)
        else:
            self.waived.pop(item.column, None)
            _ADD[_sort_of(item)](self, column, item)

    def extraction(self) -> Extraction:
        """Return all of it."""
        found: list[Extracted] = []
        for name, column in self.columns.items():
            found.extend(column.bounds.values())
            found.extend(_of_values(name, column, self.index))
        return Extraction(
            in_order(found),
            tuple(self.unresolved),
            tuple(self.waived),
            tuple(self.objectives.values()),
            tuple(self.leanings.values()),
            tuple(self.not_understood),
        )

    def _waive(self, column: str) -> None:
        self.waived[column] = None
        self.columns[column] = Column()
        self.objectives.pop(column, None)
        self.leanings.pop(column, None)

    def _unknown(self, item: Judged) -> Unresolved:
        near = nearest_values(self.index, item.column, evidence_of(item).text)
        return Unresolved(evidence_of(item), "the catalog has no such value", item.column, near)

    def _add_grade(self, item: Judged) -> None:
        turned = item.grade.startswith("turned")
        low = (item.option.values[0] == "min") != turned
        name, direction = item.column, "min" if low else "max"
        self.objectives.pop(name, None)
        self.leanings.pop(name, None)
        self.waived.pop(name, None)
        evidence = evidence_of(item)
        if item.grade.endswith("objective"):
            self.objectives[name] = ExtractedObjective(
                name, direction, item.chance, evidence, evidence.text
            )
        else:
            bound = self._soft_bound(name, low=low)
            self.leanings[name] = Leaning(
                name, direction, bound, item.chance, evidence, evidence.text
            )

    def _soft_bound(self, column: str, *, low: bool) -> Constraint | None:
        """Return the bound that keeps the best third of the rows; None for dates."""
        if column not in self.index.numeric:
            return None
        known = self.index.quantiles.get((column, low))
        if known is None:
            numbers = self.catalog.numbers(column)
            share, way = (LEANING, "lower") if low else (1 - LEANING, "higher")
            kept = numbers[~np.isnan(numbers)]
            known = float(np.quantile(kept, share, method=way))
            self.index.quantiles[column, low] = known
        value = int(known) if known.is_integer() else known
        return Constraint(column=column, op="<=" if low else ">=", value=value)


def evidence_of(item: Judged) -> Span:
    """Return the words that say it; an answer's are all of them."""
    mention, reading = item.mention, item.reading
    if mention.last < mention.first:
        return reading.span_at(0, len(reading.text))
    return reading.span(mention.first, mention.last)


def _sort_of(item: Judged) -> str:
    if item.mention.kind in ("number", "date"):
        return item.mention.kind
    if item.column in item.reading.index.yes_no:
        return "flag"
    return "presence" if item.mention.kind in ("name", "answer") else "value"


def _add_value(wishes: Wishes, column: Column, item: Judged) -> None:
    column.bounds.pop("null", None)
    if item.polarity == "unwanted":
        gone = set(item.option.values[:1])
        column.wanted = [
            kept
            for group in column.wanted
            if (kept := [i for i in group if i.option.values[0] not in gone])
        ]
        column.unwanted.append(item)
        return
    values = set(item.option.values)
    column.unwanted = [old for old in column.unwanted if not values & set(old.option.values)]
    is_list = bool(wishes.index.columns[item.column].parts)
    before = column.wanted[-1] if column.wanted else None
    if before is not None and item.link == "replaces":
        before.pop()
    if item.link == "or" and before:
        column.any_of = column.any_of or is_list
        before.append(item)
    elif is_list and item.link != "replaces":
        column.wanted.append([item])
    else:
        column.wanted = [[item]]
    column.wanted = [group for group in column.wanted if group]


def _add_number(wishes: Wishes, column: Column, item: Judged) -> None:
    profile = wishes.index.numeric[item.column]
    low, high = item.option.values[0], item.option.values[-1]
    op, value, approximate = item.side, low, False
    bound: Value = value
    if item.option.how == "range":
        op, bound = ("not in" if item.side == "!=" else "between"), (low, high)
    elif item.side == "~":
        reach = 1 if is_calendar_year(profile) else abs(float(low)) * SOFT  # type: ignore[arg-type]
        ends = (float(low) - reach, float(low) + reach)  # type: ignore[arg-type]
        op, approximate = "between", True
        bound = tuple(int(e) if e.is_integer() else e for e in (round(end, 6) for end in ends))
    if item.option.how == "number" and op == "==" and item.column in wishes.index.ends:
        _within(wishes, item, low)
        return
    either = column.bounds.get("both") if item.link == "or" and op == "==" else None
    if either is not None and either.constraint.op in ("==", "in"):
        known = either.constraint.value
        op, bound = "in", (*(known if isinstance(known, tuple) else (known,)), low)  # type: ignore[assignment]
    _keep(column, item, op, bound, approximate=approximate)


def _within(wishes: Wishes, item: Judged, value: Scalar) -> None:
    """Keep that a number lies between two columns: a game for four players takes four."""
    for name, op in zip(wishes.index.ends[item.column], ("<=", ">="), strict=True):
        part = replace(item, option=replace(item.option, column=name))
        _keep(wishes.columns.setdefault(name, Column()), part, op, value)


def _add_date(wishes: Wishes, column: Column, item: Judged) -> None:
    op: str = item.side
    value: Value = bounding(item.option, op)
    if op in ("==", "~") and item.option.values[0] != item.option.values[1]:
        op, value = "between", item.option.values[:2]
    _keep(column, item, "==" if op == "~" else op, value, approximate=op == "~")


def bounding(option: Option, op: str) -> Scalar:
    """Return the day or time from which a bound counts; a stay's must be open before and after."""
    first, last, *point = option.values
    late = op in (">", "<=")
    return point[0] if point else last if late != (option.how == "range") else first


def _add_flag(wishes: Wishes, column: Column, item: Judged) -> None:
    answers = wishes.index.yes_no[item.column]
    _keep(column, item, "==", answers.yes if item.polarity == "wanted" else answers.no)


def _add_presence(wishes: Wishes, column: Column, item: Judged) -> None:
    if not column.wanted and not column.bounds:
        op = "is not null" if item.polarity == "wanted" else "is null"
        column.bounds["null"] = _extracted(item, op, None)


_ADD: dict[str, Callable[[Wishes, Column, Judged], None]] = {
    "value": _add_value,
    "number": _add_number,
    "date": _add_date,
    "flag": _add_flag,
    "presence": _add_presence,
}


def _keep(
    column: Column, item: Judged, op: str, value: Value, *, approximate: bool = False
) -> None:
    """Set a bound; what it contradicts or says again goes."""
    new = _extracted(item, op, value, approximate=approximate)
    side = SIDES.get(op, "both")
    if side == "both" or item.link == "replaces":
        column.bounds.clear()
    else:
        column.bounds.pop("both", None)
        column.bounds.pop("null", None)
        other = column.bounds.get(_HIGH if side == _LOW else _LOW)
        if other is not None and _crosses(new.constraint, other.constraint, side):
            column.bounds.clear()
    column.bounds[side] = new


def _crosses(new: Constraint, other: Constraint, side: str) -> bool:
    """Return whether a new bound and the one on the other side leave nothing between them."""
    low, high = (new, other) if side == _LOW else (other, new)
    return low.value > high.value  # type: ignore[operator]


def _of_values(name: str, column: Column, index: ValueIndex) -> list[Extracted]:
    texts = index.columns.get(name)
    if texts is not None and texts.parts:
        return [*_of_parts(column), *_without(name, column, index)]
    if column.wanted:
        return [_one_of([item for group in column.wanted for item in group], wanted=True)]
    return [_one_of(column.unwanted, wanted=False)] if column.unwanted else []


def _of_parts(column: Column) -> Iterable[Extracted]:
    """Yield what lists must hold: one of each group."""
    for group in column.wanted:
        values = tuple(dict.fromkeys(item.option.values[0] for item in group))
        if ANY_OF_LISTS and len(values) > 1:
            yield _extracted(group[-1], "contains any", values)
        else:
            yield from (_extracted(item, "contains", item.option.values[0]) for item in group)


def _without(name: str, column: Column, index: ValueIndex) -> Iterable[Extracted]:
    """Yield that every list with a part is unwanted: no operator says so of the part itself."""
    parts = dict.fromkeys(str(item.option.values[0]) for item in column.unwanted)
    if parts and index.columns[name].profile.kind == "list":
        yield _one_of(column.unwanted, wanted=False)
        return
    lists = dict.fromkeys(value for part in parts for value in values_with(index, name, part))
    if lists:
        yield _extracted(column.unwanted[-1], "not in", tuple(lists))


def _one_of(items: list[Judged], *, wanted: bool) -> Extracted:
    meant = [
        item.option.values
        if item.option.how == "together" or (not wanted and item.option.how == "phrase")
        else item.option.values[:1]
        for item in items
    ]
    values: tuple[Scalar, ...] = tuple(dict.fromkeys(value for group in meant for value in group))
    if len(values) == 1:
        best = max(items, key=lambda item: item.chance)
        return _extracted(best, "==" if wanted else "!=", values[0])
    said = " / ".join(dict.fromkeys(evidence_of(item).text for item in items))
    return _extracted(items[-1], "in" if wanted else "not in", values, said=said)


def _extracted(
    item: Judged, op: str, value: Value, *, approximate: bool = False, said: str = ""
) -> Extracted:
    evidence = evidence_of(item)
    said = said or evidence.text
    rest = (
        item.option.values[1:] if item.mention.kind == "value" and op in ("==", "contains") else ()
    )
    close = item.option.rivals > 0 and bool(rest)
    rivals = [other.column for other, chance in item.others if item.chance - chance < AMBIGUOUS]
    question = None
    if close:
        question = f"By “{said}”, do you mean {_listed([str(v) for v in (value, *rest[:2])])}?"
    elif rivals:
        question = f"Is “{said}” about {_listed([item.column, *dict.fromkeys(rivals[:2])])}?"
    elif approximate:
        question = f"How far from {said} may {item.column} be?"
    return Extracted(
        Constraint(column=item.column, op=op, value=value, hard=item.hard),
        item.chance,
        evidence,
        said,
        tuple((other, item.chance) for other in rest[:MAX_ALTERNATIVES]),
        close or bool(rivals),
        approximate,
        question,
    )


def _listed(values: list[str]) -> str:
    return f"{', '.join(values[:-1])} or {values[-1]}"
