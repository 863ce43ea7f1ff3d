"""What the sentences of a turn do, as moves: what each asks for, of which items and columns.

A sentence that names no item is about those named before it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ...catalogs.query.constraint import Constraint
from ..language.tokens import folded
from .averages import asks_average
from .ends_of_kinds import ends_added, kinds_named, with_ends
from .item_answers import naming_columns
from .items_meant import meant
from .items_said import (
    ASKING,
    ItemSaid,
    asked_values,
    is_of_kind,
    items_said,
    wished_for,
    without_items,
)
from .joined_moves import Asking, as_before, each_number, join, of_those_counted, once, orders
from .lists_asked import list_asked
from .model_turns import Move
from .named_items import Ref, is_of_several, last_said
from .naming import Direction, graded, named_wishes, sorted_by
from .negotiation import Negotiation
from .parts import overlaps, place_of
from .said import PERHAPS, Said, done_in, shortened
from .spoken_sums import is_apiece, number_taken, rate_said, sum_said
from .turn import Turn
from .turn_encoder import NOTHING

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

OF_ITEMS = (
    "take",
    "note",
    "which",
    "refuse",
    "tell",
    "compare",
    "why",
    "best",
    "cancel",
    "request",
)
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

NOT_OF = {
    **dict.fromkeys(("take", "note"), ("pass",)),
    **dict.fromkeys(("refuse", "cancel"), ("take", "wish")),
}
"""The roles in which an item is named that a move is not about, where others are."""

MOST = 20
"""Columns, items and values of a move, and parts of a sum."""

ANY_FORM = ("plain", "more", "most", "ish")

_TOO = re.compile(r"\btoo\s+\w+(?:\s+\w+)?", re.IGNORECASE)

_WHICH_ONES = re.compile(r"\bwh?ich\s+(?:ones?|of)\b|\bany\s+of\s+th", re.IGNORECASE)
"""Words of who wants to see those of all that have something."""

_IN_ALL = re.compile(r"\b(?:altogether|in\s+(?:all|total)|overall)\b", re.IGNORECASE)
"""Words of who asks of all there is, whatever is wished."""

_OR = re.compile(r"\bor\b", re.IGNORECASE)

_NOT_YET = re.compile(r"\bnot\s+(?:just\s+)?(?:yet|now)\b", re.IGNORECASE)
"""Words of somebody who decides later, and refuses nothing."""

_HEDGED = re.compile(
    r"(?:\b(?:not|never|dont)|n['’]t)\b(?:\s+[\w'’]+){0,4}?\s+(?:take|go|buy|book|have|get)\b",
    re.IGNORECASE,
)
"""Words of somebody who does not take something yet: `I don't think I'll take it`."""


def moves_said(
    talk: Negotiation, turn: Turn, said: Sequence[Said]
) -> tuple[list[Asking], list[ItemSaid]]:
    """Return the moves of all sentences, and the items named in them.

    What says again what one before it says is left out.
    """
    names = naming_columns(talk)
    named, last, found = list[ItemSaid](), list[ItemSaid](), list[Asking]()
    taken: dict[Ref | None, int] = {}
    adds: dict[Ref, None] = {}
    acts: Sequence[str] = ()
    for one in said:
        own = items_said(talk, turn, one, names, named)
        if ends := ends_added(talk, one, said):
            adds |= dict.fromkeys(ends)
            kinds = [place_of(part) for part in kinds_named(talk, one)]
            own = [item for item in own if not overlaps(item.span, kinds)]
        last = own or last
        named += own
        several = [item for item in named if item.role != "pass"]
        alone = len(own) > 1 or not one.does("ask compare") or len(several) < 2
        items = last if alone else several
        found += [
            (move, ()) for move in (_dropped(talk, turn, one), _kept(talk, turn, one)) if move
        ]
        # Who goes on asking has not decided yet.
        asks = any(each.does(*ASKING) for each in said if each is not one)
        acts = done_in(turn, one) or _goes_on(talk, one, acts, own)
        if not acts and found and found[-1][0].act == "show":
            found[-1] = _with_columns(turn, one, found[-1])
        for doing, ref in wished_for(turn, one, own, goes_on=bool(taken)):
            number = number_taken(talk, one.text, ()) if doing == "take" else None
            said_so = {"act": doing, "items": [ref], "quote": one.quote, "number": number}
            found.append((Move.model_validate(said_so), ()))
        for act in acts:
            if (act == "affirm" and asks) or (act == "ask best" and adds):
                continue  # What has the least of its kind is told with the sum.
            of_them = own and all(is_of_several(turn.text[slice(*item.span)]) for item in own)
            if act == "ask total" and taken and (of_them or not own):
                items = [ItemSaid(ref, "take", one.span) for ref in taken if ref is not None]
            if act == "ask total" and adds:
                items = with_ends(talk, one, items, adds, alone=not (ends or taken))
            if (asking := _move(talk, turn, one, act, items, names, taken)) is None:
                continue
            if orders(found, asking):
                continue
            for move, values in each_number(asking, items):
                join(found, of_those_counted(as_before((move, values), found), found))
                if move.act == "take":
                    taken |= dict.fromkeys(move.items or [None], move.number or 1)
    return once(found), named


def _goes_on(
    talk: Negotiation, one: Said, before: Sequence[str], items: Sequence[ItemSaid]
) -> Sequence[str]:
    """Return what a sentence of items does that likely does nothing by itself.

    It is what the one before it does, `and the other one as well`, or answers which one to take.
    """
    act = max(one.acts, key=one.acts.__getitem__, default="")
    takes = act == "affirm select" and any(item.role == "take" for item in items)
    goes_on = act in before or (takes and last_said(talk).endswith("?"))
    return [act] if items and goes_on and one.acts[act] >= PERHAPS else ()


def _with_columns(turn: Turn, one: Said, asking: Asking) -> Asking:
    """Return what is asked to be listed, with the columns that a clause behind it names."""
    move, values = asking
    columns = dict.fromkeys([*move.columns, *_named(turn, one, TOLD)])
    return move.model_copy(update={"columns": [*columns][:MOST]}), values


def _move(
    talk: Negotiation,
    turn: Turn,
    one: Said,
    act: str,
    named: Sequence[ItemSaid],
    names: Collection[str],
    taken: Mapping[Ref | None, int],
) -> Asking | None:
    """Return what a sentence does by one of its acts; None for nothing by itself.

    `named`: the items that it names; `taken`: what the turn takes before it, and how many.
    """
    others = NOT_OF.get(MOVES.get(act, ""), ())
    mine = [item for item in named if item.role not in others]
    items = [item.ref for item in mine]
    doing = _doing(talk, turn, one, act, mine)
    corrects = any(item.role == "wish" for item in named) or bool(one.constraints("pass"))
    if doing is None or ("wish" in others and not items and corrects):
        return None  # `No, I meant the blue one` and `not on Mondays` refuse no item.
    doing, columns, direction = _with_end(talk, turn, one, doing, items)
    listed = list_asked(one.text) if doing == "show" else None
    mean = doing == "values" and asks_average(one.text)
    given = items[:MOST] if mean or doing in (*OF_ITEMS, "differ") else []
    said: dict[str, Any] = {"act": doing, "items": given, "quote": one.quote}
    said |= {"direction": direction, "columns": list(dict.fromkeys(columns))[:MOST]}
    if act == "ask total":
        numbers = {**taken, **{item.ref: item.number for item in mine if item.number}}
        total = sum_said(talk, without_items(turn, one), columns, given, numbers)
        said |= {"total": total[:MOST], "columns": [] if total else said["columns"]}
        if total and len(given) > 1 and is_apiece(one.text):
            said["act"] = "compare"
        return Move.model_validate(said), ()
    if rate := _rate(talk, one, doing, columns):
        told = {name for term in rate for name in term.values()}
        left = [name for name in said["columns"] if doing == "show" or name not in told]
        said |= {"total": rate, "columns": left}
    if doing == "values" and not (columns or mean or one.spans.get("ask")):
        return None  # Of what is not said.
    asked = asked_values(one, names, named)
    # Who asks for an average names no value in the middle.
    asked = [part for part in asked if not asks_average(part.evidence.text)]
    kinds = any(is_of_kind(one.text, part, one.span[0]) for part in asked)
    ones = doing == "tell" and _WHICH_ONES.search(one.text) is not None
    if asked and not given and (ones or (kinds and doing in ("tell", "compare"))):
        said["act"] = doing = "show"
    where = asked if doing in SEEKING else []
    of_all = mean or (doing in ("count", "best") and _IN_ALL.search(one.text) is not None)
    said |= {"average": mean, "all": of_all and bool(where)}
    unknown = "" if columns or where or given or listed else shortened(_unknown(turn, one))
    if doing in ("tell", "show", "count") and unknown:
        is_item = bool(meant(talk, [unknown]).rows)
        which = {"act": "tell", "items": [unknown]} if is_item else {"act": "beyond"}
        return Move.model_validate(which | {"quote": unknown}), ()
    number = number_taken(talk, one.text, ()) if doing == "take" else listed
    return Move.model_validate(said | {"number": number}), where


def _rate(talk: Negotiation, one: Said, doing: str, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Return the price for each of something that a sentence asks for: `the price per week`."""
    of_price = doing in ("tell", "show", "compare") or (doing == "best" and bool(columns))
    rate = rate_said(talk, one.text, columns) if of_price else []
    return rate if doing != "best" or any(t["column"] == columns[0] for t in rate) else []


def _doing(
    talk: Negotiation, turn: Turn, one: Said, act: str, items: Sequence[ItemSaid]
) -> str | None:
    """Return what an act of a sentence does with the items that it is about; None for nothing."""
    doing = MOVES.get(act)
    passed = talk.offered is not None and talk.offered.row_id in talk.passed
    bare_yes = act == "affirm" and (passed or not last_said(talk).endswith("?"))
    if doing == "any" and one.constraints("wish", "also"):
        return None
    nothing = doing == "take" and ((not items and _has_offered(talk)) or _HEDGED.search(one.text))
    if doing == "refuse" and not items and _NOT_YET.search(turn.text) is not None:
        doing = None if talk.question is not None else "any"
    if doing is None or bare_yes or nothing:
        return None
    if doing == "take" and _are_alternatives(turn, items):
        return "which"
    if doing == "more" and items and not one.does("ask value"):
        return "tell"
    if doing == "undo" and items:
        return "tell"  # Who goes back to an item takes nothing back.
    if doing == "reason" and talk.question is None and talk.offered is not None:
        return "why"
    if doing == "count" and talk.offered is not None and _counts(talk, turn, one):
        return "tell"  # How many rooms it has, and not how many there are.
    return doing


def _are_alternatives(turn: Turn, items: Sequence[ItemSaid]) -> bool:
    """Return whether but one of some items is meant: `the oak one or the elm one`."""
    between = (turn.text[one.span[1] : other.span[0]] for one, other in pairwise(items))
    return any(_OR.search(text) for text in between)


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


def _has_offered(talk: Negotiation) -> bool:
    """Return whether what is offered is taken already."""
    offered = talk.offered
    return offered is not None and any(item.row_id == offered.row_id for item in talk.basket)
