"""What a person's words point at: columns by name, ends of columns by grade, items by place.

Columns are found by the extractor's index, grades by the lexicon (`cheaper`, `closest`), in time
linear in the first `READ` characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from ...catalogs.query.constraint import Constraint
from ...catalogs.versions.reader import CatalogReader
from ..extraction.mentions import find_mentions
from ..extraction.ordered_values import order_of
from ..extraction.reading import Reading, named
from ..extraction.value_index import index_of, stems_of
from ..extraction.week_days import days_of
from ..language.column_phrases import NAME_FILLERS, column_phrases, column_topics, name_words
from ..language.grades import grades
from ..language.numbers import ONES
from ..language.tokens import folded, tokens
from ..language.units import spelling

ENDS = frozenset("max min maximum minimum most least".split())
"""Words for an end of a column that names of columns hold, too."""

READ = 2_000
"""Characters of a turn in which columns and places are looked for."""

Direction = Literal["min", "max"]
Span = tuple[int, int]

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
LAST = "last"


def named_values(text: str, catalog: CatalogReader) -> list[Constraint]:
    """Return what a text names of the catalog's values, whole and wished or not, in order.

    A common word, `a` of energy label A, names none.
    """
    index = index_of(catalog)
    reading = Reading(text[:READ], 0, index, {})
    found = {
        (option.column, option.values[0]): None
        for mention in find_mentions(reading)
        for option in mention.options
        if mention.kind == "value"
        and option.how in ("whole", "part")
        and not mention.inside
        and not (mention.first == mention.last and reading.is_common(mention.first))
    }
    return [
        Constraint(
            column=column, op="contains" if index.columns[column].parts else "==", value=value
        )
        for column, value in found
    ]


def values_meant(text: str, catalog: CatalogReader) -> dict[str, set[Any]]:
    """Return the values that a text may name, in full or in part, by column: `the Skydog`."""
    reading = Reading(text[:READ], 0, index_of(catalog), {})
    meant: dict[str, set[Any]] = {}
    for mention in find_mentions(reading):
        common = all(reading.is_common(at) for at in range(mention.first, mention.last + 1))
        if mention.kind == "value" and not common:
            for option in mention.options:
                meant.setdefault(option.column, set()).update(option.values)
    return meant


_OF_WEEK = re.compile(r"\bdays?\s+of\s+the\s+$", re.IGNORECASE)
_FITS = re.compile(
    rf"fits?\b(?!\W+(?:in\W+)?(?:\d|us\b|me\b|(?:{'|'.join(ONES)})\b))", re.IGNORECASE
)
"""What meets all that is wished, and has room for nobody: `the other one that fits`."""


def column_mentions(text: str, catalog: CatalogReader) -> dict[str, list[Span]]:
    """Return the columns that a text names, with the characters that name each, in order.

    A word that names several columns (`mileage`) stands for all of those it names as surely.
    """
    words = tokens(text[:READ])
    stems = [spelling(word.folded) for word in words]
    found: dict[str, list[Span]] = {}
    for first, last, columns in named(stems, index_of(catalog)):
        best, start = max(strength for _, strength in columns), words[first].start
        for column, strength in columns:
            in_week = _OF_WEEK.search(text, max(0, start - 12), start) is not None
            if strength == best and not in_week and _FITS.match(text, start) is None:
                found.setdefault(column, []).append((words[first].start, words[last].end))
    return found


def named_wishes(text: str, columns: Iterable[str], wishes: Sequence[Constraint]) -> list[int]:
    """Return the positions of the wishes that a text names by column or by value."""
    reply, named = f" {' '.join(folded(text[:READ]).split())} ", set(columns)
    return [
        at
        for at, wish in enumerate(wishes)
        if wish.column in named or any(value in reply for value in _texts(wish))
    ]


def _texts(wish: Constraint) -> list[str]:
    return [folded(value) for value in wish.values if isinstance(value, str) and len(value) > 1]


def graded(
    text: str,
    catalog: CatalogReader,
    forms: Sequence[str] = ("more", "most"),
    *,
    worded: bool = False,
) -> list[tuple[str, Direction]]:
    """Return the columns a text wishes lower or higher: `cheaper`, `closest`, `more seats`.

    A word that fits any column (`lower`) goes with the columns that the text names. `worded`: also
    columns of words that have an order, `low` to `high`.
    """
    mentions = column_mentions(text, catalog)
    ordered = [name for name in catalog.columns if _has_order(name, catalog, worded=worded)]
    named = [name for name in mentions if name in ordered]
    meanings = grades()
    # The `max` of `max wind` is a column's own word.
    spans = (span for places in mentions.values() for span in places)
    own = [(start, end) for start, end in spans if not is_graded(text[start:end])]
    words = tokens(text[:READ])
    # `at least` names an end of nothing.
    bounds = {at for at in range(1, len(words)) if words[at - 1].folded == "at"}
    # Nor does the `max` in the name of a column that is meant.
    parts_of_names = {part for name in mentions for part in name_words(name)}
    ends = {part[:3] for part in ENDS & parts_of_names}
    bounds |= {
        at for at, word in enumerate(words) if word.folded in ENDS and word.folded[:3] in ends
    }
    parts = [
        word.folded
        for at, word in enumerate(words)
        if at not in bounds
        and not any(start <= word.start and word.end <= end for start, end in own)
    ]
    phrases = [tuple(parts[at : at + n]) for n in (3, 2, 1) for at in range(len(parts) - n + 1)]
    for phrase in phrases:
        senses = meanings.get(phrase, ())
        if phrase[0] in ("too", "so") and len(phrase) == 2:
            senses = meanings.get(phrase[1:], ())
            senses = [(g.topic, "min" if g.direction == "max" else "max") for g in senses]
        else:
            senses = [(g.topic, g.direction) for g in senses if g.form in forms]
        if found := _columns_of(senses, named, ordered, catalog):
            return found
    return []


def _has_order(name: str, catalog: CatalogReader, *, worded: bool) -> bool:
    """Return whether a column's values can be more and less, or are words that tell which is."""
    texts = [value for value in catalog.profile(name).values if isinstance(value, str)]
    return catalog.schema.find(name).ordered or (worded and bool(order_of(name, texts)))


_COST = r"(?:(?:the\s+)?(?:price|cost)s?|money|budget|expense)"
_ANY_COST = re.compile(
    rf"\b{_COST}\s+(?:(?:is|are|would\s+be)\s+)?no\s+(?:object|issue|problem|concern)\b|"
    rf"\b{_COST}\s+(?:is|are|do|does)(?:n['’]?t|\s+not)\s+(?:really\s+)?"
    r"(?:matter|important|(?:an?|the|any)\s+(?:object|issue|problem|concern))\b|"
    rf"\b(?:whatever|no\s+matter|regardless\s+of)\s+(?:what\s+)?(?:(?:it|they)\s+costs?|{_COST})\b|"
    rf"n['’]?t\s+(?:care|mind)\s+(?:about\s+)?(?:what\s+(?:it|they)\s+costs?|{_COST})\b|"
    r"\bat\s+any\s+(?:price|cost)\b",
    re.IGNORECASE,
)
"""Words of somebody who pays whatever is asked: `money no object`, `the price doesn't matter`."""


def waives_cost(text: str) -> bool:
    """Return whether a text says that what something costs does not matter."""
    return _ANY_COST.search(text[:READ]) is not None


_MOMENTS = ("date", "departure", "arrival")
_LATE = r"open\s+(?:(?:till?|until)\s+)?late|(?:till?|until)\s+late"
_PAYS = r"what\s+(?:do|does|did|would|will)\b.{0,30}?\b(?:pays?|costs?|charges?|earn)"
_ASKED_FOR = (
    (rf"what\s+time|when|how\s+(?:soon|late|early)|{_LATE}", _MOMENTS),
    (rf"how\s+much|{_PAYS}", ("price", "rent", "fee")),
    (r"how\s+many", ("people", "students", "team")),
    (r"where(?:abouts)?", ("place",)),
)
"""Words of a question, and the topics of the columns that it asks for."""

_ENDS_OF = (
    (
        re.compile(
            rf"\bhow\s+late\b|\b(?:un)?till?\s+(?:when|what)\b|\b(?:{_LATE})\b", re.IGNORECASE
        ),
        frozenset("close closes closing end ends until till to finish finishes out".split()),
    ),
    (
        re.compile(r"\bhow\s+early\b|\b(?:from|since)\s+(?:when|what)\b", re.IGNORECASE),
        frozenset("open opens opening start starts begin begins from since in".split()),
    ),
)
"""Words of a question for an end of some time, and of the names of the columns that hold it."""

_WHAT_DAY = re.compile(
    r"\b(?:which|what)\s+(?:(?:week\s?)?day|evening|morning|night)s?\b(?:\s+of\s+the\s+week\b)?",
    re.IGNORECASE,
)
_WHEN_IS_IT = re.compile(
    r"\bwhen(?:['’]?s|\s+(?:is|are))\s+(?:it|that|this|they|these|the\s+\w+)\W*(?:on\W*)?$",
    re.IGNORECASE,
)
_MUCH = re.compile(
    r"\bhow\s+much\s+(?:(?:do|does|did|would|will|can)\s+\w+\s+(?=\w+\W*$))?(\w+)", re.IGNORECASE
)
"""A word that says what there is how much of: `how much fuel does it use`, `does it weigh`."""

_HOW_MUCH = re.compile(rf"how\s+much\b|{_PAYS}", re.IGNORECASE)
_EACH = re.compile(r"\b(?:per|an?|each|every)\s+$", re.IGNORECASE)

_RANGE = re.compile(r"\d(?:[:.]\d\d|\s?[ap]m)\s?(?:[-–]|to|until)\s?\d", re.IGNORECASE)
_QUESTION_WORDS = re.compile(
    rf"{_WHAT_DAY.pattern}|\b(?:{_LATE}|{_PAYS})\b|(?:\b(?:un)?till?\s+|\bfrom\s+)?"
    r"\b(?:what\s+time|when|where(?:abouts)?|how\s+(?!many\b)\w+)\b(?:\s+from\b)?",
    re.IGNORECASE,
)
_ALL_THE_TIME = re.compile(r"\b(?:is|are)\b.{0,30}\b(?:open|available|free)\b", re.IGNORECASE)
_ONE_QUESTION = re.compile(r"(?:(?!\band\b|\bor\b)[^,;:?.!\n])+", re.IGNORECASE)

_HOW = re.compile(r"\bhow\s+(\w+)", re.IGNORECASE)
ASKED_FOR = 3
"""Columns that are told where a question names none."""


def asked_for(text: str, catalog: CatalogReader) -> list[str]:
    """Return the columns that a question's own words ask for: `when is it?`, `how wide?`."""
    topics = set[str]()
    for words, about in _ASKED_FOR:
        if re.search(rf"\b(?:{words})\b", text[:READ], re.IGNORECASE):
            topics = {*about}
            break
    when = not topics.isdisjoint(_MOMENTS)
    for word in _HOW.findall(text[:READ]):
        topics |= {grade.topic for grade in grades().get((word.lower(),), ())} - {"", *_MOMENTS}
    columns = [
        name
        for name in catalog.columns
        if not topics.isdisjoint(_topics_of(name, catalog)) or (when and _is_moment(name, catalog))
    ]
    ends = next((words for asks, words in _ENDS_OF if asks.search(text[:READ])), None)
    if ends is not None:
        told = [name for name in columns if not ends.isdisjoint(name_words(name))]
        columns = told or [name for name in columns if _holds_ranges(name, catalog)]
    return columns[:ASKED_FOR]


def _is_moment(name: str, catalog: CatalogReader) -> bool:
    """Return whether a column holds days, times of day, or both ends of a time: `09:00-17:00`."""
    index = index_of(catalog)
    return name in index.dates or name in index.clocks or _holds_ranges(name, catalog)


def _of_weekdays(catalog: CatalogReader) -> list[str]:
    """Return the columns that hold days of the week."""
    profiles = catalog.profiles()
    return [p.name for p in profiles if any(days_of(str(value)) for value in p.values)]


def _holds_ranges(name: str, catalog: CatalogReader) -> bool:
    return any(_RANGE.search(str(value)) for value in catalog.profile(name).values[:1])


def asked_columns(
    text: str,
    asking: Iterable[Span],
    mentions: Mapping[str, Sequence[Span]],
    catalog: CatalogReader,
) -> dict[str, list[Span]]:
    """Return the columns that a text names, with the characters that name each, in order.

    `asking`: its sentences that ask; `mentions`: what it names by any words. A question that
    names no column asks by its own words, `how much is it`; in one that does, these name none
    of the same kind: `when can we check in`.
    """
    found = {name: list(spans) for name, spans in mentions.items()}
    questions = (q for at, end in asking for q in _ONE_QUESTION.finditer(text, at, min(end, READ)))
    for question in questions:
        if (words := _QUESTION_WORDS.search(question[0])) is None:
            continue
        start, end = (question.start() + at for at in words.span())
        places = [
            (name, place)
            for name, spans in found.items()
            for place, _ in spans
            if question.start() <= place < question.end()
        ]
        own = {name for name, place in places if not start <= place < end}
        by_words = {name for name, _ in places} - own
        times = {name for name in own | by_words if _is_moment(name, catalog)}
        asked = asked_for(question[0], catalog)
        if _WHAT_DAY.match(words[0]) is not None:
            asked = _of_weekdays(catalog)
            gone = by_words.difference(asked) if asked else set[str]()
        elif _WHEN_IS_IT.search(question[0]) and not own & times:
            gone, asked = set[str](), [*_of_weekdays(catalog), *asked][:ASKED_FOR]
        elif _HOW_MUCH.match(words[0]) is not None:
            gone, asked = _how_much(question, places, by_words, asked, catalog)
        elif any(asks.search(question[0]) for asks, _ in _ENDS_OF):
            gone, asked = times, [name for name in asked if name in own] or asked
        elif words[0].casefold().startswith("what"):
            clocks = {name for name in own & times if name not in index_of(catalog).dates}
            gone, asked = by_words, [] if clocks else asked
        else:
            topics = {topic for name in own for topic in column_topics(name)}
            gone = {name for name in by_words if topics.intersection(column_topics(name))}
            gone |= by_words & times if own & times else set[str]()
            gone = set[str]() if _ALL_THE_TIME.search(question[0]) else gone
            asked = [] if own | by_words else asked
        found = {name: spans for name, spans in found.items() if name not in gone}
        for name in asked:
            found.setdefault(name, []).append((start, end))
    return dict(sorted(found.items(), key=lambda pair: pair[1][0]))


def _how_much(
    question: re.Match[str],
    places: Sequence[tuple[str, int]],
    by_words: set[str],
    price: list[str],
    catalog: CatalogReader,
) -> tuple[set[str], list[str]]:
    """Return which columns `how much` does not ask for, and which it does beside those named.

    It asks for the price where no word behind it says of what: `how much fuel does it use`. What
    stands behind `per` is not asked for.
    """
    if (thing := _MUCH.search(question[0])) is not None:
        start, end = (question.start() + at for at in thing.span(1))
        measured = {name for name, place in places if start <= place < end}
        if any(catalog.schema.find(name).ordered for name in measured):
            return by_words, []
        words = {thing[1].casefold(), *(word for name in measured for word in name_words(name))}
        words -= NAME_FILLERS
        numbers = [name for name in catalog.columns if catalog.schema.find(name).ordered]
        phrases = ((name, phrase.split(" ")) for name in numbers for phrase in column_phrases(name))
        used = [name for name, phrase in phrases if len(phrase) > 1 and phrase[0] in words]
        if used:
            return by_words | measured, used[:1]
    text = question.string
    units = {name for name, at in places if _EACH.search(text, max(0, at - 12), at)}
    prices, said = [*dict.fromkeys([*price, *by_words])], set(stems_of(question[0]))
    held = [len(said.intersection(stems_of(name))) for name in prices]
    meant = [name for name, count in zip(prices, held, strict=True) if count == max(held)]
    return {*prices, *units}.difference(meant), meant


_SORT = re.compile(
    r"\b(?:(?:sort|order|rank|arrange)(?:ed|d)?|top|best|first)\b.*?\bby\b(.*)", re.I | re.S
)
_FALLING = re.compile(
    r"\b(?:(?:high|big|large|most|more)\w*\s+to\s|(?:highest|largest|biggest|desc(?:ending)?|"
    r"falling)\b)",
    re.IGNORECASE,
)
_RISING = re.compile(
    r"\b(?:(?:low|small|least|less|cheap)\w*\s+to\s|(?:lowest|smallest|asc(?:ending)?|rising)\b)",
    re.IGNORECASE,
)


def sorted_by(text: str, catalog: CatalogReader) -> tuple[str, Direction] | None:
    """Return the column to sort by, and what comes first: `sort them by price`.

    Without a word for it the end that is liked comes first, of others the lowest.
    """
    asked = _SORT.search(text[:READ])
    if asked is None:
        return None
    columns = (n for n in column_mentions(asked[1], catalog) if catalog.schema.find(n).ordered)
    name = next(columns, None)
    if name is None:
        return None
    falls = catalog.profile(name).desirable == "high" and not _RISING.search(asked[1])
    return name, "max" if falls or _FALLING.search(asked[1]) else "min"


def is_graded(text: str) -> bool:
    """Return whether a text says little or much of something: `cheaper`, which names no column."""
    return tuple(word.folded for word in tokens(text)) in grades()


def _columns_of(
    senses: Sequence[tuple[str, str]],
    named: Sequence[str],
    ordered: Sequence[str],
    catalog: CatalogReader,
) -> list[tuple[str, Direction]]:
    """Return the columns of the first sense that has some, the cost column before others.

    A word of several topics is about what a column's name says first: `younger` of `age (yrs)`.
    """
    found: dict[str, Direction] = {}
    topics = {topic for topic, _ in senses}
    first = {
        name: next((topic for topic in _topics_of(name, catalog) if topic in topics), "")
        for name in catalog.columns
    }
    for topic, direction in senses:
        way: Direction = "min" if direction == "min" else "max"
        # What says little of time, `fastest`, says much of what has no sense of its own.
        own = [name for name in first if first[name] == topic]
        columns = own if topic else [name for name in named if not first[name]]
        for name in columns:
            if name in ordered:
                found.setdefault(name, way)
    cost = catalog.cost_column
    return sorted(found.items(), key=lambda pair: (pair[0] not in named, pair[0] != cost))


def _topics_of(name: str, catalog: CatalogReader) -> list[str]:
    """Return the topics of a column; none of moments where it holds none: `distance from town`."""
    sql_type = catalog.schema.find(name).sql_type
    holds = sql_type.startswith(("DATE", "TIME")) or sql_type == "VARCHAR"
    topics = [topic for topic in column_topics(name) if holds or topic not in _MOMENTS]
    # Litres for 100 km are consumed: the more of them, the less economical.
    return topics if "consumption" not in topics else [t for t in topics if t != "fuel economy"]


def place_of(text: str, count: int) -> int | None:
    """Return the place (from 0) of the item that a short text picks: `the second one`, `3`."""
    parts = [word.folded for word in tokens(text[:READ])]
    if len(parts) > 8:
        return None
    for word in parts:
        if word in ORDINALS:
            return ORDINALS.index(word)
        if word == LAST and count:
            return count - 1
    for at, word in enumerate(parts):
        spelled = ONES.get(word) if word != "one" else None
        number = int(word) if word.isascii() and word.isdigit() and len(word) < 4 else spelled
        picks = len(parts) == 1 or parts[at - 1] in ("number", "no", "item", "nr", "option")
        if number is not None and picks and (at > 0 or len(parts) == 1):
            return int(number) - 1
    return None
