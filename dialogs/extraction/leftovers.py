"""What of a message was not understood: the telling words that nothing accounts for.

What belongs to a number that is understood is: its unit, `60 pounds an hour`, and whom it counts,
`150 ppl`. Greetings and what is said in passing mean nothing of a catalog.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ...catalogs.query.schema import name_words
from ..language.column_phrases import column_topics
from ..language.units import CURRENCY_WORDS, UNITS, spelling
from .ages_said import is_age, who_is
from .clocks import DAYTIMES
from .dates import find_days
from .extracted import Unresolved
from .group_sizes import COUNTED, group_words, holds_people
from .judged import Judged
from .quantities import find_quantities
from .reading import Reading, nearest

_IN_PASSING = tuple(
    tuple(phrase.split())
    for phrase in (
        "good morning|good afternoon|good evening|good day|good night|morning|afternoon|evening|"
        "oh dear|dear me|oh my|dear sir|dear madam|dear sirs|dear all|dear|"
        "don't worry|dont worry|do not worry|no worries|no worry|not to worry|never you worry|"
        "of no importance|of little importance|not of importance|"
        "ah|aha|ahh|hmmm|oops|phew|wow|whoa|gosh|blimey|ooh|aww|yay|lol|haha|heh|"
        "what a pity|pity|what a shame|shame|afraid|mad about|go crazy|my dear|tho|"
        "anymore|any more|"
        "holds|uses|grandson|granddaughter|grandchildren|nephew|niece|granny|grandad|auntie|"
        "rarely|seldom"
    ).split("|")
)
"""What is said in passing; what has one word only where it stands by itself."""

_ALONE = frozenset("morning afternoon evening dear".split())
"""Words that greet by themselves, but mean something among others."""

_OWNING = ("'d", "'ll", "'s", "'ve", "'re")
"""Endings that leave a word as telling as it is: `daughter's`, `she'd`."""


def left_over(
    reading: Reading, judged: Sequence[Judged], fillers: Collection[str], catalog: str
) -> Iterator[Unresolved]:
    """Yield the telling words that nothing accounts for, those side by side together.

    What the catalog is called by, of accordions `an accordion`, tells nothing.
    """
    called = {spelling(word) for word in name_words(catalog)}
    used = {at for item in judged for at in item.mention.places} | reading.naming_words
    used |= {at for item in judged for at in belonging(reading, item)}
    used |= in_passing(reading.folded) | set(_said_again(reading, judged))
    left = {
        at
        for at in range(len(reading.words))
        if at not in used and not _is_idle(reading, at, fillers, called)
    }
    rooms = any(holds_people(name, p.unit) for name, p in reading.index.profiles.items())
    for number in () if rooms else find_quantities(reading):
        if used.isdisjoint(range(number.first, number.last + 1)):
            left.update(group_words(reading, number))
    for first, last in reading.runs(left):
        yield Unresolved(reading.span(first, last), "not understood")


def _is_idle(reading: Reading, at: int, fillers: Collection[str], called: Collection[str]) -> bool:
    word = reading.folded[at]
    if word in fillers or reading.stems[at] in called:
        return True
    bare = next((word.removesuffix(end) for end in _OWNING if word.endswith(end)), "")
    return bare in fillers and not reading.is_known(at)


def belonging(reading: Reading, item: Judged) -> Iterator[int]:
    """Yield words that belong to a number: its unit, whom it counts, who is so old."""
    mention = item.mention
    if mention.quantity is None or not mention.has_words:
        return
    if is_age(reading, mention) and (who := who_is(reading, mention.quantity)) is not None:
        yield who
    before = mention.first - 1
    if (
        before >= 0
        and reading.folded[before] in CURRENCY_WORDS
        and len(reading.gap(before + 1)) < 2
    ):
        yield before
    at = mention.last + 1
    if _stands(reading, at) and _measures(reading.folded[at]):
        yield at
        at += 1
        per = at + (_stands(reading, at) and reading.folded[at] in ("a", "an", "per", "each"))
        divides = per > at or (at < len(reading.words) and reading.gap(at).strip() == "/")
        if divides and per < len(reading.words) and _measures(reading.folded[per]):
            yield from range(at, per + 1)
    counts = "people" in column_topics(item.column) or "students" in column_topics(item.column)
    if counts and _stands(reading, at) and spelling(reading.folded[at]) in COUNTED:
        yield at


def _said_again(reading: Reading, judged: Sequence[Judged]) -> Iterator[int]:
    """Yield words that say no more than what was understood: `warranty`, of a bound on it.

    So does a slip of the finger from a word of it, and a month or part of the day beside another.
    """
    words: dict[str, list[str]] = {}
    for item in judged:
        for said in (item.column, *map(str, item.option.values)):
            for word in name_words(said):
                words.setdefault(word[:1], []).append(word)
    for at, word in enumerate(reading.folded):
        if word in words.get(word[0], ()) or (len(word) > 3 and nearest(word, words)):
            yield at
    if any(item.mention.day is not None for item in judged):
        days = find_days(reading.text, reading.today)
        yield from _within(reading, [(d.start, d.end) for d in days if d.kind == "my"])
    if any(item.option.how == "clock" for item in judged):
        yield from (at for at, word in enumerate(reading.folded) if word in DAYTIMES)


def _within(reading: Reading, spans: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Yield the words that some characters hold."""
    for at, word in enumerate(reading.words):
        if any(start <= word.start and word.end <= end for start, end in spans):
            yield at


def _stands(reading: Reading, at: int) -> bool:
    """Return whether a word stands right behind the one before it."""
    return at < len(reading.words) and reading.gap(at) in ("", " ", "-", "\N{NO-BREAK SPACE}")


def _measures(word: str) -> bool:
    return spelling(word) in UNITS or word in CURRENCY_WORDS or word in ("square", "sq", "cubic")


def in_passing(words: Sequence[str]) -> set[int]:
    """Return the places of words that greet or are said in passing, `good afternoon`."""
    places: set[int] = set()
    for first in range(len(words)):
        for phrase in _IN_PASSING:
            behind = first + len(phrase)
            if tuple(words[first:behind]) != phrase:
                continue
            if phrase[0] not in _ALONE or len(phrase) > 1 or len(words) == 1:
                places.update(range(first, behind))
    return places
