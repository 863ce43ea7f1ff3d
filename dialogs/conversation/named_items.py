"""The items near at hand that some words name: those shown, taken or kept in mind.

`the Tello one`, `the second`, `nordnet 20`, `the white one`, `the cheaper one`, `both`. Words have
to stand in what an item is called, else in what it holds. A few passes over a dozen rows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...catalogs.json_values import Row
from ..language.tokens import folded_words
from ..language.units import spelling
from .described_items import BARE, LETTERS, descriptions, parts_of, whole_names
from .item_answers import least
from .naming import LAST, ORDINALS, graded
from .negotiation import Negotiation
from .turn_encoder import Span

_SEVERAL = frozenset("both all them these those they two three four five six".split())

_COUNTS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}

_OTHERS = frozenset("other others".split())

MOST = 6
"""Items that are meant by a word for all of them."""

Ref = int | str
"""An item's number as it is shown, or `t1` taken and `k1` kept in mind."""


@dataclass(frozen=True, slots=True)
class ItemSaid:
    """An item that is named: where, in which role, and how many of it are taken; None for one."""

    ref: Ref
    role: str
    span: Span
    number: int | None = None


def near(talk: Negotiation) -> list[tuple[Ref, Row]]:
    """Return the items that are shown, taken and kept in mind, each once, by what they are called.

    Those shown come first; one that is taken is called so.
    """
    taken = {item.row_id: f"t{at}" for at, item in enumerate(talk.basket, 1)}
    shown = () if talk.proposal is None else talk.proposal.answer.items
    rows: dict[int, tuple[Ref, Row]] = {
        item.row_id: (taken.get(item.row_id, at), item.row) for at, item in enumerate(shown, 1)
    }
    for item in talk.basket:
        rows.setdefault(item.row_id, (taken[item.row_id], item.row))
    for at, item in enumerate(talk.shortlist, 1):
        rows.setdefault(item.row_id, (f"k{at}", item.row))
    return list(rows.values())


def items_named(talk: Negotiation, text: str, beside: Sequence[Ref] = ()) -> list[Ref]:
    """Return the items that some words name; the words themselves where no item near has them.

    Nothing for words that name none, `it` and `that one`. `beside`: those that were named before.
    """
    near = _near_named(talk, text, beside)
    return [_bare(text)] if near is None else near


def parts_named(talk: Negotiation, text: str) -> list[tuple[int, int]]:
    """Return the characters of each name in a text: `the Moreau and the other one`.

    All of it, where what an item near is called has an `and` in it. What stands between two whole
    names parts these, too: `the Moreau with the Ortega`.
    """
    spans = [(a, b) for a, b in parts_of(talk, text) if text[a:b].strip()]
    telling = [spelling(word) for word in folded_words(text) if word not in BARE]
    tells = all(_bare(text[a:b]) for a, b in spans)
    if len(spans) == 1 and len(wholes := whole_names(talk, text)) > 1:
        return wholes
    whole = len(spans) > 1 and tells and bool(_with(talk, near(talk), telling))
    return spans if spans and not whole else [(0, len(text))]


def is_of_several(text: str) -> bool:
    """Return whether a text means several items and names none: `both`, `those two`."""
    words = folded_words(text)
    pronouns = BARE.issuperset(words) and bool(words) and words[0] != "one"
    return pronouns and not (_SEVERAL | _OTHERS).isdisjoint(words)


def is_of_others(text: str) -> bool:
    """Return whether a text means the items that are not named beside it."""
    return not _OTHERS.isdisjoint(folded_words(text))


def _bare(text: str) -> str:
    """Return the words of a name without those before and behind it that tell nothing."""
    words = text.split()
    tell = [at for at, word in enumerate(words) if word.casefold().strip(".,!?'") not in BARE]
    return " ".join(words[tell[0] : tell[-1] + 1] if tell else []).strip(" .,!?")


def _near_named(talk: Negotiation, text: str, beside: Sequence[Ref]) -> list[Ref] | None:
    """Return the items near that some words name; None where there are none such."""
    words = folded_words(text)
    telling = [word for word in words if word not in BARE]
    pool = near(talk)
    if not telling:
        return _by_pronoun(talk, words, pool, beside)
    if places := list(_places(telling, words, _left(talk))):
        return places
    if found := _with(talk, pool, [spelling(word) for word in telling]):
        return found
    ways = graded(text, talk.catalog)
    items = () if talk.proposal is None else talk.proposal.answer.items
    place = least(items, ways[0]) if ways else None
    return None if place is None else [place + 1]


def _left(talk: Negotiation) -> list[int]:
    """Return the numbers of the items shown that were neither refused nor taken."""
    shown = () if talk.proposal is None else talk.proposal.answer.items
    gone = talk.passed | {item.row_id for item in talk.basket}
    return [at for at, item in enumerate(shown, 1) if item.row_id not in gone]


def last_said(talk: Negotiation) -> str:
    """Return what the assistant said last."""
    return next((m.content for m in reversed(talk.messages) if m.role == "assistant"), "")


def _by_pronoun(
    talk: Negotiation,
    words: Sequence[str],
    pool: Sequence[tuple[Ref, Row]],
    beside: Sequence[Ref],
) -> list[Ref]:
    """Return the items that are meant by `both`, `the others`, `all of them`; none by `it`.

    Those that the last reply named come before all that is shown.
    """
    count = next((_COUNTS[word] for word in words if word in _COUNTS), None)
    shown: list[Ref] = [*_left(talk)]
    told = _named_in(talk, last_said(talk), pool)
    told = [ref for ref in told if not isinstance(ref, int) or ref in shown]
    if not _OTHERS.isdisjoint(words):
        count = 1 if count is None and "one" in words else count
        known = {*(beside or [talk.place + 1])}
        groups = ([ref for ref in group if ref not in known] for group in (told, shown))
        left = (group for group in groups if group and count in (None, len(group)))
        return next((group for group in left if len(group) <= MOST), list[Ref]())
    if _SEVERAL.isdisjoint(words) or words[0] == "one":
        return []
    taken: list[Ref] = [ref for ref, _ in pool if isinstance(ref, str) and ref.startswith("t")]
    several = [group for group in ([*beside], taken, told) if len(group) > 1]
    if beside and count is not None:
        # Those named before, and where it is but one, that and the one spoken of: no stranger.
        pair = [*dict.fromkeys([talk.place + 1, *beside])] if talk.offered is not None else []
        groups = (group for group in ([*beside], pair) if len(group) == count)
        return next(groups, [*beside])
    if count is not None:
        groups = (*several, shown, [ref for ref, _ in pool])
        return next((group for group in groups if len(group) == count), list[Ref]())
    return [*(told if len(told) > 1 else shown or [ref for ref, _ in pool])][:MOST]


def _named_in(talk: Negotiation, text: str, pool: Sequence[tuple[Ref, Row]]) -> list[Ref]:
    """Return the items that a reply named, in order; of those near first, else by their names."""
    found = _places_of({talk.wording.names(row): ref for ref, row in pool}, text)
    if len(found) < 2:
        others: dict[str, Ref] = {}
        for words in descriptions(talk, text):
            for row in talk.catalog.fetch(words.rows.ids.tolist()[:MOST]):
                others[talk.wording.names(row)] = talk.wording.names(row)
        found = _places_of(others, text) | found
    return [found[place] for place in sorted(found)]


def _places_of(names: Mapping[str, Ref], text: str) -> dict[int, Ref]:
    """Return where whole names stand in a text, and whose: in `Rex II` is no `Rex`."""
    found: dict[int, Ref] = {}
    for name in sorted(filter(None, names), key=len, reverse=True):
        if match := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            found[match.start()] = names[name]
            text = text[: match.start()] + " " * len(name) + text[match.end() :]
    return found


def _places(telling: Sequence[str], words: Sequence[str], left: Sequence[int]) -> Iterator[Ref]:
    """Yield the numbers that are meant by ordinals: `the second`, `number 3`.

    `left`: those of the items shown that were neither refused nor taken; the refused stand last.
    """
    count = max(left, default=0)
    so_many = next((_COUNTS[word] for word in words if word in _COUNTS), 1)
    if so_many > 1 and telling in (["first"], [LAST]):
        yield from left[:so_many] if telling == ["first"] else left[-so_many:]
    elif all(word in ORDINALS or (word == LAST and left) for word in telling):
        numbers = (count if word == LAST else ORDINALS.index(word) + 1 for word in telling)
        yield from (number for number in numbers if number <= count)
    elif len(telling) == 1 and telling[0].isdecimal() and len(telling[0]) < 3:
        number = int(telling[0])
        if number <= count and (len(words) == 1 or "number" in words or "option" in words):
            yield number


def _with(talk: Negotiation, pool: Sequence[tuple[Ref, Row]], stems: Sequence[str]) -> list[Ref]:
    """Return the items that have all of some words, by what they are called before what they hold.

    Of several alike the one offered.
    """
    best: list[Ref] = []
    most = 0
    for ref, row in pool:
        named = _stems(talk.wording.names(row))
        there = [name for name, value in row.items() if value is not None and value is not False]
        held = _stems(" ".join(talk.wording.part(row, name) for name in there))
        in_name = [stem for stem in stems if _is_among(stem, named)]
        if len(in_name) < len(stems) and not all(_is_among(stem, held) for stem in stems):
            continue
        whole = (_stems(str(row[name])) for name in talk.wording.naming(row))
        score = 1 + 2 * len(in_name) + (named == {*stems} or {*stems} in whole)
        if score > most:
            best, most = [], score
        if score == most:
            best.append(ref)
    offered = talk.place + 1
    return [offered] if len(best) > 1 and offered in best else best[:1]


def holds(talk: Negotiation, row: Row, words: Collection[str]) -> bool:
    """Return whether an item has all of some words in its name or in what it holds."""
    there = [name for name, value in row.items() if value is not None and value is not False]
    held = _stems(" ".join(talk.wording.part(row, name) for name in there))
    held |= _stems(talk.wording.names(row))
    return all(_is_among(spelling(word), held) for word in words)


def _stems(text: str) -> set[str]:
    return {spelling(word) for word in folded_words(text)}


def _is_among(stem: str, words: set[str]) -> bool:
    if stem in words:
        return True
    return len(stem) >= LETTERS and any(word.startswith(stem) for word in words)
