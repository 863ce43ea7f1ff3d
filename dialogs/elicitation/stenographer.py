"""The offline stenographer: what the person's last message says, taken down with its words.

An answer is read for the entry it was asked about; the request for whatever it states clearly.
Nothing is guessed: an entry without words of the person stays open. Weights come from the
cues of importance that the weighters use. Linear in the message.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..transcripts.transcript import Span, Transcript
from ..weighters.cues import blended, cues, unbounded, words_of
from .agents import Asked, TakenDown
from .answers import Answer, answer_in
from .profile import Known, Profile
from .requests import stated_in
from .schema import NO_PREFERENCE, Schema

NEUTRAL, HARD_FROM = 0.5, 0.9
"""The weight of what nobody stressed, and the one from which on a wish must hold."""

AROUND = 300
"""Characters on either side of the evidence in which words of importance count."""


class OfflineStenographer:
    """Reads answers by phrases and cues; no model."""

    def read(
        self, schema: Schema, profile: Profile, asked: Asked | None, said: Transcript
    ) -> TakenDown:
        """Return the profile with what the last message says.

        A message that is not the person's says nothing. An answer without a value is vague.
        """
        number = len(said) - 1
        if number < 0 or said.messages[number].role != "user":
            return TakenDown(profile, vague=asked is not None)
        text = said.messages[number].content
        if asked is None:
            stated = stated_in(schema, text)
            return TakenDown(profile.with_(*_known(stated, number, text)))
        entry = schema.find(asked.entry)
        found = answer_in(entry, text, entry.question if asked.again else asked.text)
        if found is None:
            return TakenDown(profile, vague=True)
        return TakenDown(profile.with_(*_known([(entry.name, found)], number, text)))


def _known(stated: Iterable[tuple[str, Answer]], message: int, text: str) -> list[Known]:
    known: list[Known] = []
    for entry, answer in stated:
        start, end = answer.start, answer.end
        weight = _weight(answer, text)
        hard = weight >= HARD_FROM and answer.value != NO_PREFERENCE
        span = Span(message, start, end, text[start:end])
        known.append(Known(entry, answer.value, span, weight, hard))
    return known


def _weight(answer: Answer, text: str) -> float:
    """Return how much a wish matters by the cues near it; nothing matters to no preference."""
    if answer.value == NO_PREFERENCE:
        return 0.0
    near = text[max(0, answer.start - AROUND) : answer.end + AROUND]
    found = cues(words_of(unbounded(near)))
    strength = blended([cue.strength for cue in found])
    return round(max(0.0, min(1.0, NEUTRAL + strength / 2)), 3)
