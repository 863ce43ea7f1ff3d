"""Find where one statement of a sentence ends and the next begins, over its words once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .english import AUXILIARIES, FILLER, NO, ONLY, YES
from .people import Mention, places_of
from .words import Word

HARD = frozenset("; : but while whereas though although however yet — - – --".split())
SOFT = frozenset(", and ( ) or plus".split())
"""Words and marks that always end a statement; that end one where another subject follows."""


def cuts(words: Sequence[Word], named: Sequence[Mention]) -> Iterator[tuple[int, int, str]]:
    """Yield first and last word of each part, and the mark or word that led to it."""
    starts = {mention.first: mention for mention in named}
    ends = {mention.last for mention in named}
    inside = places_of(named)
    first, link, has_predicate = 0, "", False
    for at, word in enumerate(words):
        if at in inside:
            continue
        if at == first and word.low in HARD | SOFT:
            first, link = at + 1, word.low
        elif at > first and _is_cut(words, at, starts, ends, has_predicate):
            yield first, at - 1, link
            first, link, has_predicate = at + (word.low != "who"), word.low, False
            if word.low == "who":
                first = max(mention.first for mention in named if mention.last < at)
        elif is_predicate(word):
            has_predicate = True
    if first < len(words):
        yield first, len(words) - 1, link


def is_predicate(word: Word) -> bool:
    """Return whether a word says something of somebody, or leaves what it says out (`does`)."""
    if word.is_mark:
        return False
    return word.value is not None or word.low in AUXILIARIES or word.low not in FILLER


def _is_cut(
    words: Sequence[Word],
    at: int,
    starts: dict[int, Mention],
    ends: set[int],
    has_predicate: bool,
) -> bool:
    low = words[at].low
    if low == "who":
        before = at - 2 if at and words[at - 1].low == "," else at - 1
        return before in ends and at + 1 < len(words)
    if low in HARD:
        return not (low == "but" and _is_exception(words, at, ends, starts))
    if low not in SOFT or low == "or":
        return low in "?!"
    if at and words[at - 1].low in YES | NO and at - 1 not in ends:
        return low == ","
    if low == "and" and has_predicate and _goes_on(words, at):
        return True
    if has_predicate and _share_after(words, at, starts):
        return True
    after = _subject_after(words, at, starts)
    if after is None or after.kind == "none":
        return after is not None
    earlier = (mention for mention in starts.values() if mention.last < at)
    before = max(earlier, key=_last_word, default=None)
    singled = any(word.low in ONLY for word in words[at + 1 : after.first])
    return has_predicate or singled or (before is not None and before.kind == "none")


def _share_after(words: Sequence[Word], at: int, starts: dict[int, Mention]) -> bool:
    """Return whether a share of somebody else follows: `, 20 for Tom`, `, nothing for the kids`."""
    for place in range(at + 2, min(at + 6, len(words) - 1)):
        if words[place].low in ("for", "from") and place + 1 in starts:
            return True
        if words[place].is_mark:
            return False
    return False


def _goes_on(words: Sequence[Word], at: int) -> bool:
    """Return whether an `and` leads to another predicate: `and is`, `and doesn't`."""
    return at + 1 < len(words) and words[at + 1].low in AUXILIARIES


def _last_word(mention: Mention) -> int:
    return mention.last


def _is_exception(
    words: Sequence[Word], at: int, ends: set[int], starts: dict[int, Mention]
) -> bool:
    """Return whether a `but` means except: `everyone but Tom`, `nobody but me`."""
    return at - 1 in ends and _subject_after(words, at, starts) is not None


def _subject_after(words: Sequence[Word], at: int, starts: dict[int, Mention]) -> Mention | None:
    """Return who is named next to a comma or `and`, over words such as `only` and `also`."""
    for place in range(at + 1, min(at + 5, len(words))):
        if place in starts:
            mention = starts[place]
            return None if mention.kind == "mine" and mention.first == mention.last else mention
        if words[place].low not in _BEFORE_SUBJECT:
            return None
    return None


_BEFORE_SUBJECT = frozenset(
    "and but only just also even not then so that yes no , maybe for".split()
)
