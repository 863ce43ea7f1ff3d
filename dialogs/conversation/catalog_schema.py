"""What can be asked about the items of a catalog: an entry for each column to decide by."""

from __future__ import annotations

from ...catalogs.query.schema import ColumnProfile
from ...catalogs.versions.reader import CatalogReader
from ..elicitation.schema import NO_PREFERENCE, Entry, Schema
from ..language.wording import Wording
from .agents import open_slots

MOST_CHOICES = 50
"""Values of a column that are choices; what it holds beside them cannot be answered."""


def catalog_schema(catalog: CatalogReader) -> Schema:
    """Return a schema of the columns worth asking about, each under its own name.

    Numbers go from the least to the greatest; yes and no, and texts, are choices. Dates are
    left out: an entry holds a number or a choice.
    """
    wording = Wording(catalog)
    entries = [
        entry
        for slot in open_slots(catalog, ())
        if (entry := _entry(catalog.profile(slot), wording.label(slot))) is not None
    ]
    return Schema(catalog.name, tuple(entries))


def _entry(profile: ColumnProfile, label: str) -> Entry | None:
    question = f"What would you like for {label}?"
    low, high = profile.minimum, profile.maximum
    numeric = profile.kind == "numeric"
    if numeric and isinstance(low, (int, float)) and isinstance(high, (int, float)):
        return Entry(profile.name, label, low=low, high=high, question=question)
    if profile.kind == "boolean":
        return Entry(profile.name, label, ("Yes", "No", NO_PREFERENCE), question=question)
    choices = tuple(str(value) for value in profile.values[:MOST_CHOICES])
    if profile.kind == "date" or not choices:
        return None
    return Entry(profile.name, label, (*choices, NO_PREFERENCE), question=question)
