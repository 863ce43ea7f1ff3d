"""Simulated user without a model: answers with the persona's own sentences about the slot.

The persona is extracted once; an answer looks for the slot's phrases in each of its sentences.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...catalogs.versions.reader import CatalogReader
from ..language.column_phrases import mentions
from ..language.tokens import Piece, sentences
from ..transcripts.transcript import Transcript
from .roles import Question

NO_PREFERENCE = "I have no preference about that."

NAMED = 0.8
"""A sentence names a slot outright from this strength of a mention on (`column_words`)."""


class OfflineRolePlayer:
    """Answers with the sentences of a persona that say something about the slot asked for.

    Those are the sentences that state a value of the column, those that name the column, and
    one that follows them without a subject of its own ("I could bend a little there").
    Nothing is invented: what the persona does not mention is no preference.
    """

    def __init__(self, persona: str, catalog: CatalogReader) -> None:
        from ..extraction import OfflineExtractor

        self.catalog = catalog
        self.sentences = sentences(persona)
        extraction = OfflineExtractor().extract(persona, catalog)
        self._stated = _by_sentence(
            self.sentences,
            [
                (extracted.constraint.column, extracted.evidence.start)
                for extracted in extraction.constraints
            ],
        )

    def answer(self, question: Question, transcript: Transcript) -> str:
        """See `RolePlayer.answer`. Raises `UnknownColumn` for a slot the catalog has not."""
        slot = self.catalog.schema.find(question.slot).name
        about = [at for at, columns in enumerate(self._stated) if slot in columns]
        named = [at for at in range(len(self.sentences)) if self._names(at, slot)]
        chosen = sorted({*about, *named} | {at + 1 for at in about if self._goes_on(at + 1)})
        return " ".join(self.sentences[at].text for at in chosen) or NO_PREFERENCE

    def _names(self, at: int, slot: str) -> bool:
        family = self.catalog.schema.find(slot).family
        namings = mentions(self.sentences[at].text, slot, family)
        return any(mention.strength >= NAMED for mention in namings)

    def _goes_on(self, at: int) -> bool:
        """Return whether a sentence says nothing of any column itself."""
        if at >= len(self.sentences) or self._stated[at]:
            return False
        return not any(self._names(at, name) for name in self.catalog.columns)


def _by_sentence(
    pieces: Sequence[Piece], statements: Sequence[tuple[str | None, int]]
) -> list[set[str]]:
    """Return for each sentence the columns whose values it states."""
    stated: list[set[str]] = [set() for _ in pieces]
    for column, start in statements:
        for at, piece in enumerate(pieces):
            if column and piece.start <= start < piece.end:
                stated[at].add(column)
    return stated
