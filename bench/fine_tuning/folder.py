"""A folder of training data: four files of JSON lines and a manifest, written whole or not at all.

    sft.train.jsonl  sft.test.jsonl  dpo.train.jsonl  dpo.test.jsonl  manifest.json

The files are written into a folder beside the target, which then takes its name.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from ...catalogs.errors import QueryError, UnreadableFile
from ...catalogs.validation_fault import first_fault
from ..json_lines import read_records, read_values
from ..text_files import unwritable
from .guard import check_apart
from .rows import SPLITS, STAGES, Row, Split, Stage, TrainingData, checked_row

FORMAT, VERSION = "concede training data", 1
MANIFEST = "manifest.json"


def file_name(stage: Stage, split: Split) -> str:
    """Return the name of the file with the rows of a stage and split."""
    return f"{stage}.{split}.jsonl"


def file_sha256(path: str | Path) -> str:
    """Return the hash of a file; raise `UnreadableFile`."""
    try:
        return sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise UnreadableFile(str(path), error.strerror or str(error)) from None


def check_target(folder: str | Path) -> None:
    """Raise `CatalogError` where the folder cannot be made, before anything is computed.

    A folder that holds training data already is replaced; any other that holds files is not.
    """
    place = Path(folder)
    if place.is_dir() and any(place.iterdir()) and not (place / MANIFEST).is_file():
        raise unwritable(place, "it holds other files", "name a new folder")
    if place.exists() and not place.is_dir():
        raise unwritable(place, "it is a file", "name a folder")
    if not place.absolute().parent.is_dir():
        raise unwritable(place, "no such parent folder", "make it first")


def write_data(folder: str | Path, data: TrainingData) -> dict[str, Any]:
    """Write training data and return its manifest.

    Raises `QueryError` where a test instance is among the training rows (`guard`), and
    `CatalogError` where writing fails; then nothing is left behind.
    """
    check_target(folder)
    check_apart(data)
    place = Path(folder).absolute()
    beside = place.with_name(f".{place.name[:200]}.{os.getpid()}")
    try:
        beside.mkdir()
        manifest = _write_files(beside, data)
        if place.exists():
            shutil.rmtree(place)
        beside.rename(place)
    except OSError as error:
        raise unwritable(place, error.strerror or str(error), "free some room") from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return manifest


def _write_files(folder: Path, data: TrainingData) -> dict[str, Any]:
    files: dict[str, str] = {}
    for stage in STAGES:
        for split in SPLITS:
            lines = [json.dumps(row, ensure_ascii=False) for row in data.rows[stage, split]]
            text = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
            (folder / file_name(stage, split)).write_bytes(text)
            files[file_name(stage, split)] = sha256(text).hexdigest()
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "builder": data.builder,
        "seed": data.seed,
        "settings": dict(data.settings),
        "sources": dict(data.sources),
        "split": fingerprints(data),
        "counts": data.counts(),
        "prompts": [dict(prompt) for prompt in data.prompts],
        "files": files,
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    return manifest


def fingerprints(data: TrainingData) -> dict[str, list[str]]:
    """Return, by split, what was put into it: sorted fingerprints of instances."""
    return {
        split: sorted(
            {
                str(row["meta"]["fingerprint"])
                for stage in STAGES
                for row in data.rows[stage, split]
                if row["meta"].get("fingerprint")
            }
        )
        for split in SPLITS
    }


class Instances(BaseModel):
    """Fingerprints of what is in each split."""

    train: list[str]
    test: list[str]


class Manifest(BaseModel):
    """What a folder says of itself, as far as it is read again."""

    format: Literal["concede training data"]
    version: Literal[1]
    builder: str
    seed: int
    split: Instances
    files: dict[str, str]


@dataclass(frozen=True)
class DataFolder:
    """Training data as read from a folder."""

    path: Path
    manifest: Manifest
    rows: Mapping[tuple[Stage, Split], list[Row]]

    @property
    def trained_on(self) -> frozenset[str]:
        """Fingerprints of what the training rows were made from."""
        return frozenset(self.manifest.split.train)

    def edited(self) -> list[str]:
        """Return the files that are not as they were built."""
        files = self.manifest.files
        return [name for name, digest in files.items() if file_sha256(self.path / name) != digest]


def read_data(folder: str | Path) -> DataFolder:
    """Return the training data of a folder.

    Raises `UnreadableFile` for a manifest of something else, for a missing file, and with the
    line of a row that is none; `QueryError` where a test instance is among the training rows.
    """
    place = Path(folder)
    manifest = read_manifest(place)
    rows: dict[tuple[Stage, Split], list[Row]] = {}
    for stage in STAGES:
        for split in SPLITS:
            path = place / file_name(stage, split)
            rows[stage, split] = list(
                read_records(path, lambda row, s=stage, p=split: checked_row(row, s, p))
            )
    return DataFolder(place, manifest, rows)


def read_manifest(folder: Path) -> Manifest:
    """Return a folder's manifest; raise `UnreadableFile` for one of something else."""
    path = folder / MANIFEST
    if not folder.is_dir():
        raise UnreadableFile(str(folder), "no such folder", hint="make one: concede train data")
    values = list(read_values(path))
    try:
        return Manifest.model_validate(values[0] if len(values) == 1 else values)
    except ValidationError as error:
        reason = f"no manifest of training data: {first_fault(error).line('it')}"
        raise UnreadableFile(str(path), reason, hint="concede train data") from None


def training_rows(data: DataFolder, stage: Stage) -> list[Row]:
    """Return the training rows of a stage; raise `QueryError` where there are none."""
    rows = data.rows[stage, "train"]
    if not rows:
        name = file_name(stage, "train")
        raise QueryError(f"{name} has no rows", hint="build more data, or another kind of it")
    return rows
