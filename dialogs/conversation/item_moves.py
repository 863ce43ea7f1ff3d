"""What a turn does with the items it means: takes, gives back, refuses, asks about, compares.

Each answer is a fetch or two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...engine.answer import Item
from ..extraction.extracted import Extraction
from ..language.column_phrases import column_topics
from ..language.wording import listed, sentence
from .answers import items, more, telling_apart, values
from .asked import Asked
from .changes import said_taken
from .clock_sums import finite
from .differences import differing
from .item_answers import FEW, has, item_of, put_forward, shown_at, told_of, why, why_not
from .items_meant import ItemsMeant
from .naming import Direction
from .negotiation import Negotiation
from .sentences import SHALL_IT, counted, doubt, understood, wished
from .totals import NO_SUM, Sum, total_of

ALL = "tell me all about it"
"""A question for all that is known of an item."""

NOTHING = Asked("", Extraction(()), ())
"""What is asked where nothing is."""

_HELD = re.compile(r"\b(?:taken?|took|picked|chosen|chose|list|basket|booked|got|kept)\b", re.I)
"""Words of a question for what is taken or kept in mind."""

ALL_THE_SAME = "Shall it be that one all the same?"

NO_SUCH = "There is no such item."


def taken_items(
    talk: Negotiation,
    those: ItemsMeant,
    wishes: Sequence[Constraint] = (),
    number: int | None = None,
) -> str:
    """Take items, so many of each; say which. One not shown any more is put forward first.

    `wishes`: what has to hold of them, else it is asked whether they are taken all the same.
    """
    known = meant_now(talk, those)
    rows = known or ([] if those.named or those.offered_row is None else [those.offered_row])
    if those.unsure and len(rows) > 1:
        return which(talk, those)
    lacking = next((row for row in rows if wishes and not has(talk, row, wishes)), None)
    if lacking is not None:
        place = put_forward(talk, lacking)
        told = _told(talk, lacking, NOTHING, [w for w in wishes if not has(talk, lacking, [w])])
        if place is None:
            return told
        talk.place = place
        return f"{told} {ALL_THE_SAME}"
    places = ((row, put_forward(talk, row)) for row in rows)
    taken = [
        talk.take(place, beside=True, number=number) for _, place in places if place is not None
    ]
    if not taken:
        return f"Which one? {understood(talk)}"
    held = {item.row_id for item in talk.basket}
    talk.shortlist = tuple(item for item in talk.shortlist if item.row_id not in held)
    columns = [wish.column for wish in wishes if wish.column]
    told = said_taken(talk, taken, talk.taken_numbers[-len(taken) :], columns)
    told = " ".join([told, *(too_few(talk, row, number) for row in taken)]).strip()
    return f"{told}{f' {NO_SUCH}' if those.lost else ''}"


def meant_now(talk: Negotiation, those: ItemsMeant) -> list[Row]:
    """Return the items meant; of several that one name may mean the only one that fits by now."""
    if not those.unsure:
        return those.rows
    fit = [row for row in those.rows if has(talk, row, talk.preferences.known)]
    return fit if len(fit) == 1 else those.rows


def too_few(talk: Negotiation, row: Row, number: int | None) -> str:
    """Return that there are fewer of an item than are taken, by a column of its stock."""
    for name, held in row.items():
        count, number = finite(held), number or 1
        if count is not None and count < number and "stock" in column_topics(name)[:1]:
            left = max(0, int(count))
            there = "none is" if not left else f"only {left:,} {'is' if left == 1 else 'are'}"
            return sentence(f"but {there} there ({talk.wording.part(row, name)})")
    return ""


def kept_in_mind(talk: Negotiation, those: ItemsMeant) -> str:
    """Keep items in mind, the one offered where none is named; say all that is kept."""
    rows = meant_now(talk, those) or ([] if those.named else [those.offered_row])
    known = {item.row_id for item in talk.shortlist}
    for row in filter(None, rows):
        shown = () if talk.proposal is None else talk.proposal.answer.items
        place = shown_at(talk, row)
        item = item_of(talk, row, Query()) if place is None else shown[place]
        if item is not None and item.row_id not in known:
            talk.shortlist = (*talk.shortlist, item)
    told = kept_so_far(talk)
    return " ".join(filter(None, [told, NO_SUCH if those.lost or not told else ""]))


def kept_so_far(talk: Negotiation) -> str:
    """Return what is kept in mind, as a sentence; empty where nothing is."""
    names = "; ".join(talk.wording.item(item.row, wished(talk)) for item in talk.shortlist)
    return sentence(f"kept in mind: {names}") if names else ""


def held_of(talk: Negotiation, those: ItemsMeant, asked: str = "") -> str:
    """Return what is taken, or kept in mind, where some of it is asked about, by its words too."""
    named = not those.named and _HELD.search(asked) is not None
    taken = named or any(item.row_id in those.ids for item in talk.basket)
    kept = named or any(item.row_id in those.ids for item in talk.shortlist)
    told = [taken_so_far(talk) if taken else "", kept_so_far(talk) if kept else ""]
    return " ".join(filter(None, told))


def which(talk: Negotiation, those: ItemsMeant) -> str:
    """Ask which of some items is meant."""
    rows = meant_now(talk, those)
    if len(rows) == 1 and (place := put_forward(talk, rows[0])) is not None:
        talk.place = place
        return f"{sentence(talk.wording.item(rows[0], wished(talk)))} {SHALL_IT}"
    names = "; or ".join(talk.wording.item(row, telling_apart(talk, row, rows)) for row in rows)
    return f"Which do you mean: {names}?" if names else f"Which one? {understood(talk)}"


def taken_so_far(talk: Negotiation) -> str:
    """Return what is taken, as a sentence; empty where nothing is."""
    rows = [item.row for item in talk.basket]
    return said_taken(talk, rows, talk.taken_numbers) if rows else ""


def given_back(talk: Negotiation, those: ItemsMeant, had: Sequence[Item] = ()) -> str:
    """Take an item no longer that was taken: those named, else the last of `had`, or of all."""
    left = tuple(item for item in talk.shortlist if item.row_id not in those.ids)
    if those.named and len(left) < len(talk.shortlist):
        gone = [item for item in talk.shortlist if item not in left]
        talk.shortlist = left
        return sentence(f"no longer kept in mind: {_names(talk, gone)}")
    if not talk.basket:
        return f"Nothing is taken. {understood(talk)}"
    last = (had or talk.basket)[-1]
    gone = [i for i in talk.basket if (i.row_id in those.ids if those.named else i is last)]
    if not gone:
        return sentence(f"taken is only {_names(talk, talk.basket)}")
    talk.give_back(gone)
    left = f" {taken_so_far(talk)}" if talk.basket else ""
    return f"{sentence(f'no longer taken: {_names(talk, gone)}')}{left}"


def _names(talk: Negotiation, those: Iterable[Item]) -> str:
    return listed(talk.wording.names(item.row) for item in those)


def refused(talk: Negotiation, those: ItemsMeant, asked: Asked) -> str:
    """Offer what was refused no more: ask what must stay, or show the next."""
    proposal, offered = talk.proposal, talk.offered
    held = {item.row_id for item in talk.basket}
    if held and (talk.accepted is not None if not those.named else held & those.ids):
        talk.passed |= those.ids - held
        return given_back(talk, those)
    if proposal is None or offered is None:
        return ""
    if not those.named and proposal.relaxed and not talk.doubtful and proposal.query == talk.query:
        talk.doubtful = proposal.relaxed
        return doubt(talk, proposal.relaxed)
    gone = those.refused
    talk.passed |= gone
    talk.shortlist = tuple(item for item in talk.shortlist if item.row_id not in gone)
    if offered.row_id in gone:
        return more(talk, asked)
    return sentence(f"then not {listed(map(talk.wording.names, those.rows), 'or')}") if gone else ""


def told_of_items(talk: Negotiation, those: ItemsMeant, asked: Asked, total: Sum = NO_SUM) -> str:
    """Return what items have; of the one offered, or of the few that fit, where none is named.

    `total`: what comes to how much.
    """
    rows: Sequence[Row] = meant_now(talk, those)
    if those.named and not rows:
        return NO_SUCH
    if not rows:
        rows = [those.offered.row] if those.offered is not None else _few(talk)
    if not rows:
        return values(talk, asked) if asked.columns else items(talk, asked)
    talk.passed -= those.ids  # Whoever asks about it may take it after all.
    place = shown_at(talk, rows[0]) if len(rows) == 1 else None
    talk.place = talk.place if place is None else place
    return _told_each(talk, rows, asked, total)


def _told_each(talk: Negotiation, rows: Sequence[Row], asked: Asked, total: Sum) -> str:
    """Return what each of some items has, and what comes to how much."""
    wishes = [part.constraint for part in asked.extraction.constraints]
    added = total_of(talk, rows, total)
    tells = not added or asked.columns or wishes
    if not added and not asked.columns:
        asked = replace(asked, columns=total.columns)
    told = [_told(talk, row, asked, wishes) for row in rows] if tells else []
    return " ".join(filter(None, [*told, added]))


def _told(talk: Negotiation, row: Row, asked: Asked, wishes: Sequence[Constraint]) -> str:
    """Return what an item has, behind a yes or no of its own for each thing asked."""
    if wishes:
        told = _says_each(talk, row, wishes)
        columns = {wish.column for wish in wishes}
        told += [talk.wording.told(row, name) for name in asked.columns if name not in columns]
        return sentence(f"{talk.wording.names(row)}: {'; '.join(told)}")
    about = Asked("" if asked.columns else ALL, Extraction(()), asked.columns)
    return told_of(talk, row, about)


def _says_each(talk: Negotiation, row: Row, wishes: Sequence[Constraint]) -> list[str]:
    """Return what is said to each thing asked; of entries of one list together."""
    wishes = [each for wish in wishes for each in _each_entry(wish)]
    columns = [wish.column for wish in wishes if wish.op == "contains"]
    several = {name for name in columns if name and columns.count(name) > 1 and row.get(name)}
    told = [_says(talk, row, wish) for wish in wishes if wish.column not in several]
    for name in several:
        entries = [wish for wish in wishes if wish.column == name]
        each = (
            f"{talk.wording.value(wish.value, name)}: {'yes' if has(talk, row, [wish]) else 'no'}"
            for wish in entries
        )
        told += [*each, talk.wording.part(row, name)]
    return told


def _each_entry(wish: Constraint) -> list[Constraint]:
    """Return what is asked of each entry of a list: `with a stand, or a bench at least`."""
    if wish.op != "contains any":
        return [wish]
    return [Constraint(column=wish.column, op="contains", value=value) for value in wish.values]


def _says(talk: Negotiation, row: Row, wish: Constraint) -> str:
    """Return yes or no, and what an item has: `no hot tub; extras sauna`, `yes, lift`."""
    if wish.column is None:
        return f"{'yes' if has(talk, row, [wish]) else 'no'}, {talk.wording.wish(wish)}"
    told, held = talk.wording.told(row, wish.column), row.get(wish.column)
    if held is None and wish.op == "contains":
        return f"no {talk.wording.value(wish.value, wish.column)} listed"
    if held is None or (isinstance(held, bool) and wish.value is False):
        return told
    if has(talk, row, [wish]):
        return f"yes, {told}"
    if wish.op == "contains":
        return f"no {talk.wording.value(wish.value, wish.column)}; {told}"
    return told if told.startswith(("no ", "not ")) else f"no, {told}"


def _few(talk: Negotiation) -> list[Row]:
    """Return all that fits, where that is little."""
    if not wished(talk) or not 1 <= counted(talk) <= FEW:
        return []
    return [item.row for item in talk.propose().answer.items]


def compared_items(
    talk: Negotiation,
    those: ItemsMeant,
    asked: Asked,
    ways: Sequence[tuple[str, Direction]],
    total: Sum = NO_SUM,
) -> str:
    """Return how items differ; the one named and the one offered, else those shown or that fit.

    `total`: and what these come to.
    """
    rows = those.rows
    if those.named and not rows:
        return NO_SUCH
    if len(rows) == 1 and those.offered_row not in (None, *rows):
        rows = [*rows, *filter(None, [those.offered_row])]
    if len(rows) < 2:
        shown = [item.row for item in those.shown if item.row_id not in talk.passed]
        rows = [*rows, *(row for row in shown or _few(talk) if row not in rows)][:FEW]
    if not rows:
        return f"Nothing is shown yet. {understood(talk)}"
    if asked.extraction.constraints or len(rows) < 2:
        return _told_each(talk, rows, asked, total)
    added = total_of(talk, rows, total, apart=True)
    told = [differing(talk, rows, asked.columns, ways), _apart(talk, rows, asked)]
    told = [*(told if asked.columns or not added else ()), added]
    return " ".join(filter(None, told))


def _apart(talk: Negotiation, rows: Sequence[Row], asked: Asked) -> str:
    """Return how far apart two items are in the one number asked about; empty for anything else."""
    numbers = [row[name] for row in rows for name in asked.columns]
    if len(rows) != 2 or len(numbers) != 2 or any(type(n) not in (int, float) for n in numbers):
        return ""
    apart = round(abs(numbers[0] - numbers[1]), 2)
    return sentence(f"{talk.wording.value(apart, asked.columns[0])} apart") if apart else ""


def why_of(talk: Negotiation, those: ItemsMeant, asked: Asked) -> str:
    """Return why the offered item is offered, or why others are not."""
    if those.named and not those.rows:
        return NO_SUCH
    others = [row for row in those.rows if row != those.offered_row]
    if others:
        return " ".join(why_not(talk, row) for row in others)
    return why(talk, asked)
