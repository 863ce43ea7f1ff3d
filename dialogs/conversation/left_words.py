"""What of a turn is said not to be understood: neither names of items nor words in passing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress

from ..extraction.extracted import Extraction, Unresolved
from ..extraction.telling import fitted
from ..language.tokens import folded_words
from .item_answers import item_asked_about
from .negotiation import Negotiation
from .turn import Turn


def left_words(talk: Negotiation, turn: Turn, *, all_of_them: bool) -> Extraction:
    """Return what was taken in, of what was not understood that alone which is to be told.

    Words of the names of items shown, or named, are understood. `all_of_them`: those said in
    passing are told too, for a turn that nothing else is said of.
    """
    if not turn.taken.not_understood:
        return turn.taken
    rows = [] if talk.proposal is None else [item.row for item in talk.proposal.answer.items]
    if (named := item_asked_about(talk, turn.text)) is not None:
        rows.append(named.row)
    names = {word for row in rows for word in folded_words(talk.wording.names(row))}
    left = turn.taken.not_understood
    kept = tuple(said for said in left if not {*folded_words(said.evidence.text)} <= names)
    if kept and not all_of_them:
        kept = tuple(_missed(talk, turn, kept))
    return replace(turn.taken, not_understood=kept)


def _missed(talk: Negotiation, turn: Turn, left: Sequence[Unresolved]) -> Iterator[Unresolved]:
    """Return those of some words that are hardly said in passing."""
    said = (message.content for message in reversed(talk.messages) if message.role == "assistant")
    heard = turn.found
    parts = (*heard.constraints, *heard.objectives, *heard.leanings, *heard.named)
    # What an answer said is evidence in another message.
    understood = [
        (span.start, span.end)
        for span in (part.evidence for part in parts)
        if span.text == turn.text[span.start : span.end]
    ]
    understood += [span for spans in turn.named.values() for span in spans]
    spans = [(part.evidence.start, part.evidence.end) for part in left]
    missed = fitted().would_be_missed(turn.text, next(said, ""), understood, spans)
    return compress(left, missed)
