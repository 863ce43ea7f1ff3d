"""How well the offline seeker does on types of task that neither it nor the provider has seen.

    python -m concede.bench.clarq.seeker_folds DATA [--folds 5]

Each fold leaves some types out: the provider is trained on the other types, the seeker's
likelihoods are fitted on the examples of the other folds, and the two talk about the tasks left
out. Prints a table by language and kind of provider; some minutes.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from ...dialogs.information_seeking.choosing import Mode
from ...dialogs.information_seeking.dialogue import converse
from ...dialogs.information_seeking.offline_provider import OfflineProvider
from ...dialogs.information_seeking.offline_seeker import OfflineSeeker
from .outcome import Outcome, outcome_of
from .train_seeker import FOLDS, Fold, examples_by_fold, fitted, provider_folds

MODES: tuple[Mode, ...] = ("single", "multi")


def held_out_weights(parts: Sequence[Fold]) -> tuple[Mapping[str, float], ...]:
    """Return for each fold the seeker's likelihoods, fitted on the other folds."""
    found = examples_by_fold(parts)
    return tuple(
        fitted([one for other, part in enumerate(found) if other != at for one in part])
        for at in range(len(found))
    )


def outcomes(fold: Fold, seeker: OfflineSeeker, mode: Mode) -> Iterator[Outcome]:
    """Yield how the dialogues on a fold's tasks end."""
    tasks, matcher = fold
    provider = OfflineProvider(mode, matcher)
    return (outcome_of(task, converse(seeker, provider, task)) for task in tasks)


def line(name: str, found: Sequence[Outcome]) -> str:
    """Return the figures of some dialogues."""
    released = fmean(len(one.released) / one.nodes for one in found)
    return (
        f"{name:18} {len(found):4} SR {fmean(one.success for one in found):.3f} "
        f"D {fmean(one.discrepancy for one in found):5.2f} "
        f"L {fmean(one.query_length for one in found):6.1f} released {released:.3f}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures of each fold and of all together."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--folds", type=int, default=FOLDS)
    given = parser.parse_args(arguments)
    parts = provider_folds(given.data, given.folds)
    total: defaultdict[tuple[str, Mode], list[Outcome]] = defaultdict(list)
    for number, (fold, weights) in enumerate(zip(parts, held_out_weights(parts), strict=True), 1):
        for mode in MODES:
            here = list(outcomes(fold, OfflineSeeker(weights=weights), mode))
            for lang in sorted({one.task.lang for one in here}):
                own = [one for one in here if one.task.lang == lang]
                total[lang, mode] += own
                print(line(f"fold {number} {lang} {mode}", own), flush=True)
    for (lang, mode), found in sorted(total.items()):
        print(line(f"all {lang} {mode}", found))


if __name__ == "__main__":
    main()
