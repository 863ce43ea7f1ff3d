"""Turn a negated clause into its affirmative, which is what a question asks for."""

from __future__ import annotations

import re

_NEGATORS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(?:do|does|did) not (?:currently |already )?", re.I), ""),
    (re.compile(r"\b(?:don't|doesn't|didn't) ", re.I), ""),
    (
        re.compile(r"\b(must|may|can|should|will) not (?:be\b|already be\b|currently be\b)", re.I),
        "are",
    ),
    (re.compile(r"\b(?:must|may|can|should|will) not ", re.I), ""),
    (re.compile(r"\b(?:cannot|can't|won't|mustn't) be\b", re.I), "are"),
    (re.compile(r"\b(?:cannot|can't|won't|mustn't) ", re.I), ""),
    (re.compile(r"\b(are|is|was|were|be|been|have|has|had) not\b", re.I), r"\1"),
    (re.compile(r"\b(are|is|was|were|have|has|had)n't\b", re.I), r"\1"),
    (re.compile(r"\b(have|has|had) never\b", re.I), r"\1 ever"),
    (re.compile(r"\b(have|has|had|own|owns|receive|receives) no (?:other )?", re.I), r"\1 any "),
    (re.compile(r"\bnever ", re.I), "ever "),
    (re.compile(r"^not ", re.I), ""),
    (re.compile(r"^no ", re.I), "any "),
    (re.compile(r"^without ", re.I), "have "),
)
_ANY = re.compile(r"\b(?:not|never|cannot|without|no)\b|n't\b|^no\b", re.IGNORECASE)
_NO_NEGATION = re.compile(r"\bnot only\b|\bwhether or not\b|\bnot-for-profit\b|\bno matter\b", re.I)


def affirmative(clause: str) -> tuple[str, bool]:
    """Return a clause without its negation, and whether it had one.

    A clause with several negations, or one that is only part of a name, stays as it is.
    """
    text = clause.strip()
    negations = _ANY.findall(text)
    if _NO_NEGATION.search(text) or len(negations) != 1 or not _is_main(text):
        return text, False
    for pattern, replacement in _NEGATORS:
        if pattern.search(text):
            return " ".join(pattern.sub(replacement, text, count=1).split()), True
    return text, False


_SUBORDINATE = re.compile(r"\b(?:who|that|which|because|while|so|such as|whose|where)\b", re.I)
MAIN_WORDS = 6


def _is_main(text: str) -> bool:
    """Return whether the negation belongs to the clause itself, not to one inside it."""
    place = _ANY.search(text)
    if place is None:
        return False
    before = text[: place.start()]
    return len(before.split()) <= MAIN_WORDS and not _SUBORDINATE.search(before)
