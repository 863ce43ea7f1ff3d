"""Cues of importance: listed phrases in a clause, their strengths changed by negations and hedges.

The phrases and strengths are in `cues.txt`, negations, boosters and hedges in
`modifiers.json`; both in general English, about no domain. They are read once a process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path

from ..language.numbers import ONES
from ..language.tokens import tokens

NEGATED_UP, NEGATED_DOWN = -0.55, -1.3
"""What negation makes of a strength: "not essential" is mild, "not flexible" is firm."""

BOOSTED, HEDGED = 1.2, 0.6
EXTREME = 0.95
"""Strength from which on a cue leaves no doubt: it must be so, or it is what goes first."""

REACH = 4
"""Words before a phrase in which a negation still concerns it."""

GAP = 3
"""Words that a "~" of a phrase may stand for, at most."""

_MARK = re.compile(r"[,;:()]|\s[–—-]+\s|—")

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Cue:
    """Words `start` to `end` (excluded) of a clause, as listed, and the strength in [-1, 1]."""

    start: int
    end: int
    phrase: str
    strength: float
    negated: bool


@dataclass(frozen=True)
class Modifiers:
    """Words that turn, raise or lower what follows them."""

    negations: frozenset[str]
    boosters: frozenset[str]
    hedges: tuple[tuple[str, ...], ...]


_BOUND = re.compile(
    r"\bat\s+(?:least|most)\b"
    r"|\b(?:no|not|nothing)(?=\s+(?:more|less|fewer|later|older|newer|higher|lower|longer|larger"
    r"|smaller|bigger|heavier|earlier|further|farther|shorter|sooner|faster|slower)\s+than\b)",
    re.IGNORECASE,
)


_IMPORTANCE = re.compile(
    r"\b(?:important|importance|matters?|strict|firm|essential|crucial|set on|must[- ]have"
    r"|deal ?breaker)\b",
    re.IGNORECASE,
)
_FLEXIBILITY = re.compile(
    r"\b(?:flexib\w+|willing|compromise|negotiable|open to|give up|bend|give way|do without)\b",
    re.IGNORECASE,
)
_REPLIES = (
    (re.compile(r"\W*(?:not (?:really|very|that|much|at all|particularly|too|so|overly)|no|nah"
                r"|nope|hardly|barely|never)\b", re.IGNORECASE), -0.7),
    (re.compile(r"\W*(?:very|extremely|really|super|absolutely|totally|definitely|completely"
                r"|utterly|yes|yeah|yep|sure|hugely|highly|a lot)\b", re.IGNORECASE), 0.85),
    (re.compile(r"\W*(?:quite|pretty|fairly|rather|reasonably)\b", re.IGNORECASE), 0.5),
    (re.compile(r"\W*(?:somewhat|a (?:bit|little)|moderately|kind of|kinda|sort of|slightly"
                r"|so-so)\b", re.IGNORECASE), 0.15),
)  # fmt: skip
"""What a short reply to a question of importance says: "How firm is the price?" "Very." """


_FULL = {
    "won't": ("will", "not"), "wont": ("will", "not"), "shan't": ("shall", "not"),
    "shant": ("shall", "not"), "can't": ("can", "not"), "cant": ("can", "not"),
    "cannot": ("can", "not"), "im": ("i", "am"), "ive": ("i", "have"), "thats": ("that", "is"),
    "theres": ("there", "is"), "gotta": ("got", "to"), "gonna": ("going", "to"),
    "wanna": ("want", "to"),
}  # fmt: skip
_NOT = re.compile(
    r"((?:do|does|did|is|are|was|were|would|could|should|has|have|had|need|must)n)'?t$"
)
_ENDS = {"d": "would", "ll": "will", "ve": "have", "re": "are", "m": "am", "s": "is"}


def spelled(word: str) -> tuple[str, ...]:
    """Return a folded word's full words: `wouldn't` and `wouldnt` are `would not`."""
    if word in _FULL:
        return _FULL[word]
    if _NOT.match(word):
        return (word[: word.rindex("n")], "not")
    stem, mark, end = word.partition("'")
    return (stem, _ENDS[end]) if mark and end in _ENDS else (word,)


def words_of(text: str) -> list[str]:
    """Return the folded words of a text in full, as phrases are matched with them.

    Marks between clauses are words too: no phrase, and no negation, reaches across them.
    """
    marks = [(mark.start(), (",",)) for mark in _MARK.finditer(text)]
    said = [(token.start, spelled(token.folded)) for token in tokens(text)]
    return [word for _, words in sorted([*said, *marks]) for word in words]


def unbounded(text: str) -> str:
    """Return text of the same length without words like "at least" or the "no" of "no more than".

    They belong to a bound and say nothing of how much it matters.
    """
    return _BOUND.sub(lambda match: " " * len(match[0]), text)


def cues(words: Sequence[str]) -> tuple[Cue, ...]:
    """Return the phrases in folded words, longest first where they overlap, in order."""
    phrase_cues: list[Cue] = []
    place = free = 0
    while place < len(words):
        match = _longest(words, place)
        if match is None:
            place += 1
            continue
        end, phrase, strength = match
        # A negation inside the phrase before has done its work there.
        before = words[max(free, place - REACH) : place]
        after = words[end : end + 2]
        phrase_cues.append(_modified(before, after, place, end, phrase, strength))
        place = free = end
    return tuple(phrase_cues)


_RATED = re.compile(
    r"(?<![\w.,£$€])(\d{1,2}(?:\.\d)?|zero|one|two|three|four|five|six|seven|eight|nine|ten)"
    r"\s*(?:/|out of)\s*(10|ten|5|five)\b(?!\s*stars?)"
    r"|\b(?:solid|strong|weak|like an?|only an?|maybe an?|about an?|call it an?|an? mere)"
    r" (\d(?:\.5)?)(?=\s*(?:[.,;!?]|$))",
    re.IGNORECASE,
)


def ratings(text: str) -> Iterator[Cue]:
    """Yield what a rating says: `7 out of 10`, `2/10`, `a solid 6`; half of all is neutral."""
    for found in _RATED.finditer(text):
        best = 5.0 if (found[2] or "").lower() in ("5", "five") else 10.0
        marks = _number(found[1] or found[3])
        if marks <= best:
            yield Cue(0, 1, "rated", 2.0 * marks / best - 1.0, negated=False)


def _number(word: str) -> float:
    folded = word.lower()
    return 10.0 if folded == "ten" else float(ONES.get(folded) or folded.replace("zero", "0"))


def stance(question: str, reply: str) -> tuple[Cue, ...]:
    """Return what a reply's first words say of the importance that the question asks about."""
    asks_flexibility = bool(_FLEXIBILITY.search(question))
    if not (asks_flexibility or _IMPORTANCE.search(question)):
        return ()
    for pattern, strength in _REPLIES:
        if pattern.match(reply):
            turned = -strength if asks_flexibility else strength
            return (Cue(0, 1, "a reply to how much", turned, negated=False),)
    return ()


def blended(strengths: Sequence[float]) -> float:
    """Return the strengths as one in [-1, 1], strong ones counting more than weak ones."""
    total = sum(abs(strength) for strength in strengths)
    return sum(strength * abs(strength) for strength in strengths) / total if total else 0.0


def _longest(words: Sequence[str], place: int) -> tuple[int, str, float] | None:
    """Return the longest phrase that begins here: where it ends, itself and its strength."""
    ends = list(_ends(words, place, phrases()))
    return max(ends, key=lambda end: end[0], default=None)


def _ends(
    words: Sequence[str], place: int, node: Phrases, gap: int = 0
) -> Iterator[tuple[int, str, float]]:
    """Yield the phrases below a node that match from here on; `gap` words may be passed over."""
    if node.listed and not gap:
        yield (place, *node.listed)
    for at in range(place, min(place + gap + 1, len(words))):
        below = node.below.get(words[at])
        if below is not None:
            yield from _ends(words, at + 1, below)
    any_words = node.below.get("~")
    if any_words is not None:
        yield from _ends(words, place, any_words, GAP)


def _modified(
    before: Sequence[str], after: Sequence[str], start: int, end: int, phrase: str, strength: float
) -> Cue:
    if "," in before:
        before = before[len(before) - list(reversed(before)).index(",") :]
    known = modifiers()
    negated = any(word in known.negations for word in before)
    if before[-1:] and before[-1] in known.boosters:
        strength *= BOOSTED
    hedged = any(_ends_with(before, hedge) for hedge in known.hedges)
    if hedged or any(tuple(after[: len(hedge)]) == hedge for hedge in known.hedges):
        strength *= HEDGED
    if negated:
        strength *= NEGATED_UP if strength > 0 else NEGATED_DOWN
    return Cue(start, end, phrase, max(-1.0, min(1.0, strength)), negated)


def _ends_with(words: Sequence[str], hedge: tuple[str, ...]) -> bool:
    last = list(words[-len(hedge) - 1 :])
    return any(tuple(last[at : at + len(hedge)]) == hedge for at in range(len(last)))


@dataclass(slots=True)
class Phrases:
    """Listed phrases as a tree of words: what may follow, and the phrase that ends here."""

    below: dict[str, Phrases] = field(default_factory=lambda: dict[str, Phrases]())
    listed: tuple[str, float] | None = None


@cache
def phrases() -> Phrases:
    """Return the listed phrases with their strengths, as a tree."""
    root = Phrases()
    for phrase, strength in _listed():
        node = root
        parts = [part for piece in re.split(r"(~)", phrase) for part in _parts(piece)]
        for part in parts:
            node = node.below.setdefault(part, Phrases())
        node.listed = (" ".join(parts), strength)
    return root


def _parts(piece: str) -> list[str]:
    return ["~"] if piece == "~" else words_of(piece)


def _listed() -> Iterator[tuple[str, float]]:
    strength = 0.0
    for line in (HERE / "cues.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            strength = float(line.strip("[]"))
        elif line and not line.startswith("#"):
            for phrase in _spelled_out(line):
                yield phrase, strength


def _spelled_out(line: str) -> Iterator[str]:
    """Yield a line once for every choice among its alternatives, `(a|b)`."""
    parts = re.split(r"\(([^)]*)\)", line)
    choices = [part.split("|") if place % 2 else [part] for place, part in enumerate(parts)]
    for chosen in product(*choices):
        yield "".join(chosen)


@cache
def modifiers() -> Modifiers:
    """Return the listed negations, boosters and hedges."""
    record = json.loads((HERE / "modifiers.json").read_text(encoding="utf-8"))
    return Modifiers(
        frozenset(record["negations"]),
        frozenset(record["boosters"]),
        tuple(tuple(hedge.split()) for hedge in record["hedges"]),
    )
