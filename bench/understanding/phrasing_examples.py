"""What labelled sentences teach the encoder of phrasing: their pieces, and mentions to mask.

A mention that is meant has a polarity, a side and whether it is a must, as far as the gold tells;
one that is not meant is only there to be masked now and then, as a reader may be wrong. Linear in
the sentences, about a millisecond each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...catalogs.versions.reader import CatalogReader
from ...dialogs.extraction.network import POLARITIES, SIDES
from ...dialogs.extraction.phrasing import Span, span_of
from .alignment import Label, align
from .labelled import LabelledSentence
from .reader_examples import reading_of

UNKNOWN = -1
"""The class of what the gold does not tell."""


@dataclass(frozen=True, slots=True)
class MaskedMention:
    """A mention's characters and its classes, by decision; none for one that is not meant."""

    span: Span
    classes: Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class PhrasedMessage:
    """A message behind a question, its mentions, and whether somebody wrote it by hand."""

    text: str
    question: str
    mentions: Sequence[MaskedMention]
    by_hand: bool


@dataclass(frozen=True, slots=True)
class PhrasedTurn:
    """A turn behind a question, the characters of what was read of it, and whether it wishes."""

    text: str
    question: str
    spans: Sequence[Span]
    wishes: bool


def phrased_messages(
    sentences: Iterable[LabelledSentence], catalogs: Mapping[str, CatalogReader]
) -> list[PhrasedMessage]:
    """Return the messages in which something is meant, each once, in order."""
    found: dict[tuple[str, str, str], PhrasedMessage] = {}
    for sentence in sentences:
        key = sentence.text, sentence.before, sentence.catalog
        if key not in found:
            mentions = list(_mentions(sentence, catalogs[sentence.catalog]))
            found[key] = PhrasedMessage(
                sentence.text, sentence.before, mentions, sentence.source == "known"
            )
    return [one for one in found.values() if any(m.classes is not None for m in one.mentions)]


def _mentions(sentence: LabelledSentence, catalog: CatalogReader) -> Iterable[MaskedMention]:
    reading = reading_of(sentence, catalog)
    aligned = align(reading, sentence)
    for mention, label in zip(aligned.mentions, aligned.labels, strict=True):
        if isinstance(label, Label):
            classes = {
                "polarity": _place(label.polarity, POLARITIES),
                "side": _place(label.side, SIDES),
                "hard": UNKNOWN if label.hard is None else int(label.hard),
            }
            yield MaskedMention(span_of(reading, mention), classes)
        elif label is None:
            yield MaskedMention(span_of(reading, mention), None)


def _place(name: str, names: Sequence[str]) -> int:
    return names.index(name) if name in names else UNKNOWN
