"""The benchmark's figures, from conversations and labels alone (ProADA, section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .dialogue import Dialogue
from .published_data import Pair
from .records import Label

RESAMPLES, LEVEL = 2_000, 0.95


@dataclass(frozen=True)
class Counts:
    """Decided and undecided pairs by what is true of them.

    `tp`, `fp`, `fn`, `tn` count decided pairs; `lost` and `spared` are undecided ones that are
    eligible and that are not.
    """

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0
    lost: int = 0
    spared: int = 0

    @property
    def n(self) -> int:
        """All pairs."""
        return self.tp + self.fp + self.fn + self.tn + self.lost + self.spared

    def figures(self) -> dict[str, float | None]:
        """Return F1, precision, recall and accuracy in percent; None where not defined.

        An undecided pair is never right: it lowers accuracy, and recall where it is eligible.
        F1 is 2tp / (2tp + fp + all eligible pairs not found).
        """
        missed = self.fn + self.lost
        return {
            "f1": _percent(2 * self.tp, 2 * self.tp + self.fp + missed),
            "precision": _percent(self.tp, self.tp + self.fp),
            "recall": _percent(self.tp, self.tp + missed),
            "accuracy": _percent(self.tp + self.tn, self.n),
        }


def _percent(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole else None


def counted(pairs: Sequence[tuple[bool | None, bool]]) -> Counts:
    """Return the counts of pairs of a decision and what is true."""
    return Counts(
        tp=sum(one is True and true for one, true in pairs),
        fp=sum(one is True and not true for one, true in pairs),
        fn=sum(one is False and true for one, true in pairs),
        tn=sum(one is False and not true for one, true in pairs),
        lost=sum(one is None and true for one, true in pairs),
        spared=sum(one is None and not true for one, true in pairs),
    )


def labelled_pairs(
    dialogue: Dialogue, labels: Mapping[Pair, Label]
) -> list[tuple[str, bool | None, bool]]:
    """Return program, decision and label of the pairs that have a label."""
    return [
        (program, decided, labels[dialogue.household, program].eligible)
        for program, decided in dialogue.decisions.items()
        if (dialogue.household, program) in labels
    ]


def turn_weighted(f1: float | None, turns: float) -> float | None:
    """Return 100·F1 / (T/100 + 1) with F1 as a fraction: F1 in percent over (T/100 + 1).

    Checked with the document's Table 1: 55.6 at 16.5 turns makes 47.7.
    """
    return None if f1 is None else f1 / (turns / 100 + 1)


def mean_turns(dialogues: Sequence[Dialogue]) -> float:
    """Return the mean number of questions of a conversation."""
    return sum(len(one.turns) for one in dialogues) / len(dialogues) if dialogues else 0.0


def overall(dialogues: Sequence[Dialogue], labels: Mapping[Pair, Label]) -> dict[str, Any]:
    """Return the metrics of a run, over all pairs alike (micro); None for what needs labels."""
    pairs = [one for each in dialogues for one in labelled_pairs(each, labels)]
    figures = counted([(decided, true) for _, decided, true in pairs]).figures()
    turns = mean_turns(dialogues)
    everything = [one for each in dialogues for one in each.decisions.values()]
    return {
        "n_dialogues": len(dialogues),
        "n_pairs": len(everything),
        "n_labelled": len(pairs),
        **figures,
        "turns": turns,
        "turn_weighted_f1": turn_weighted(figures["f1"], turns),
        "undecided": sum(one is None for one in everything),
    }


def per_program(
    dialogues: Sequence[Dialogue], labels: Mapping[Pair, Label]
) -> dict[str, dict[str, Any]]:
    """Return counts and metrics by program, in alphabetical order."""
    programs = sorted({name for one in dialogues for name in one.decisions})
    return {name: _of_program(name, dialogues, labels) for name in programs}


def _of_program(
    name: str, dialogues: Sequence[Dialogue], labels: Mapping[Pair, Label]
) -> dict[str, Any]:
    own = [one for one in dialogues if name in one.decisions]
    told = [(one.decisions[name], labels.get((one.household, name))) for one in own]
    counts = counted([(decided, label.eligible) for decided, label in told if label])
    return {
        "n": len(own),
        "eligible": sum(label.eligible for _, label in told if label) if counts.n else None,
        "decided_eligible": sum(decided is True for decided, _ in told),
        "undecided": sum(decided is None for decided, _ in told),
        "wrong": counts.fp + counts.fn + counts.lost + counts.spared if counts.n else None,
        **counts.figures(),
    }


Interval = tuple[float, float]


def intervals(
    dialogues: Sequence[Dialogue],
    labels: Mapping[Pair, Label],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> dict[str, Interval | None]:
    """Return 95 % percentile intervals, whole households drawn with replacement.

    Pairs of one household share its answers, so they are never drawn apart.
    """
    if not dialogues:
        return {}
    rows: list[tuple[int, ...]] = []
    for one in dialogues:
        counts = counted([(decided, true) for _, decided, true in labelled_pairs(one, labels)])
        missed = counts.fn + counts.lost
        rows.append((counts.tp, counts.fp, missed, counts.tn, counts.n, len(one.turns)))
    table = np.asarray(rows, dtype=np.float64)
    random = np.random.default_rng(seed)
    fair = np.full(len(rows), 1 / len(rows))
    sums = random.multinomial(len(rows), fair, resamples).astype(np.float64) @ table
    return _ends(sums, len(rows))


def _ends(sums: NDArray[np.float64], size: int) -> dict[str, Interval | None]:
    tp, fp, missed, tn, n, turns = sums.T
    mean = turns / size
    f1 = _quotients(2 * tp, 2 * tp + fp + missed)
    return {
        "f1": _interval(f1),
        "precision": _interval(_quotients(tp, tp + fp)),
        "recall": _interval(_quotients(tp, tp + missed)),
        "accuracy": _interval(_quotients(tp + tn, n)),
        "turns": _interval(mean),
        "turn_weighted_f1": _interval(f1 / (mean / 100 + 1)),
    }


def _quotients(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return percentages, nan where a sample has nothing to divide by."""
    return np.divide(100 * part, whole, out=np.full_like(part, np.nan), where=whole > 0)


def _interval(values: NDArray[np.float64]) -> Interval | None:
    defined = values[~np.isnan(values)]
    if not len(defined):
        return None
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
