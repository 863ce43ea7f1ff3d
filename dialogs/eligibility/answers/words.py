"""Split an answer into words: negations and endings apart, numbers whole, punctuation kept."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...language.tokens import folded

DOUBT, AMENDS, ASIDE = "§", "‡", "¶"
"""Stand for phrases: of not knowing (no negation), of correcting, and of changing the subject."""

_WORD = re.compile(
    r"(?P<money>[$€£]\s?)?(?P<number>\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<stem>[^\W\d_]+?)(?=n['’]t\b)"
    r"|n['’]t\b"
    r"|['’](?:s|m|re|ve|ll|d)\b"
    r"|[^\W\d_]+"
    r"|[§‡¶]"
    r"|(?<=\s)[-–]{1,2}(?=\s)|—"
    r"|[,;:.!?()/]",
    re.IGNORECASE,
)
_CANNOT = re.compile(r"\bcannot\b", re.IGNORECASE)
_CANT = {"ca": "can", "wo": "will", "sha": "shall"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word, number or mark. `low`: without case and accents; `value`: that of a number."""

    text: str
    low: str
    value: float | None = None
    money: bool = False

    @property
    def is_mark(self) -> bool:
        """Whether it is punctuation."""
        return (
            not self.low[0].isalnum()
            and self.low not in ("n't", DOUBT, AMENDS, ASIDE)
            and self.low[0] != "'"
        )

    @property
    def is_capital(self) -> bool:
        """Whether it begins with a capital letter."""
        return self.text[:1].isupper()


def words_of(text: str) -> list[Word]:
    """Return the words of a text: `doesn't` is `does n't`, `35k` is `35 k`, `Ann's` is `Ann 's`."""
    return [_word(match) for match in _WORD.finditer(_CANNOT.sub("can not", text))]


def _word(match: re.Match[str]) -> Word:
    if number := match["number"]:
        return Word(match[0], number, float(number.replace(",", "")), match["money"] is not None)
    low = folded(match[0])
    return Word(match[0], _CANT.get(low, low) if match["stem"] else low)


def stem(word: str) -> str:
    """Return a word without the ending that its use gave it: `receives`, `receiving` → `receiv`."""
    for ending, short in (("ability", "abl"), ("ance", ""), ("ence", ""), ("ness", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending) + short
    for ending, least in (("ies", 3), ("ied", 3), ("ing", 4), ("ed", 4), ("es", 4), ("s", 3)):
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            base = word[: -len(ending)]
            return base + "y" if ending in ("ies", "ied") else base.removesuffix("e")
    return word.removesuffix("e") if len(word) > 4 else word


def alike(first: str, second: str) -> bool:
    """Return whether two stems are of one word: equal, or one long beginning in common."""
    if first == second:
        return True
    shared = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        shared += 1
    if shared == min(len(first), len(second)) >= 4 and abs(len(first) - len(second)) <= 2:
        return True
    return shared >= 5 and shared >= 0.6 * max(len(first), len(second))
