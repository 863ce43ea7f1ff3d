"""Labelled sentences over many invented catalogs: one seed, one result.

Some thousand sentences a second. A tenth of the sentences is apart: of a domain or with a cue
phrase that no other sentence has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from ...progress import Counted, uncounted
from ..labelled import (
    Direction,
    LabelledConstraint,
    LabelledDirection,
    LabelledSentence,
    LabelledWaiver,
    Span,
)
from .chatter import nothing, opening_alone
from .draft import Pieces, Woven
from .made_catalogs import MadeCatalog, make_catalog
from .noise import apostrophes, cased, mistyped, spoken, tidied
from .requests import answer, change, keywords, request
from .speaker import Meant, Speaker
from .vocabulary import Domain, domains

APART = 0.1
"""The share of sentences that are apart."""

VOICE, TYPO = 0.14, 0.1
MIX = {"request": 50, "keywords": 11, "answer": 16, "change": 9, "nothing": 14, "opening": 2}
"""How many of a hundred turns are of which kind."""


@dataclass(frozen=True, slots=True)
class Generated:
    """Invented catalogs, and sentences that name them."""

    catalogs: tuple[MadeCatalog, ...]
    sentences: tuple[LabelledSentence, ...]


def generate(seed: int, sentences: int, catalogs: int, progress: Counted = uncounted) -> Generated:
    """Return so many sentences over so many catalogs, one in ten of each apart.

    The domains take turns, so that with as many catalogs as domains each has one.
    """
    random = Random(seed)
    kept = [domain for domain in domains() if not domain.apart]
    held = [domain for domain in domains() if domain.apart]
    many = max(1, round(catalogs * APART))
    usual = _catalogs(kept, max(1, catalogs - many), random)
    apart = _catalogs(held, many, random)
    made = [
        _sentence(usual, apart, Random(random.getrandbits(64)))
        for _ in progress(range(sentences), "writing sentences")
    ]
    return Generated((*usual, *apart), tuple(made))


def _catalogs(kinds: Sequence[Domain], count: int, random: Random) -> list[MadeCatalog]:
    shuffled = random.sample(kinds, len(kinds))
    chosen = [shuffled[number % len(shuffled)] for number in range(count)]
    return [
        make_catalog(domain, f"{domain.key}_{number}", random)
        for number, domain in enumerate(chosen)
    ]


def _sentence(
    usual: Sequence[MadeCatalog], apart: Sequence[MadeCatalog], random: Random
) -> LabelledSentence:
    """Return one sentence; of those apart, half are of a domain apart and half have a cue apart."""
    if random.random() >= APART:
        return _drawn(random.choice(usual), random, allows_apart=False)
    if random.random() < 0.5:
        return _drawn(random.choice(apart), random, allows_apart=False)
    for _ in range(100):
        sentence = _drawn(random.choice(usual), random, allows_apart=True)
        if sentence.apart:
            return sentence
    return _drawn(random.choice(apart), random, allows_apart=False)


def _drawn(catalog: MadeCatalog, random: Random, *, allows_apart: bool) -> LabelledSentence:
    while True:
        speaker = Speaker(catalog, random, allows_apart, voice=random.random() < VOICE)
        kind = random.choices(list(MIX), list(MIX.values()))[0]
        before, asked, pieces = _TURNS[kind](speaker)
        woven = _woven(speaker, pieces)
        sentence = _labelled(speaker, woven, before, asked)
        if sentence is not None:
            return sentence


def _alone(say: Callable[[Speaker], Pieces]) -> Callable[[Speaker], tuple[str, str, Pieces]]:
    return lambda speaker: ("", "", say(speaker))


_TURNS = {
    "request": _alone(request),
    "keywords": _alone(keywords),
    "answer": answer,
    "change": change,
    "nothing": _alone(nothing),
    "opening": _alone(opening_alone),
}


def _woven(speaker: Speaker, pieces: Pieces) -> Woven:
    woven, random = Woven.of(pieces), speaker.random
    tidied(woven)
    if speaker.voice:
        speaker.shows("voice")
        spoken(woven, random)
    else:
        cased(woven, random)
    apostrophes(woven, random)
    if random.random() < TYPO:
        speaker.shows("typos")
        mistyped(woven, random, random.choice((1, 1, 2, 3)))
    return woven


def _labelled(speaker: Speaker, woven: Woven, before: str, asked: str) -> LabelledSentence | None:
    """Return the sentence, or None where noise swallowed the words of something meant."""
    spans = {meant.mark: woven.span(meant.mark) for meant in speaker.meant}
    said = [
        meant for meant in speaker.meant if spans[meant.mark] is not None or meant.what == "decoy"
    ]
    if len(said) < len(speaker.meant) or not woven.text.strip() or _contradicts(said):
        return None
    pairs = [(meant, span) for meant in said if (span := spans[meant.mark]) is not None]
    return LabelledSentence(
        speaker.catalog.name,
        woven.text,
        before,
        asked,
        constraints=_constraints(pairs),
        objectives=_directions(pairs, "objective"),
        leanings=_directions(pairs, "leaning"),
        waived=tuple(LabelledWaiver(m.column, span) for m, span in pairs if m.what == "waived"),
        decoys=tuple(span for meant, span in pairs if meant.what == "decoy"),
        corrected=tuple(span for meant, span in pairs if meant.what == "corrected"),
        acts=tuple(speaker.acts),
        phenomena=tuple(speaker.phenomena),
        cues=tuple(dict.fromkeys(cue.name for cue in speaker.used)),
        apart=speaker.catalog.domain.apart or any(cue.apart for cue in speaker.used),
    )


def _constraints(pairs: Iterable[tuple[Meant, Span]]) -> tuple[LabelledConstraint, ...]:
    return tuple(
        LabelledConstraint(meant.column, meant.op, meant.value, span, meant.hard)
        for meant, span in pairs
        if meant.what == "constraint"
    )


def _directions(pairs: Iterable[tuple[Meant, Span]], what: str) -> tuple[LabelledDirection, ...]:
    return tuple(
        LabelledDirection(meant.column, _direction(meant.direction), span)
        for meant, span in pairs
        if meant.what == what
    )


def _direction(name: str) -> Direction:
    return "min" if name == "min" else "max"


def _contradicts(said: Sequence[Meant]) -> bool:
    """Return whether a column is wished about twice in ways that are hard to tell apart."""
    kinds: dict[str, set[str]] = {}
    for meant in said:
        if meant.what in ("constraint", "objective", "leaning", "waived"):
            kinds.setdefault(meant.column, set()).add(meant.what)
    return any("waived" in found and len(found) > 1 for found in kinds.values())
