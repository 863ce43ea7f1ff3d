"""Fit what decides which spots are unclear, and write `dialogs/clarification/weights.json`.

    python -m concede.bench.clarify.fit_spots --sgd DIR [--clarq DIR] [--aware-us DIR]
                                              [--readers DIR] [--out FILE]

All of it by this one command: two readers, each without a half of the written catalogs, are
trained as `concede train understanding` trains its own (twenty minutes; `--readers` keeps them),
then read the written requests and variants of them; the reader that ships reads the marked ones,
whose catalogs it has not seen. Printed: of marked requests how much is noticed and how many clear
ones are questioned, each by what was fitted without its catalog.
"""

from __future__ import annotations

import json
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...dialogs.clarification.decision import WEIGHTS
from ..understanding.labelled_set import Sources
from ..understanding.request_records import written
from .examples import Examples
from .fitting import fitted
from .leave_out import readers_apart
from .marked import marked_examples

HERE = Path(__file__).parent
FOLDERS = tuple(HERE / name for name in ("development", "development2", "development3", "fresh"))
"""Marked requests that whoever writes rules may look at; `kept_back` and `held_out` only judge."""

QUESTIONED = 0.03
"""The share of clear marked texts that may be questioned, of catalogs that were left out."""

SEEN = 3
"""Texts in which a word meant nothing before it is kept."""


def fit_all(sources: Sources, readers: Path, out: Path) -> None:
    """Train the readers, gather, fit, print the figures and write the weights."""
    apart = readers_apart(sources, readers)
    with tempfile.TemporaryDirectory() as folder:
        gathered = Examples(written(), apart, Path(folder))
        gathered.gather()
    idle = gathered.idle_elsewhere("")
    kept = {word: times for word, times in sorted(idle.items()) if times >= SEEN}
    examples = [*gathered.examples, *marked_examples(FOLDERS, kept, gathered.texts + 1)]
    found = fitted(examples, QUESTIONED)
    print(f"{len(examples)} spots; a marked one counts {found.counted:g} times")
    for kind, (noticed, spots) in found.noticed.items():
        print(f"{kind}: {noticed} of {spots} marked spots noticed")
    print("{} of {} clear texts questioned".format(*found.questioned))
    thresholds = dict.fromkeys(found.coefficients, found.bound)
    weights = {"coefficients": found.coefficients, "thresholds": thresholds, "idle": kept}
    out.write_text(json.dumps(weights, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def main(arguments: Sequence[str]) -> None:
    """Run the command."""
    parser = ArgumentParser(prog="fit_spots")
    for name in ("--sgd", "--clarq", "--aware-us", "--readers"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    given = parser.parse_args(arguments)
    sources = replace(Sources(), sgd=given.sgd, clarq=given.clarq, aware_us=given.aware_us)
    with tempfile.TemporaryDirectory() as folder:
        fit_all(sources, given.readers or Path(folder), given.out)


if __name__ == "__main__":
    main(sys.argv[1:])
