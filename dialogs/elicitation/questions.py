"""The words of a question about one entry, from the entry alone."""

from __future__ import annotations

from .schema import NO_PREFERENCE, Entry

MANY = 6
"""More choices than this are not read out."""


def question_text(entry: Entry, *, again: bool = False) -> str:
    """Return a question about an entry; `again` names the answers that would do."""
    plain = entry.question or f"What would you like for {entry.label}?"
    answers = _answers(entry)
    if again:
        return f"I did not get that. {plain} For example: {answers}."
    return plain


def _answers(entry: Entry) -> str:
    if entry.is_number:
        low, high = entry.low, entry.high
        if low is None or high is None:
            return "a number"
        return f"a number from {low:g} to {high:g}"
    choices = [choice for choice in entry.choices if choice != NO_PREFERENCE]
    *most, last = choices[:MANY]
    return f"{', '.join(most)} or {last}" if most else last
