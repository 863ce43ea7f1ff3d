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
from .value_spans import LONGEST_TURN, Mention


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
    hidden: dict[int, Mention] = {}
    for mention in mentions:
        if mention.kind != "name" or mention.text[:1].isupper():
            hidden.setdefault(mention.start, mention)
    words: dict[int, str] = {}
    end = 0
    for token in tokens(text):
        if token.start >= end:
            mention = hidden.get(token.start)
            words[token.start] = f"#{mention.kind}" if mention else stem(token.folded)
            end = mention.end if mention else end
    return tuple(words.values()), tuple(words)


def act_features(text: str, words: Sequence[str], before: Mapping[str, float]) -> list[str]:
    """Return the features of a turn's acts; `before` are the acts of the turn before."""
    padded = ["^", *words, "$"]
    done = sorted(act for act, chance in before.items() if chance > 0.5)
    return [
        "bias",
        f"length {min(len(words), 12)}",
        f"? {text.count('?')}",
        "b " + " ".join(done),
        *(f"1 {word}" for word in dict.fromkeys(words)),
        *(f"2 {a} {b}" for a, b in pairwise(padded)),
        *(f"3 {a} {b} {c}" for a, b, c in zip(padded, padded[1:], padded[2:], strict=False)),
        *(f"b {act} {word}" for act in done for word in ("", *dict.fromkeys(padded[1:4]))),
    ]


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
        words_hit = f"n{min(len(hit), 3)}{len(hit) >= max(map(len, hits))}"
        name_hit = f"named{named} of{min(column.named, 3)} {named >= max(names)}"
        own_hit = f"only{min(only, 2)}{only >= max(alone)}"
        features.append(
            [
                *("bias", kind, column.role, words_hit, name_hit, own_hit),
                *(f"{words_hit} {kind}", f"{name_hit} {kind}", f"{own_hit} {words_hit} {name_hit}"),
                *(f"{name_hit} {'act' in column.role}", f"{'act' in column.role}"),
                *(f"w {word} {kind}" for word in content),
                *(f"w {word} {name_hit}" for word in content if word in _ASKING),
                *(f"w {word} {own}" for word in content for own in column.words),
                *(f"p {pair} {own}" for pair in pairs for own in (kind, *column.words)),
            ]
        )
    return features


_ASKING = frozenset(
    "what which when where who how whom many much long from to do is are in any please at on time"
    " day for".split()
)


def read_turn(
    text: str, mentions: Sequence[Mention], acts: HashedWeights, before: Mapping[str, float]
) -> Turn:
    """Return what a turn does; `before` are the acts of the turn it follows."""
    text = text[:LONGEST_TURN]
    words, starts = masked_words(text, mentions)
    chances = acts.probabilities(act_features(text, words, before))
    return Turn(text, words, starts, mentions, chances)
