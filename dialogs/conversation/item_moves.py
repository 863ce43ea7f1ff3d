"""What a turn does with the items it means: takes, gives back, refuses, asks about, compares.

Each answer is a fetch or two.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ..extraction.extracted import Extraction
from ..language.sums import Terms
from ..language.wording import listed, sentence
from .answers import items, more, values
from .asked import Asked
from .comparisons import differing
from .item_answers import FEW, has, known_by, shown_at, told_of, why, why_not
from .items_meant import ItemsMeant
from .moves import taken
from .naming import Direction
from .negotiation import Negotiation
from .sentences import counted, doubt, understood, wished
from .totals import NO_TERMS, total_of

ALL = "tell me all about it"
"""A question for all that is known of an item."""

NO_SUCH = "There is no such item."


def taken_item(talk: Negotiation, those: ItemsMeant, wishes: Sequence[Constraint] = ()) -> str:
    """Take an item; say which. One that is not shown any more is put forward first.

    `wishes`: what has to hold of it, else it is not taken.
    """
    if len(those.rows) > 1:
        return sentence(f"one at a time: {listed(map(talk.wording.names, those.rows), 'or')}?")
    row = those.rows[0] if those.rows else None if those.named else those.offered_row
    if row is not None and wishes and not has(talk, row, wishes):
        asked = Asked("", Extraction(()), (), "")
        return f"{_told(talk, row, asked, wishes)} So it is not taken."
    place = None if row is None else shown_at(talk, row)
    if row is not None and place is None and (wishes := known_by(row)):
        talk.propose_instead(Query(base=tuple(wishes)))
        place = shown_at(talk, row)
    return f"Which one? {understood(talk)}" if place is None else taken(talk, talk.take(place))


def given_back(talk: Negotiation, those: ItemsMeant) -> str:
    """Take the item that was taken no longer."""
    if talk.accepted is None or talk.taken is None:
        return f"Nothing is taken. {understood(talk)}"
    name = talk.wording.names(talk.taken.row)
    if those.named and talk.taken.row_id not in those.ids:
        return sentence(f"taken is only {name}")
    talk.accepted = talk.ended = None
    return sentence(f"no longer taken: {name}")


def refused(talk: Negotiation, those: ItemsMeant, asked: Asked) -> str:
    """Offer what was refused no more: ask what must stay, or show the next."""
    proposal, offered = talk.proposal, talk.offered
    held = talk.taken if talk.accepted is not None else None
    if held is not None and (not those.named or held.row_id in those.ids):
        return given_back(talk, those)
    if proposal is None or offered is None:
        return ""
    if not those.named and proposal.relaxed and not talk.doubtful and proposal.query == talk.query:
        talk.doubtful = proposal.relaxed
        return doubt(talk, proposal.relaxed)
    gone = those.refused
    talk.passed |= gone
    if offered.row_id in gone:
        return more(talk, asked)
    return sentence(f"then not {listed(map(talk.wording.names, those.rows), 'or')}") if gone else ""


def told_of_items(
    talk: Negotiation, those: ItemsMeant, asked: Asked, total: Terms = NO_TERMS
) -> str:
    """Return what items have; of the one offered, or of the few that fit, where none is named.

    `total`: and what these come to.
    """
    rows: Sequence[Row] = those.rows
    if those.named and not rows:
        return NO_SUCH
    if not rows:
        rows = [those.offered.row] if those.offered is not None else _few(talk)
    if not rows:
        return values(talk, asked) if asked.columns else items(talk, asked)
    talk.passed -= those.ids  # Whoever asks about it may take it after all.
    place = shown_at(talk, rows[0]) if len(rows) == 1 else None
    talk.place = talk.place if place is None else place
    wishes = [part.constraint for part in asked.extraction.constraints]
    told = [_told(talk, row, asked, wishes) for row in rows]
    return " ".join(filter(None, [*told, total_of(talk, rows, total)]))


def _told(talk: Negotiation, row: Row, asked: Asked, wishes: Sequence[Constraint]) -> str:
    """Return what an item has, behind a yes or no of its own for each thing asked."""
    if wishes:
        told = [_says(talk, row, wish) for wish in wishes]
        columns = {wish.column for wish in wishes}
        told += [talk.wording.part(row, name) for name in asked.columns if name not in columns]
        return sentence(f"{talk.wording.names(row)}: {'; '.join(told)}")
    about = Asked("" if asked.columns else ALL, Extraction(()), asked.columns, "")
    return told_of(talk, row, about)


def _says(talk: Negotiation, row: Row, wish: Constraint) -> str:
    """Return yes or no, and what an item has: `no hot tub; extras sauna`, `yes, lift`."""
    if wish.column is None:
        return f"{'yes' if has(talk, row, [wish]) else 'no'}, {talk.wording.wish(wish)}"
    told = talk.wording.part(row, wish.column)
    if row.get(wish.column) is None:
        return told
    if has(talk, row, [wish]):
        return f"yes, {told}"
    if wish.op == "contains":
        return f"no {talk.wording.value(wish.value, wish.column)}; {told}"
    return told if told.startswith("no ") else f"no, {told}"


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
    total: Terms = NO_TERMS,
) -> str:
    """Return how items differ; the one named and those shown, or the few that fit.

    `total`: and what these come to.
    """
    rows = those.rows
    if those.named and not rows:
        return NO_SUCH
    if len(rows) < 2:
        others = those.shown or tuple(_few(talk))
        rows = [*rows, *(row for row in others if row not in rows)][:FEW]
    if not rows:
        return f"Nothing is shown yet. {understood(talk)}"
    told = [differing(talk, rows, asked, asked.columns, ways), _apart(talk, rows, asked)]
    told.append(total_of(talk, rows, total))
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
