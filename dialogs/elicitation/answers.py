"""The value that an answer gives an entry, or none where the answer does not tell.

Each value that is named scores by its phrase and by the cues around it (`answer_signals`); the
best one counts when it is good enough and clear of the second. So an answer that names two
choices alike, only refuses some, or hedges all is vague. Linear in the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from .answer_amounts import amount, bucket
from .answer_clock import time_of_day
from .answer_lexicon import NO, YES, is_about_avoiding, is_yes_no, phrases_of
from .answer_signals import Signal, signals
from .answer_words import Meaning, Word, is_alone, marks, plain_words
from .schema import NO_PREFERENCE, Entry, Value

ENOUGH, CLEAR = 0.1, 0.25
"""The score a value needs, and by how much it has to lead the next one."""

NOBODY_LEADS, VAGUE_BEFORE, VAGUE_AFTER = 0.5, -0.3, -0.4
"""What no preference gains where choices tie; what a vague phrase takes on either side."""

LEADING, IMPLIED = 0.5, 0.35
"""What the first word of a yes or no gains, and what a mere `we'd love that` counts."""

INDIFFERENT, TELLING_NO = 0.8, 0.5
"""What a subject loses beside `don't care`; what `they stay at home` gains over the subject."""

LONGEST_READ = 10_000
"""Characters of one message that are read."""

_YES_NO_QUESTION = re.compile(
    r"\s*(?:do|does|did|should|is|are|will|would|can|could|have|has|must|may|shall)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A value, and the characters `start` to `end` (excluded) that say it."""

    value: Value
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Scored:
    value: str
    score: float
    signal: Signal


def answer_in(entry: Entry, text: str, question: str = "") -> Answer | None:
    """Return what a text says an entry is; None where it is vague.

    `question`: what was asked; a yes to one that names a single choice means that choice.
    """
    text = text[:LONGEST_READ]
    words = plain_words(text)
    found = marks(words, phrases_of(entry))
    if entry.is_number:
        return _spanned(amount(entry, text, words, found), text, words)
    heard = signals(words, found)
    if is_yes_no(entry):
        heard = [_concluding(words, one) for one in heard]
        return _spanned(_best(_yes_no(entry, heard)), text, words)
    named = list(_named(entry, heard))
    best = _best(_with_no_preference(entry, heard, named))
    if best is None and not named:
        best = _implied(entry, heard, question or entry.question)
    if best is None:
        return _spanned(bucket(entry, words), text, words) or _timed(entry, text, bool(named))
    return _spanned(best, text, words)


def _timed(entry: Entry, text: str, named: bool) -> Answer | None:
    """Return the part of the day that a time of the clock lies in."""
    at = None if named else time_of_day(entry, text)
    return at and Answer(*at)


def _spanned(
    found: tuple[Value, int, int] | None, text: str, words: Sequence[Word]
) -> Answer | None:
    """Return a value that words `first` to `last` say, with their place in the text."""
    if found is None:
        return None
    value, first, last = found
    start = words[first].start
    start -= start > 0 and text[start - 1] in "$€£"
    return Answer(value, start, words[last].end)


def _named(entry: Entry, heard: Sequence[Signal]) -> Iterable[_Scored]:
    """Yield the choices that an answer is for; of an entry about avoiding, those it is against."""
    avoiding = is_about_avoiding(entry)
    vague = [at for at, one in enumerate(heard) if one.kind == "vague"]
    for at, one in enumerate(heard):
        if one.kind != "value" or _is_what_does_not_matter(heard, at):
            continue
        wanted = one.negated == one.mark.meaning.only_negated
        wanted = wanted or (one.negated and one.value.startswith("No "))
        if avoiding:
            wanted = one.negated or not one.liked
        if wanted and not (avoiding and one.negations and not one.negated):
            doubt = sum(VAGUE_BEFORE if place < at else VAGUE_AFTER for place in vague[:3])
            sure = 0.4 if avoiding and one.negated else 0.0
            yield _Scored(one.value, one.score + doubt + sure, one)


_QUESTIONED = frozenset("what how if whether which who where when on about the of".split())


def _is_what_does_not_matter(heard: Sequence[Signal], at: int) -> bool:
    """Return whether a value only says what there is no preference, or no answer, about.

    `I don't mind how popular`, `depends how big the fee is`.
    """
    one = heard[at]
    before = [cue for cue in heard[max(0, at - 3) : at] if cue.kind not in ("clause", "stress")]
    if not before or one.pause:
        return False
    cue = before[-1]
    near = one.mark.first - cue.mark.last <= 6
    if cue.kind == "vague":
        return near and cue.after in _QUESTIONED
    return near and cue.kind == "no_preference" and cue.clause == one.clause


def _with_no_preference(
    entry: Entry, heard: Sequence[Signal], named: Sequence[_Scored]
) -> Iterable[_Scored]:
    yield from named
    if NO_PREFERENCE not in entry.choices:
        return
    choices = _per_value(named)
    tied = len(choices) > 1 and choices[0].score - choices[1].score < CLEAR
    raised = NOBODY_LEADS if tied else 0.0
    heard = [*heard, *_all_fine(heard)]
    said = sum(one.kind == "no_preference" for one in heard)
    raised += 0.3 * (said > 1)
    for one in heard:
        if one.kind == "no_preference" and not one.negated:
            yield _Scored(NO_PREFERENCE, one.score + raised, one)
        refused = one.kind == "no" or (one.kind == "topic" and one.negated)
        if refused and not named and not _names_half(entry):
            yield _Scored(NO_PREFERENCE, one.score - 0.3, one)


def _all_fine(heard: Sequence[Signal]) -> Iterable[Signal]:
    """Yield `any … is fine` and `either … works` as no preference."""
    for one, after in pairwise([one for one in heard if one.kind != "topic"]):
        fine = after.kind == "backup" or (after.kind == "value" and after.liked)
        if one.kind == "universal" and fine and one.clause == after.clause:
            meaning = Meaning("no_preference", NO_PREFERENCE)
            yield replace(one, mark=replace(one.mark, meaning=meaning))


def _names_half(entry: Entry) -> bool:
    """Return whether one choice is the other's opposite, so that a bare no may mean it."""
    plain = [choice for choice in entry.choices if choice != NO_PREFERENCE]
    return len(plain) == 2 and (plain[0] in plain[1] or plain[1] in plain[0])


def _implied(entry: Entry, heard: Sequence[Signal], question: str) -> tuple[Value, int, int] | None:
    """Return the choice that a bare yes or no means, from the question it answers."""
    telling = [one for one in heard if one.kind in ("yes", "no") and not one.negated]
    asked = _asked_choice(entry, question)
    if not telling or asked is None or any(one.kind == "vague" for one in heard):
        return None
    first = telling[0]
    others = [choice for choice in entry.choices if choice not in (asked, NO_PREFERENCE)]
    if first.kind == "no":
        if len(others) != 1 or not _names_half(entry):
            return None
        asked = others[0]
    return asked, first.mark.first, first.mark.last


def _asked_choice(entry: Entry, question: str) -> str | None:
    if not _YES_NO_QUESTION.match(question) or re.search(r"\bor\b", question):
        return None
    named = [c for c in entry.choices if re.search(rf"\b{re.escape(c)}\b", question, re.IGNORECASE)]
    return named[0] if len(named) == 1 else None


def _concluding(words: Sequence[Word], one: Signal) -> Signal:
    """Raise a bare yes or no that ends an answer: `Bands cover up bad food. No.`"""
    ends = one.kind in ("yes", "no") and is_alone(words, one.mark)
    return replace(one, score=one.score + LEADING) if ends else one


def _yes_no(entry: Entry, heard: Sequence[Signal]) -> Iterable[_Scored]:
    """Yield Yes and No with the sums of their signals, and no preference where it is a choice."""
    totals: dict[str, float] = {}
    best: dict[str, _Scored] = {}
    first = next((one for one in heard if one.kind in ("yes", "no", "value")), None)
    leads = bool(first) and first.kind != "value" and heard[0].kind != "vague"
    indifferent = any(one.kind == "no_preference" for one in heard)
    indifferent = indifferent and NO_PREFERENCE in entry.choices
    for one in heard:
        value, score = _yes_or_no(one)
        if not value:
            continue
        score += LEADING if one is first and leads else 0.0
        score -= INDIFFERENT if indifferent and one.kind == "value" else 0.0
        totals[value] = totals.get(value, 0.0) + score
        if value not in best or score > best[value].score:
            best[value] = _Scored(value, score, one)
    vague = sum(one.kind == "vague" for one in heard)
    for value, scored in best.items():
        doubt = 0.5 if scored.signal.kind in ("yes", "no") else 0.9
        yield _Scored(value, totals[value] - doubt * min(vague, 2), scored.signal)
    if NO_PREFERENCE in entry.choices:
        for one in heard:
            if one.kind == "no_preference" and not one.negated:
                yield _Scored(NO_PREFERENCE, one.score + LEADING + 0.1, one)


def _yes_or_no(one: Signal) -> tuple[str, float]:
    """Return which of the two a signal is for, and how strongly."""
    if one.kind == "value":
        value = one.value if one.value in (YES, NO) else ""
        if one.negated:
            return (NO if value == YES else ""), one.score - 0.1
        return value, one.score + (TELLING_NO if value == NO else -0.1)
    if one.kind in ("yes", "no"):
        return (YES if (one.kind == "yes") != one.negated else NO), one.score - 0.1
    if one.kind == "liking":
        return (NO, IMPLIED + 0.2) if one.negated else (YES, IMPLIED)
    return "", 0.0


def _per_value(scored: Iterable[_Scored]) -> list[_Scored]:
    """Return the best of each value, the best first."""
    best: dict[str, _Scored] = {}
    for one in scored:
        if one.value not in best or one.score > best[one.value].score:
            best[one.value] = one
    return sorted(best.values(), key=lambda one: (-one.score, one.value))


def _best(scored: Iterable[_Scored]) -> tuple[Value, int, int] | None:
    ranked = _per_value(scored)
    if not ranked or ranked[0].score < ENOUGH:
        return None
    if len(ranked) > 1 and ranked[0].score - ranked[1].score < CLEAR:
        return None
    mark = ranked[0].signal.mark
    return ranked[0].value, mark.first, mark.last
