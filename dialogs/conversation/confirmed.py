"""What a yes says: the one wish that the question names, read as if the person said it."""

from __future__ import annotations

from dataclasses import replace

from ...catalogs.versions.reader import CatalogReader
from ..extraction.extracted import Extraction
from ..extraction.mentions import find_mentions
from ..extraction.offline import OfflineExtractor
from ..extraction.reading import Reading
from ..extraction.value_index import index_of
from ..transcripts.transcript import Span
from .acts import ActReading
from .roles import Question

SINGLE = ("==", "contains", "<", "<=", ">", ">=")
"""Operators of a wish that can be said yes to; a choice of several cannot."""


def confirmed(
    question: Question, answer: Span, reading: ActReading, catalog: CatalogReader
) -> Extraction | None:
    """Return the wish that an answer says yes to; None where it does not, or to no one wish.

    A question that names several values of its column asks which.
    """
    yes = reading.get("affirm")
    if yes is None or reading.get("negate") is not None:
        return None
    asked = OfflineExtractor().extract(question.text, catalog)
    parts = [
        replace(part, evidence=answer, score=part.score * yes.confidence)
        for part in (*asked.constraints, *asked.named)
        if part.constraint.column == question.slot and part.constraint.op in SINGLE
    ]
    if len(parts) != 1 or _named(question, catalog) > 1:
        return None
    return Extraction(tuple(parts))


def _named(question: Question, catalog: CatalogReader) -> int:
    """Return how many values of its column a question names."""
    reading = Reading(question.text, 0, index_of(catalog), {})
    values = {
        option.values[0]
        for mention in find_mentions(reading)
        for option in mention.options
        if mention.kind == "value" and option.column == question.slot
    }
    return len(values)
