"""Metrics of BeNYfits conversations, with bootstrap intervals (ProADA, section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialogs.eligibility.keys import SIZE, KeyTable, Slot
from ..bootstrap import RESAMPLES, Interval, draw_counts, percentile_interval
from .dialogue import Dialogue, slot_of
from .published_data import Pair
from .records import Label


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
        tp=sum(decided is True and true for decided, true in pairs),
        fp=sum(decided is True and not true for decided, true in pairs),
        fn=sum(decided is False and true for decided, true in pairs),
        tn=sum(decided is False and not true for decided, true in pairs),
        lost=sum(decided is None and true for decided, true in pairs),
        spared=sum(decided is None and not true for decided, true in pairs),
    )


def labelled_pairs(
    dialogue: Dialogue, labels: Mapping[Pair, Label]
) -> list[tuple[bool | None, bool]]:
    """Return decision and label of the pairs that have a label."""
    return [
        (decided, labels[dialogue.household, program].eligible)
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
    return sum(len(dialogue.turns) for dialogue in dialogues) / len(dialogues) if dialogues else 0.0


def overall(dialogues: Sequence[Dialogue], labels: Mapping[Pair, Label]) -> dict[str, Any]:
    """Return the metrics of a run, over all pairs alike (micro); None for what needs labels."""
    pairs = [pair for each in dialogues for pair in labelled_pairs(each, labels)]
    figures = counted(pairs).figures()
    turns = mean_turns(dialogues)
    everything = [decision for each in dialogues for decision in each.decisions.values()]
    return {
        "n_dialogues": len(dialogues),
        "n_pairs": len(everything),
        "n_labelled": len(pairs),
        **figures,
        "turns": turns,
        "turn_weighted_f1": turn_weighted(figures["f1"], turns),
        "undecided": sum(decision is None for decision in everything),
    }


def per_program(
    dialogues: Sequence[Dialogue], labels: Mapping[Pair, Label]
) -> dict[str, dict[str, Any]]:
    """Return counts and metrics by program, in alphabetical order."""
    programs = sorted({name for dialogue in dialogues for name in dialogue.decisions})
    return {name: _of_program(name, dialogues, labels) for name in programs}


def _of_program(
    name: str, dialogues: Sequence[Dialogue], labels: Mapping[Pair, Label]
) -> dict[str, Any]:
    own = [dialogue for dialogue in dialogues if name in dialogue.decisions]
    pairs = [(dialogue.decisions[name], labels.get((dialogue.household, name))) for dialogue in own]
    counts = counted([(decided, label.eligible) for decided, label in pairs if label])
    return {
        "n": len(own),
        "eligible": sum(label.eligible for _, label in pairs if label) if counts.n else None,
        "decided_eligible": sum(decided is True for decided, _ in pairs),
        "undecided": sum(decided is None for decided, _ in pairs),
        "wrong": counts.fp + counts.fn + counts.lost + counts.spared if counts.n else None,
        **counts.figures(),
    }


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
    sums = draw_counts(len(dialogues), seed, resamples) @ count_rows(dialogues, labels)
    figures = sampled_figures(sums, len(dialogues))
    return {name: percentile_interval(values) for name, values in figures.items()}


def count_rows(dialogues: Sequence[Dialogue], labels: Mapping[Pair, Label]) -> NDArray[np.float64]:
    """Return tp, fp, missed, tn, labelled pairs and turns of each, float64[dialogues, 6]."""
    rows: list[tuple[int, ...]] = []
    for dialogue in dialogues:
        counts = counted(labelled_pairs(dialogue, labels))
        missed = counts.fn + counts.lost
        rows.append((counts.tp, counts.fp, missed, counts.tn, counts.n, len(dialogue.turns)))
    return np.asarray(rows, dtype=np.float64)


def sampled_figures(sums: NDArray[np.float64], size: int) -> dict[str, NDArray[np.float64]]:
    """Return the figures of samples of `size` conversations; `sums` as `count_rows`, summed.

    Each is float64[samples], nan where a sample has nothing to divide by.
    """
    tp, fp, missed, tn, n, turns = sums.T
    mean = turns / size
    f1 = _quotients(2 * tp, 2 * tp + fp + missed)
    return {
        "f1": f1,
        "precision": _quotients(tp, tp + fp),
        "recall": _quotients(tp, tp + missed),
        "accuracy": _quotients(tp + tn, n),
        "turns": mean,
        "turn_weighted_f1": f1 / (mean / 100 + 1),
    }


def _quotients(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return percentages, nan where a sample has nothing to divide by."""
    return np.divide(100 * part, whole, out=np.full_like(part, np.nan), where=whole > 0)


def question_counts(
    dialogues: Sequence[Dialogue], labels: Mapping[Pair, Label], keys: KeyTable
) -> dict[str, float | None]:
    """Return means a conversation, over those whose pairs all have labels; None without any.

    `lower_bound_facts`: distinct facts (member and feature) that the origin's checkers read
    for the household's programs; `lower_bound_keys`: their features, each once, as a question
    about everyone fetches them. `asked_facts`: distinct facts asked for; `asked_covered`: how
    many percent of the lower bound were asked for; `asked_beyond`: how many percent of the
    asked facts are not in it. Names and relations are always known and left out of all.
    """
    rows = [row for dialogue in dialogues if (row := _row(dialogue, labels, keys)) is not None]
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)] or [0.0] * 6
    facts, own_keys, asked_facts, both, beyond, turns = means
    figures = {
        "lower_bound_facts": facts,
        "lower_bound_keys": own_keys,
        "asked_facts": asked_facts,
        "asked_covered": 100 * both / facts if facts else None,
        "asked_beyond": 100 * beyond / asked_facts if asked_facts else None,
        "questions_a_lower_bound_key": turns / own_keys if own_keys else None,
    }
    return figures if rows else dict.fromkeys(figures)


def _row(
    dialogue: Dialogue, labels: Mapping[Pair, Label], keys: KeyTable
) -> tuple[int, int, int, int, int, int] | None:
    own_labels = [labels.get((dialogue.household, program)) for program in dialogue.decisions]
    if not own_labels or any(label is None for label in own_labels):
        return None
    read = {_normal(slot_of(name), keys) for label in own_labels if label for name in label.read}
    wanted = {_normal(slot, keys) for turn in dialogue.turns for slot in turn.slots}
    read, wanted = _without_identity(read), _without_identity(wanted)
    own_keys, both, beyond = {slot.key for slot in read}, read & wanted, wanted - read
    return len(read), len(own_keys), len(wanted), len(both), len(beyond), len(dialogue.turns)


def _normal(slot: Slot, keys: KeyTable) -> Slot:
    """Return a fact as the key table has it: of the household, or of a member."""
    return keys.key(slot.key).slot(slot.member or 0) if slot.key in keys else slot


def _without_identity(slots: set[Slot]) -> set[Slot]:
    return {slot for slot in slots if slot != SIZE and slot.key not in ("name", "relation")}
