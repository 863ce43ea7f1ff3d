"""What a short answer says, read without a model."""

from __future__ import annotations

from collections.abc import Mapping

from .keys import KeyTable, Known
from .roles import Parsed, Question


class OfflineAnswerParser:
    """Reads yes and no, numbers, choices, and who they are said of."""

    def parse(
        self,
        question: Question,
        answer: str,
        keys: KeyTable,
        known: Known,
        names: Mapping[int, str],
    ) -> Parsed:
        """See `AnswerParser.parse`."""
        return Parsed()
