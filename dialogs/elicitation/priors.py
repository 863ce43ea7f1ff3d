"""What an unknown person is likely to answer, and how much it is likely to matter."""

from __future__ import annotations

from typing import Protocol

from .planners import CriticalPlanner, likeness, made_like_everybody
from .population import levels, values_at
from .profile import Profile
from .schema import Entry, Schema, Value

CRITICAL_WORTH = 1.0
"""What a met wish is worth where it is critical."""

OTHER_WORTH = 0.3
"""And where it is not."""


class Prior(Protocol):
    """Expectations of somebody of whom only a profile is known."""

    def answers(self, entry: Entry, profile: Profile) -> list[tuple[Value, float]]:
        """Return the answers somebody may give, each with its chance, in sum 1."""
        ...

    def worths(self, profile: Profile) -> dict[str, float]:
        """Return what meeting a wish is expected to be worth, by entry."""
        ...


class TravelPrior:
    """Expectations by made travellers, weighed by how like this person they are."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._places = {entry.name: n for n, entry in enumerate(schema.entries)}

    def answers(self, entry: Entry, profile: Profile) -> list[tuple[Value, float]]:
        """Return the values of an entry, each with its share of the weighed travellers."""
        particles = made_like_everybody(self._schema)
        weights = likeness(particles, profile)
        codes = particles.codes[:, self._places[entry.name]]
        shares = [float(weights[codes == place].sum()) for place in range(levels(entry))]
        return [
            (value, share / len(values))
            for place, share in enumerate(shares)
            if share
            for values in (values_at(entry, place),)
            for value in values
        ]

    def worths(self, profile: Profile) -> dict[str, float]:
        """Return the worth of each entry by its chance to be critical."""
        chances = CriticalPlanner.chances(self._schema, profile)
        more = CRITICAL_WORTH - OTHER_WORTH
        return {name: OTHER_WORTH + more * chance for name, chance in chances.items()}
