"""Words that belong to something longer, and so are no values: `7 seater`, `home office`.

A few look-ups for each value that a single word names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...catalogs.query.schema import name_words
from ..language.column_headers import header_of
from ..language.column_phrases import FULL
from .group_sizes import LIKELY
from .judged import Weighed
from .reading import Reading


def without_held(reading: Reading, items: Sequence[Weighed]) -> Iterator[Weighed]:
    """Yield mentions without values by a word of a number, of a name in full, of a grade.

    `Seat` is none in `7 seats`, `office` none in `home office`, and `very good` none in `very
    good battery`.
    """
    meant = [item for item in items if item.mention.has_words and item.gain > 0]
    counting = {
        item.mention.last + 1: item.mention.options[item.best].column
        for item in meant
        if item.mention.kind == "number"
    }
    every = (naming for namings in reading.namings.values() for naming in namings)
    longer = [(naming.first, naming.last) for naming in every if naming.strength >= FULL]
    graded = {
        item.mention.last
        for item in meant
        if item.mention.kind == "grade" and _is_named_behind(reading, item, item.best)
    }
    held = {at for first, last in longer if first < last for at in range(first, last + 1)}
    for item in items:
        mention, at = item.mention, item.mention.first
        named = (n.first for n in reading.namings.get(counting.get(at, ""), ()))
        counted = at in named and not reading.is_name(at)
        single = at == mention.last and (counted or at in held)
        own = mention.options[item.best].column  # `condition good, battery above 90`
        in_grade = mention.last in graded and not _is_named_before(reading, at, own)
        is_value = mention.kind == "value" and (single or in_grade)
        if not is_value and not (mention.kind == "name" and (counted or _is_mine(reading, item))):
            yield item


def _is_mine(reading: Reading, item: Weighed) -> bool:
    """Return whether what somebody else has of their own is named as one's own: `my two dogs`."""
    said = reading.folded[max(0, item.mention.first - 2) : item.mention.last + 1]
    column = item.mention.options[item.best].column
    own = "own" in name_words(column) and column not in reading.asked_about
    return own and not _MINE.isdisjoint(said)


_MINE = frozenset("my our".split())


NAMED = 0.6
"""How surely the word behind one for much or little names what it is about."""


def as_graded(reading: Reading, item: Weighed) -> Weighed:
    """Return much or little of what is named right behind as meant: `good battery`, `a big boot`.

    Where something else was asked before, which the fitted decisions take to be answered; not
    where it is denied.
    """
    mention = item.mention
    if item.gain > 0 or mention.kind != "grade" or not reading.asked_about:
        return item
    places = [
        place
        for place, option in enumerate(mention.options)
        if option.form == "plain" and _is_named_behind(reading, item, place)
    ]
    if not places or not _is_wished(reading, mention.first):
        return item
    logits = item.logits.copy()
    logits[max(places, key=lambda place: logits[place])] = LIKELY
    return replace(item, logits=logits)


_LEADS = frozenset("a an and with very really".split())
"""Words right before one for much or little that is wished."""

_TELLS = frozenset(
    "is are was were has had not no never without don't dont doesn't isn't isnt my mine".split()
)
_MATTERS = frozenset("important must essential matters vital needed".split())


def _is_wished(reading: Reading, at: int) -> bool:
    """Return whether a clause may wish for what it calls much or little, and tells nothing."""
    same = reading.clause_of[at]
    clause = {w for w, here in zip(reading.folded, reading.clause_of, strict=True) if here == same}
    opens = at == 0 or reading.clause_of[at - 1] != same or reading.folded[at - 1] in _LEADS
    tells = not _TELLS.isdisjoint(clause) and _MATTERS.isdisjoint(clause)
    named = any(_is_named_before(reading, at, column) for column in reading.namings)
    return opens and not tells and not named and "?" not in reading.text


def _is_named_before(reading: Reading, at: int, column: str) -> bool:
    """Return whether a column is named right before a word."""
    return any(naming.last == at - 1 for naming in reading.namings.get(column, ()))


def _is_named_behind(reading: Reading, item: Weighed, place: int) -> bool:
    """Return whether nothing parts a word from the name of what its option is about."""
    at, column = item.mention.last + 1, item.mention.options[place].column
    named = (n for n in reading.namings.get(column, ()) if n.first == at)
    whole = reading.folded[at : at + 1] == [header_of(column).label]
    return reading.gap(at) == " " and any(whole or n.strength >= NAMED for n in named)
