"""Nouns of a request: their plurals and articles, and places that people mention in passing."""

from __future__ import annotations

import re

from .draft import Pieces
from .made_catalogs import MadeColumn
from .speaker import Speaker

IRREGULAR = {
    "child": "children",
    "percent": "percent",
    "hertz": "hertz",
    "kWh": "kWh",
    "mbps": "mbps",
    "accommodation": "accommodation",
}

CITIES = tuple(
    "Leeds|Utrecht|Porto|Graz|Bergen|Lyon|Reading|Bath|Nice|York|Cork|Mobile|Boston|Oslo|Madrid|"
    "Riverside|Northgate|Hull|Austin|Kyoto|Santa Rosa|New Haven|Dublin|Perth|Split|Orange".split(
        "|"
    )
)
"""Places that people mention in passing: some are values of catalogs, some of none."""


FOREIGN = tuple(
    "bathroom|balcony|chimney|window|cupboard|helipad|wheel|mirror|drawer|speaker|pocket|lamp|"
    "handle|bedroom|kitchen|door|tower|fountain|piano|lawn|greenhouse|dishwasher|curtain|engine|"
    "anchor|staircase|pond|shelf|bench|carpet|sink|button|antenna|ladder|stove|flagpole|cellar|"
    "trampoline|hammock|jacuzzi|tennis court|bunk bed|wine rack|zip line|cup holder".split("|")
)
"""Things that a catalog may know nothing of."""


def with_article(before: Pieces, noun: str) -> Pieces:
    """Return words and a noun after `a`, or after nothing where the noun takes none."""
    article = (
        ""
        if noun.startswith(("some", "accommodation", "headphones", "earbuds", "trainers"))
        else "a_ "
    )
    return [(article, 0), *before, (noun, 0)]


def plural(noun: str) -> str:
    """Return several of a noun: of `bottle of wine`, the bottles; of `something`, itself."""
    found = re.match(r"(.*?)( (?:of|to|for|with|on) .*|)$", noun)
    head, rest = (found[1], found[2]) if found else (noun, "")
    if head.startswith("some") or head in IRREGULAR:
        return IRREGULAR.get(head, head) + rest
    if head.endswith(("x", "ch", "sh", "ss")):
        return f"{head}es{rest}"
    if head.endswith("y") and head[-2:-1] not in "aeiou":
        return f"{head[:-1]}ies{rest}"
    return f"{head}{'' if head.endswith('s') else 's'}{rest}"


def place_of(column: MadeColumn) -> str:
    """Return what a distance is counted to, of `distance to lake`; nothing where it is not said."""
    for said in column.said:
        found = re.search(r"\b(?:to|from) (?:the )?(\w+)$", said)
        if found and column.kind in ("length_km", "minutes"):
            return found[1]
    return ""


def the_place(speaker: Speaker, place: str) -> str:
    """Return a place with an article, or without one where it is a name."""
    if place in ("here", "town"):
        return place
    return speaker.one_of(("the ", "the ", "a_ ", "")) + place
