"""Logistic regressions that decide which spots are unclear, and the bound above which is asked.

What written requests teach, changed so that something becomes unclear, is how the features tell;
how often each kind is unclear, people's marks teach: they have a constant of their own, and count
as often as tells best of catalogs left out. One bound for all kinds, so that a question of any
kind is as likely to be worth it. Newton's method, some steps of a few thousand rows each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

import numpy as np
from numpy.typing import NDArray

from ...dialogs.clarification.spots import KINDS, Kind
from .examples import Example

Floats = NDArray[np.float64]

COUNTED = (1.0, 3.0, 10.0, 30.0, 100.0)
"""How often a marked example may count, against once for one of a written request."""

RIDGE, STEPS, WIDEST = 1.0, 25, 30.0

MARKED = "marked"
"""The source of what people marked, and the name of the constant that it has of its own."""


def fit(rows: Floats, unclear: Floats, counted: Floats) -> Floats:
    """Return coefficients by Newton's method; the first, the constant, is not shrunk."""
    known = np.zeros(rows.shape[1])
    ridge = RIDGE * np.diag((np.arange(len(known)) > 0).astype(float))
    for _ in range(STEPS):
        chance = chances(rows @ known)
        slope = rows.T @ (counted * (chance - unclear)) + ridge @ known
        curve = (rows * (counted * chance * (1 - chance))[:, None]).T @ rows + ridge
        known = known - np.linalg.solve(curve + 1e-9 * np.eye(len(known)), slope)
    return known


def chances(gains: Floats) -> Floats:
    """Return the chances of log-odds, none quite 0 or 1."""
    return 1.0 / (1.0 + np.exp(-np.clip(gains, -WIDEST, WIDEST)))


@dataclass(frozen=True)
class Table:
    """The examples of one kind as rows: a one, whether it was marked, and the features."""

    examples: Sequence[Example]
    names: Sequence[str]
    rows: Floats
    unclear: Floats
    marked: NDArray[np.bool_]

    @classmethod
    def of(cls, examples: Sequence[Example]) -> Table:
        """Return the table of some examples of one kind."""
        names = list(examples[0].spot.features)
        marked = np.array([example.source == MARKED for example in examples])
        features = [[example.spot.features[name] for name in names] for example in examples]
        rows = np.column_stack([np.ones(len(examples)), marked, np.array(features)])
        unclear = np.array([float(example.unclear) for example in examples])
        return cls(examples, names, rows, unclear, marked)

    def fitted(self, counted: float, kept: NDArray[np.bool_] | None = None) -> Floats:
        """Return coefficients by all examples, or by some."""
        kept = np.ones(len(self.rows), dtype=bool) if kept is None else kept
        counts = np.where(self.marked, counted, 1.0)
        return fit(self.rows[kept], self.unclear[kept], counts[kept])

    def gains(self, counted: float) -> Floats:
        """Return log-odds of the marked examples, each by what is fitted without its catalog."""
        catalogs = np.array([example.catalog for example in self.examples])
        found = np.zeros(len(self.rows))
        for catalog in sorted(set(catalogs[self.marked])):
            own = self.marked & (catalogs == catalog)
            found[own] = self.rows[own] @ self.fitted(counted, ~own)
        return found[self.marked]


@dataclass
class Fit:
    """What is fitted, and how well it judges marked requests of catalogs that it left out."""

    counted: float
    bound: float
    coefficients: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])
    noticed: dict[Kind, tuple[int, int]] = field(default_factory=dict[Kind, tuple[int, int]])
    questioned: tuple[int, int] = (0, 0)


def fitted(examples: Sequence[Example], share: float) -> Fit:
    """Return coefficients by kind and one bound, above which a share of clear texts is asked about.

    A text is clear where no spot of it is marked. Raises `ValueError` for a kind without examples.
    """
    by_kind: dict[Kind, list[Example]] = {
        kind: [e for e in examples if e.spot.kind == kind] for kind in KINDS
    }
    if missing := [kind for kind, found in by_kind.items() if not found]:
        raise ValueError(f"no examples of {', '.join(missing)}")
    tables: dict[Kind, Table] = {kind: Table.of(found) for kind, found in by_kind.items()}
    tried = {counted: _gains(tables, counted) for counted in COUNTED}
    counted = min(COUNTED, key=lambda each: _surprise(tables, tried[each]))
    gains = tried[counted]
    best = _best_of_clear(tables, gains)
    bound = ceil(1000 * sorted(best.values())[-1 - int(share * len(best))]) / 1000
    found = Fit(counted, bound)
    found.questioned = (sum(gain > bound for gain in best.values()), len(best))
    for kind, table in tables.items():
        known = [round(float(each), 3) for each in table.fitted(counted)]
        constant = round(known[0] + known[1], 3)
        found.coefficients[kind] = dict(
            zip(["", *table.names], [constant, *known[2:]], strict=True)
        )
        unclear = table.unclear[table.marked] == 1
        found.noticed[kind] = (int((gains[kind][unclear] > bound).sum()), int(unclear.sum()))
    return found


def _gains(tables: Mapping[Kind, Table], counted: float) -> dict[Kind, Floats]:
    return {kind: table.gains(counted) for kind, table in tables.items()}


def _surprise(tables: Mapping[Kind, Table], gains: Mapping[Kind, Floats]) -> float:
    """Return how surprising the marks are by the log-odds of all kinds, in nats."""
    total = 0.0
    for kind, table in tables.items():
        chance = chances(gains[kind])
        meant = np.where(table.unclear[table.marked] == 1, chance, 1 - chance)
        total -= float(np.log(meant + 1e-12).sum())
    return total


def _best_of_clear(tables: Mapping[Kind, Table], gains: Mapping[Kind, Floats]) -> dict[int, float]:
    """Return the highest log-odds of any spot of each clear marked text."""
    best: dict[int, float] = {}
    unclear: set[int] = set()
    for kind, table in tables.items():
        marked = [example for example in table.examples if example.source == MARKED]
        for example, gain in zip(marked, gains[kind], strict=True):
            if example.text_unclear:
                unclear.add(example.text)
            best[example.text] = max(float(gain), best.get(example.text, -np.inf))
    return {text: gain for text, gain in best.items() if text not in unclear}
