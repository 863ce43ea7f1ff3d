"""How the words around a value bear on it: negated, preferred, taken back, put behind another.

Each signal has a score: the strength of the phrase, moved by the cues of its clause. A cue
reaches to the next mention and no farther than `REACH` words. The scores were set on the
training answers of the benchmark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .answer_lexicon import NO, YES
from .answer_words import ASKED, Mark, Word

REACH = 8
"""Words over which a negation or a liking concerns a value."""

STRONG, STRESSED, AFTER_BUT, AFTER_SO = 0.8, 0.3, 0.45, 0.45
TAKEN_BACK, BEHIND, HEDGED, BACKUP = -2.0, -1.5, -0.2, -0.6
PAST, WONDERED, ACCOMPANYING, MODIFYING = -0.5, -0.6, -0.5, -0.6
"""What cues add to the score of a value."""

MOST_MARKS = 400
"""Of one answer; what comes after them is not read."""

_ANSWERING_NO = frozenset(
    "i we it it's its not nothing none thank thanks that thats they he she im were our my one "
    "just all everyone everybody only there theyre sorry nobody but please we're i'm you "
    "beyond apart".split()
)
"""Words behind a `no` that answers, and does not negate what follows."""


_REFUSALS = frozenset({"no", "none", "nothing", "never"})
_ANSWERS = frozenset(
    {"no", "none", "dont need", "do not need", "no need for", "no need of", "need no"}
)
"""Negations that answer no where they negate none of the values: `I don't need any of it`."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A mark with what bears on it. `clause`: number of the stretch it stands in.

    `negations`: how many concern it; `liked`: somebody likes, wants or takes it; `pause`: the
    mark before it, as a word's; `after`: the word behind it.
    """

    mark: Mark
    clause: int
    score: float
    negations: int = 0
    liked: bool = False
    pause: int = 0
    after: str = ""

    @property
    def kind(self) -> str:
        """What the phrase is."""
        return self.mark.meaning.kind

    @property
    def value(self) -> str:
        """The value it names."""
        return self.mark.meaning.value

    @property
    def negated(self) -> bool:
        """Whether an odd number of negations concerns it."""
        return self.negations % 2 == 1


TELLING = frozenset({"value", "no_preference", "yes", "no"})
"""Kinds of mark that say an answer."""


def signals(words: Sequence[Word], marks: Sequence[Mark]) -> list[Signal]:
    """Return every mark as a signal, in order, scored by the cues around it."""
    plain = [_located(words, mark) for mark in marks[:MOST_MARKS]]
    clauses = _clauses(words, plain)
    located = [replace(one, clause=clauses[one.mark.first]) for one in plain]
    negated = _negated(words, located)
    scored = [_scored(negated, at) for at in range(len(negated))]
    return _contrasted(_wondered(words, _liked_on(words, scored)))


def _liked_on(words: Sequence[Word], scored: list[Signal]) -> list[Signal]:
    """Let a liking go on through a list: `happy with United and Delta`."""
    for at in range(1, len(scored)):
        if scored[at].kind == "value" and scored[at - 1].liked and _goes_on(words, scored, at):
            scored[at] = replace(scored[at], liked=True)
    return scored


def _wondered(words: Sequence[Word], scored: Sequence[Signal]) -> list[Signal]:
    """Lower what is only wondered about: `Pool? Gym?`."""
    end = len(words)
    return [
        replace(one, score=one.score + WONDERED)
        if one.kind == "value" and one.mark.last + 1 < end
        and words[one.mark.last + 1].pause == ASKED else one
        for one in scored
    ]  # fmt: skip


def _located(words: Sequence[Word], mark: Mark) -> Signal:
    """Return a mark as a signal; a `no` that negates is a negation."""
    first = mark.first
    word = words[first].text
    meaning = mark.meaning
    if meaning.kind == "no" and mark.last == first and word in _REFUSALS:
        after = words[first + 1] if first + 1 < len(words) else None
        if after and not after.pause and after.text not in _ANSWERING_NO:
            meaning = replace(meaning, kind="negation")
    behind = words[mark.last + 1] if mark.last + 1 < len(words) else None
    return Signal(
        replace(mark, meaning=meaning),
        0,
        meaning.strength,
        pause=words[first].pause,
        after=behind.text if behind and not behind.pause else "",
    )


def _clauses(words: Sequence[Word], located: Sequence[Signal]) -> list[int]:
    """Return the number of the clause of each word."""
    breaks = {one.mark.first for one in located if one.kind in ("but", "so", "clause", "correct")}
    numbers: list[int] = []
    clause = 0
    for at, word in enumerate(words):
        clause += word.pause >= 2 or at in breaks
        numbers.append(clause)
    return numbers


_NEGATABLE = frozenset({"value", "topic", "yes", "no_preference", "strong", "liking"})


def _negated(words: Sequence[Word], located: Sequence[Signal]) -> list[Signal]:
    """Return the signals with the negations that concern them, forward and backward."""
    out = list(located)
    used: set[int] = set()
    for at, one in enumerate(out):
        if one.kind not in _NEGATABLE and not _is_without(words, one):
            continue
        found = [k for k in range(max(0, at - 4), at) if _negates(words, out, k, at)]
        listed = [k for k in range(max(0, at - 4), at) if out[k].kind == "value"]
        found = [k for k in found if k > max(listed, default=-1)] or found  # `not A and not B`
        count = len(found)
        used.update(found if one.kind == "value" else ())
        if not count and at and one.kind == "value" and _goes_on(words, out, at):
            count = out[at - 1].negations
        out[at] = replace(one, negations=count)
    plain = [one if at in used else _answering(words, one) for at, one in enumerate(out)]
    return [_negated_behind(words, plain, at) for at in range(len(plain))]


def _is_without(words: Sequence[Word], one: Signal) -> bool:
    """Return whether a no says `without it`, which a negation before it turns into a yes."""
    said = [word.text for word in words[one.mark.first : one.mark.last + 1]]
    return one.kind == "no" and "without" in said


def _answering(words: Sequence[Word], one: Signal) -> Signal:
    """Return a `no` that negates nothing as the answer it is: `no service in particular`."""
    said = " ".join(word.text for word in words[one.mark.first : one.mark.last + 1])
    if one.kind != "negation" or said not in _ANSWERS:
        return one
    return replace(one, mark=replace(one.mark, meaning=replace(one.mark.meaning, kind="no")))


def _negates(words: Sequence[Word], located: Sequence[Signal], at: int, of: int) -> bool:
    """Return whether the negation at one place concerns the value at another."""
    cue, value = located[at], located[of]
    if cue.kind != "negation" or cue.clause != value.clause:
        return False
    if value.mark.first - cue.mark.last > REACH:
        return False
    between = words[cue.mark.last + 1 : value.mark.first + 1]
    if any(word.pause for word in between):
        return False
    passed = located[at + 1 : of]
    return all(one.kind in _PASSED or (one.kind == "value" and one.negations) for one in passed)


_PASSED = frozenset("negation liking strong stress hedge filler universal with".split())
"""Cues over which a negation reaches."""

_LISTING = frozenset({"or", "nor", "and", "a", "the"})


def _goes_on(words: Sequence[Word], located: Sequence[Signal], at: int) -> bool:
    """Return whether a value goes on with the list of the one before it: `no Hilton, Hyatt or`."""
    before, value = located[at - 1], located[at]
    if before.kind != "value" or before.clause != value.clause:
        return False
    between = words[before.mark.last + 1 : value.mark.first]
    if between:
        said = {word.text for word in between}
        return said <= _LISTING and not said.isdisjoint(("or", "nor", "and"))
    listed = at + 1 < len(located) and located[at + 1].kind == "value"
    return listed and words[value.mark.first].pause == 1


def _negated_behind(words: Sequence[Word], located: Sequence[Signal], at: int) -> Signal:
    """Count what negates a value from behind: `Delta is out`."""
    one = located[at]
    if one.kind not in ("value", "yes") or at + 1 >= len(located):
        return one
    after = located[at + 1]
    gap = after.mark.first - one.mark.last
    behind = after.kind == "after_negation" and gap <= 4 and one.clause == after.clause
    if not behind and after.kind == "no" and gap <= 2 and after.mark.last > after.mark.first:
        between = words[one.mark.last + 1 : after.mark.first + 1]
        behind = one.kind == "value" and not any(word.pause for word in between)
    return replace(one, negations=one.negations + 1) if behind else one


_BEFORE = {"strong": STRONG, "hedge": HEDGED, "past": PAST, "stress": STRESSED, "fallback": BACKUP}
_BEHIND = {"after_strong": STRONG, "strong": STRONG / 4, "hedge": HEDGED, "backup": BACKUP}
"""What cues before a value add to its score, and those at most `NEAR` words behind it."""

NEAR = 3


def _scored(located: Sequence[Signal], at: int) -> Signal:
    """Add what the cues of the clause say."""
    one = located[at]
    if one.kind not in TELLING:
        return one
    named = one.kind == "value"
    score, liked, refused = one.score, False, 0
    for cue in _nearest(located, at, -1):
        if cue.kind in ("strong", "liking") and not cue.negated:
            liked = True
        if named or cue.kind != "strong":
            score += 0.0 if cue.negated else _BEFORE.get(cue.kind, 0.0)
        if cue.kind in ("over", "with") and _names_before(located, at):
            score += BEHIND if cue.kind == "over" else ACCOMPANYING * named
        elif cue.kind == "over" and named:  # `rather walk than fly Delta`
            refused = 1
    for cue in _nearest(located, at, 1):
        if cue.negated or cue.mark.first - one.mark.last > NEAR:
            continue
        score += _BEHIND.get(cue.kind, STRONG / 2 if cue.kind == "over" and named else 0.0)
        liked = liked or cue.kind == "backup"
    score += MODIFYING * (named and _modifies(located, at))
    return replace(one, score=score, liked=liked, negations=one.negations + refused)


def _modifies(located: Sequence[Signal], at: int) -> bool:
    """Return whether a choice is the first part of another's name: `history museum`."""
    one = located[at]
    after = located[at + 1] if at + 1 < len(located) else one
    joined = after.mark.first == one.mark.last + 1 and not after.pause
    return joined and after.kind == "value" and one.value not in (YES, NO)


def _nearest(located: Sequence[Signal], at: int, step: int) -> list[Signal]:
    """Return the cues between a signal and the next telling one, on one side, in its clause."""
    found: list[Signal] = []
    place = at + step
    while 0 <= place < len(located) and len(found) < 6:
        cue = located[place]
        if cue.clause != located[at].clause or cue.kind in ("value", "no_preference"):
            break
        if abs(cue.mark.first - located[at].mark.first) > REACH + 4:
            break
        found.append(cue)
        place += step
    return found


def _names_before(located: Sequence[Signal], at: int) -> bool:
    clause = located[at].clause
    return any(one.kind == "value" and one.clause == clause for one in located[max(0, at - 4) : at])


def _contrasted(scored: Sequence[Signal]) -> list[Signal]:
    """Lower what a correction takes back, and raise what stands behind a `but`."""
    telling = [at for at, one in enumerate(scored) if one.kind in TELLING]
    last = telling[-1] if telling else -1
    first = telling[0] if telling else len(scored)
    corrections = [at for at, one in enumerate(scored) if one.kind == "correct"]
    corrections = [at for at in corrections if first < at < last]
    buts = [at for at, one in enumerate(scored) if one.kind == "but" and first < at]
    conclusions = [at for at, one in enumerate(scored) if one.kind == "so" and at]
    out: list[Signal] = []
    for at, one in enumerate(scored):
        score = one.score
        if one.kind in TELLING and conclusions and at > conclusions[-1]:
            score += AFTER_SO
        if one.kind in TELLING:
            score += TAKEN_BACK if corrections and at < corrections[-1] else 0.0
            score += AFTER_BUT if buts and at > buts[0] else 0.0
        out.append(replace(one, score=score))
    return out
