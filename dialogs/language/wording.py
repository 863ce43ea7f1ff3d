"""Sentences' parts: columns, wishes, changes and items in plain words.

Each is a few string operations; lists are cut after `LISTED` parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from ...catalogs.json_values import Row
from ...catalogs.query.column_roles import IDENTIFIERS
from ...catalogs.query.constraint import Constraint, shown_text, spoken, words
from ...catalogs.query.place_values import PLACE_TESTS, place_condition
from ...catalogs.query.places import told
from ...catalogs.query.schema import name_words
from ...catalogs.versions.reader import CatalogReader
from ...engine.answer import MovedConstraint
from .calendar_days import DAYS, week_day
from .column_headers import Header, header_of
from .column_phrases import column_topics
from .either import alternatives
from .packs import Packs, packs_wished
from .sums import Terms, summed, topic_of
from .titles import common_beginning
from .units import CURRENCY_SIGNS

LISTED = 6
"""Parts of a list that stand in a sentence."""

FEW_DAYS = 3
"""Days of the week, at most, by which many days are told."""

MANY = 3
"""Wishes given up at once that are told in one sentence."""

FEW = 3
"""Columns that an item is described by, where the person named fewer."""

LIGHT = 0.3
"""The weight up to which a wish is for what would only be nice."""

LONGEST = 60
"""Characters of a value or of a person's words that stand in a sentence."""

LONGEST_LIST = 150
"""Characters of a list of values that stand in a sentence."""

_COMPARED = {
    "<=": "at most {}",
    "<": "under {}",
    ">=": "at least {}",
    ">": "over {}",
    "!=": "not {}",
    "not in": "not {}",
    "contains": "with {}",
    "contains any": "with {}",
    "like": "like {}",
    "ilike": "like {}",
    "is null": "none",
    "is not null": "any, but there",
}


_MOMENT = {
    "<": "before {}",
    "<=": "{} or earlier",
    ">": "after {}",
    ">=": "{} or later",
}
"""Bounds on days and times of day."""

_MOMENTS = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?|\d?\d:\d\d(:\d\d)?")
"""A day or a time of day as sentences show it."""

_SPANS = ("days", "weeks", "months", "years", "hours", "minutes", "nights")
"""Units of which there may be one: `1 week`."""

_MONEY = (*CURRENCY_SIGNS, "EUR", "GBP", "USD", "CHF")
"""Units of which there are hundredths: `£4.50`."""

_PARTED = re.compile(r"\b ?; ?(?=\w)")
"""What parts the entries of a list that one text holds: `acid;neutral`."""

_CODES = IDENTIFIERS | frozenset("no nr number ref reference code lot item".split())
_CODE = re.compile(r"[A-Za-z]{0,5}[-_ /.#]?\d{1,9}[A-Za-z]?")
"""Names of columns of codes, and what a code is: `R1067`."""

_REFUSING = ("!=", "not in")
_LIST = re.compile(r"[;,/|]")
"""What parts the values of a list in one text."""


@dataclass(frozen=True)
class Wording:
    """Words for what a catalog holds, by its dictionary where it has one."""

    catalog: CatalogReader

    def label(self, column: str | None) -> str:
        """Return what a column is called in a sentence, without its unit: `ram` of `ram_gb`.

        What is no name by itself is quoted: `“suited to”`.
        """
        if column is None:
            return "condition"
        header = self._header(column)
        return f"“{header.label}”" if header.is_open else header.label

    def _header(self, column: str) -> Header:
        known = self.catalog.dictionary.get(column)
        if known is not None and known.label:
            return Header(known.label)
        columns = self.catalog.schema.columns
        return header_of(column, any(c.name == column and c.family != "numeric" for c in columns))

    def value(self, value: object, column: str | None) -> str:
        """Return a value for a sentence, with the unit of its column."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        parted = isinstance(value, str) and _PARTED.search(value) is not None
        is_list = parted or type(value) in (tuple, list)
        text = shown_text(spoken(value, column or ""), LONGEST_LIST if is_list else LONGEST)
        unit = "" if column is None or not isinstance(value, int | float) else self.unit(column)
        if isinstance(value, float) and value % 1 and self._is_money(column, unit):
            text = f"{value:,.2f}"
        if not unit:
            return text
        if value == 1 and unit in _SPANS:
            unit = unit[:-1]
        return f"{unit}{text}" if unit in CURRENCY_SIGNS else f"{text} {unit}"

    def _is_money(self, column: str | None, unit: str) -> bool:
        """Return whether there are hundredths of what a column counts in."""
        return unit in _MONEY or (column is not None and column == self.catalog.cost_column)

    def unit(self, column: str) -> str:
        """Return the unit of a column's numbers; empty for none."""
        known = self.catalog.dictionary.get(column)
        unit = known.unit if known is not None and known.unit else ""
        return unit or self.catalog.schema.find(column).unit or header_of(column).unit

    def about(self, wish: Constraint) -> str:
        """Return what a wish is about: its column, or the sum of several."""
        total = summed(wish)
        if packs := packs_wished(wish):
            return self._packs(packs)
        if ways := alternatives(wish):
            return listed(dict.fromkeys(self.label(way.column) for way in ways), "or")
        return self.total(total.terms) if total else self.label(wish.column)

    def _packs(self, packs: Packs) -> str:
        """Return what so many packs are called: `price per pack for 18 m2`."""
        held = int(packs.amount) if packs.amount == int(packs.amount) else packs.amount
        return f"{self.label(packs.column)} for {self.value(held, packs.per)}"

    def total(self, terms: Terms) -> str:
        """Return what a sum is called: `6 × rent plus fee`."""
        names = ((times, self.label(name)) for name, times in terms.items())
        return " plus ".join(name if times == 1 else f"{times:g} × {name}" for times, name in names)

    def condition(self, wish: Constraint) -> str:
        """Return what a wish asks of its column: `at most 900`, `diesel or petrol`."""
        if (total := summed(wish)) is not None:
            wish = Constraint(column=next(iter(total.terms)), op=total.op, value=total.number)
        if packs := packs_wished(wish):
            if packs.number is None:
                return "enough"
            wish = Constraint(column=packs.column, op=packs.op, value=packs.number)
        if ways := alternatives(wish):
            return f"either {listed(self.wishes(ways, last='or'), 'or')}"
        column, value = wish.column, wish.value
        if wish.op in PLACE_TESTS:
            return told(place_condition(wish.op, value), wish, self.catalog.schema.places)
        if wish.column is not None and wish.op.startswith("contains"):
            return f"{self._header(wish.column).holding}{self._values(wish)}"
        if wish.op == "ilike" and isinstance(value, str) and value.strip("%_") == value[1:-1]:
            return f"with {quoted(value[1:-1])}"
        if wish.op == "between" and isinstance(value, tuple):
            low, high = (self.value(end, column) for end in value)
            unit = self.unit(column or "") if isinstance(value[0], int | float) else ""
            return f"between {low.removesuffix(f' {unit}')} and {high}"
        text = self._values(wish)
        compared = _MOMENT if wish.op in _MOMENT and _MOMENTS.fullmatch(text) else _COMPARED
        return compared.get(wish.op, "{}").format(text)

    def _values(self, wish: Constraint) -> str:
        if isinstance(wish.value, tuple):
            values = wish.value
            if wish.op in _REFUSING:
                # Who refuses Friday refuses `Monday; Friday` with it.
                whole = {*map(str, values)}
                values = [
                    v
                    for v in values
                    if whole.isdisjoint({part.strip() for part in _LIST.split(str(v))} - {str(v)})
                ]
            if shared := common_beginning(values):
                return f"{shared} (any of {len(values)})"
            return _week_days(values) or listed(
                (self.value(part, wish.column) for part in values), "or"
            )
        return self.value(wish.value, wish.column)

    def wish(self, wish: Constraint) -> str:
        """Return a wish in plain words: `rent at most 900`, `no balcony`."""
        if summed(wish) is not None or packs_wished(wish) is not None:
            return f"{self.about(wish)} {self.condition(wish)}"
        if wish.column is None and alternatives(wish):
            return self.condition(wish)
        if wish.column is None:
            return shown_text(told(words(wish), wish, self.catalog.schema.places), LONGEST)
        header, condition = self._header(wish.column), self.condition(wish)
        if isinstance(wish.value, bool):
            return header.answered(wish.value == (wish.op == "=="))
        if wish.op == "is not null":
            return f"some {header.label}"
        if wish.op == "is null":
            return f"no {header.label}"
        if not header.is_open:
            return f"{header.label} {condition}"
        if wish.op in _REFUSING:
            return f"{header.refused} {self._values(wish)}"
        bounded = wish.op in ("<", ">", "between")
        return f"{header.stem if bounded else header.label} {condition}"

    def wishes(
        self,
        wishes: Iterable[Constraint],
        said: Callable[[Constraint], str] | None = None,
        last: str = "and",
    ) -> list[str]:
        """Return wishes in plain words, those for entries of one list together.

        `said`: the words for one by itself; `last`: the word before the last entry.
        """
        entries = dict[str | None, list[str]]()
        for wish in wishes:
            is_part = wish.op == "contains" and not is_light(wish)
            header = self._header(wish.column) if is_part and wish.column else None
            key = f"{header.label} {header.holding}".strip() if header is not None else None
            told = self.value(wish.value, wish.column) if key else (said or self.wish)(wish)
            entries.setdefault(key or told, []).append(told if key else "")
        return [
            f"{key} {listed(held, last)}" if held[0] else str(key) for key, held in entries.items()
        ]

    def changes(self, before: Sequence[Constraint], after: Sequence[Constraint]) -> list[str]:
        """Return what changed between two lists of wishes, a sentence each, no full stops."""
        gone = [wish for wish in before if not any(_same(wish, other) for other in after)]
        new = [wish for wish in after if not any(_same(wish, other) for other in before)]
        swapped = {*map(topic_of, new)} & {*map(topic_of, gone)}
        known = {*map(topic_of, before)}
        told = [
            self._swap(topic, gone, new)
            for topic in dict.fromkeys(map(topic_of, new))
            if topic in swapped
        ]
        fresh = [wish for wish in new if topic_of(wish) not in known]
        beside = [wish for wish in new if topic_of(wish) in known - swapped]
        told += [f"noted: {listed(self.wishes(fresh, self._noted))}"] if fresh else []
        told += [f"also {listed(self.wishes(beside, self._noted))}"] if beside else []
        # What is one of several ways by now, or is left of them, is no more open than it was.
        ways = [way for wish in new for way in (wish, *alternatives(wish))]
        opened = [
            wish
            for wish in gone
            if topic_of(wish) not in swapped
            and not any(_same(was, way) for was in (wish, *alternatives(wish)) for way in ways)
        ]
        if len(opened) >= MANY or len({*map(topic_of, opened)}) < len(opened):
            told.append(f"open again: {listed(dict.fromkeys(map(self.about, opened)))}")
        else:
            told += [f"{self.about(wish)} is open again{self._no_longer(wish)}" for wish in opened]
        hard = [w for w in after if w.hard and any(_same(w, b) and not b.hard for b in before)]
        told += [f"{listed(map(self.wish, hard))} stays, whatever else gives way"] if hard else []
        return told

    def _noted(self, wish: Constraint) -> str:
        """Return a wish, and that it would only be nice, where that is known."""
        return f"{self.wish(wish)}{', if possible' if is_light(wish) else ''}"

    def _no_longer(self, wish: Constraint) -> str:
        told = isinstance(wish.value, bool) or alternatives(wish)
        return "" if told else f", no longer {self.condition(wish)}"

    def _swap(self, topic: str, gone: Sequence[Constraint], new: Sequence[Constraint]) -> str:
        added = [wish for wish in new if topic_of(wish) == topic]
        exact = {value for wish in added if wish.op in ("==", "in") for value in wish.values}
        now = listed(map(self.condition, added))
        whole = {value for wish in gone if wish.op in ("==", "in") for value in wish.values}
        if exact and exact < whole and len(added) == 1:
            return f"{self.about(added[0])}: only {now} now"
        was = [
            self.condition(wish)
            for wish in gone
            if topic_of(wish) == topic
            and not (wish.op in ("==", "in") and exact.issuperset(wish.values))
            and self.condition(wish) != now
        ]
        return f"{self.about(added[0])}: {now} now" + (
            f", no longer {listed(was, 'or')}" if was else ""
        )

    def gives_way(self, relaxed: Sequence[Constraint]) -> str:
        """Return what gives way: `the rent becomes at most 950 instead of at most 900`."""
        parts = [
            f"the {self.label(wish.column)} becomes {self.condition(wish.to)} instead of "
            f"{self.condition(wish)}"
            if isinstance(wish, MovedConstraint)
            else f"{self.wish(wish)} is given up"
            for wish in relaxed
        ]
        return listed(parts)

    def item(self, row: Row, columns: Iterable[str]) -> str:
        """Return an item by what names it, then the columns that matter, a short list."""
        find, cost_column = self.catalog.schema.find, self.catalog.cost_column
        given = [name for name in self.catalog.columns if row.get(name) is not None]
        ordered = [name for name in given if find(name).ordered]
        cost = [cost_column] if cost_column in given else []
        naming, names = self.naming(row), self.names(row)
        matter = [name for name in dict.fromkeys([*columns, *cost]) if name in given]
        shown = dict.fromkeys([*matter, *ordered[: max(0, FEW - len(matter))]])
        parts = [self.part(row, name) for name in shown if name not in naming]
        return ", ".join(filter(None, [names, *parts[:LISTED]]))

    def naming(self, row: Row) -> list[str]:
        """Return the columns that name an item: the first two texts it has.

        Make, model and code of what is made, where its code comes first.
        """
        columns, find = self.catalog.columns, self.catalog.schema.find
        texts = [c for c in columns if row.get(c) is not None and find(c).family == "text"]
        return _made(texts, row) or texts[:2]

    def names(self, row: Row) -> str:
        """Return what names an item; empty where nothing does."""
        naming = self.naming(row)
        texts = [self.value(row[name], name) for name in naming]
        if len(texts) < 2:
            return "".join(texts)
        if len(texts) > 2:
            make, model, code = texts
            return f"{model if _contains(model, make) else f'{make} {model}'} ({code})"
        first, second = texts
        if _contains(first, second):
            return first
        if _contains(second, first):
            return second
        return f"{first} {second}" if _go_together(*naming) else f"{first} ({second})"

    def told(self, row: Row, name: str) -> str:
        """Return what an item has in a column that is asked about, a day with that of its week."""
        return f"{self.part(row, name)}{_day(row[name])}"

    def part(self, row: Row, name: str) -> str:
        """Return what an item has in a column: `rent 650`, `lift`, `no lift`, `rent not given`."""
        header, value = self._header(name), row[name]
        if value is None or value == []:
            return f"{self.label(name)} not given"
        if isinstance(value, bool):
            return header.answered(value)
        return f"{header.label} {_PARTED.sub(', ', self.value(value, name))}"


def _week_days(values: Sequence[object]) -> str:
    """Return the days of the week that many days are: `a Saturday or Sunday`; empty for others."""
    if len(values) <= LISTED:
        return ""
    try:
        days = {date.fromisoformat(str(value)) for value in values}
    except ValueError:
        return ""
    first, last, found = min(days), max(days), {day.weekday() for day in days}
    reach = range(first.toordinal(), last.toordinal() + 1)
    whole = {day for day in map(date.fromordinal, reach) if day.weekday() in found}
    if len(found) > FEW_DAYS or days != whole:
        return ""
    return f"a {listed((DAYS[day] for day in sorted(found)), 'or')} between {first} and {last}"


def _day(value: object) -> str:
    """Return a day of the week behind a day, in brackets; empty for anything else."""
    return f" ({week_day(value)})" if isinstance(value, date) else ""


def _made(columns: Sequence[str], row: Row) -> list[str]:
    """Return the columns of make, model and code of what a code comes first of; else none."""
    code = columns[0] if columns else ""
    if _CODES.isdisjoint(name_words(code)) or not _CODE.fullmatch(str(row[code])):
        return []
    topics = {topic: name for name in columns[:0:-1] for topic in column_topics(name)[:1]}
    made = [topics[topic] for topic in ("brand", "model") if topic in topics]
    return [*made, code] if len(made) > 1 else []


def _contains(name: str, other: str) -> bool:
    """Return whether a name has all of another text in it: `Roland Air 12` has `Roland`."""
    return f" {other} ".casefold() in f" {name} ".casefold()


def _go_together(first: str, second: str) -> bool:
    """Return whether what two columns hold is one name: a make and a model, two parts of a name."""
    names = name_words(first)[-1:] == name_words(second)[-1:] == ["name"]
    return names or "brand" in column_topics(first)


def is_light(wish: Constraint) -> bool:
    """Return whether a wish is one for what would only be nice, by what is said of it."""
    return wish.weight is not None and wish.weight <= LIGHT and not wish.hard


MORE = {"or": "others"}
"""What those are called that are not listed, behind a word before the last."""


def listed(parts: Iterable[str], last: str = "and") -> str:
    """Return parts as a list in a sentence: `a, b and c`."""
    texts = list(parts)
    if len(texts) > LISTED:
        texts = [*texts[: LISTED - 1], f"{len(texts) - LISTED + 1} {MORE.get(last, 'more')}"]
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {last} {texts[-1]}"


def quoted(text: str) -> str:
    """Return a person's own words in quotation marks, on one line and cut."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return f"“{shown_text(line, LONGEST)}”"


def sentence(text: str) -> str:
    """Return a text as a sentence: a capital first, a full stop last."""
    text = text.strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".?!" else ".")


def _same(first: Constraint, second: Constraint) -> bool:
    return (first.column, first.op, first.value) == (second.column, second.op, second.value)
