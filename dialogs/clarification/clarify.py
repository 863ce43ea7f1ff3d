"""Clarify: split a request into what is clear and what to ask about, each with counted answers.

    found = clarify("a cheap flat near the park", catalog)
    for unknown in found.unknowns:
        print(unknown.question, [(option.text, option.rows) for option in unknown.options])

One reading of the text, one row set for each option.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from ...catalogs.query.constraint import Constraint
from ...catalogs.versions.reader import CatalogReader
from ..extraction.extracted import Extracted, Extraction
from ..extraction.offline import extract
from ..language.wording import Wording
from ..transcripts.transcript import Message, Span
from .decision import SpotModel, fitted_spots
from .look import Look
from .offers import Offering
from .questions import option_text, question
from .spots import Spot
from .stakes import Stakes
from .unknowns import Clarification, Possibility, Unknown

DEGREES = frozenset(
    "not too so very quite fairly pretty rather really reasonably relatively somewhat kind of bit "
    "nothing super nice as less more".split()
)
"""Words before a vague one that belong to it."""


def clarify(
    text: str,
    catalog: CatalogReader,
    *,
    extraction: Extraction | None = None,
    known: Sequence[Constraint] = (),
    today: date | None = None,
    model: SpotModel | None = None,
) -> Clarification:
    """Return what of a request is clear, and its unclear spots, what matters most first.

    `extraction`: how the text was read, if somebody read it already; `known`: what is wished
    besides. Spots whose answers make no difference are left out: the same rows are found, and
    where none are, the same gives way. Raises what reading raises.
    """
    catalog = catalog.snapshot()
    read = extraction or extract(text, catalog, today=today)
    look = Look.at(text, catalog, today=today)
    nothing = look.is_remark or not Message("user", text).is_typed
    spots = [] if nothing else (model or fitted_spots()).unclear(look)
    clear = tuple(
        part.constraint
        for part in read.constraints
        if not any(_touches(look, part, spot) for _, spot in spots)
    )
    asking = _Asking(catalog, look, read, clear, tuple(known))
    unknowns = [found for chance, spot in spots if (found := asking.unknown(chance, spot))]
    unknowns.sort(key=lambda found: -(found.effect * (0.5 + found.chance)))
    kept = {found.evidence for found in unknowns}
    settled = [spot for _, spot in spots if asking.evidence(spot) not in kept]
    constraints = tuple(
        part.constraint
        for part in read.constraints
        if part.constraint in clear
        or (
            any(_touches(look, part, spot) for spot in settled)
            and not any(_touches(look, part, s) for _, s in spots if s not in settled)
        )
    )
    return Clarification(constraints, tuple(unknowns), read.not_understood)


def _touches(look: Look, part: Extracted, spot: Spot) -> bool:
    """Return whether a constraint was read from words of a spot."""
    words = (look.reading.words[at] for at in spot.words)
    said = part.evidence
    return not part.implied and any(w.start < said.end and said.start < w.end for w in words)


@dataclass
class _Asking:
    """Makes the unknowns of one request."""

    catalog: CatalogReader
    look: Look
    extraction: Extraction
    clear: tuple[Constraint, ...]
    known: tuple[Constraint, ...]
    wording: Wording = field(init=False)
    stakes: Stakes = field(init=False)
    offering: Offering = field(init=False)

    def __post_init__(self) -> None:
        self.wording = Wording(self.catalog)
        self.stakes = Stakes(self.catalog, (*self.known, *self.clear))
        self.offering = Offering(self.look, self.catalog, self.stakes.rows(None), self.extraction)

    def evidence(self, spot: Spot) -> Span:
        """Return the words of a spot, with those that say how much: `not too expensive`."""
        reading, first = self.look.reading, spot.first
        if spot.kind == "vague":
            while (
                first and reading.folded[first - 1] in DEGREES and reading.joins(first - 1, first)
            ):
                first -= 1
        return reading.span(first, spot.last)

    def parts(self, spot: Spot, evidence: Span) -> tuple[Span, ...]:
        """Return the unclear words of a spot."""
        if not spot.parts:
            return (evidence,)
        span = self.look.reading.span
        return tuple(span(part.mention.first, part.mention.last) for part in spot.parts)

    def unknown(self, chance: float, spot: Spot) -> Unknown | None:
        """Return a spot as an unknown; None where no answer makes a difference."""
        offered = self.offering.offers(spot)
        if spot.kind != "unlinked" and not offered:
            return None
        options: list[Constraint | None] = [*offered]
        if spot.kind != "alternatives":
            options.append(None)
        rows = [self.stakes.rows(option) for option in options]
        effect = self.stakes.effect(rows)
        matters = effect > 0 or spot.kind == "unlinked"
        if not matters and (any(map(len, rows)) or not self.stakes.repairs_differ(options)):
            return None
        evidence = self.evidence(spot)
        return Unknown(
            spot.kind,
            evidence.text,
            tuple(dict.fromkeys(wish.column for wish in offered if wish.column)),
            question(spot.kind, evidence.text, offered, self.wording),
            tuple(
                Possibility(option, len(found), option_text(spot.kind, at, option, self.wording))
                for at, (option, found) in enumerate(zip(options, rows, strict=True))
            ),
            evidence,
            self.parts(spot, evidence),
            effect,
            chance,
        )
