"""Which of several items is meant, by what is said of it and by what is refused beside it.

`the ordinary Fern one`, `the Fern, the one on wheels, not the private one`: words behind a name
that the same item holds name no other, an item that is refused is not the one meant, and of items
whose names hold one another the plain one has the shortest name. A few passes over the items.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...catalogs.json_values import Row
from ..language.tokens import folded_words
from .described_items import BARE
from .items_meant import PLAIN, meant, plainest
from .named_items import ItemSaid, Ref, holds
from .negotiation import Negotiation

_IN_A_ROW = re.compile(r"(?:\W|\band\b)*", re.IGNORECASE)
_BEHIND = re.compile(r"[^,;]{0,12},\s*(?:\w+,\s*)?", re.IGNORECASE)
"""What stands between a name and more words for the same item: `the Fern then, dear, the one`."""


def told_apart(talk: Negotiation, text: str, items: Sequence[ItemSaid]) -> list[ItemSaid]:
    """Return the items named in a sentence of a turn's text, each once and by a name of its own."""
    refused = [text[slice(*item.span)] for item in items if item.role == "pass"]
    told: list[ItemSaid] = []
    for item in items:
        if told and (both := _same(talk, text, told[-1], item)) is not None:
            told[-1] = both
        else:
            told.append(item)
    if len(told) > 1:
        # Words that name nothing tell of what is named beside them.
        told = [item for item in told if _rows(talk, item.ref)] or told[:1]
    return [item if item.role == "pass" else _left(talk, item, refused) for item in told]


def _same(talk: Negotiation, text: str, one: ItemSaid, other: ItemSaid) -> ItemSaid | None:
    """Return what two names one behind the other mean together; None for two items."""
    if "pass" in (one.role, other.role) or one.span[1] > other.span[0]:
        return None
    between, said = text[one.span[1] : other.span[0]], text[slice(*other.span)]
    rows, others = _rows(talk, one.ref), _rows(talk, other.ref)
    span, number = (one.span[0], other.span[1]), one.number or other.number
    if _IN_A_ROW.fullmatch(between) and rows == others and len(rows) > 1:
        return replace(one, ref=text[slice(*span)], span=span, number=number)
    if isinstance(one.ref, int) and not _BEHIND.fullmatch(between):
        return None
    if not others and isinstance(one.ref, str) and isinstance(other.ref, str):
        both = f"{one.ref} {other.ref}"
        return replace(one, ref=both, number=number) if _rows(talk, both) else None
    if not rows or _BEHIND.fullmatch(between) is None:
        return None
    words = [word for word in folded_words(said) if word not in BARE]
    those = [row for row in rows if words and holds(talk, row, {*words} - PLAIN)]
    those = plainest(talk, those) if PLAIN.intersection(words) else those
    if not those:
        return None
    return replace(one, ref=_ref(talk, those, one.ref, rows), number=number)


def _left(talk: Negotiation, item: ItemSaid, refused: Sequence[str]) -> ItemSaid:
    """Return an item of whose name there are several without those that are refused."""
    rows = _rows(talk, item.ref) if refused and isinstance(item.ref, str) else []
    if len(rows) < 2:
        return item
    gone = [{*folded_words(said)} - BARE for said in refused]
    those = [row for row in rows if not any(words and holds(talk, row, words) for words in gone)]
    return replace(item, ref=_ref(talk, those, item.ref, rows)) if those else item


def _ref(talk: Negotiation, those: Sequence[Row], ref: Ref, before: Sequence[Row]) -> Ref:
    """Return what names the only one that is left of several."""
    return talk.wording.names(those[0]) if len(those) == 1 < len(before) else ref


def _rows(talk: Negotiation, ref: Ref) -> list[Row]:
    return meant(talk, [ref]).rows
