"""Short replies to a question about importance itself: "How firm is the price?" "Very." """

from __future__ import annotations

import re

from .cues import Cue

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


def stance(question: str, reply: str) -> tuple[Cue, ...]:
    """Return what a reply's first words say of the importance that the question asks about."""
    asks_flexibility = bool(_FLEXIBILITY.search(question))
    if not (asks_flexibility or _IMPORTANCE.search(question)):
        return ()
    for pattern, strength in _REPLIES:
        match = pattern.match(reply)
        if match:
            turned = -strength if asks_flexibility else strength
            return (Cue(0, 1, "a reply to how much", turned, negated=False),)
    return ()
