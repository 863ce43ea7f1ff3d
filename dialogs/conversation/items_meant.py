"""Items that a turn means by number or by name, and what it does with them.

Numbers are those of the items shown when the person spoke. Each answer is a fetch or two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ..extraction.extracted import Extraction
from ..language.wording import listed, sentence
from .answers import items, more, values
from .asked import Asked
from .comparisons import differing
from .item_answers import FEW, TELLING, has, item_asked_about, naming_columns, told_of, why
from .moves import taken
from .naming import Direction
from .negotiation import Negotiation
from .sentences import counted, doubt, understood, wished

ALL = "tell me all about it"
"""A question for all that is known of an item."""


@dataclass(frozen=True)
class ItemsMeant:
    """The rows of the items that were meant, with their row ids; all of them where none is named.

    `named`: some were; `offered`: the item that was offered then; `shown`: the items shown then.
    """

    named: bool
    rows: tuple[Row, ...]
    ids: frozenset[int]
    offered: Row | None
    shown: tuple[Row, ...]


def meant(talk: Negotiation, given: Sequence[int | str]) -> ItemsMeant:
    """Return the items that are given by their numbers or names."""
    shown = () if talk.proposal is None else talk.proposal.answer.items
    rows, ids = list[Row](), set[int]()
    for name in given:
        if isinstance(name, int):
            those = shown[name - 1 : name] if name > 0 else ()
            rows += [item.row for item in those]
            ids |= {item.row_id for item in those}
        else:
            for row in _named(talk, name, [item.row for item in shown]):
                rows.append(row)
                bound = [talk.catalog.bind(wish) for wish in _of_row(row)]
                ids |= {*map(int, talk.catalog.slice(bound).ids.tolist())}
    offered = None if talk.offered is None else talk.offered.row
    return ItemsMeant(
        bool(given), tuple(rows), frozenset(ids), offered, tuple(item.row for item in shown)
    )


def _named(talk: Negotiation, name: str, shown: Sequence[Row]) -> list[Row]:
    """Return the items of a name, those shown first; a few at most where it is a part of theirs."""
    whole = name.strip().casefold()
    those = [
        row for row in shown if whole in (talk.wording.names(row).casefold(), *_texts(talk, row))
    ]
    if those:
        return those
    bare = re.sub(r"\s*\([^()]*\)$|[%_]", "", name.strip())
    for pattern in (bare, f"%{bare}%") if bare else ():
        for column in naming_columns(talk):
            wish = Constraint(column=column, op="ilike", value=pattern)
            ids = talk.catalog.slice([talk.catalog.bind(wish)]).ids.tolist()
            if 0 < len(ids) <= FEW:
                return talk.catalog.fetch(ids)
        if (other := item_asked_about(talk, name)) is not None:
            return [other.row]
    return []


def _texts(talk: Negotiation, row: Row) -> list[str]:
    """Return what an item is called in each column that names it."""
    return [str(row[name]).casefold() for name in talk.wording.naming(row)]


def _of_row(row: Row) -> list[Constraint]:
    """Return wishes that an item alone meets, or its like."""
    return [
        Constraint(column=name, op="==", value=value)
        for name, value in row.items()
        if isinstance(value, str | int | date) and len(str(value)) <= TELLING
    ]


def _place_of(talk: Negotiation, row: Row) -> int | None:
    """Return the place of an item among those shown now."""
    shown = [] if talk.proposal is None else [item.row for item in talk.proposal.answer.items]
    return shown.index(row) if row in shown else None


def taken_item(talk: Negotiation, those: ItemsMeant) -> str:
    """Take an item; say which. One that is not shown any more is put forward first."""
    row = those.rows[0] if those.rows else None if those.named else those.offered
    if row is None:
        return f"Which one? {understood(talk)}"
    if len(those.rows) > 1:
        return sentence(f"one at a time: {listed(map(talk.wording.names, those.rows), 'or')}?")
    place = _place_of(talk, row)
    if place is None:
        talk.propose_instead(Query(base=tuple(_of_row(row))))
        place = _place_of(talk, row)
    return f"Which one? {understood(talk)}" if place is None else taken(talk, talk.take(place))


def given_back(talk: Negotiation, those: ItemsMeant) -> str:
    """Take the item that was taken no longer."""
    held = None if talk.accepted is None else talk.offered
    if held is None:
        return f"Nothing is taken. {understood(talk)}"
    if those.named and held.row_id not in those.ids:
        return sentence(f"taken is only {talk.wording.names(held.row)}")
    talk.accepted = talk.ended = None
    return sentence(f"no longer taken: {talk.wording.names(held.row)}")


def refused(talk: Negotiation, those: ItemsMeant, asked: Asked) -> str:
    """Offer what was refused no more: ask what must stay, or show the next."""
    proposal, offered = talk.proposal, talk.offered
    if proposal is None or offered is None:
        return ""
    if not those.named and proposal.relaxed and not talk.doubtful and proposal.query == talk.query:
        talk.doubtful = proposal.relaxed
        return doubt(talk, proposal.relaxed)
    gone = those.ids if those.named else {offered.row_id}
    talk.passed |= gone
    return more(talk, asked) if offered.row_id in gone else ""


def told_of_items(
    talk: Negotiation, those: ItemsMeant, asked: Asked, times: float | None = None
) -> str:
    """Return what items have; of the one offered, or of the few that fit, where none is named.

    `times`: and what their numbers in the columns asked about come to, so many times.
    """
    rows: Sequence[Row] = those.rows
    if not rows and not those.named:
        rows = [those.offered] if those.offered is not None else _few(talk)
    if not rows:
        return values(talk, asked) if asked.columns else items(talk, asked)
    talk.passed -= those.ids  # Whoever asks about it may take it after all.
    place = _place_of(talk, rows[0]) if len(rows) == 1 else None
    talk.place = talk.place if place is None else place
    told: list[str] = []
    for row in rows:
        told += [_told(talk, row, asked), _total(talk, row, asked, times) if times else ""]
    return " ".join(filter(None, told))


def _told(talk: Negotiation, row: Row, asked: Asked) -> str:
    """Return what an item has, after a yes or no where one thing is asked."""
    wishes = [part.constraint for part in asked.extraction.constraints]
    columns = [wish.column for wish in wishes if wish.column]
    if wishes:
        # Each a yes or no of its own.
        told = [_says(talk, row, wish) for wish in wishes]
        told += [talk.wording.part(row, name) for name in asked.columns if name not in columns]
        return sentence(f"{talk.wording.names(row)}: {'; '.join(told)}")
    about = Asked("" if asked.columns else ALL, Extraction(()), asked.columns, "")
    return told_of(talk, row, about)


def _says(talk: Negotiation, row: Row, wish: Constraint) -> str:
    """Return yes or no, and what an item has: `no hot tub; extras sauna`, `yes, lift`."""
    told = talk.wording.part(row, wish.column or "")
    if row.get(wish.column or "") is None:
        return told
    if has(talk, row, [wish]):
        return f"yes, {told}"
    if wish.op == "contains":
        return f"no {talk.wording.value(wish.value, wish.column)}; {told}"
    return told if told.startswith("no ") else f"no, {told}"


def _total(talk: Negotiation, row: Row, asked: Asked, times: float) -> str:
    """Return what an item's numbers come to, as a sentence; empty where one is not known."""
    numbers = [row[name] for name in asked.columns]
    if not numbers or any(type(number) not in (int, float) for number in numbers):
        return ""
    if len(numbers) < 2 and times == 1:
        return ""
    number = round(times * sum(numbers), 2)
    return sentence(f"together {talk.wording.value(number, asked.columns[0])}")


def _few(talk: Negotiation) -> list[Row]:
    """Return all that fits, where that is little."""
    if not wished(talk) or not 1 <= counted(talk) <= FEW:
        return []
    return [item.row for item in talk.propose().answer.items]


def compared_items(
    talk: Negotiation, those: ItemsMeant, asked: Asked, ways: Sequence[tuple[str, Direction]]
) -> str:
    """Return how items differ; the one named and those shown, or the few that fit."""
    rows = list(those.rows)
    if len(rows) < 2:
        others = those.shown or tuple(_few(talk))
        rows = [*rows, *(row for row in others if row not in rows)][:FEW]
    if not rows:
        return f"Nothing is shown yet. {understood(talk)}"
    return " ".join(
        filter(None, [differing(talk, rows, asked, asked.columns, ways), _apart(talk, rows, asked)])
    )


def _apart(talk: Negotiation, rows: Sequence[Row], asked: Asked) -> str:
    """Return how far apart two items are in the one number asked about; empty for anything else."""
    numbers = [row[name] for row in rows for name in asked.columns]
    if len(rows) != 2 or len(numbers) != 2 or any(type(n) not in (int, float) for n in numbers):
        return ""
    apart = round(abs(numbers[0] - numbers[1]), 2)
    return sentence(f"{talk.wording.value(apart, asked.columns[0])} apart") if apart else ""


def why_of(talk: Negotiation, those: ItemsMeant, asked: Asked) -> str:
    """Return why the offered item is offered, or why another is not."""
    name = talk.wording.names(those.rows[0]) if those.rows else ""
    return why(talk, Asked(name, asked.extraction, asked.columns, name))
