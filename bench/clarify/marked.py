"""Spots with labels from requests whose unclear spots people marked.

A spot is unclear where marked words are asked about by it, of its own kind; where only another
kind is marked it teaches nothing; everything else is clear. Some milliseconds a request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...catalogs.catalog import Catalog
from ...dialogs.clarification.look import Look
from ...dialogs.clarification.spots import Spot, find_spots
from ..understanding.generation.made_catalogs import TODAY
from .examples import Example
from .fitting import MARKED
from .spot_scores import MarkedRequest, marked_requests


def marked_examples(
    folders: Sequence[Path], idle: Mapping[str, int], first: int
) -> Iterator[Example]:
    """Yield the examples of some folders of marked requests; texts are counted from `first`."""
    catalogs: dict[str | Path, Catalog] = {}
    for folder in folders:
        for request, path in marked_requests(folder):
            if path not in catalogs:
                catalogs[path] = Catalog.open(path)
            look = Look.at(request.text, catalogs[path], today=TODAY)
            for spot in find_spots(look, idle):
                unclear = _is_unclear(look, spot, request)
                if unclear is not None:
                    yield Example(
                        spot, unclear, Path(path).stem, first, MARKED, not request.is_clear
                    )
            first += 1


def _is_unclear(look: Look, spot: Spot, request: MarkedRequest) -> bool | None:
    """Return whether a spot is marked; None where its words are, but as of another kind."""
    words = look.reading.span(spot.first, spot.last)
    kinds: set[str] = set()
    for marked in request.spots:
        start = request.text.find(marked.said)
        if words.start < start + len(marked.said) and start < words.end:
            kinds.add(marked.kind)
    return spot.kind in kinds if spot.kind in kinds or not kinds else None
