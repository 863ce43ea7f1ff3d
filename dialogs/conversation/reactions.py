"""Classify a reply to a proposal by patterns: yes, no, other weights, stop, or a new wish."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...catalogs.query.constraint import Constraint
from ..language.column_phrases import mentions
from ..language.tokens import folded

Kind = Literal["accept", "refuse", "reweigh", "stop", "say"]

NAMED = 0.5
"""A wish is named from this strength of a mention on (`column_phrases`)."""

_ACCEPT = re.compile(
    r"^\W*(?:y|yes|yep|yeah|sure|ok|okay|fine|great|perfect|accept|accepted|agreed|deal|go ahead"
    r"|sounds good|i('ll| will)? (?:take|accept) (?:it|that|this)|that works|works for me)\b"
)
_REFUSE = re.compile(
    r"^\W*(?:n|no|nope|never|not that|anything but|refuse|reject|rather not|don't|do not)\b"
    r"|\banything but\b|\bnot (?:the|my)\b|\bkeep (?:the|my)\b|\b(?:won't|can't|cannot) give up\b"
    r"|\bnot negotiable\b|\bnon-negotiable\b|\bmust stay\b|\bhas to stay\b"
)
_STOP = re.compile(r"^\W*(?:q|quit|exit|bye|stop|end|cancel|never mind|nevermind)\W*$")
_WEIGHT = re.compile(r"^\W*weight\s+(?P<what>.+?)\s*(?:=|to|:)?\s*(?P<weight>[01](?:\.\d+)?)\s*$")
_MORE = re.compile(
    r"\b(?:matters?|is|are) (?:much |far |a lot )?(?:more|most)\b|\bmore important\b"
)
_LESS = re.compile(
    r"\b(?:matters?|is|are) (?:much |far |a lot )?(?:less|least)\b|\bless important\b"
)

MORE, LESS = 0.9, 0.1
"""The weights of what is said to matter more, or less."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """What a text asks for. `positions` are the wishes it names; empty where it names none."""

    kind: Kind
    positions: tuple[int, ...] = ()
    weights: dict[int, float] = field(default_factory=dict[int, float])


def reaction(text: str, constraints: Sequence[Constraint]) -> Reaction:
    """Return what a person's words on a proposal ask for.

    Whatever is no plain yes, no, weight or end is something said: a wish to be understood.
    """
    reply = folded(text[:2_000]).strip()
    named = tuple(at for at, constraint in enumerate(constraints) if _names(reply, constraint))
    if _STOP.search(reply):
        return Reaction("stop")
    if match := _WEIGHT.match(reply):
        chosen = [
            at for at, constraint in enumerate(constraints) if _names(match["what"], constraint)
        ]
        weight = float(match["weight"])
        if chosen and weight <= 1.0:
            return Reaction("reweigh", tuple(chosen), dict.fromkeys(chosen, weight))
    if named and (_MORE.search(reply) or _LESS.search(reply)):
        return Reaction("reweigh", named, _compared(reply, named, constraints))
    if _REFUSE.search(reply):
        return Reaction("refuse", named)
    return Reaction("accept") if _ACCEPT.search(reply) else Reaction("say")


def _compared(
    reply: str, named: Sequence[int], constraints: Sequence[Constraint]
) -> dict[int, float]:
    """Return the weights of `A matters more than B`, or of A alone."""
    first, second = (MORE, LESS) if _MORE.search(reply) else (LESS, MORE)
    before, than, after = reply.partition(" than ")
    if not than:
        return dict.fromkeys(named, first)
    weights = {at: first for at in named if _names(before, constraints[at])}
    return weights | {
        at: second for at in named if _names(after, constraints[at]) and at not in weights
    }


def _names(text: str, wish: Constraint) -> bool:
    if wish.column is None:
        return False
    if any(mention.strength >= NAMED for mention in mentions(text, wish.column)):
        return True
    return isinstance(wish.value, str) and folded(wish.value) in text
