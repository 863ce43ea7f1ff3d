"""The sentences of a turn, each read for what it does: `Any brand. Which is the cheapest?`.

A turn is cut behind its full stops and marks, and before a question or request that a comma
leads to. What a sentence asks is not wished because another one wishes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..extraction.number_lists import BOUNDS
from ..language.cues import cues
from ..language.tokens import folded_words
from .acts import NOT_UNDERSTOOD, Act, ActReading, Span

LONGEST = 600
"""Characters of a turn that is cut into sentences; who says more is heard as a whole."""

LIKELY = 0.5
"""The confidence from which what one sentence does is done by the turn, and an item is taken."""

SURE = 0.75
"""The score from which a wish is one, beside thanks too; not in a turn that accepts or asks.

Chosen on personas that were written to be learned from."""

_ASKS = (
    r"(?:which|what|what's|whats|how|when|where|who|why|(?:is|does|has|was|do|are|have)"
    r"\s+(?:it|that|this|they|those|the|you)|show\s+me|tell\s+me|just\s+(?:show|tell|list))\b"
)
_CUT = re.compile(
    r"(?<=[a-z\d)\]'\"]{2})[.…]+\s+|(?<=[.!?…])\s+|\n+"
    rf"|[,;:–-]\s+(?=(?:(?:and|but|so|ok|okay|then|now|also|please)\s+)*{_ASKS})"
    rf"|\s+(?=(?:and|but|so)\s+{_ASKS})",
    re.IGNORECASE,
)

OF_ONE_SENTENCE = (
    "ask", "ask_more", "ask_better", "retract", "dont_care", "undo", "weigh", "end"
)  # fmt: skip
"""Acts that a turn does where one of its sentences does, whatever the others do."""


_WHETHER = re.compile(r"\W*(?:(?:and|but|so|ok|oh|hmm)\W+)*(?:is|are|was)\s+the\b", re.IGNORECASE)

_WHICH = re.compile(r"\b(?:which|what)\b", re.IGNORECASE)
_HOW = re.compile(r"\b(?:how|when|where|what\s+time)\b", re.IGNORECASE)

_LISTS = re.compile(
    r"\b(?:list|show)\s+(?:(?:me|us)\s+)?(?:all|them|these|those|everything|what)\b|"
    r"\bwhich\s+(?:ones|of\s+(?:them|these|those|the|your))\b|"
    r"\bwhat\s+(?:have\s+(?:you|u)\b|do\s+you\s+have|(?:is|are)\s+(?:there|left|available|they))\b",
    re.IGNORECASE,
)
"""Words of somebody who wants to see what there is: `just list them`, `which of the large ones`."""

_REQUESTS = re.compile(
    r"\b(?:can|could|will|would|did|have)\s+(?:you|u)\s+(?:[a-z]+\s+){0,2}?(?:"
    r"(?:book|reserve|register|enroll?|contact|phone|e-?mail|negotiate|haggle)(?:e?d)?\b|"
    r"sign(?:ed)?\s+(?:me|us)\b|(?:take|accept)\s+\W?\d{2,7}\b(?!\s*[a-z]))|"
    r"\b(?:sign|enroll?|register|book)\s+(?:me|us)\s+(?:up|in)\b|\bchance\s+of\s+a\s+discount\b|"
    r"\b(?:is|are)\s+(?:(?!not\b|non\b)[a-z]+\s+){1,3}?negotiable\b|"
    r"\bmake\s+(?:(?:me|us)\s+)?(?:a|the)\s+(?:booking|reservation)\b|"
    r"\bcan\s+(?:it|that|the\s+price)\s+(?:go|come|be)\s+(?:any\s+)?(?:lower|cheaper|down)\b",
    re.IGNORECASE,
)
"""Words that ask for what only people do: `could you book it`, `is it negotiable`, `sign us up`."""

_MORE = r"\s(?:more|less|better|worse|most|best|(?!number|other|ever|never|over|under)\w{2,}er)\b"

_COMPARE = re.compile(
    r"\b(?:compare|comparison|differ|(?<!no )diff?e?r[ea]nces?|versus|vs?)\b|"
    rf"\bbetween\s(?![€$£]?\d)[^.?!]{{1,80}}\band\b[^.?!]{{1,80}}\bwhich\b[^.?!]{{1,40}}{_MORE}|"
    rf"\bwhich\b[^.?!]{{1,60}}{_MORE}[^.?!]{{0,60}}\b(?:this|that|it)(?:\s+one)?\s+or\b",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"(?:(?:and|so|ok|okay|then|now|just|please|pls)\s+){0,3}(?=compar|differ|versus)",
    re.IGNORECASE,
)

_BETWEEN = re.compile(r"\W*(?:(?:and|so|ok|okay)\W+)?between\s(?![€$£]?\d)", re.IGNORECASE)


_QUESTION = re.compile(
    r"\W*(?:(?:and|but|so|ok|oh|hmm|hello|hi)\W+)*(?:(?:could|can) you (?:please )?)?"
    rf"(?:{_ASKS}|does\b|(?:is|are)\s+(?!(?:fine|ok|okay|good|great|perfect|too|also|not?|way|my|an?)\b)\w)",
    re.IGNORECASE,
)


_ONES = re.compile(r"\bones\b", re.IGNORECASE)
_YES = re.compile(r"\W*(?:yes|yeah|yep|yup)\b", re.IGNORECASE)


def place_of(part: Any) -> Span:
    """Return the characters of a turn that say something that was found in it."""
    return part.evidence.start, part.evidence.end


def overlaps(span: Span, others: Iterable[Span]) -> bool:
    """Return whether some of these characters are among others."""
    return any(start < span[1] and span[0] < end for start, end in others)


@dataclass(frozen=True)
class Sentence:
    """A sentence of a turn, by its characters in it, and what it does."""

    text: str
    start: int
    end: int
    reading: ActReading

    def holds(self, place: int) -> bool:
        """Return whether a character of the turn is one of it."""
        return self.start <= place < self.end

    @property
    def asks_whether(self) -> bool:
        """Whether it asks if something named is so: `is the 23 dollars for each person?`."""
        return "?" in self.text and _WHETHER.match(self.text) is not None

    @property
    def asks_how(self) -> bool:
        """Whether it asks when, where or how much something is, by its words."""
        return self.asks and asks_how(self.text)

    @property
    def bounds(self) -> bool:
        """Whether a word of it bounds a number: `at most`."""
        return any(name in BOUNDS for _, _, name in cues(folded_words(self.text)))

    @property
    def requests(self) -> bool:
        """Whether it asks for something to be done that no catalog can do."""
        return _REQUESTS.search(self.text) is not None

    @property
    def lists(self) -> bool:
        """Whether it asks to see what there is, by its words."""
        return self.asks and _LISTS.search(self.text) is not None

    @property
    def compares(self) -> bool:
        """Whether it asks how things differ."""
        if not compares(self.text):
            return False
        return self.asks or _COMPARE.match(_FIRST.sub("", self.text.strip(), 1)) is not None

    @property
    def asks(self) -> bool:
        """Whether it is a question, by its words or marks if not by what it does."""
        return "?" in self.text or bool(_QUESTION.match(self.text) or self.reading.get("ask"))

    @property
    def takes(self) -> bool:
        """Whether it takes what is offered, whatever others ask: `yes, that one`."""
        select = self.reading.get("affirm", "select")
        likely = select is not None and select.confidence >= LIKELY
        several = _ONES.search(self.text) is not None
        return likely and not (self.asks or several) and _YES.match(self.text) is not None


def asks_how(text: str) -> bool:
    """Return whether a text has words of a question for when, where or how much something is."""
    return _HOW.search(text) is not None


def compares(text: str) -> bool:
    """Return whether a text is about how things differ."""
    return _COMPARE.search(text) is not None


def cut(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of a turn begin and end, all of it in order."""
    if len(text) > LONGEST:
        return [(0, len(text))]
    starts = [0]
    for gap in _CUT.finditer(text):
        said = text[starts[-1] : gap.start()]
        if _BETWEEN.match(said) and not any(map(gap[0].__contains__, ".!?\n")):
            continue  # `Between the Lamb and the Plough, which is larger` asks one thing.
        if any(map(str.isalnum, said)) and any(map(str.isalnum, text[gap.end() :])):
            starts.append(gap.end())
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def joined(whole: ActReading, sentences: Sequence[Sentence]) -> ActReading:
    """Return what a turn does: what it does as a whole, and what one of its sentences does."""
    if len(sentences) < 2:
        return whole
    acts = {(str(act), act.topic): act for act in whole.acts}
    for sentence in sentences:
        for act in sentence.reading.acts:
            key = str(act), act.topic
            takes = act.topic == "select" and sentence.takes
            if (act in OF_ONE_SENTENCE or takes) and act.confidence >= LIKELY:
                acts[key] = max(acts.get(key, act), act, key=_confidence)
    kept = [act for act in acts.values() if act != NOT_UNDERSTOOD or len(acts) == 1]
    affirms = max(whole.affirms, *(sentence.reading.affirms for sentence in sentences))
    ordered = tuple(sorted(kept, key=_confidence, reverse=True))
    return replace(whole, acts=ordered, affirms=affirms)


def _confidence(act: Act) -> float:
    return act.confidence


def doing(sentences: Iterable[Sentence], *acts: str) -> list[Sentence]:
    """Return the sentences that do one of some acts."""
    return [part for part in sentences if any(part.reading.get(act) for act in acts)]
