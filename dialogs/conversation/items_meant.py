"""The items that a turn means, by the numbers they were shown by or by name.

Numbers are those of the items shown when the person spoke. A name that no item shown has is looked
up in the columns that name items, a few passes over each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...catalogs.errors import QueryError, one_line
from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...catalogs.vectors.row_set import RowSet
from ...engine.answer import Item
from ..language.tokens import folded_words
from .described_items import described, descriptions
from .item_answers import FEW, has, item_asked_about, item_of, naming_columns
from .named_items import last_said
from .negotiation import Negotiation

LONG = 7
"""Digits of what is no number of an item any more."""

LONGEST = 200
"""Characters of a name that are looked up."""

LOOKED_UP = 5
"""Names of one move that are looked up beside those of what is shown."""

LONGEST_MAKE = 3
"""Words of a make, at most, behind which its model is looked for."""

MOST_ALIKE = 20
"""Items of one name among which those that meet what is wished are looked for."""

_KEPT = re.compile(r"([tk])([1-9]\d?)")
"""What an item that is taken is called, and one kept in mind: `t1`, `k1`."""

_NUMBER = re.compile(
    r"(?:the\s+)?[^\w\s]?(\d[\d,]*(?:\.\d+)?)\s*[^\W\d]{0,8}(?:\s+one)?", re.IGNORECASE
)
"""A name that is a number: `the 1330 one`, `54 cm`."""

PLAIN = frozenset("ordinary normal standard regular plain basic usual".split())
"""Words for the one of several whose name has nothing more than that of each other."""

Found = dict[int, Row]
"""Rows by their ids."""


@dataclass(frozen=True)
class ItemsMeant:
    """The items that were meant, by their row ids.

    `named`: some were, whether there are such or not; `offered`: the item that was offered then;
    `shown`: the items shown then; `unsure`: one name may mean several of them; `lost`: one is none.
    """

    named: bool
    found: Found
    offered: Item | None
    shown: tuple[Item, ...]
    unsure: bool = False
    lost: bool = False

    @property
    def rows(self) -> list[Row]:
        """The rows of the items, in the order in which they were named."""
        return list(self.found.values())

    @property
    def ids(self) -> frozenset[int]:
        """The row ids of the items."""
        return frozenset(self.found)

    @property
    def offered_row(self) -> Row | None:
        """The row of the item that was offered."""
        return None if self.offered is None else self.offered.row

    @property
    def refused(self) -> frozenset[int]:
        """The row ids of what a refusal means: the items named, else the one offered."""
        offered = frozenset[int]() if self.offered is None else frozenset({self.offered.row_id})
        return self.ids if self.named else offered

    def beside(self, others: ItemsMeant) -> ItemsMeant:
        """Return these items and others that were meant at the same moment."""
        return replace(
            self,
            named=self.named or others.named,
            found=self.found | others.found,
            unsure=self.unsure or others.unsure,
            lost=self.lost or others.lost,
        )


def meant(talk: Negotiation, given: Sequence[int | str], offered: Item | None = None) -> ItemsMeant:
    """Return the items that are given by their numbers or names; `offered`: what `it` means."""
    shown = () if talk.proposal is None else talk.proposal.answer.items
    found: Found = {}
    left, unsure, lost = LOOKED_UP, False, False
    for name in given:
        is_number = isinstance(name, int) or (name.strip().isdecimal() and len(name) < LONG)
        number = int(name) if is_number else None
        if number is not None:
            those = shown[number - 1 : number] if number > 0 else ()
            found |= {item.row_id: item.row for item in those}
            lost |= not those
            continue
        whole = one_line(str(name))[:LONGEST].strip()
        kept = _KEPT.fullmatch(whole)
        among = () if kept is None else talk.basket if kept[1] == "t" else talk.shortlist
        if kept is not None and (at := int(kept[2])) <= len(among):
            found |= {item.row_id: item.row for item in among[at - 1 : at]}
            continue
        those = {i.row_id: i.row for i in shown if whole.casefold() in _called(talk, i.row)}
        if not those and left:
            left -= 1
            those = _most_wished(talk, _looked_up(talk, whole) or _plain(talk, whole))
        unsure, lost = unsure or len(those) > 1, lost or not those
        found |= those
    return ItemsMeant(bool(given), found, offered or talk.offered, tuple(shown), unsure, lost)


def _plain(talk: Negotiation, name: str) -> Found:
    """Return the plain one of several items that a name, `the ordinary Fern`, means."""
    words = name.split()
    left = [word for word in words if word.casefold() not in PLAIN]
    if len(left) == len(words):
        return {}
    if not left:
        return _plain_of_told(talk)
    those = _looked_up(talk, " ".join(left))
    rows = plainest(talk, [*those.values()])
    return {at: row for at, row in those.items() if row in rows}


def _plain_of_told(talk: Negotiation) -> Found:
    """Return the item, told of or shown, whose name is a part of that of all told of last."""
    told = told_last(talk)
    shown = () if talk.proposal is None else talk.proposal.answer.items
    pool = told | {item.row_id: item.row for item in shown}
    names = {at: _first_name(talk, row) for at, row in pool.items()}
    within = [at for at in pool if names[at] and all(names[at] in names[one] for one in told)]
    short = sorted(within, key=lambda at: len(names[at]))[: 1 if told else 0]
    return {at: pool[at] for at in short}


def _first_name(talk: Negotiation, row: Row) -> str:
    """Return the words of an item's name, in the first column that names it."""
    texts = (str(row[name]) for name in talk.wording.naming(row))
    return " ".join(folded_words(next(texts, "")))


def plainest(talk: Negotiation, rows: Sequence[Row]) -> list[Row]:
    """Return the row of several whose name is a part of that of each other; all where none is."""
    held = [_first_name(talk, row) for row in rows]
    short = [
        row for row, own in zip(rows, held, strict=True) if own and all(own in n for n in held)
    ]
    return short[:1] if len(rows) > 1 and short else [*rows]


def spoken_of(talk: Negotiation) -> Item | None:
    """Return the item that `it` means: the only one the last reply named, else the one offered.

    Of several whose names hold one another the plain one.
    """
    offered = talk.offered
    if offered is not None and talk.wording.names(offered.row) in last_said(talk):
        return offered
    rows = plainest(talk, [*told_last(talk).values()])
    return (item_of(talk, rows[0], Query()) if len(rows) == 1 else None) or offered


def told_last(talk: Negotiation) -> Found:
    """Return the items that the last reply named by their whole names: those near, else others."""
    shown = () if talk.proposal is None else talk.proposal.answer.items
    at_hand = {item.row_id: item.row for item in (*shown, *talk.basket, *talk.shortlist)}
    text, those = last_said(talk), Found()
    if told := {at: row for at, row in at_hand.items() if talk.wording.names(row) in text}:
        return told
    for words in descriptions(talk, text):
        if len(words.rows) <= MOST_ALIKE:
            those |= _fetched(talk, words.rows)
    return {at: row for at, row in those.items() if talk.wording.names(row) in text}


def _most_wished(talk: Negotiation, those: Found) -> Found:
    """Return those of several items of a name that were told of, and meet most of the wishes.

    All of them where none was told of: nobody takes what they have not heard of.
    """
    if len(those) < 2:
        return those
    replies = [message.content for message in talk.messages if message.role == "assistant"]
    names = {at: talk.wording.names(row) for at, row in those.items()}
    told = {at for at, name in names.items() if any(name in reply for reply in replies)}
    if not told:
        return those
    those = {at: row for at, row in those.items() if at in told}
    known = talk.preferences.known
    met = {at: sum(has(talk, row, [wish]) for wish in known) for at, row in those.items()}
    return {at: row for at, row in those.items() if met[at] == max(met.values())}


def _called(talk: Negotiation, row: Row) -> list[str]:
    """Return what an item is called, as a whole and in each column that names it."""
    texts = (str(row[name]) for name in talk.wording.naming(row))
    return [text.casefold() for text in (talk.wording.names(row), *texts)]


def _looked_up(talk: Negotiation, name: str) -> Found:
    """Return the items of a name, or the few of whose name it is a part."""
    bare = name.encode("utf-8", "ignore").decode().replace("%", "").replace("_", " ").strip()
    before, _, behind = bare.rpartition(" (")
    parts = [before, behind[:-1]] if before and behind.endswith(")") else [bare]
    bare = parts[0]
    if not bare:
        return {}
    try:
        columns = naming_columns(talk)
        for both in _pairs(columns, parts):
            if found := _called_like(talk, both):
                return found
        if found := _like(talk, columns, bare):
            return found
        if len(only := _described(talk, bare)) == 1:
            return only
        if (other := item_asked_about(talk, bare)) is not None:
            rows = _fetched(talk, talk.catalog.slice([talk.catalog.bind(other.by)]))
            return {at: row for at, row in rows.items() if row == other.row}
        return _like(talk, columns, f"%{bare}%") or _bearing(talk, bare) or only
    except QueryError:
        return {}


def _described(talk: Negotiation, name: str) -> Found:
    """Return the few items that words of names and values describe."""
    those = described(talk, name)
    return {} if those is None or len(those) > MOST_ALIKE else _fetched(talk, those)


def _bearing(talk: Negotiation, name: str) -> Found:
    """Return the few items that have a number which a name is: `the 1330 one`."""
    said, those = _NUMBER.fullmatch(name), Found()
    if said is None:
        return those
    value = float(said[1].replace(",", ""))
    for column in talk.catalog.schema.columns:
        if column.family == "numeric":
            wish = Constraint(column=column.name, op="==", value=value)
            rows = talk.catalog.slice([talk.catalog.bind(wish)])
            those |= _fetched(talk, rows) if len(rows) <= FEW else {}
    return those


def _pairs(columns: Sequence[str], parts: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    """Yield what each of some columns would hold of an item of a name.

    `Lamp (Philips)` or, of make, model and code, `Philips Hue (L12)` and `Philips Hue`.
    """
    if len(columns) < 3:
        if len(parts) > 1:
            yield list(zip(columns, parts, strict=False))
        return
    if len(parts) > 1:
        yield [(columns[2], parts[1])]
    words = parts[0].split()
    for at in range(1, min(len(words), LONGEST_MAKE + 1)):
        yield [(columns[0], " ".join(words[:at])), (columns[1], " ".join(words[at:]))]


def _called_like(talk: Negotiation, named: Sequence[tuple[str, str]]) -> Found:
    """Return the few rows of which each of some columns is like a text."""
    if not named:
        return {}
    wishes = [Constraint(column=column, op="ilike", value=text) for column, text in named]
    those = talk.catalog.slice([talk.catalog.bind(wish) for wish in wishes])
    return _fetched(talk, those) if 0 < len(those) <= MOST_ALIKE else {}


def _like(talk: Negotiation, columns: Sequence[str], pattern: str) -> Found:
    """Return the few rows of which a column that names them is like a pattern."""
    found = (_called_like(talk, [(column, pattern)]) for column in columns)
    return next((those for those in found if 0 < len(those) <= FEW), Found())


def _fetched(talk: Negotiation, those: RowSet) -> Found:
    """Return the rows of a set by their ids."""
    ids: list[int] = those.ids.tolist()
    return dict(zip(ids, talk.catalog.fetch(ids), strict=True))
