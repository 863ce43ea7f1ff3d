"""The items of the whole catalog that some words describe: by parts of a name and by what is held.

`the Ortega ukulele from 2021`: words of a name lead, values and numbers of any column narrow it
down, in any order. Some look-ups in the index of values a word, and a slice for each of its senses.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import Constraint
from ...catalogs.vectors.row_set import RowSet
from ..extraction.mention import Mention, Option
from ..extraction.mentions import find_mentions
from ..extraction.reading import Reading, named
from ..extraction.value_index import index_of
from ..language.tokens import folded_words
from .item_answers import naming_columns
from .naming import READ
from .negotiation import Negotiation
from .parts import overlaps
from .turn_encoder import Span

BARE = frozenset(
    "the a an and or but not no that this these those it its it's them they both all one ones any "
    "of other others each either two three four five six then so just option number no item place "
    "is next us me we i you my your our his her he she him there here same can could do does will "
    "with in on at for to from which who has have had take takes get buy please yes ok okay".split()
)
"""Words that name no item by themselves."""

APART = re.compile(
    r",|;|/|&|\b(?:and|or|plus|versus|vs?\.?|(?:together|along)\s+with|as\s+well\s+as)(?!\w)",
    re.IGNORECASE,
)
"""What stands between two things that are named."""

_BEFORE_NAMES = frozenset("for to with at on in from of".split())
"""Words behind which it may be said for whom or what an item is: `the flute for Anna`."""

_BETWEEN = frozenset("from of in on the a".split())
"""What stands between a name and a value that tells which item is meant."""

LETTERS = 4
"""Letters of the beginning of a word that stand for it: `nord` of NordNet."""

_SHORTEST = 3
"""Letters of a word that names something by itself, and digits of a number that does."""


@dataclass(frozen=True, slots=True)
class Described:
    """Words that describe items, and the rows of these; `begins`: only bare words are before them.

    `ends`: nothing is said of them behind, as `is too dear` would be.
    """

    span: Span
    rows: RowSet
    begins: bool
    ends: bool


@dataclass(frozen=True, slots=True)
class _Sense:
    """Some words that name values, the rows that hold these, and whether they are of a name.

    `wider`: those rows as well of whose longer name they are a part.
    """

    first: int
    last: int
    rows: RowSet
    of_name: bool
    wider: RowSet


def described(talk: Negotiation, text: str) -> RowSet | None:
    """Return the items that a text describes; None where no word of it is of an item's name.

    None as well where a word that leads is of nothing in the catalog.
    """
    reading = Reading(text[:READ], 0, index_of(talk.catalog), {})
    senses = [*_senses(talk, reading)]
    known = {at for sense in senses for at in range(sense.first, sense.last + 1)}
    known |= _columns_in(reading)
    for at, word in enumerate(reading.folded):
        if at in known or word in BARE or not word[0].isalnum():
            continue
        if word in _BEFORE_NAMES or (
            known and not _BEFORE_NAMES.isdisjoint(reading.folded[max(known) : at])
        ):
            continue
        sense = _of_part(talk, at, word)
        if sense is None and not reading.is_common(at):
            return None
        senses += [] if sense is None else [sense]
    return _together(senses)


def _columns_in(reading: Reading) -> set[int]:
    """Return the words that name columns: the `class` of `the Japanese class`."""
    spans = named(reading.stems, reading.index)
    return {at for first, last, _ in spans for at in range(first, last + 1)}


def parts_of(talk: Negotiation, text: str) -> list[Span]:
    """Return the characters of the parts of a text, between words that stand between names.

    What stands within a whole name, `Bat & Ball`, parts nothing.
    """
    ends = [match.span() for match in APART.finditer(text)]
    wholes = whole_names(talk, text) if ends else []
    ends = [span for span in ends if not overlaps(span, wholes)]
    return list(zip([0, *(b for _, b in ends)], [*(a for a, _ in ends), len(text)], strict=True))


def whole_names(talk: Negotiation, text: str) -> list[Span]:
    """Return the characters of the names of items that stand whole in a text, of several words."""
    reading = Reading(text[:READ], 0, index_of(talk.catalog), {})
    names = naming_columns(talk)
    return [
        (reading.words[mention.first].start, reading.words[mention.last].end)
        for mention in find_mentions(reading)
        if mention.kind == "value"
        and mention.last > mention.first
        and not mention.inside
        and any(option.column in names and option.how == "whole" for option in mention.options)
    ]


def descriptions(talk: Negotiation, text: str) -> Iterator[Described]:
    """Yield what in each part of a text describes items, by words that stand together."""
    for start, end in parts_of(talk, text):
        reading = Reading(text[start:end][:READ], 0, index_of(talk.catalog), {})
        words = reading.words
        for group in _groups(reading, sorted(_senses(talk, reading), key=lambda s: s.first)):
            if (rows := _together(group)) is not None:
                first, last = group[0].first, group[-1].last
                span = (start + words[first].start, start + words[last].end)
                begins = all(word in BARE for word in reading.folded[:first])
                yield Described(span, rows, begins, not _is_said_of(reading, last))


def _groups(reading: Reading, senses: Sequence[_Sense]) -> Iterator[list[_Sense]]:
    """Yield the words that stand together: `jazz bass`, `from 2015`, `in Bath`."""
    group = list[_Sense]()
    columns = _columns_in(reading)
    for sense in senses:
        between = range(group[-1].last + 1, sense.first) if group else ()
        if any(at not in columns and reading.folded[at] not in _BETWEEN for at in between):
            yield group
            group = []
        group.append(sense)
    if group:
        yield group


_SAID_OF = frozenset(
    "is are was were has have had does do did can cannot could will would should won looks seems "
    "sounds costs".split()
)
"""Words behind what is named that begin to say something of it."""


def _is_said_of(reading: Reading, last: int) -> bool:
    behind = re.split("['’]|n['’]t$", "".join(reading.folded[last + 1 : last + 2]))
    return behind[0] in _SAID_OF


def _together(senses: Collection[_Sense]) -> RowSet | None:
    """Return the rows that all of some words are of; None where none is of a name.

    A whole name means the item of this name, and where none such has the rest, those of longer
    ones.
    """
    if not any(sense.of_name for sense in senses):
        return None
    ordered = sorted(senses, key=lambda sense: not sense.of_name)
    rows = reduce(RowSet.__and__, (sense.rows for sense in ordered))
    return rows if len(rows) else reduce(RowSet.__and__, (sense.wider for sense in ordered))


def _senses(talk: Negotiation, reading: Reading) -> Iterator[_Sense]:
    """Yield the words of a text that name values, and the rows that hold these."""
    names = naming_columns(talk)
    by_place: dict[tuple[int, int], list[Option]] = {}
    for mention in find_mentions(reading):
        if _names_values(reading, mention):
            by_place.setdefault((mention.first, mention.last), []).extend(mention.options)
    places = [*by_place]
    for first, last in places:
        span = (first, last + 1)
        if any(
            other != span and overlaps(span, [other]) and other[1] - other[0] > last + 1 - first
            for other in ((a, b + 1) for a, b in places)
        ):
            continue
        options = by_place[first, last]
        rows = [found for option in options if (found := _rows(talk, option)) is not None]
        if rows:
            of_name = any(option.column in names for option in options)
            held = reduce(_either, rows)
            wholes = [o for o in options if o.how == "whole" and o.column in names]
            longer = (_holding(talk, o.column, str(o.values[0])) for o in wholes)
            yield _Sense(first, last, held, of_name, reduce(_either, longer, held))


def _names_values(reading: Reading, mention: Mention) -> bool:
    """Return whether a mention is of values, and not of words that are in every name."""
    words = reading.folded[mention.first : mention.last + 1]
    if mention.inside or all(word in BARE or len(word) < _SHORTEST for word in words):
        return False
    fuzzy = all(option.how == "fuzzy" for option in mention.options)
    if mention.kind == "number":
        return len(words) == 1 and words[0].isdecimal()
    return mention.kind == "value" and not (fuzzy and reading.is_common(mention.first))


def _rows(talk: Negotiation, option: Option) -> RowSet | None:
    """Return the rows that hold what words may mean; None where that cannot be asked for."""
    column, values = option.column, option.values
    if option.how == "number":
        wish = Constraint(column=column, op="==", value=values[0])
    else:
        listed = index_of(talk.catalog).columns[column].parts
        wish = Constraint(column=column, op="contains any" if listed else "in", value=values)
    try:
        return talk.catalog.slice([talk.catalog.bind(wish)])
    except QueryError:
        return None


def _either(one: RowSet, other: RowSet) -> RowSet:
    return RowSet.of_ids(np.union1d(one.ids, other.ids), one.universe)


def _of_part(talk: Negotiation, at: int, word: str) -> _Sense | None:
    """Return the rows of whose name a word is a part, or the beginning of one; None for none."""
    bare = "".join(folded_words(word))
    if len(bare) < LETTERS:
        return None
    found = [_holding(talk, name, bare) for name in naming_columns(talk)]
    rows = reduce(_either, found) if found else None
    return _Sense(at, at, rows, True, rows) if rows is not None and len(rows) else None


def _holding(talk: Negotiation, column: str, words: str) -> RowSet:
    """Return the rows of which a column of names holds some words."""
    pattern = f"%{words.replace('%', '').replace('_', '')}%"
    return talk.catalog.slice(
        [talk.catalog.bind(Constraint(column=column, op="ilike", value=pattern))]
    )
