"""Find where a statement ends and whom it is about: subjects, exceptions, `only`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .english import AUXILIARIES, EXCEPT, FILLER, NEGATIVE, NO, ONLY, PREPOSITIONS, YES
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
    words: Sequence[Word], at: int, starts: dict[int, Mention], ends: set[int], has_predicate: bool
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


def exception_place(words: Sequence[Word], named: Sequence[Mention]) -> int | None:
    """Return where an exception begins: `everyone except`, `all of us but`, `apart from`."""
    groups = [mention for mention in named if mention.kind in ("all", "none")]

    def before(at: int) -> bool:
        return any(mention.first < at for mention in named)

    for at in range(len(words)):
        for phrase in EXCEPT:
            if tuple(word.low for word in words[at : at + len(phrase)]) != phrase:
                continue
            follows = any(mention.first >= at + len(phrase) for mention in named)
            touches = any(mention.last == at - 1 for mention in groups) or phrase[0] != "but"
            if follows and touches and (groups or (phrase[0] != "but" and not before(at))):
                return at
    return None


def subjects_of(words: Sequence[Word], named: Sequence[Mention]) -> list[Mention]:
    """Return whom a part is about: not owners, nor who follows a preposition after a subject."""
    strong = [
        mention
        for at, mention in enumerate(named)
        if mention.kind != "mine" or _owns_too(words, named, at)
    ]
    if not strong:
        return list(named[:1])
    subjects: list[Mention] = []
    for mention in strong:
        before = words[mention.first - 1].low if mention.first else ""
        is_object = (before in PREPOSITIONS or _is_owner(words, mention)) and bool(subjects)
        if not is_object and not _is_object_pronoun(words, mention, subjects):
            subjects.append(mention)
    return subjects


def _owns_too(words: Sequence[Word], named: Sequence[Mention], at: int) -> bool:
    """Return whether a `my` ends a list of owners: `Tom's and my heating`."""
    mention = named[at]
    joined = mention.first > 0 and words[mention.first - 1].low == "and" and bool(mention.people)
    return joined and at > 0 and _is_owner(words, named[at - 1])


def _is_owner(words: Sequence[Word], mention: Mention) -> bool:
    after = [word.low for word in words[mention.last + 1 : mention.last + 3]]
    return len(after) == 2 and after[0] == "'s" and after[1] not in NEGATIVE


def _is_object_pronoun(
    words: Sequence[Word], mention: Mention, subjects: Sequence[Mention]
) -> bool:
    if not subjects or mention.first != mention.last:
        return False
    joined = mention.first and words[mention.first - 1].low in ("and", ",", "or")
    return not joined and words[mention.last].low in ("me", "us", "them", "him", "her")


def is_only(words: Sequence[Word], subjects: Sequence[Mention]) -> bool:
    """Return whether a part says `only` of its subjects: the opposite holds for the rest."""
    for mention in subjects:
        before = {word.low for word in words[max(0, mention.first - 2) : mention.first]}
        after = [word.low for word in words[mention.last + 1 : mention.last + 5]]
        if before & ONLY or after[:1] == ["only"] or after[:1] == ["alone"]:
            return True
        if "only" in after and "one" in after:
            return True
    lows = [word.low for word in words]
    return any(lows[at : at + 3] == ["the", "only", "one"] for at in range(len(lows)))


def named_after(
    words: Sequence[Word], named: Sequence[Mention], place: int | None
) -> Iterator[Mention]:
    """Yield who is named from a place on, until something is said of them."""
    last = place
    for mention in named:
        if last is None or mention.first <= last:
            continue
        if any(is_predicate(word) for word in words[last + 2 : mention.first]):
            return
        last = mention.last
        yield mention


def rest_negated(words: Sequence[Word], subjects: Sequence[Mention]) -> bool:
    """Return whether a part denies of the rest: `nobody else`, `none of the others`."""
    return any(
        mention.kind == "rest" and words[mention.first].low in ("nobody", "no", "none", "neither")
        for mention in subjects
    )
