"""Outcomes grouped by their labels, and the metrics of each group as a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .failures import Failure, failure
from .intervals import Interval, intervals
from .measures import MEASURES, Ratio, measure, pass_hats, slot_rates
from .outcome import Outcome
from .published_tables import TABLE_5, PublishedFigures, published_figures

ALL = "all"
LABELS = ("setting", "model", "method")
DIGITS = 6


@dataclass(frozen=True)
class Row:
    """The metrics of some episodes: `labels` name them, `values` hold None where undefined.

    `skipped` counts the instances or runs left out because what is needed is withheld;
    `pass_hats` hold pass^k by k, where instances were run repeatedly.
    """

    labels: Mapping[str, str]
    n: int
    skipped: int
    values: Mapping[str, float | None]
    intervals: Mapping[str, Interval | None]
    slots: Mapping[str, Ratio]
    openings_read: float | None = None
    published: PublishedFigures | None = None
    failures: Sequence[Failure] = ()
    pass_hats: Mapping[int, float] = field(default_factory=dict[int, float])

    def record(self) -> dict[str, Any]:
        """Return the row as a JSON object; rates are fractions."""
        record: dict[str, Any] = {**self.labels, "n": self.n, "skipped": self.skipped}
        record |= {name: _rounded(value) for name, value in self.values.items()}
        if self.openings_read is not None:
            record["openings_read"] = _rounded(self.openings_read)
        record["intervals"] = {
            name: None if interval is None else [_rounded(end) for end in interval]
            for name, interval in self.intervals.items()
        }
        record["slots"] = {
            slot: {"filled": int(filled), "slots": int(wanted)}
            for slot, (filled, wanted) in self.slots.items()
        }
        if self.pass_hats:
            record["pass_hat"] = {str(k): _rounded(chance) for k, chance in self.pass_hats.items()}
        if self.published is not None:
            record["printed"] = dict(self.published.cells)
            record["differs"] = self.published.differing(self.values)
        if self.failures:
            record["failures"] = [
                {"instance": failure.instance, "reasons": list(failure.reasons)}
                for failure in self.failures
            ]
        return record


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)


@dataclass
class Group:
    """The episodes of one row, and how many were left out."""

    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    skipped: int = 0


class Groups:
    """Episodes by their labels, in the order in which they came up."""

    def __init__(self) -> None:
        self._groups: dict[tuple[tuple[str, str], ...], Group] = {}

    def add(self, outcome: Outcome) -> None:
        """Take an episode in."""
        for group in self._of(outcome.labels):
            group.outcomes.append(outcome)

    def skip(self, labels: Mapping[str, str]) -> None:
        """Count an episode that could not be held."""
        for group in self._of(labels):
            group.skipped += 1

    def _of(self, labels: Mapping[str, str]) -> Iterable[Group]:
        """Return the groups of an episode: its setting's, and that of all settings.

        The runs of Table 5 are on instances of all settings and join no other group.
        """
        settings = [labels["setting"]] if "setting" in labels else []
        if labels.get("setting") != TABLE_5:
            settings.append(ALL)
        for setting in settings:
            key = tuple({**labels, "setting": setting}.items())
            yield self._groups.setdefault(key, Group())

    def rows(self, *, seed: int, published: bool = False, failing: bool = False) -> list[Row]:
        """Return a row for each group: by setting, `all` after the settings."""
        order = sorted(self._groups, key=lambda key: (setting_place(dict(key)["setting"]), key))
        known = published_figures() if published else {}
        return [_row(dict(key), self._groups[key], seed, known, failing) for key in order]


def setting_place(setting: str) -> tuple[int, str]:
    """Return a sort key: the instances' own settings by name, then `all`, then Table 5."""
    return {ALL: 1, TABLE_5: 2}.get(setting, 0), setting


def _row(
    labels: dict[str, str],
    group: Group,
    seed: int,
    known: Mapping[tuple[str, ...], PublishedFigures],
    failing: bool,
) -> Row:
    outcomes = group.outcomes
    read = [outcome.opening_read for outcome in outcomes if outcome.opening_read is not None]
    # Told once: of all settings, only what has no setting of its own.
    own = [
        outcome for outcome in outcomes if outcome.labels.get("setting", ALL) == labels["setting"]
    ]
    reasons = [failure(outcome) for outcome in own] if failing else []
    return Row(
        labels,
        len(outcomes),
        group.skipped,
        {name: measure(outcomes, name) for name in MEASURES},
        intervals(outcomes, seed=seed),
        slot_rates(outcomes),
        sum(read) / len(read) if read else None,
        known.get(tuple(labels.get(name, "") for name in LABELS)),
        [reason for reason in reasons if reason is not None],
        pass_hats(outcomes),
    )
