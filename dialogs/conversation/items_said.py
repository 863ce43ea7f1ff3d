"""The items that a sentence names: in which role each, and how many of it are taken.

The encoder hears which words name items; what stands beside them is told by the catalog: values
right behind, `from 2020`, and items that are named in a row with others, `and the blue one`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from ..extraction.extracted import Extracted
from ..language.tokens import folded
from .averages import asks_average
from .described_items import APART, Described, descriptions, whole_names
from .items_meant import MOST_ALIKE
from .named_items import ItemSaid, Ref, is_of_others, is_of_several, items_named, near, parts_named
from .negotiation import Negotiation
from .parts import overlaps, place_of
from .people_said import people_said
from .said import Said, shortened
from .spoken_sums import number_taken
from .told_apart import told_apart
from .turn import Turn
from .turn_encoder import Span

ROLES = ("take", "pass", "about")
"""The roles of words that name items."""

TAKING = ("affirm select", "note")

ASKING = ("ask value", "ask total", "ask compare", "ask items", "ask best")

LISTING = (*TAKING, "ask compare")
"""Acts of who names items in a row."""

_IT = re.compile(r"\b(?:it|this|that)(?:\s+one)?\s*$", re.IGNORECASE)
"""One item without a name: the one named last, else the one offered."""

_POINTS = re.compile(r"\b(?:this|that)\b", re.IGNORECASE)
_THAT = re.compile(rf"{_POINTS.pattern}\s+(?:[\w'’-]+\s+)?$", re.IGNORECASE)
"""Words before the name of an item that is near at hand: `that little Mahalo`."""

_NOT_IT = re.compile(
    r"\b(?:instead\s+of|rather\s+than|than|not|except|unlike|unless)\s+(?:(?:the|an?)\s+)?$",
    re.IGNORECASE,
)
"""Words before the name of an item in whose place another one is taken."""

_LIKE = re.compile(r"\b(?<!['’]d )(?<!would )(?:like|as)\s+(?:(?:the|an?)\s+)?$", re.IGNORECASE)
"""Words before the name of an item that others are to be like."""

_OF_KIND = re.compile(
    r"\b(?:wh?ich|what|any|how\s+many)\s+(?:of\s+)?(?:(?:the|your|those|these|other)\s+)?$",
    re.IGNORECASE,
)
"""Words before what is a kind of items, and names none of them."""

_THE_TWO = re.compile(r"\b(?:the|those|these)\s+(?:two|three|four)\b", re.IGNORECASE)
"""Words for items that were named before: `which of the two is lighter`."""

_WORD_BEFORE = re.compile(r"\w+\s+$")


def items_said(
    talk: Negotiation, turn: Turn, one: Said, names: Collection[str], before: Sequence[ItemSaid]
) -> list[ItemSaid]:
    """Return the items that a sentence names, in order, each once.

    `names` are the columns that name items; `before` are the items named before it in the turn.
    """
    people = _people(one)
    spans = [
        ((span[0] + start, span[0] + end), role)
        for span, role in _spans(talk, turn, one, names)
        if not any(_is_within(span, who) for who in people)
        and not asks_average(turn.text[slice(*span)])
        for start, end in parts_named(talk, turn.text[slice(*span)])
    ]
    texts = {span: shortened(turn.text[slice(*span)]) for span, _ in spans}
    several = [span for span, _ in spans if is_of_several(texts[span])]
    found: dict[Ref, ItemSaid] = {}
    # `Both, the oak one and the elm one`: what both are is said beside it.
    for span, role in sorted(spans, key=lambda pair: (pair[0] in several, pair[0])):
        if span in several and found and not is_of_others(texts[span]):
            continue
        beside = [item.ref for item in (*before, *found.values()) if item.role != "pass"]
        refs = items_named(talk, texts[span], beside)
        if not refs and _IT.search(texts[span]) and (len(spans) > 1 or one.does(*TAKING)):
            refs = _meant_by_it(talk, turn, span, [*before, *found.values()], len(spans) > 1)
        if (
            role == "pass"
            and _is_value(one, span, names)
            and not any(isinstance(ref, int) for ref in refs)
        ):
            continue
        counts = role == "take" or one.does("ask total")
        number = _number(talk, turn, one, span) if counts else None
        for ref in refs:
            found.setdefault(ref, ItemSaid(ref, role, span, number))
    items = sorted(found.values(), key=lambda item: item.span)
    return told_apart(talk, turn.text, items) if len(items) > 1 else items


def _people(one: Said) -> list[Span]:
    """Return the characters of a sentence that say for how many people something is."""
    return [(one.span[0] + a, one.span[0] + b) for a, b in people_said(one.text)[1]]


def _is_value(one: Said, span: Span, names: Collection[str]) -> bool:
    """Return whether words name a value, `not Mondays`, of what is no name of an item."""
    found = one.constraints(*ROLES)
    return any(place_of(p) == span and p.constraint.column not in names for p in found)


def _spans(
    talk: Negotiation, turn: Turn, one: Said, names: Collection[str]
) -> list[tuple[Span, str]]:
    """Return the characters of a sentence that name items, each with its role."""
    heard = [(span, role) for role in ROLES for span in one.spans.get(role, ())]
    # Whatever else a comparison names is compared, too.
    asked = one.constraints(*(one.found if one.does("ask compare") else ("ask",)))
    asked = [part for part in asked if part.constraint.column in names]
    known = [span for span, _ in heard]
    heard += [
        (place_of(part), "about")
        for part in asked
        if not is_of_kind(turn.text, part) and not overlaps(place_of(part), known)
    ]
    points = one.spans.get("wish") or _POINTS.search(one.text)
    if not (heard or points or one.does(*LISTING, "correct")):
        return []
    said = [*_described(talk, turn, one)]
    wholes = [(one.span[0] + a, one.span[0] + b) for a, b in whole_names(talk, one.text)]
    if one.does("ask compare") and (two := _THE_TWO.search(turn.text, *one.span)):
        wholes.append(two.span())
        heard += (
            [] if overlaps(two.span(), [span for span, _ in heard]) else [(two.span(), "about")]
        )
    spans = _each_once(
        (_with_values(turn, _whole(span, wholes), said, wholes), _role(turn, span, role))
        for span, role in heard
    )
    if one.does(*LISTING):
        spans += _in_a_row(talk, turn, one, said, spans)
    others = [words for words in said if not overlaps(words.span, [span for span, _ in spans])]
    takes = one.does("affirm select") and all(role != "take" for _, role in spans)
    for words in others:
        # `The blue one`: what is wished for by who takes something is that, where nothing else is.
        is_that = takes and overlaps(words.span, one.spans.get("wish", ()))
        points = _THAT.search(turn.text[: words.span[0]], one.span[0]) is not None
        if _is_wished(one, words, names):
            asks = "about" if one.does("ask value", "ask total", "ask compare") else "wish"
            spans.append((words.span, "take" if one.does("affirm select") else asks))
        elif (is_that or points or one.does("correct")) and _is_near(talk, one, words, names):
            role = "wish" if one.does("correct") else "take" if is_that else "about"
            spans.append((words.span, role))
    return spans


def _is_wished(one: Said, words: Described, names: Collection[str]) -> bool:
    """Return whether words wish for the only item of a name."""
    return len(words.rows) == 1 and any(
        part.constraint.column in names
        and part.constraint.op in ("==", "in")
        and overlaps(place_of(part), [words.span])
        for part in one.constraints("wish")
    )


def _is_near(talk: Negotiation, one: Said, words: Described, names: Collection[str]) -> bool:
    """Return whether just one item near at hand is described, and by no kind of items."""
    kinds = (part for part in one.constraints("wish", "also") if part.constraint.column in names)
    if overlaps(words.span, [place_of(part) for part in kinds]):
        return False
    rows = talk.catalog.fetch(words.rows.ids.tolist())
    return sum(row in rows for _, row in near(talk)) == 1


def _described(talk: Negotiation, turn: Turn, one: Said) -> Iterator[Described]:
    """Yield the words of a sentence that describe some items, by their place in the turn."""
    for words in descriptions(talk, one.text):
        start, end = (one.span[0] + at for at in words.span)
        if 0 < len(words.rows) <= MOST_ALIKE:
            yield replace(words, span=(start, end))


def _whole(span: Span, wholes: Iterable[Span]) -> Span:
    """Return the characters that name an item, none of them but a part of its whole name."""
    for whole in wholes:
        if overlaps(span, [whole]):
            span = min(span[0], whole[0]), max(span[1], whole[1])
    return span


def _each_once(spans: Iterable[tuple[Span, str]]) -> list[tuple[Span, str]]:
    """Return the characters that name items without those that are among others before them."""
    kept: list[tuple[Span, str]] = []
    for span, role in spans:
        if not any(_is_within(span, other) for other, _ in kept):
            kept.append((span, role))
    return kept


def _with_values(turn: Turn, span: Span, said: Iterable[Described], wholes: Sequence[Span]) -> Span:
    """Return the characters that name an item with the values that tell which it is.

    `The Yamaha from 2020` is an item, and nobody asks whether it is from 2020.
    """
    beside = [words for words in said if overlaps(span, [words.span])]
    start = min([span[0], *(words.span[0] for words in beside if len(words.rows) == 1)])
    end = max([span[1], *(words.span[1] for words in beside)])
    cuts = (cut.span() for cut in APART.finditer(turn.text, span[1], end))
    return start, span[1] if any(not overlaps(cut, wholes) for cut in cuts) else end


def _role(turn: Turn, span: Span, role: str) -> str:
    is_passed = role == "take" and _NOT_IT.search(turn.text[: span[0]]) is not None
    return "pass" if is_passed else role


def _in_a_row(
    talk: Negotiation,
    turn: Turn,
    one: Said,
    said: Sequence[Described],
    spans: list[tuple[Span, str]],
) -> list[tuple[Span, str]]:
    """Return the items that are named in a row with those heard, in the role of these.

    `I take it together with the Pearl`, `the oak and two of the elm`. What is heard to be spoken of
    beside what is taken is taken, too.
    """
    role = "take" if one.does("affirm select") else "about"
    heard = [span for span, known in spans if known == role or known == "pass"]
    found: list[tuple[Span, str]] = []
    for words in said:
        if not words.begins or not words.ends or overlaps(words.span, heard):
            continue
        if _role(turn, words.span, role) == "pass" or not (heard or one.does("ask compare")):
            continue
        spans[:] = [pair for pair in spans if not overlaps(pair[0], [words.span])]
        found.append((words.span, role))
    first = min((span[0] for span, known in (*spans, *found) if known == role), default=None)
    if role == "take" and first is not None:
        parted = APART.search(turn.text, one.span[0], first)
        head = turn.text[: parted.start()] if parted is not None else ""
        if it := _IT.search(head, one.span[0]):
            found.append(((it.start(), it.end()), role))
    return found


def _meant_by_it(
    talk: Negotiation, turn: Turn, span: Span, before: Sequence[ItemSaid], among: bool
) -> list[Ref]:
    """Return the item that `it` means: the one described last in the turn, else the one offered.

    `among`: it is one of several, and is to be told from them.
    """
    passed = [item.span for item in before if item.role == "pass"]
    said = [(item.span, item.ref) for item in before if item.role != "pass"]
    said += [
        (words.span, turn.text[slice(*words.span)])
        for words in descriptions(talk, turn.text[: span[0]])
        if len(words.rows) == 1 and not overlaps(words.span, passed)
    ]
    if said:
        return [max(said, key=lambda pair: pair[0])[1]]
    return [talk.place + 1] if among and talk.offered is not None else []


def _number(talk: Negotiation, turn: Turn, one: Said, span: Span) -> int | None:
    """Return how many of an item are taken; None for one."""
    ends = [match.span() for match in APART.finditer(turn.text, *one.span)]
    start = max([one.span[0], *(end for _, end in ends if end <= span[0])])
    end = min([one.span[1], *(begin for begin, _ in ends if begin >= span[1])])
    before = _WORD_BEFORE.search(turn.text, start, span[0])
    named = [turn.text[before.start() if before else span[0] : span[1]], turn.text[slice(*span)]]
    return number_taken(talk, turn.text[start:end], named)


def wished_for(
    turn: Turn, one: Said, items: Sequence[ItemSaid], *, goes_on: bool
) -> Iterator[tuple[str, Ref]]:
    """Yield what is done with the items that a sentence wishes for by their own names.

    `goes_on`: something was taken right before it, as what it is heard to take is.

    What is called so as a whole, and wished for without more, is taken; whether it shall be the one
    is asked of what is named by a part of its name, or in place of what was meant before.
    """
    places = [item.span for item in items]
    more = any(not overlaps(span, places) for span in one.spans.get("wish", ()))
    corrects = more or one.does("correct", "negate")
    wholes = {
        place_of(part)
        for part in one.constraints("wish")
        if part.constraint.op == "=="
        and folded(str(part.constraint.value)) == folded(part.evidence.text)
    }
    for item in items:
        if item.role == "take" and goes_on and one.does("inform") and not one.does(*ASKING):
            yield "take", item.ref
        elif item.role == "wish":
            alike = _LIKE.search(turn.text[: item.span[0]]) is not None
            whole = overlaps(item.span, [*wholes]) and not (corrects or alike)
            yield ("take" if whole else "which"), item.ref


def without_items(turn: Turn, one: Said) -> str:
    """Return a sentence without what names items in it, which may hold numbers: `Wheel 4`."""
    start, end = one.span
    text = turn.text[:end]
    people = _people(one)
    for a, b in (span for role in ROLES for span in one.spans.get(role, ())):
        if not overlaps((a, b), people):
            text = text[:a] + " " * (min(b, end) - a) + text[min(b, end) :]
    return text[start:]


def asked_values(one: Said, names: Collection[str], items: Iterable[ItemSaid]) -> list[Extracted]:
    """Return the values that a sentence asks for, and that name no item."""
    told = [item.span for item in items]
    found = one.constraints("ask")
    if one.does("ask value") and not one.does("inform"):
        found += one.constraints("wish", "also")  # Who only asks wishes for nothing.
    return [
        part
        for part in found
        if (part.constraint.column not in names or is_of_kind(one.text, part, one.span[0]))
        and not any(_is_within(place_of(part), span) for span in told)
    ]


def is_of_kind(text: str, part: Extracted, since: int = 0) -> bool:
    """Return whether a name is asked about as a kind: `which of your violins`, `any Yamahas`."""
    return _OF_KIND.search(text[: part.evidence.start - since]) is not None


def _is_within(span: Span, other: Span) -> bool:
    return other[0] <= span[0] and span[1] <= other[1]
