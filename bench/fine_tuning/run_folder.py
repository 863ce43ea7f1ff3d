"""A training on disk: a folder beside the target while it runs, the target when it is done.

The folder holds checkpoints and what the run is; the same run started again goes on from the last
checkpoint, any other is refused. Nothing is at the target until all of it is.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from ...catalogs.errors import UnreadableFile
from ...catalogs.validation_fault import first_fault
from ...dialogs.models.libraries import library
from ..json_lines import read_values
from ..text_files import unwritable
from .folder import DataFolder, file_sha256
from .recipe import Recipe
from .rows import Stage

TRAINED = "concede.json"
"""Says of a model's folder what it was trained on, and how."""

RUN = "run.json"


class TrainedOn(BaseModel):
    """What a model's folder says of itself. `fingerprints` of what it and its parent learned."""

    format: str = "concede trained model"
    version: int = 1
    stage: Stage
    recipe: Recipe
    builder: str
    fingerprints: list[str]

    @classmethod
    def of(
        cls, stage: Stage, recipe: Recipe, data: DataFolder, before: TrainedOn | None = None
    ) -> TrainedOn:
        """Return what a stage adds to what the model before it learned."""
        learned = {*data.trained_on, *(before.fingerprints if before else ())}
        return cls(
            stage=stage,
            recipe=recipe,
            builder=data.manifest.builder,
            fingerprints=sorted(learned),
        )


@dataclass
class RunFolder:
    """The place of a run: `work` while it runs, `out` when it is done."""

    out: Path
    work: Path

    @classmethod
    def begin(cls, out: str | Path, what: Mapping[str, Any]) -> RunFolder:
        """Make the folder of a run, or go on with the same.

        Raises `CatalogError` where the target is there already, or another run was left there.
        """
        place = Path(out).absolute()
        if place.exists() and (not place.is_dir() or any(place.iterdir())):
            raise unwritable(place, "it exists", "name a new folder")
        if not place.parent.is_dir():
            raise unwritable(place, "no such parent folder", "make it first")
        work = place.with_name(f"{place.name[:200]}.unfinished")
        text = json.dumps(what, ensure_ascii=False, sort_keys=True)
        run = work / RUN
        try:
            if run.is_file() and run.read_text(encoding="utf-8") != text:
                problem = f"{work.name} is of another run"
                raise unwritable(place, problem, "remove it, or name another folder")
            work.mkdir(exist_ok=True)
            run.write_text(text, encoding="utf-8")
        except OSError as error:
            raise unwritable(place, error.strerror or str(error), "name another folder") from None
        return cls(place, work)

    @contextmanager
    def writing(self) -> Generator[None]:
        """Turn what a full or broken disk raises inside into a `CatalogError`."""
        errors = (OSError, library("safetensors").SafetensorError)
        try:
            yield
        except errors as error:
            reason = getattr(error, "strerror", None) or str(error)
            hint = "free some room and start it again: it goes on"
            raise unwritable(self.out, reason, hint) from None

    @property
    def checkpoints(self) -> Path:
        """Where checkpoints go."""
        return self.work / "checkpoints"

    def last_checkpoint(self) -> Path | None:
        """Return the last whole checkpoint, if any."""
        found = [
            place
            for place in self.checkpoints.glob("checkpoint-*")
            if (place / "trainer_state.json").is_file() and place.name.split("-")[-1].isdigit()
        ]
        return max(found, key=lambda place: int(place.name.split("-")[-1]), default=None)

    def finish(self, model: Any, tokenizer: Any, trained: TrainedOn) -> None:
        """Write the model beside the checkpoints, then put it in its place.

        Raises `CatalogError` where writing fails; then the target is not there.
        """
        made = self.work / "model"
        with self.writing():
            shutil.rmtree(made, ignore_errors=True)
            model.save_pretrained(made, safe_serialization=True)
            tokenizer.save_pretrained(made)
            text = trained.model_dump_json(indent=2) + "\n"
            (made / TRAINED).write_text(text, encoding="utf-8")
            if self.out.exists():
                self.out.rmdir()
            made.rename(self.out)
        shutil.rmtree(self.work, ignore_errors=True)


def run_record(
    stage: Stage, recipe: Recipe, data: DataFolder, start: Path | None = None
) -> dict[str, Any]:
    """Return what tells one run from another."""
    return {
        "stage": stage,
        "recipe": recipe.model_dump(),
        "data": {name: file_sha256(data.path / name) for name in sorted(data.manifest.files)},
        "from": None if start is None else file_sha256(start / TRAINED),
    }


def read_trained_on(folder: str | Path) -> TrainedOn:
    """Return what a model's folder says of itself; raise `UnreadableFile`."""
    path = Path(folder) / TRAINED
    if not Path(folder).is_dir():
        raise UnreadableFile(str(folder), "no such folder", hint="train one: concede train sft")
    values = list(read_values(path))
    try:
        return TrainedOn.model_validate(values[0] if len(values) == 1 else values)
    except ValidationError as error:
        reason = f"no record of a training: {first_fault(error).line('it')}"
        raise UnreadableFile(str(path), reason) from None
