"""The folder of the BeNYfits data, read whole into memory and checked for contradictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from ...catalogs.errors import QueryError, UnreadableFile, excerpt, nearest
from ..json_lines import read_records
from .records import Dataset, Feature, Household, Label, Program

FILES = {
    "households": "households.jsonl.gz",
    "programs": "programs.jsonl",
    "features": "features.jsonl",
    "labels": "eligibility_labels.jsonl.gz",
}

Pair = tuple[str, str]
"""A household and a program."""


@dataclass(frozen=True)
class BenyfitsData:
    """Households, programs and features by name, in file order; labels by pair where given."""

    households: Mapping[str, Household]
    programs: Mapping[str, Program]
    features: Mapping[str, Feature]
    labels: Mapping[Pair, Label] = field(default_factory=dict[Pair, Label])

    def of(self, dataset: Dataset) -> tuple[Household, ...]:
        """Return the households of one data set; raise `QueryError` where it has none."""
        households = tuple(
            household for household in self.households.values() if household.dataset == dataset
        )
        if not households:
            datasets = sorted({household.dataset for household in self.households.values()})
            raise QueryError(f"no household of {dataset}", hint=f"the data holds {datasets}")
        return households


def read_benyfits(folder: str | Path) -> BenyfitsData:
    """Return the data of a folder: the four files named in `FILES`, the labels optional.

    Raises `UnreadableFile` for what is missing, malformed or contradicts itself.
    """
    root = Path(folder)
    features = _by_name(root, "features", Feature, "feature")
    programs = _by_name(root, "programs", Program, "program")
    households = _by_name(root, "households", Household, "household")
    for household in households.values():
        _check_household(root, household, features, programs)
    labels = _labels(root) if (root / FILES["labels"]).exists() else {}
    for pair, label in labels.items():
        _check_label(root, pair, label, households, programs)
    return BenyfitsData(households, programs, features, labels)


Named = TypeVar("Named", Feature, Household, Program)


def _by_name(root: Path, what: str, kind: type[Named], key: str) -> dict[str, Named]:
    path = root / FILES[what]
    records: dict[str, Named] = {}
    for record in read_records(path, kind.model_validate):
        name = str(getattr(record, key))
        if name in records:
            raise UnreadableFile(str(path), f"{key} {excerpt(name)} occurs twice")
        records[name] = record
    if not records:
        raise UnreadableFile(str(path), "it holds no record")
    return records


def _check_household(
    root: Path,
    household: Household,
    features: Mapping[str, Feature],
    programs: Mapping[str, Program],
) -> None:
    """Raise `UnreadableFile` for a member without a feature, or with a value it cannot have."""
    path, where = str(root / FILES["households"]), excerpt(household.household)
    for name in household.target_programs:
        if name not in programs:
            raise UnreadableFile(path, f"{where}: {_unknown('program', name, programs)}")
    for member in household.members:
        if missing := [name for name in features if name not in member]:
            raise UnreadableFile(path, f"{where}: a member without {missing[0]}")
        for name, value in member.items():
            if name not in features:
                raise UnreadableFile(path, f"{where}: {_unknown('feature', name, features)}")
            try:
                features[name].check(value)
            except QueryError as error:
                raise UnreadableFile(path, f"{where}: {error}") from None


def _unknown(what: str, name: str, known: Mapping[str, object]) -> str:
    like = ", ".join(nearest(name, known))
    return f"unknown {what} {excerpt(name)}" + (f", did you mean {like}?" if like else "")


def _labels(root: Path) -> dict[Pair, Label]:
    path = root / FILES["labels"]
    labels: dict[Pair, Label] = {}
    for label in read_records(path, Label.model_validate):
        if (label.household, label.program) in labels:
            what = f"{label.household} and {label.program} have two labels"
            raise UnreadableFile(str(path), what)
        labels[label.household, label.program] = label
    return labels


def _check_label(
    root: Path,
    pair: Pair,
    label: Label,
    households: Mapping[str, Household],
    programs: Mapping[str, Program],
) -> None:
    path, (household, program) = str(root / FILES["labels"]), pair
    if household not in households:
        raise UnreadableFile(path, _unknown("household", household, households))
    if program not in programs:
        raise UnreadableFile(path, _unknown("program", program, programs))
    if label.target != (program in households[household].target_programs):
        raise UnreadableFile(
            path, f"{household} and {program}: target differs from the household's programs"
        )
