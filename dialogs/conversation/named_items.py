"""The items near at hand that some words name: those shown, taken or kept in mind.

`the Tello one`, `the second`, `nordnet 20`, `the white one`, `the cheaper one`, `both`. Words have
to stand in what an item is called, else in what it holds. A few passes over a dozen rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...catalogs.json_values import Row
from ..language.tokens import folded_words
from ..language.units import spelling
from .item_answers import least
from .naming import LAST, ORDINALS, graded
from .negotiation import Negotiation

BARE = frozenset(
    "the a an and or but that this these those it its it's them they both all one ones any of "
    "other others each either two three four five six then so just option number no item place is "
    "next us me we i you my your our his her he she him there here same can could do does will "
    "with in on at for to from which who has have had".split()
)
"""Words that name no item by themselves."""

_SEVERAL = frozenset("both all them these those they two three four five six".split())

_COUNTS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}

_OTHERS = frozenset("other others".split())

MOST = 6
"""Items that are meant by a word for all of them."""

LETTERS = 4
"""Letters of the beginning of a word that stand for it: `nord` of NordNet."""

Ref = int | str
"""An item's number as it is shown, or `t1` taken and `k1` kept in mind."""


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


_APART = re.compile(r",|;|/|&|\b(?:and|or|versus|vs?\.?)\b", re.IGNORECASE)


def items_named(talk: Negotiation, text: str) -> list[Ref]:
    """Return the items that some words name; the words themselves where no item near has them.

    Nothing for words that name none, `it` and `that one`. What an item is called by that has an
    `and` in it is looked for first.
    """
    if (whole := _near_named(talk, text)) is not None:
        return whole
    parts = [part for part in _APART.split(text) if part.strip()]
    found = [(part, _near_named(talk, part)) for part in parts]
    refs = (
        ref for part, near in found for ref in (near or ([_bare(part)] if near is None else []))
    )
    return list(dict.fromkeys(refs))


def _bare(text: str) -> str:
    """Return the words of a name that tell something."""
    words = (word for word in text.split() if word.casefold().strip(".,!?'") not in BARE)
    return " ".join(words).strip(" .,!?")


def _near_named(talk: Negotiation, text: str) -> list[Ref] | None:
    """Return the items near that some words name; None where there are none such."""
    words = folded_words(text)
    telling = [word for word in words if word not in BARE]
    pool = near(talk)
    shown = [ref for ref, _ in pool if isinstance(ref, int)]
    if not telling:
        return _by_pronoun(talk, words, [ref for ref, _ in pool], shown)
    if places := list(_places(telling, words, len(shown))):
        return places
    if found := _with(talk, pool, [spelling(word) for word in telling]):
        return found
    ways = graded(text, talk.catalog)
    items = () if talk.proposal is None else talk.proposal.answer.items
    place = least(items, ways[0]) if ways else None
    return None if place is None else [place + 1]


def _by_pronoun(
    talk: Negotiation, words: Sequence[str], pool: Sequence[Ref], shown: Sequence[Ref]
) -> list[Ref]:
    """Return the items that are meant by `both`, `the others`, `all of them`; none by `it`."""
    if not _OTHERS.isdisjoint(words):
        others = [ref for ref in shown if ref != talk.place + 1]
        return others if len(others) <= MOST else []
    if _SEVERAL.isdisjoint(words) or words[0] == "one":
        return []
    taken: list[Ref] = [ref for ref in pool if isinstance(ref, str) and ref.startswith("t")]
    count = next((_COUNTS[word] for word in words if word in _COUNTS), None)
    groups = (taken, [*shown], [*pool])
    if count is not None:
        return next((group for group in groups if len(group) == count), list[Ref]())
    return [*(shown or pool)][:MOST]


def _places(telling: Sequence[str], words: Sequence[str], count: int) -> Iterator[Ref]:
    """Yield the numbers that are meant by ordinals: `the second`, `number 3`."""
    if all(word in ORDINALS or word == LAST for word in telling):
        yield from (count if word == LAST else ORDINALS.index(word) + 1 for word in telling)
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
        score = 1 + 2 * len(in_name) + (len(in_name) == len(named))
        if score > most:
            best, most = [], score
        if score == most:
            best.append(ref)
    offered = talk.place + 1
    return [offered] if len(best) > 1 and offered in best else best[:1]


def _stems(text: str) -> set[str]:
    return {spelling(word) for word in folded_words(text)}


def _is_among(stem: str, words: set[str]) -> bool:
    if stem in words:
        return True
    return len(stem) >= LETTERS and any(word.startswith(stem) for word in words)
