"""Find whom a statement is about: its subjects, exceptions (`all but Tom`) and `only`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .boundaries import is_predicate
from .english import EXCEPT, NEGATIVE, ONLY, PREPOSITIONS
from .people import Mention
from .words import Word


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
