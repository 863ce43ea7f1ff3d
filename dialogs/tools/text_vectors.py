"""Vectors of short texts, and how alike two are: a cosine of counted pieces, without a model.

An English word is a unit vector of its letter pairs, a number or a negation is itself, Chinese is
its characters and their pairs. Words of courtesy and grammar count nothing, words for any place
little, and words of one family (`words_alike.txt`) are one word. Linear in the text.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

Vector = Mapping[str, float]
"""Weights by feature, of length 1; empty for a text without letters or digits."""

LONGEST = 2_000
"""Characters of a text that are looked at."""

LITTLE, MUCH = 0.5, 1.5
"""What a word for any place counts, and a number or a negation, beside 1 of another word."""

PAIR, LITTLE_CHARACTER = 0.7, 0.3
"""What a pair of Chinese characters counts beside 1 of one, and a character that ends places."""

_LETTER = r"[^\W\d_一-鿿]"
_PIECE = re.compile(rf"[一-鿿]+|\d+(?:\.\d+)?|{_LETTER}+(?:['’]{_LETTER}+)?")
_HAN = re.compile(r"[一-鿿]")
_EMPTY = frozenset(
    "a an the some any of to in on at by for with from into as and or your my our me us i we you "
    "it its their is are be am was can could would should will do does did have has had that this "
    "these those there here which who what where how please help find finding search searching "
    "show give get need want looking look like tell see let lets just also one ones down up place "
    "spot location area venue point site near nearby around close closest nearest next within "
    "along via s m re ve ll d".split()
)
_ANY_PLACE = frozenset("shop restaurant".split())
_NEGATION = frozenset("not no without never except non avoid".split())
_EMPTY_HAN = re.compile(
    "请问|请|麻烦|帮我|帮忙|给我|我想要|我想|我要|想要|想找|寻找|查找|搜索|搜一下|查一下|找一下|找个|找家|找|"
    "推荐|看看|有没有|有什么|哪里有|哪有|哪里|哪儿|在哪|附近|周边|周围|旁边|这边|这里|这儿|最近的|一下|一家|一个|"
    "一些|可以|的(?!士)|了|吗|呢|(?<![酒网])吧|啊|呀|去|到|在"
)
_LITTLE_HAN = frozenset("店馆厅站点处场所房屋家有带能里内")
_BETWEEN_HAN = re.compile(r"(?<=[一-鿿])[\W_]+(?=[一-鿿])")


def similarity(first: str, second: str) -> float:
    """Return how alike two texts are, from 0 to 1; 0 where one says nothing.

    Texts that only differ in how words are put together (`Mix C`) are the same.
    """
    spelled = _spelled(first)
    if spelled and spelled == _spelled(second):
        return 1.0
    return cosine(vector(first), vector(second))


def cosine(first: Vector, second: Vector) -> float:
    """Return the cosine of two vectors of length 1, at most 1."""
    if len(second) < len(first):
        first, second = second, first
    return min(1.0, math.fsum(first[name] * second[name] for name in first if name in second))


@lru_cache(maxsize=65_536)
def vector(text: str) -> Vector:
    """Return a text's vector; one of words without a meaning of their own keeps them."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST]).casefold()
    weights = _weights(_meaning(plain), empty=_EMPTY) or _weights(plain, empty=frozenset())
    length = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
    return {name: weight / length for name, weight in sorted(weights.items())} if length else {}


@lru_cache(maxsize=65_536)
def _spelled(text: str) -> str:
    """Return the words of a text that mean something without blanks; numbers keep theirs."""
    plain = _meaning(unicodedata.normalize("NFKC", text[:LONGEST]).casefold())
    pieces = [piece for piece in _PIECE.findall(plain) if piece not in _EMPTY]
    return "".join(f" {piece} " if piece[0].isdigit() else _stem(piece) for piece in pieces)


def terms(text: str) -> Mapping[str, float]:
    """Return what a text speaks of, weighed: stems of words, numbers, pairs of Chinese characters.

    Other than a vector's letter pairs they tell one word from another, so a long text can be
    searched for them. A single character stands for itself.
    """
    plain = _meaning(unicodedata.normalize("NFKC", text).casefold())
    found: dict[str, float] = {}
    for piece in _PIECE.findall(plain):
        if _HAN.match(piece):
            pairs = [first + second for first, second in pairwise(piece)] or [piece]
            found |= {pair: LITTLE_CHARACTER if pair[-1] in _LITTLE_HAN else 1.0 for pair in pairs}
        elif piece not in _EMPTY:
            stem = _stem(piece)
            found[stem] = LITTLE if stem in _ANY_PLACE else 1.0
    return found


def _meaning(text: str) -> str:
    """Return a text with words alike made one, and Chinese words of courtesy left out."""
    for pattern, words in _words_alike():
        text = pattern.sub(words, text)
    return _BETWEEN_HAN.sub("", _EMPTY_HAN.sub(" ", text))


def _weights(text: str, *, empty: frozenset[str]) -> Mapping[str, float]:
    weights: defaultdict[str, float] = defaultdict(float)
    for piece in _PIECE.findall(text):
        if _HAN.match(piece):
            _add_han(weights, piece)
        elif piece[0].isdigit():
            weights[piece] += MUCH
        elif piece not in empty:
            _add_word(weights, piece)
    return weights


def _add_han(weights: defaultdict[str, float], run: str) -> None:
    for character in run:
        weights[character] += LITTLE_CHARACTER if character in _LITTLE_HAN else 1.0
    for first, second in pairwise(run):
        weights[first + second] += PAIR * (LITTLE_CHARACTER if second in _LITTLE_HAN else 1.0)


def _add_word(weights: defaultdict[str, float], word: str) -> None:
    if word in _NEGATION:
        weights["¬"] += MUCH
        return
    name = _stem(word)
    counts = LITTLE if name in _ANY_PLACE else 1.0
    edged = f"^{name}$"
    pairs = Counter(edged[at : at + 2] for at in range(len(edged) - 1))
    length = math.sqrt(sum(count * count for count in pairs.values()))
    for pair, count in pairs.items():
        weights[pair] += counts * count / length


def _stem(word: str) -> str:
    """Return an English word without the ending of its plural."""
    word = word.replace("’", "'").removesuffix("'s")
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    plural = word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3
    return word[:-1] if plural else word


@lru_cache(maxsize=1)
def _words_alike() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return a pattern for each family of words, and the words in their stead."""
    text = Path(__file__).with_name("words_alike.txt").read_text(encoding="utf-8")
    lines = text.splitlines()
    return tuple(_family(line.split()) for line in lines if line and not line.startswith("#"))


def _family(words: list[str]) -> tuple[re.Pattern[str], str]:
    longest_first = sorted(words, key=len, reverse=True)
    said = "|".join(re.escape(word).replace("_", r"\s+") for word in longest_first)
    pattern = f"(?:{said})" if _HAN.match(said) else rf"\b(?:{said})(?:es|s)?\b"
    return re.compile(pattern), words[0].replace("_", " ")
