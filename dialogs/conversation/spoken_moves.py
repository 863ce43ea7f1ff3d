"""What the sentences of a turn do, as moves: what each asks for, of which items and columns.

A sentence that names no item is about those named before it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ...catalogs.query.constraint import Constraint
from ..extraction.extracted import Extracted
from ..language.tokens import folded
from .averages import asks_average
from .item_answers import naming_columns
from .items_meant import meant
from .lists_asked import list_asked
from .model_turns import Move
from .named_items import Ref, items_named
from .naming import Direction, graded, named_wishes, sorted_by
from .negotiation import Negotiation
from .parts import overlaps, place_of
from .said import Said, done_in, shortened
from .spoken_sums import number_taken, sum_said
from .turn import Turn
from .turn_encoder import NOTHING, Span

MOVES: dict[str, str] = {
    "retract all": "restart",
    "dont_care": "any",
    "dont_know": "any",
    "affirm": "take",
    "affirm select": "take",
    "negate": "refuse",
    "ask value": "tell",
    "ask total": "tell",
    "ask compare": "compare",
    "ask best": "best",
    "ask items": "show",
    "ask count": "count",
    "ask values": "values",
    "ask why": "why",
    "ask reason": "reason",
    "ask meaning": "explain",
    "ask state": "summary",
    "ask help": "help",
    "ask_more": "more",
    "ask_better": "differ",
    "note": "note",
    "cancel": "cancel",
    "request": "request",
    "undo": "undo",
    "thanks": "thanks",
    "greet": "greet",
    "end": "bye",
}
"""What each act is as a move; wishes, `retract` and `negate keep` are told by what is named.

What matters more, or less (`weigh`), is weighed with all that was said.
"""

OF_ITEMS = ("take", "note", "refuse", "tell", "compare", "why", "best", "cancel", "request")
SEEKING = ("tell", "compare", "show", "count", "values", "best")
ENDS = ("compare", "best", "differ")
"""Moves that may be about the least or the most of a column."""

ASKED, KEPT, WAIVED = ("ask", NOTHING), ("keep", "wish", NOTHING), ("drop", "wish", "ask", NOTHING)
TOLD = (*ASKED, "wish", "also")
ROLES: dict[str, Sequence[str]] = {
    **dict.fromkeys(("tell", "compare", "values", "explain", "best", "differ", "show"), ASKED),
    "any": WAIVED,
}
"""The roles in which a move's columns are named."""

STILL_ASKING = ("ask value", "ask total", "ask compare", "ask items", "ask best")

ITEM_ROLES = ("take", "pass", "about")
NOT_OF = {"take": "pass", "note": "pass", "refuse": "take", "cancel": "take"}
"""The role in which an item is named that a move is not about, where others are."""

MOST = 20
"""Columns, items and values of a move, and parts of a sum."""

ANY_FORM = ("plain", "more", "most", "ish")

_TOO = re.compile(r"\btoo\s+\w+(?:\s+\w+)?", re.IGNORECASE)

_BEHIND = re.compile(r"\s*(?:from\s+|of\s+|in\s+|,\s*)?", re.IGNORECASE)
"""What stands between the name of an item and a value that belongs to it."""

_WORD_BEFORE = re.compile(r"\w+\s+$")

_WHICH_ONES = re.compile(r"\bwh?ich\s+(?:ones?|of)\b|\bany\s+of\s+th", re.IGNORECASE)

_ALL = re.compile(r"\b(?:about|tell|more|everything|details?)\b", re.IGNORECASE)

_NOT_YET = re.compile(r"\bnot\s+(?:just\s+)?(?:yet|now)\b", re.IGNORECASE)
"""Words of somebody who decides later, and refuses nothing."""

_HEDGED = re.compile(
    r"(?:\b(?:not|never|dont)|n['’]t)\b(?:\s+[\w'’]+){0,4}?\s+(?:take|go|buy|book|have|get)\b",
    re.IGNORECASE,
)
"""Words of somebody who does not take something yet: `I don't think I'll take it`."""

Asking = tuple[Move, Sequence[Extracted]]
"""A move, and the values that it asks for."""


def last_said(talk: Negotiation) -> str:
    """Return what the assistant said last."""
    return next((m.content for m in reversed(talk.messages) if m.role == "assistant"), "")


def moves_said(talk: Negotiation, turn: Turn, said: Sequence[Said]) -> list[Asking]:
    """Return the moves of all sentences, without what says again what one before it says."""
    names = naming_columns(talk)
    named, last, found = list[Ref](), dict[Ref, str](), list[Asking]()
    for one in said:
        last = _items(talk, turn, one, names) or last
        gone = [ref for ref, role in last.items() if role == "pass" and one.does("negate")]
        named += [ref for ref in last if ref not in (*named, *gone)]
        alone = len(last) > 1 or not one.does("ask compare") or len(named) < 2
        items = last if alone else dict.fromkeys(named, "about")
        found += [
            (move, ()) for move in (_dropped(talk, turn, one), _kept(talk, turn, one)) if move
        ]
        # Who goes on asking has not decided yet.
        asks = any(each.does(*STILL_ASKING) for each in said if each is not one)
        acts = [act for act in done_in(turn, one) if act != "affirm" or not asks]
        if not acts and found and found[-1][0].act == "show":
            found[-1] = _with_columns(turn, one, found[-1])
        moves = filter(None, (_move(talk, turn, one, act, items, names) for act in acts))
        found += [_of_taken(_as_before(asking, found), found) for asking in moves]
    kept: list[Asking] = []
    for move, values in found:
        alike = (
            before
            for before, held in kept
            if before.act == move.act and before.columns == move.columns and [*held] == [*values]
        )
        if not any(before.items == move.items or not move.items for before in alike):
            kept.append((move, values))
    return kept


def _with_columns(turn: Turn, one: Said, asking: Asking) -> Asking:
    """Return what is asked to be listed, with the columns that a clause behind it names."""
    move, values = asking
    columns = dict.fromkeys([*move.columns, *_named(turn, one, TOLD)])
    return move.model_copy(update={"columns": [*columns][:MOST]}), values


def _as_before(asking: Asking, found: Sequence[Asking]) -> Asking:
    """Return what is asked of an item, as before where only another is named: `and Crane Hall?`."""
    move, values = asking
    before = next((pair for pair in reversed(found) if pair[0].act == "tell"), None)
    bare = move.act == "tell" and move.items and not (move.columns or values or move.total)
    if before is None or not bare or before[0].items == move.items or _ALL.search(move.quote):
        return asking
    return move.model_copy(update={"columns": before[0].columns}), before[1]


def _of_taken(asking: Asking, found: Sequence[Asking]) -> Asking:
    """Return a sum of as many as the turn takes: `I'll take two of them, what's that?`."""
    move, values = asking
    taken = next((taken for taken, _ in reversed(found) if taken.act == "take"), None)
    number = taken.number if taken is not None else None
    if taken is None or not number or any(term.times != 1 for term in move.total):
        return asking
    those = (None, *taken.items)
    total = [
        term.model_copy(update={"times": float(number)})
        if term.item in those and term.column == move.total[0].column
        else term
        for term in move.total
    ]
    return move.model_copy(update={"total": total}), values


def _move(
    talk: Negotiation,
    turn: Turn,
    one: Said,
    act: str,
    named: Mapping[Ref, str],
    names: Collection[str],
) -> Asking | None:
    """Return what a sentence does by one of its acts; None for nothing by itself.

    `named`: the items that it names, each with its role.
    """
    doing = MOVES.get(act)
    items = [ref for ref, role in named.items() if role != NOT_OF.get(doing or "")]
    passed = talk.offered is not None and talk.offered.row_id in talk.passed
    bare_yes = act == "affirm" and (passed or not last_said(talk).endswith("?"))
    if doing == "any" and one.constraints("wish", "also"):
        return None
    taken = doing == "take" and ((not items and _has_offered(talk)) or _HEDGED.search(one.text))
    if doing == "refuse" and not items and _NOT_YET.search(turn.text) is not None:
        doing = None if talk.question is not None else "any"
    if doing is None or bare_yes or taken:
        return None
    if doing == "more" and items and not one.does("ask value"):
        doing = "tell"
    if doing == "undo" and items:
        doing = "tell"  # Who goes back to an item takes nothing back.
    if doing == "reason" and talk.question is None and talk.offered is not None:
        doing = "why"
    if doing == "count" and talk.offered is not None and _counts(talk, turn, one):
        doing = "tell"  # How many rooms it has, and not how many there are.
    doing, columns, direction = _with_end(talk, turn, one, doing, items)
    listed = list_asked(one.text) if doing == "show" else None
    mean = doing == "values" and asks_average(one.text)
    given = items[:MOST] if mean or doing in (*OF_ITEMS, "differ") else []
    said: dict[str, Any] = {"act": doing, "items": given, "quote": one.quote}
    said |= {"direction": direction, "columns": list(dict.fromkeys(columns))[:MOST]}
    if act == "ask total":
        total = sum_said(talk, _without_items(turn, one), columns, given)
        return Move.model_validate(said | {"total": total[:MOST], "columns": []}), ()
    if doing == "values" and not (columns or mean or one.spans.get("ask")):
        return None  # Of what is not said.
    asked = _asked(turn, one, names)
    if doing == "tell" and asked and not given and _WHICH_ONES.search(one.text):
        said["act"] = doing = "show"
    where = asked if doing in SEEKING else []
    said |= {"average": mean, "all": mean and bool(where)}
    unknown = "" if columns or where or given or listed else shortened(_unknown(turn, one))
    if doing in ("tell", "show", "count") and unknown:
        is_item = bool(meant(talk, [unknown]).rows)
        which = {"act": "tell", "items": [unknown]} if is_item else {"act": "beyond"}
        return Move.model_validate(which | {"quote": unknown}), ()
    number = _number(talk, turn, one) if doing == "take" else listed
    return Move.model_validate(said | {"number": number}), where


def _with_end(
    talk: Negotiation, turn: Turn, one: Said, doing: str, items: Sequence[Ref]
) -> tuple[str, list[str], Direction | None]:
    """Return what a sentence does, the columns it is about, and which end of the first."""
    columns: list[str] = _columns(talk, turn, one, doing)
    if doing == "refuse" and (way := _too_much(talk, one)) is not None:
        return "differ", [way[0]], way[1]
    if doing == "show":
        most = graded(one.text, talk.catalog, ("most",)) if list_asked(one.text) else []
        sort = sorted_by(one.text, talk.catalog) or next(iter(most), None)
        return (doing, [sort[0], *columns], sort[1]) if sort else (doing, columns, None)
    ways = graded(one.text, talk.catalog, worded=doing != "differ") if doing in ENDS else []
    if not ways:
        return doing, columns, None
    if doing == "compare" and not items and _fit_more_than_shown(talk):
        doing = "best"  # Of all that fit, and not of those shown.
    return doing, [ways[0][0], *(columns if doing != "differ" else ())], ways[0][1]


def _fit_more_than_shown(talk: Negotiation) -> bool:
    """Return whether more fit than are shown."""
    proposal = talk.proposal
    return proposal is not None and proposal.answer.count > len(proposal.answer.items)


def _columns(talk: Negotiation, turn: Turn, one: Said, doing: str) -> list[str]:
    """Return the columns that a sentence is about in what it does."""
    roles = TOLD if doing == "show" and list_asked(one.text) else ROLES.get(doing, ())
    named = _named(turn, one, roles) if roles else []
    if doing in ("tell", "compare") and not named:
        asked = (turn.text[slice(*span)] for span in one.spans.get("ask", ()))
        named = [
            way[0]
            for text in asked
            for way in graded(text, talk.catalog, ANY_FORM, worded=True)[:1]
        ]
    return named


def _too_much(talk: Negotiation, one: Said) -> tuple[str, Direction] | None:
    """Return what should be less, or more, of an item that has too much, or too little, of it.

    None where it is said how much it should be.
    """
    found = _TOO.search(one.text)
    ways = graded(found[0], talk.catalog) if found is not None else []
    stated = {part.constraint.column for part in one.constraints("wish", "also", "keep")}
    return ways[0] if ways and ways[0][0] not in stated else None


def _unknown(turn: Turn, one: Said) -> str:
    """Return the words that a sentence asks about and nothing was found for; empty for none."""
    left = [place_of(part) for part in turn.found.not_understood]
    asked = one.spans.get("ask", ())
    lost = (span for span in asked if overlaps(span, left))
    return next((turn.text[slice(*span)] for span in lost), "")


def _dropped(talk: Negotiation, turn: Turn, one: Said) -> Move | None:
    """Return that wishes known do not matter any more, where a sentence says so."""
    spans = one.spans.get("drop", [])
    # Who only says what they are flexible on, beside what they wish for, drops nothing.
    drops = bool(spans) and not one.constraints("wish", "also")
    if not (drops or one.does("retract")):
        return None
    known = talk.preferences.known
    columns = [
        name
        for name, places in turn.named.items()
        if any(overlaps(place, spans) for place in places)
    ]
    values: list[Any] = []
    for words in (turn.text[slice(*span)] for span in spans):
        named = [known[at] for at in named_wishes(words, (), known)]
        columns += [wish.column or "" for wish in named]
        said = folded(words)
        values += [v for wish in named for v in wish.values if folded(str(v)) in said]
    parts = [part for part in one.constraints("drop") if _is_wished(known, part.constraint)]
    columns += [part.constraint.column or "" for part in parts]
    held = {part.column for part in (*known, *talk.preferences.objectives)}
    columns = [name for name in dict.fromkeys(columns) if name in held]
    values += [value for part in parts for value in part.constraint.values]
    some = any(wish.column in columns and _holds_more(known, wish, values) for wish in known)
    left = [value for value in values if some and isinstance(value, bool | int | float | str)]
    return (
        Move(act="drop", columns=columns[:MOST], values=left[:MOST], quote=one.quote)
        if columns
        else None
    )


def _kept(talk: Negotiation, turn: Turn, one: Said) -> Move | None:
    """Return that wishes known must not give way, where a sentence says so of what it names."""
    if not (one.spans.get("keep") or one.does("negate keep")):
        return None
    columns = _named(turn, one, KEPT)
    columns += [part.constraint.column or "" for part in one.constraints("keep")]
    known = talk.preferences.soft
    columns += [known[at].column or "" for at in named_wishes(one.text, (), known)]
    held = {wish.column for wish in known}
    columns = [name for name in dict.fromkeys(columns) if name in held]
    return Move(act="keep", columns=columns[:MOST], quote=one.quote) if columns else None


def _counts(talk: Negotiation, turn: Turn, one: Said) -> bool:
    """Return whether a sentence names a column of numbers, and no value."""
    find = talk.catalog.schema.find
    named = _named(turn, one, ASKED)
    return any(find(name).ordered for name in named) and not one.constraints("ask")


def _named(turn: Turn, one: Said, roles: Sequence[str]) -> list[str]:
    """Return the columns that a sentence names in some roles."""
    return [name for name, spans in turn.named.items() if one.names(spans, roles)]


def _is_wished(known: Sequence[Constraint], dropped: Constraint) -> bool:
    """Return whether something of what is dropped was wished, by its value or as a bound."""
    own = [wish for wish in known if wish.column == dropped.column]
    exact = all(isinstance(value, str) for wish in own for value in wish.values)
    return not exact or any(not {*w.values}.isdisjoint(dropped.values) for w in own)


def _holds_more(known: Sequence[Constraint], wish: Constraint, values: Sequence[Any]) -> bool:
    """Return whether some values are but a part of all that is wished of a column."""
    whole = {value for other in known if other.column == wish.column for value in other.values}
    return bool(values) and whole > {*values}


def _without_items(turn: Turn, one: Said) -> str:
    """Return a sentence without what names items in it, which may hold numbers: `Wheel 4`."""
    start, end = one.span
    text = turn.text[:end]
    for a, b in (span for role in ITEM_ROLES for span in one.spans.get(role, ())):
        text = text[:a] + " " * (min(b, end) - a) + text[min(b, end) :]
    return text[start:]


def _item_spans(turn: Turn, one: Said) -> list[tuple[Span, str]]:
    """Return the characters that name items, each with its role, with the values right behind.

    `The Yamaha from 2020` is an item, and nobody asks whether it is from 2020.
    """
    values = [place_of(part) for part in one.constraints("ask")]
    values += [span for span in one.spans.get("ask", ()) if turn.text[slice(*span)].isdecimal()]
    found: list[tuple[Span, str]] = []
    for role in ITEM_ROLES:
        for start, end in one.spans.get(role, ()):
            behind = (
                b for a, b in values if end <= a and _BEHIND.fullmatch(turn.text[end:a]) is not None
            )
            found.append(((start, next(behind, end)), role))
    return found


def _asked(turn: Turn, one: Said, names: Collection[str]) -> list[Extracted]:
    """Return the values that a sentence asks for, and that name no item."""
    told = [span for span, _ in _item_spans(turn, one)]
    asked = one.constraints("ask")
    return [p for p in asked if p.constraint.column not in names and not _within(p, told)]


def _number(talk: Negotiation, turn: Turn, one: Said) -> int | None:
    """Return how many of an item a sentence takes; None for one."""
    spans = one.spans.get("take", ())
    starts = [
        before.start() if (before := _WORD_BEFORE.search(turn.text, 0, start)) else start
        for start, _ in spans
    ]
    named = [turn.text[start:end] for start, (_, end) in zip(starts, spans, strict=True)]
    bare = [turn.text[slice(*span)] for span in spans]
    return number_taken(talk, one.text, [*named, *bare])


def _within(part: Extracted, spans: Sequence[Span]) -> bool:
    """Return whether the words of a part are among some characters."""
    return any(a <= part.evidence.start and part.evidence.end <= b for a, b in spans)


def _items(talk: Negotiation, turn: Turn, one: Said, names: Collection[str]) -> dict[Ref, str]:
    """Return the items that a sentence names, each with its role.

    `names` are the columns that name items.
    """
    spans = _item_spans(turn, one)
    # Whatever else a comparison names is compared, too.
    asked = one.constraints(*(one.found if one.does("ask compare") else ("ask",)))
    places = [place_of(part) for part in asked if part.constraint.column in names]
    known = [span for span, _ in spans]
    spans += [(place, "about") for place in places if not overlaps(place, known)]
    found: dict[Ref, str] = {}
    for (start, end), role in spans:
        for ref in items_named(talk, shortened(turn.text[start:end])):
            found.setdefault(ref, role)
    if len(found) > 1:
        # `The Austrian one, the Moreau`: what names nothing tells of what is named beside it.
        there = {
            r: role for r, role in found.items() if isinstance(r, int) or meant(talk, [r]).rows
        }
        found = there or dict([*found.items()][:1])
    return found


def _has_offered(talk: Negotiation) -> bool:
    """Return whether what is offered is taken already."""
    offered = talk.offered
    return offered is not None and any(item.row_id == offered.row_id for item in talk.basket)
