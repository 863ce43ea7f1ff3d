"""Fit what decides which spots are unclear, and write `dialogs/clarification/weights.json`.

    python -m concede.bench.clarify.fit_spots READER_A.npz READER_B.npz OUT.json

The two readers are networks of `concede train understanding`, A fitted without the written
catalogs whose `crc32(name) % 2` is 0, B without those where it is 1: on requests that it was
fitted on a reader is too sure. Logistic regressions with a ridge, by Newton's method; figures of
five folds of catalogs, each judged by what the other four fitted, are printed.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ...dialogs.clarification.spots import Kind
from ...dialogs.extraction.network import load
from ..understanding.request_records import written
from .examples import Example, Examples

Floats = NDArray[np.float64]

FITTED: tuple[Kind, ...] = ("vague", "ambiguous", "number", "unlinked")

QUESTIONED = {"vague": 0.035, "ambiguous": 0.015, "number": 0.025, "unlinked": 0.04}
"""Shares of the clear requests that may be questioned about each kind; some are about both."""

ALTERNATIVES = {
    "": -1.0, "joined": 0.0, "hedged": 3.0, "inside": 0.0, "or": 0.0, "same": 0.0,
    "indifferent": -3.0,
}  # fmt: skip
"""Alternatives are unclear where somebody hesitates and does not say that either will do.

The gold of written requests takes hesitation for an any-of, so it cannot teach this.
"""

BY_HAND = {"wished": 1.2}
"""Coefficients that are not fitted: the gold has few short lists of wishes that link to nothing."""

LOWERED = {"vague": 0.349, "number": 0.168}
"""How far below its fitted threshold a kind is asked about, chosen on `development2`."""

FOLDS, RIDGE, STEPS = 5, 1.0, 25
SEEN = 3
"""Texts in which a word meant nothing before it is kept."""


def matrix(examples: Sequence[Example]) -> tuple[list[str], Floats]:
    """Return the names of the features and a row for each example, a one first."""
    names = [name for name in examples[0].spot.features if name not in BY_HAND]
    rows = [[1.0, *(example.spot.features[name] for name in names)] for example in examples]
    return names, np.array(rows)


def fit(rows: Floats, unclear: Floats) -> Floats:
    """Return coefficients by Newton's method; the first, the constant, is not shrunk."""
    known = np.zeros(rows.shape[1])
    ridge = RIDGE * np.diag((np.arange(len(known)) > 0).astype(float))
    for _ in range(STEPS):
        chance = 1.0 / (1.0 + np.exp(-rows @ known))
        slope = rows.T @ (chance - unclear) + ridge @ known
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + ridge
        known = known - np.linalg.solve(curve + 1e-9 * np.eye(len(known)), slope)
    return known


def cross_fitted(examples: Sequence[Example], rows: Floats, unclear: Floats) -> Floats:
    """Return log-odds of each example by coefficients fitted on other catalogs."""
    fold = np.array([crc32(f"{example.catalog}x".encode()) % FOLDS for example in examples])
    gains = np.zeros(len(examples))
    for one in range(FOLDS):
        gains[fold == one] = rows[fold == one] @ fit(rows[fold != one], unclear[fold != one])
    return gains


def threshold(examples: Sequence[Example], gains: Floats, share: float, clear: int) -> float:
    """Return the log-odds above which a share of the clear requests would be questioned."""
    best: dict[int, float] = {}
    for example, gain in zip(examples, gains, strict=True):
        if example.source == "written" and not example.unclear:
            best[example.text] = max(float(gain), best.get(example.text, -np.inf))
    ordered = sorted(best.values(), reverse=True)
    return ordered[min(int(share * clear), len(ordered) - 1)]


def main(arguments: Sequence[str]) -> None:
    """Gather, fit, print the figures and write the weights."""
    first, second, out = map(Path, arguments)
    with tempfile.TemporaryDirectory() as folder:
        gathered = Examples(written(), (load(first), load(second)), Path(folder))
        gathered.gather()
    clear = len({e.text for e in gathered.examples if e.source == "written" and not e.unclear})
    coefficients: dict[str, dict[str, float]] = {"alternatives": ALTERNATIVES}
    thresholds = {"alternatives": 0.0}
    questioned: set[int] = set()
    for kind in FITTED:
        examples = [example for example in gathered.examples if example.spot.kind == kind]
        names, rows = matrix(examples)
        unclear = np.array([float(example.unclear) for example in examples])
        gains = cross_fitted(examples, rows, unclear)
        thresholds[kind] = round(threshold(examples, gains, QUESTIONED[kind], clear), 3)
        asked = gains > thresholds[kind]
        questioned |= {
            example.text
            for example, is_asked in zip(examples, asked, strict=True)
            if is_asked and example.source == "written" and not example.unclear
        }
        noticed = asked[unclear == 1].mean()
        print(f"{kind}: {len(examples)} spots, {noticed:.1%} of {int(unclear.sum())} noticed")
        known = map(float, np.round(fit(rows, unclear), 3))
        coefficients[kind] = dict(zip(["", *names], known, strict=True))
        thresholds[kind] = round(thresholds[kind] - LOWERED.get(kind, 0.0), 3)
        for name in BY_HAND.keys() & examples[0].spot.features.keys():
            coefficients[kind][name] = BY_HAND[name]
    print(f"{len(questioned)} of {clear} clear requests questioned, {len(questioned) / clear:.1%}")
    idle = gathered.idle_elsewhere("")
    kept = {word: times for word, times in sorted(idle.items()) if times >= SEEN}
    weights = {"coefficients": coefficients, "thresholds": thresholds, "idle": kept}
    out.write_text(json.dumps(weights, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
