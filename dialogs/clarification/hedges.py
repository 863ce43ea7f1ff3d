"""Words of somebody who hesitates between things, or says that either will do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_PHRASES = (
    "maybe|perhaps|possibly|ideally|preferably|or even|at a push|failing that|if not|if need be|"
    "okay|ok|also okay|would be okay|would also do|could also work|could work|acceptable|"
    "not sure|can't decide|cant decide|undecided|torn|torn between|leaning towards|"
    "alternatively|otherwise|or else|second choice|as a fallback|fallback|would do|"
    "i guess|i suppose|dunno|don't know|dont know|hmm|or so|in a pinch|first choice|"
    "at a pinch|as a backup|backup|plan b|if i must|could live with|can live with|at worst|"
    "if that fails|if unavailable|if not available|cannot decide|still deciding|second best|"
    "fine too|if you must|can't choose|can’t decide|not decided|haven't decided|failing this|"
    "if possible|would prefer|i'd prefer|rather|might do|might work|could be|tempted by"
)
_KNOWN = {tuple(phrase.split()) for phrase in _PHRASES.split("|")}
_LONGEST = max(map(len, _KNOWN))

TORN = frozenset(("torn", "undecided", "sure", "decide", "decided", "choose", "deciding", "dunno"))


def is_torn(words: Sequence[str]) -> bool:
    """Return whether words right after two things say that one cannot choose."""
    return any(word in TORN for word in words)


INDIFFERENT = frozenset(
    "any anything either both all whichever whatever each neither every everything kind "
    "sort".split()
)
"""Words by which somebody says that all of several will do, or none."""


def hedges(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield first and last word of every hedge, the longest at each place."""
    at = 0
    while at < len(words):
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            if tuple(words[at : at + length]) in _KNOWN:
                yield at, at + length - 1
                at += length - 1
                break
        at += 1
