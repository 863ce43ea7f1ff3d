"""All rows: the five documents in their order, and what stands beside them."""

from __future__ import annotations

from ..row import Results, Row
from . import apec, aware_us, benyfits, clarq, mapsat, others


def every_row(results: Results) -> list[Row]:
    """Return all rows; those of stages that were not run say so."""
    parts = (aware_us, mapsat, clarq, apec, benyfits, others)
    return [row for part in parts for row in part.rows(results)]
