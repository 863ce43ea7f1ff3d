"""Every kind of episode compared with the best one, on the instances that both have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...catalogs.errors import QueryError
from ..aware_us.measures import measure
from ..aware_us.outcome import Outcome
from ..aware_us.rows import ALL
from ..aware_us.scoring import SettingComparison, compare_rows
from .leaderboard import Kind, kind_of
from .sources import RecordedEpisode
from .wording import MATCHES

ENOUGH = 0.5
"""The best is looked for among kinds with this part of the most instances: three right of
three are no leader."""

MOST_COMPARED = 100
"""How many kinds are compared with the best, those of the highest relax match."""


@dataclass(frozen=True)
class KindComparison:
    """One kind beside the best: differences are its figures less those of the best."""

    kind: Kind
    compared: Sequence[SettingComparison]

    def overall(self, name: str) -> SettingComparison | None:
        """Return the comparison of a metric over all settings."""
        rows = [row for row in self.compared if row.comparison.measure == name]
        return next((row for row in rows if row.setting == ALL), None)


@dataclass(frozen=True)
class Pairs:
    """The best kind, and the others beside it, the nearest first."""

    best: Kind
    others: Sequence[KindComparison]


def compare_with_best(episodes: Sequence[RecordedEpisode], *, seed: int = 0) -> Pairs | None:
    """Return the comparisons of all runs' kinds with the best; None for fewer than two kinds.

    The best has the highest relax match, then car match, of those with at least half as many
    instances as any. Kinds that share no instance with it are left out, and all but the first
    100.
    """
    kinds = _by_kind(episodes)
    if len(kinds) < 2:
        return None
    best = _best(kinds)
    nearest = sorted(kinds, key=lambda kind: (*_loss(kinds[kind]), kind))[: MOST_COMPARED + 1]
    others = [
        KindComparison(kind, compared)
        for kind in nearest
        if kind != best and (compared := _compared(kinds[best], kinds[kind], seed))
    ]
    return Pairs(best, sorted(others, key=_nearness)) if others else None


def _by_kind(episodes: Sequence[RecordedEpisode]) -> dict[Kind, list[Outcome]]:
    outcomes: dict[Kind, list[Outcome]] = {}
    for episode in episodes:
        outcomes.setdefault(kind_of(episode.source, episode.outcome.labels), []).append(
            episode.outcome
        )
    return outcomes


def _best(kinds: Mapping[Kind, Sequence[Outcome]]) -> Kind:
    sizes = {
        kind: len({outcome.gold.id for outcome in outcomes}) for kind, outcomes in kinds.items()
    }
    enough = ENOUGH * max(sizes.values())
    among = [kind for kind in kinds if sizes[kind] >= enough]
    return min(among, key=lambda kind: (*_loss(kinds[kind]), kind))


def _loss(outcomes: Sequence[Outcome]) -> tuple[float, ...]:
    return tuple(-(measure(outcomes, name) or 0) for name in MATCHES)


def _compared(
    best: Sequence[Outcome], other: Sequence[Outcome], seed: int
) -> Sequence[SettingComparison]:
    try:
        return compare_rows(best, other, MATCHES, seed=seed)
    except QueryError:
        # No instance in common.
        return ()


def _nearness(paired: KindComparison) -> tuple[float, Kind]:
    overall = paired.overall(MATCHES[0])
    difference = overall.comparison.difference if overall else None
    return -(difference or 0), paired.kind
