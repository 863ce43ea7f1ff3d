"""Merge what was judged of one column: lists are joined, later statements replace earlier ones.

One pass over the judged mentions; what is kept of a column is its last word on each side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ...catalogs.query.constraint import Constraint, Scalar, Value
from ...catalogs.query.schema import name_words
from ...catalogs.versions.reader import CatalogReader
from ..language.column_headers import header_of
from ..language.units import unit_kinds
from ..transcripts.transcript import Span
from .admitted import is_admitted, is_apart
from .ages_said import age_bounds, is_age, takes_ages
from .clocks import at_night, either_time
from .column_amounts import is_calendar_year, plain
from .denials import DENIALS
from .extracted import Extracted, ExtractedObjective, Extraction, Leaning, Unresolved
from .judged import Judged
from .leanings_said import said_softly
from .mention import Option
from .ordered_values import at_least, said_better
from .plain_bounds import OUTSIDE, ROUGHLY_MOST
from .value_index import ValueIndex, values_with
from .week_days import WEEKDAYS, days_of

AMBIGUOUS = 0.08
"""Values whose chances differ by less are told apart only by asking."""

BARE = 6
"""Words of a bare no, `no thanks a lot`, which does without a feature; who says more wants none."""

MAX_ALTERNATIVES = 8
SOFT = 0.1
"""How far from a number `around` reaches, as a share of it."""

LEANING = 1 / 3
"""The share of the rows that a vague wish keeps: `cheap` is the cheapest third."""

SIDES = {">": "low", ">=": "low", "<": "high", "<=": "high"}


def in_order(extracted: Iterable[Extracted]) -> tuple[Extracted, ...]:
    """Return constraints in the order of their evidence."""
    return tuple(sorted(extracted, key=lambda item: (item.evidence.message, item.evidence.start)))


@dataclass
class Column:
    """What is wished of one column so far: groups of wanted values, unwanted ones, and bounds."""

    wanted: list[list[Judged]] = field(default_factory=list[list[Judged]])
    unwanted: list[Judged] = field(default_factory=list[Judged])
    bounds: dict[str, Extracted] = field(default_factory=dict[str, Extracted])
    aims: list[ExtractedObjective | Leaning] = field(default_factory=list[Any])


@dataclass
class Wishes:
    """What the messages read so far state."""

    catalog: CatalogReader
    index: ValueIndex
    columns: dict[str, Column] = field(default_factory=dict[str, Column])
    waived: dict[str, None] = field(default_factory=dict[str, None])
    not_understood: list[Unresolved] = field(default_factory=list[Unresolved])
    placed: dict[str, Extracted] = field(default_factory=dict[str, Extracted])
    """What is said of places and hours, by operator: the last counts."""

    def add(self, item: Judged) -> None:
        """Take up what one mention says, after all that was said before it."""
        item = at_least(_without_spans(item))
        kind, name = item.mention.kind, item.column
        refused = kind == "answer" and item.polarity == "unwanted"
        bare = len(item.reading.words) <= BARE
        if item.side == OUTSIDE:
            told = "what lies outside of two ends cannot be asked for"
            self.not_understood.append(Unresolved(evidence_of(item), told))
        elif kind == "value" and not item.option.values:
            self.not_understood.append(Unresolved(evidence_of(item), "is a day of many"))
        elif item.polarity == "unneeded" and kind == "value" and self._has_others(item):
            _take_out(self.columns[name], item)
        elif item.polarity == "unneeded" or (refused and (bare or name not in self.index.yes_no)):
            self.waived[name] = None
            self.columns[name] = Column()
        elif (
            kind == "value"
            and item.option.contrary
            and item.polarity == "wanted"
            and DENIALS.isdisjoint(name_words(name))
        ):
            pass  # Who cannot come on Monday needs nothing that is closed on it.
        elif kind != "answer" or name in self.index.yes_no:
            self.waived.pop(name, None)
            _ADD[_sort_of(item)](self, self.columns.setdefault(name, Column()), item)

    def _has_others(self, item: Judged) -> bool:
        """Return whether other values of an item's column are wished."""
        column = self.columns.get(item.column, Column())
        return any(_others(group, item) for group in column.wanted)

    def extraction(self) -> Extraction:
        """Return all of it."""
        columns = self.columns.values()
        aims = [aim for column in columns for aim in column.aims]
        return Extraction(
            in_order(
                [
                    *(found for name in self.columns for found in self._constraints(name)),
                    *self.placed.values(),
                ]
            ),
            waived=tuple(self.waived),
            objectives=tuple(aim for aim in aims if isinstance(aim, ExtractedObjective)),
            leanings=tuple(aim for aim in aims if isinstance(aim, Leaning)),
            not_understood=tuple(self.not_understood),
        )

    def _constraints(self, name: str) -> Iterator[Extracted]:
        column, texts = self.columns[name], self.index.columns.get(name)
        yield from column.bounds.values()
        if texts is None or not texts.parts:
            items = [item for group in column.wanted for item in group] or column.unwanted
            if items:
                yield _one_of(items, ("==", "in") if column.wanted else ("!=", "not in"))
            return
        for group in column.wanted:
            yield _one_of(group, ("contains", "contains any"))
        if column.unwanted and texts.profile.kind == "list":
            yield _one_of(column.unwanted, ("!=", "not in"))
        elif column.unwanted:
            # No operator says of a text that it holds no such part.
            parts = [str(item.option.values[0]) for item in column.unwanted]
            lists = (value for part in parts for value in values_with(self.index, name, part))
            yield _extracted(column.unwanted[-1], "not in", tuple(dict.fromkeys(lists)))

    def soft_bound(self, column: str, *, low: bool) -> Constraint | None:
        """Return the bound that keeps the best third of the rows; None for dates.

        Of times of day it keeps the best third of those that differ.
        """
        if times := self.index.clocks.get(column):
            ordered = [times[minute] for minute in sorted(times)]
            first = int(LEANING * (len(ordered) - 1))
            value = ordered[first] if low else ordered[-1 - first]
            op, values = at_night(times, "<=" if low else ">=", value)
            return Constraint(column=column, op=op, value=values)
        if column not in self.index.numeric:
            return None
        known = self.index.quantiles.get((column, low))
        if known is None:
            numbers = self.catalog.numbers(column)
            share, way = (LEANING, "lower") if low else (1 - LEANING, "higher")
            finite = numbers[np.isfinite(numbers)]
            if not len(finite):
                return None
            known = float(np.quantile(finite, share, method=way))
            self.index.quantiles[column, low] = known
        value = int(known) if known.is_integer() else known
        return Constraint(column=column, op="<=" if low else ">=", value=value)

    def stand_in(self, column: str, *, low: bool) -> Constraint | None:
        """Return the bound that stands for an objective that rows cannot be ranked by: of times."""
        return self.soft_bound(column, low=low) if column in self.index.clocks else None


def evidence_of(item: Judged) -> Span:
    """Return the words that say it; an answer's are all of them."""
    mention, reading = item.mention, item.reading
    if not mention.has_words:
        return reading.span_at(0, len(reading.text))
    return reading.span(mention.first, mention.last)


def _sort_of(item: Judged) -> str:
    if item.mention.kind in ("name", "answer"):
        return "flag" if item.column in item.reading.index.yes_no else "presence"
    return "value" if item.mention.kind == "offer" else item.mention.kind


def _add_grade(wishes: Wishes, column: Column, item: Judged) -> None:
    low = (item.option.values[0] == "min") != item.grade.startswith("turned")
    direction, evidence = "min" if low else "max", evidence_of(item)
    told = item.chance, evidence, evidence.text
    ranks = item.grade.endswith("objective")
    bound_of = wishes.stand_in if ranks or said_softly(item) else wishes.soft_bound
    bound = bound_of(item.column, low=low)
    objective = ExtractedObjective(item.column, direction, *told, bound)
    column.aims = [objective if ranks else Leaning(item.column, direction, bound, *told)]


def _add_value(wishes: Wishes, column: Column, item: Judged) -> None:
    column.bounds.pop("both", None)
    values = set(item.option.values)
    if (better := said_better(item)) and item.option.how != "together":
        said = item.reading.span_at(*better)
        told = "which values are better is not known"
        wishes.not_understood.append(Unresolved(said, told, item.column))
    if item.polarity == "unwanted":
        _take_out(column, item)
        column.unwanted.append(item)
        return
    column.unwanted = [old for old in column.unwanted if not values & set(old.option.values)]
    group = column.wanted[-1] if column.wanted else []
    if item.link == "replaces" and group:
        group.pop()
    if item.link == "or" and group and not is_apart(group[-1], item):
        group.append(item)
    elif wishes.index.columns[item.column].parts:
        column.wanted = [*filter(None, column.wanted), [item]]
    else:
        column.wanted = [[item]]


def _without_spans(item: Judged) -> Judged:
    """Return refused days without cells of a week: who comes from Monday to Friday comes on one."""
    if item.polarity != "unwanted" or item.option.how not in ("phrase", "together"):
        return item
    left = (value for value in item.option.values if len(days_of(str(value))) < len(WEEKDAYS))
    return replace(item, option=replace(item.option, values=tuple(left)))


def _take_out(column: Column, item: Judged) -> None:
    """Wish no more for the values of an item."""
    column.wanted = list(filter(None, (_others(group, item) for group in column.wanted)))


def _others(group: Iterable[Judged], item: Judged) -> list[Judged]:
    """Return those of some wanted values that are none of an item."""
    return [old for old in group if old.option.values[0] not in item.option.values]


def _add_number(wishes: Wishes, column: Column, item: Judged) -> None:
    values: tuple[Any, ...] = item.option.values
    op, count = item.side, len(values)
    is_list = count > 1 and not (op == "==" and item.column in wishes.index.ends)
    known = column.bounds["both"].constraint if "both" in column.bounds else None
    if takes_ages(item.column) and is_age(item.reading, item.mention):
        _add_ages(wishes, item)
    elif item.option.how == "range":
        _keep(column, item, "between", values)
    elif is_list:
        op, value = _of_list(wishes, item)
        _keep(column, item, op, _also_refused(known, value) if op == "not in" else value)
    elif op == "~":
        bound = _about(wishes, item, float(values[0]))
        _keep(column, item, "between", bound, approximate=True)
    elif op == ROUGHLY_MOST:
        most = _about(wishes, item, float(values[0]))[1]
        _keep(column, item, "<=", most, approximate=True)
    elif op == "==" and item.column in wishes.index.ends:
        # A game for four players takes four: one column holds the least, one the most; one for
        # four or five takes either.
        ends = zip(wishes.index.ends[item.column], ("<=", ">="), (max, min), strict=True)
        for name, side, end in ends:
            part = replace(item, option=replace(item.option, column=name))
            _keep(wishes.columns.setdefault(name, Column()), part, side, end(values))
    elif op == "==" and item.link == "or" and known and known.op in ("==", "in"):
        _keep(column, item, "in", (*known.values, values[0]))
    elif op == "!=" and known and known.op in ("!=", "not in"):
        _keep(column, item, "not in", _also_refused(known, values[:1]))
    else:
        _keep(column, item, op, values[0])


def _add_ages(wishes: Wishes, item: Judged) -> None:
    """Let in who is so old, and those whose ages were said before."""
    for name, side, end in age_bounds(wishes.index.numeric):
        column = wishes.columns.setdefault(name, Column())
        before = [known.constraint for known in column.bounds.values()]
        ages = [
            *item.option.values,
            *(age for known in before if known.op == side for age in known.values),
        ]
        part = replace(item, option=replace(item.option, column=name))
        _keep(column, part, side, end(ages))


def _also_refused(known: Constraint | None, values: Any) -> tuple[Any, ...]:
    """Return refused numbers with those that were refused before."""
    refused = known is not None and known.op in ("!=", "not in")
    before = known.values if known is not None and refused else ()
    return tuple(dict.fromkeys((*before, *values)))


def _of_list(wishes: Wishes, item: Judged) -> tuple[str, Value]:
    """Return operator and value of numbers said as a list: one of them, a bound, or none of them.

    Numbers that follow each other also mean what lies between them: `five or six hundred`.
    """
    values: tuple[Any, ...] = tuple(dict.fromkeys(item.option.values))
    low, high = min(values), max(values)
    if item.side in ("~", ROUGHLY_MOST):
        (least, _), (_, most) = _about(wishes, item, low), _about(wishes, item, high)
        return ("between", (least, most)) if item.side == "~" else ("<=", most)
    if low == high:
        return item.side, low
    if item.side in SIDES:
        return item.side, low if SIDES[item.side] == "low" else high
    if item.side == "!=":
        return "not in", values
    if _are_next(wishes, item, sorted(values)):
        held = wishes.catalog.numbers(item.column)
        inside = held[(held > low) & (held < high)]
        if not np.isin(inside, values).all():
            return "between", (low, high)
    return "in", values


def _are_next(wishes: Wishes, item: Judged, ordered: Sequence[float]) -> bool:
    """Return whether numbers follow each other, money and thousands by their leading digits."""
    steps = {after - before for before, after in pairwise(ordered)}
    step, profile = steps.pop(), wishes.index.numeric[item.column]
    if steps or step == 1:
        return not steps
    rounded = "money" in unit_kinds(profile.name, profile.unit)
    rounded |= item.mention.quantity is not None and item.mention.quantity.scaled
    return rounded and step in (10, 100, 1e3, 1e4, 1e5, 1e6) and ordered[0] % step == 0


def _about(wishes: Wishes, item: Judged, near: float) -> tuple[Scalar, Scalar]:
    """Return how far from a number `around` reaches, down and up."""
    year = is_calendar_year(wishes.index.numeric[item.column])
    reach = 1 if year else abs(near) * SOFT
    return plain(near - reach), plain(near + reach)


def _add_date(wishes: Wishes, column: Column, item: Judged) -> None:
    op, value, about = item.side, bounding(item.option, item.side), item.side == "~"
    if about or op == "==":
        is_span = item.option.values[0] != item.option.values[1]
        op, value = ("between", item.option.values[:2]) if is_span else ("==", value)
    known = column.bounds.get("both")
    times = wishes.index.clocks.get(item.column)
    if times and known and item.link == "or" and op == known.constraint.op == "between":
        op, value = "in", either_time(times, known.constraint.values, item.option.values[:2])
    elif times:
        op, value = at_night(times, op, value)
    _keep(column, item, op, value, approximate=about)


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
        _keep(column, item, "is not null" if item.polarity == "wanted" else "is null", None)


_ADD: dict[str, Callable[[Wishes, Column, Judged], None]] = {
    "grade": _add_grade,
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
    column.bounds.pop("both", None)
    column.bounds[side] = new
    ends = [column.bounds[end].constraint.value for end in ("low", "high") if end in column.bounds]
    if len(ends) == 2 and ends[0] > ends[1]:  # type: ignore[operator]
        column.bounds = {side: new}


def _one_of(items: list[Judged], ops: tuple[str, str]) -> Extracted:
    """Return the constraint that one value is meant (the first operator), or one of several."""
    meant = [item.option.values[: _meant(item, ops, several=len(items) > 1)] for item in items]
    values: tuple[Scalar, ...] = tuple(dict.fromkeys(value for group in meant for value in group))
    if len(values) == 1:
        return _extracted(max(items, key=lambda item: item.chance), ops[0], values[0])
    said = " / ".join(dict.fromkeys(evidence_of(item).text for item in items))
    also = all(is_admitted(item.reading, item.mention) for item in items)
    return replace(_extracted(items[-1], ops[1], values, said=said), also=also)


def _meant(item: Judged, ops: tuple[str, str], *, several: bool) -> int:
    """Return how many of its values a part of some means: all for `SUV`, or for `no SUV`.

    In a list, `pottery or drawing`, each part means all that have it as much as one another.
    """
    how, option = item.option.how, item.option
    if how in ("together", "all offered") or (how == "phrase" and ops[0] == "!="):
        return len(option.values)
    return 1 + (option.rivals if several and how == "phrase" else 0)


def _extracted(
    item: Judged, op: str, value: Value, *, approximate: bool = False, said: str = ""
) -> Extracted:
    evidence = evidence_of(item)
    said = said or evidence.text
    alone = item.mention.kind == "value" and op in ("==", "contains")
    rest = item.option.values[1 : MAX_ALTERNATIVES + 1] if alone else ()
    near = (other.column for other, chance in item.others if item.chance - chance < AMBIGUOUS)
    rivals = [column for column in dict.fromkeys(near) if column != item.column]
    question = None
    if item.option.rivals and rest:
        question = f"By “{said}”, do you mean {_listed([str(v) for v in (value, *rest[:2])])}?"
    elif rivals:
        question = f"Is “{said}” about {_listed([*map(_called, (item.column, *rivals[:2]))])}?"
    elif approximate:
        question = f"How far from {said} may {_called(item.column)} be?"
    return Extracted(
        Constraint(column=item.column, op=op, value=value, hard=item.hard),
        item.chance,
        evidence,
        said,
        tuple((other, item.chance) for other in rest),
        bool(rivals or (item.option.rivals and rest)),
        approximate,
        question,
        implied=item.mention.last < item.mention.first,
        also=is_admitted(item.reading, item.mention),
    )


def _called(column: str) -> str:
    return header_of(column).label


def _listed(values: list[str]) -> str:
    return f"{', '.join(values[:-1])} or {values[-1]}"
