"""Words as they are compared: English stems, Chinese as characters."""

from __future__ import annotations

import re
from functools import lru_cache

_HAN = re.compile(r"[一-鿿]")
_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?")
_ARTICLE = re.compile(
    r"^(?:(?:a pair of|a set of|a collection of|an?|the|some|several)\s+|"
    r"(?:一[个把些种张支根块份条件双只]|充足的|足够的)\s*)",
    re.IGNORECASE,
)
_ALIKE = {
    "shop": "store",
    "mount": "mountain",
    "gemstone": "gem",
    "smithy": "blacksmith",
    "bike": "bicycle",
    "door": "gate",
}
EMPTY = frozenset(
    "a an the some any of to in on at by for with from into as and or your my his her its their is "
    "are be can you i it this that use using cast do".split()
)


def han(text: str) -> bool:
    """Return whether a text holds Chinese characters."""
    return bool(_HAN.search(text))


def bare(name: str) -> str:
    """Return a name without its article, and without a stop at its end."""
    return _ARTICLE.sub("", name.strip().strip(".。;；,，")).strip()


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return an English word without the endings of number and time, in small letters."""
    word = word.lower().replace("’", "'").removesuffix("'s").removesuffix("'")
    for ending, turned in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh")):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return _ALIKE.get(word[: -len(ending)] + turned, word[: -len(ending)] + turned)
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            word = word[: -len(ending)]
            word = word[:-1] if word[-1] == word[-2] and word[-1] not in "sl" else word
    return _ALIKE.get(word, word)


@lru_cache(maxsize=8192)
def stems(text: str) -> tuple[str, ...]:
    """Return the stems of an English text's words that carry meaning, in order."""
    found = _WORD.findall(text.lower().replace("-", " "))
    return tuple(stem(word) for word in found if word not in EMPTY)
