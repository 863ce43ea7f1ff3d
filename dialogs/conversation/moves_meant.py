"""What a turn does: each move with what it asks for, its columns and items."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...catalogs.query.constraint import Constraint
from ...engine.answer import Item
from ..extraction.extracted import Extraction
from ..extraction.value_index import index_of
from .asked import Asked
from .items_meant import ItemsMeant, meant, spoken_of
from .model_turns import Move, ReadTurn, columns_of
from .negotiation import Negotiation
from .totals import Part, Sum

OF_NAMED = ("tell", "compare", "take", "note", "request", "beyond")
"""Moves that are about the items they name."""

OF_NONE = ("show", "count", "values", "any", "drop", "keep", "greet", "thanks", "help", "bye")
"""Moves that are about no item by themselves."""


@dataclass(frozen=True)
class MoveMeant:
    """A move, what it asks for, the columns it names, the items, and what is to be added up.

    `whole`: all is told in which items differ, beside which has most of what it names.
    """

    move: Move
    asked: Extraction
    columns: tuple[str, ...]
    items: ItemsMeant
    total: Sum
    whole: bool = False

    @property
    def quote(self) -> str:
        """The person's words for it."""
        return self.move.quote

    @property
    def about(self) -> Asked:
        """What it is about, without its words."""
        return Asked("", self.asked, () if self.whole else self.columns)

    @property
    def wishes(self) -> list[Constraint]:
        """What is asked for in `where`."""
        return [part.constraint for part in self.asked.constraints]

    @property
    def unknown(self) -> list[str]:
        """What is asked for that the catalog has not, in the person's words."""
        if self.move.act == "beyond":
            return [self.move.quote]
        lost = [part.evidence.text for part in self.asked.unresolved]
        none = self.move.where and not self.asked.constraints
        return lost or ([self.move.where[0].quote] if none else [])

    def of(self, offered: Item | None) -> MoveMeant:
        """Return the move of somebody to whom another item is offered."""
        return replace(self, items=replace(self.items, offered=offered))

    @property
    def is_of_named(self) -> bool:
        """Whether it asks about items that it names, if in vain, or takes them."""
        return self.items.named and self.move.act in OF_NAMED


def moves_meant(talk: Negotiation, read: ReadTurn) -> list[MoveMeant]:
    """Return what a turn does; what is told or compared of the same items is one question.

    So is what is told of several.
    """
    moves: list[MoveMeant] = []
    of_items = any(move.act not in OF_NONE for move in read.moves)
    offered = spoken_of(talk) if of_items else None
    for move, asked in zip(read.moves, read.asked, strict=True):
        columns = tuple(columns_of(talk, move.columns))
        last = moves[-1] if moves else None
        if last is not None and _is_of_more(last.move, move):
            moves[-1] = replace(last, items=last.items.beside(meant(talk, move.items, offered)))
        elif last is not None and _asks_more(last.move, move):
            both = (*last.asked.constraints, *asked.constraints)
            asked = replace(asked, constraints=both)
            columns = tuple(dict.fromkeys((*last.columns, *columns)))
            moves[-1] = replace(last, asked=asked, columns=columns)
        else:
            one = MoveMeant(
                move, asked, columns, meant(talk, move.items, offered), _sum(talk, move)
            )
            if last is not None and _compares_more(last.move, move):
                both = last.items.beside(one.items)
                one = replace(one if move.direction else last, items=both, whole=True)
                moves.pop()
            moves.append(one)
    return moves


def _compares_more(one: Move, other: Move) -> bool:
    """Return whether one of two moves compares items and the other asks which has most of all."""
    plain = [m for m in (one, other) if not (m.columns or m.where or m.total or m.direction)]
    ends = [move for move in (one, other) if move.direction and not (move.where or move.total)]
    acts = {one.act, other.act}
    return acts == {"compare"} and len(plain) == len(ends) == 1 and _of_others(one, other)


def _of_others(one: Move, other: Move) -> bool:
    """Return whether the items of one of two moves are among those of the other."""
    held, others = {*one.items}, {*other.items}
    return held <= others or others <= held


def _is_of_more(one: Move, other: Move) -> bool:
    """Return whether two moves ask the same of items that they name.

    Of items compared, those of one have to be among those of the other.
    """
    if one.act != other.act or one.act not in ("tell", "compare"):
        return False
    if one.act == "compare" and not _of_others(one, other):
        return False
    asked = [move.model_dump(exclude={"items", "quote"}) for move in (one, other)]
    return asked[0] == asked[1] and bool(one.items and other.items)


def _asks_more(one: Move, other: Move) -> bool:
    """Return whether two moves ask for different columns of the same items, in the same way."""
    ways = [(move.act, move.items, move.total, move.direction) for move in (one, other)]
    some = all(move.columns or move.where for move in (one, other))
    plain = one.act == "tell" or (one.act == "compare" and one.direction is None)
    return ways[0] == ways[1] and some and plain


def _sum(talk: Negotiation, move: Move) -> Sum:
    """Return what a move asks to be added up: numbers of columns, of items that there are."""
    find, index = talk.catalog.schema.find, index_of(talk.catalog)

    def is_moment(name: str) -> bool:
        return name in index.clocks or name in index.dates

    parts: list[Part] = []
    for term in move.total:
        said = (term.column, term.per, term.by)
        columns, per, by = (columns_of(talk, [name]) for name in said)
        numbers = all(
            find(name).family == "numeric" for name in (*columns, *per, *by) if not is_moment(name)
        )
        rows = [] if term.item is None else meant(talk, [term.item]).rows[:1]
        none = any(
            name.strip() and not found for name, found in zip(said, (columns, per, by), strict=True)
        )
        none |= term.item is not None and not rows
        if none or not numbers:
            return Sum(lost=True)
        column, divisor, factor = (next(iter(names), None) for names in (columns, per, by))
        row = next(iter(rows), None)
        parts.append(Part(term.times, column, row, divisor, term.whole, factor))
    begins = [part for part in parts if part.column and is_moment(part.column)]
    # Times of day are neither doubled, divided nor added to each other, nor to bare numbers.
    odd = any(part.times != 1 for part in begins) or len(begins) > 1
    odd |= bool(begins) and any(part.per or part.by or not part.column for part in parts)
    begin = begins[0].column if begins else None
    return Sum(tuple(parts), move.limit, lost=odd, clock=begin, way=move.direction)
