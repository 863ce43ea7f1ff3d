"""What is measured on is never trained on: instances are told apart by words, not by ids."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ...catalogs.errors import QueryError
from .rows import SPLITS, STAGES, TrainingData


def check_apart(data: TrainingData) -> None:
    """Raise `QueryError` where one instance, traveller or episode is in both splits."""
    found: dict[str, set[str]] = {split: set() for split in SPLITS}
    named: dict[str, str] = {}
    for stage in STAGES:
        for split in SPLITS:
            for row in data.rows[stage, split]:
                digest = str(row["meta"].get("fingerprint") or "")
                if digest:
                    found[split].add(digest)
                    named[digest] = str(row["meta"].get("instance"))
    if both := sorted(found["train"] & found["test"]):
        problem = f"{len(both)} instances are in train and test, such as {named[both[0]]}"
        raise QueryError(problem, hint="one with the same words belongs to one split")


def check_unseen(trained_on: Collection[str], measured_on: Iterable[tuple[str, str]]) -> None:
    """Raise `QueryError` where a model was trained on what it is measured on.

    `trained_on`: fingerprints of its manifest; `measured_on`: pairs of id and fingerprint.
    """
    if seen := [name for name, digest in measured_on if digest in trained_on]:
        problem = f"the model was trained on {len(seen)} of them, such as {seen[0]}"
        raise QueryError(problem, hint="measure on others, or train without them")
