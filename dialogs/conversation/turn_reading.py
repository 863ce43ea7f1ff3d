"""What a turn does, read from its words: acts of both sides, and the columns that are asked about.

Each is a fitted sum over hashed words. Words inside a possible value are masked, so that what is
learned is how people talk, not what they talk about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..language.column_phrases import stem
from ..language.tokens import tokens
from .hashed_weights import HashedWeights
from .tracked_columns import PLAIN, TrackedColumn
from .value_spans import Mention


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its words (stems, values masked), its mentions, its acts, what it asks about."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    mentions: Sequence[Mention]
    acts: Mapping[str, float]
    asked: Sequence[float] = ()


SILENCE = Turn("", (), (), (), {})


def masked_words(text: str, mentions: Sequence[Mention]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the stems of a text and where they begin; one `#kind` for each mention's words."""
    hidden = sorted(
        (m for m in mentions if m.kind != "name" or m.text[:1].isupper()),
        key=lambda m: (m.start, -m.end),
    )
    words: list[str] = []
    starts: list[int] = []
    place, end = 0, -1
    for token in tokens(text):
        if token.start < end:
            continue
        while place < len(hidden) and hidden[place].start < token.start:
            place += 1
        if place < len(hidden) and hidden[place].start == token.start:
            end = hidden[place].end
            words.append(f"#{hidden[place].kind}")
        else:
            words.append(stem(token.folded))
        starts.append(token.start)
    return tuple(words), tuple(starts)


def act_features(text: str, words: Sequence[str], before: Mapping[str, float]) -> list[str]:
    """Return the features of a turn's acts; `before` are the acts of the turn before."""
    padded = ["^", *words, "$"]
    features = ["bias", *(f"1 {word}" for word in dict.fromkeys(words))]
    features += [f"2 {a} {b}" for a, b in pairwise(padded)]
    features += [f"3 {a} {b} {c}" for a, b, c in zip(padded, padded[1:], padded[2:], strict=False)]
    features.append(f"length {min(len(words), 12)}")
    features.append(f"? {text.count('?')}")
    done = [act for act, chance in before.items() if chance > 0.5]
    for act in done:
        features.append(f"b {act}")
        features += [f"b {act} {word}" for word in dict.fromkeys(padded[1:4])]
    features.append("b " + " ".join(sorted(done)))
    return features


def asked_features(words: Sequence[str], columns: Sequence[TrackedColumn]) -> list[list[str]]:
    """Return for each column the features of whether a turn asks about it."""
    content = [word for word in dict.fromkeys(words) if word not in PLAIN or word in _ASKING]
    pairs = [f"{a} {b}" for a, b in pairwise(words) if a in _ASKING or b in _ASKING]
    hits = [{own for word in content for own in column.named_by(word)} for column in columns]
    shared = Counter(own for column in columns if column.wished for own in column.words)
    names = [len(hit & set(c.words[: c.named])) for c, hit in zip(columns, hits, strict=True)]
    alone = [sum(shared[own] < 2 for own in hit) for hit in hits]
    features: list[list[str]] = []
    for column, hit, named, only in zip(columns, hits, names, alone, strict=True):
        kind = f"{column.kind}{column.closed}"
        count = f"n{min(len(hit), 3)}{len(hit) >= max(map(len, hits))}"
        own = f"named{named} of{min(column.named, 3)} {named >= max(names)}"
        only_ = f"only{min(only, 2)}{only >= max(alone)}"
        line = [
            "bias",
            kind,
            column.role,
            column.use,
            count,
            f"{count} {kind}",
            own,
            f"{own} {kind}",
        ]
        line += [only_, f"{only_} {count} {own}", f"{own} {column.use}"]
        line += [f"w {word} {kind}" for word in content]
        line += [f"w {word} {own}" for word in content if word in _ASKING]
        line += [f"w {word} {word_}" for word in content for word_ in column.words]
        line += [f"p {pair} {word}" for pair in pairs for word in (kind, *column.words)]
        features.append(line)
    return features


_ASKING = frozenset(
    "what which when where who how whom many much long from to do is are in any please "
    "at on time day for".split()
)


def read_turn(
    text: str,
    mentions: Sequence[Mention],
    acts: HashedWeights,
    before: Mapping[str, float],
) -> Turn:
    """Return what a turn does; `before` are the acts of the turn it follows."""
    words, starts = masked_words(text, mentions)
    return Turn(
        text, words, starts, mentions, acts.probabilities(act_features(text, words, before))
    )
