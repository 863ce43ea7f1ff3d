"""How a model is trained: one resolved configuration, from a preset and what overrides it.

`presets.json` holds the presets with their sources. A resolved recipe is saved beside the model.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ...catalogs.errors import QueryError, excerpt, nearest
from .rows import STAGES, Stage

Positive = Annotated[int, Field(ge=1)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Architecture(_Part):
    """The sizes of a decoder as Qwen3 and Llama build it. `tied`: one table in and out."""

    hidden: Positive
    layers: Positive
    heads: Positive
    kv_heads: Positive
    head_size: Positive
    intermediate: Positive
    vocabulary: Positive
    tied: bool


class Lora(_Part):
    """Low-rank adapters on all seven projections of every layer."""

    rank: Positive
    alpha: Positive
    dropout: Annotated[float, Field(ge=0, lt=1)]


class Schedule(_Part):
    """How long and how fast: `steps` of the optimizer, or `epochs` where those are None.

    `warmup`: share of the steps. `accumulation` overrides the recipe's. `beta` and
    `most_pairs` (the first so many) are DPO's.
    """

    steps: Positive | None = None
    epochs: Positive | None = None
    learning_rate: Annotated[float, Field(gt=0)]
    scheduler: Literal["cosine", "linear", "constant"] = "cosine"
    warmup: Annotated[float, Field(ge=0, le=1)] = 0.0
    accumulation: Positive | None = None
    beta: Annotated[float, Field(gt=0)] = 0.1
    most_pairs: Positive | None = None


class Recipe(_Part):
    """Everything that decides what a training gives. `max_length` in tokens.

    `model`: None for one made on the spot, else a name or a folder.
    """

    preset: str
    model: str | None
    architecture: Architecture
    dtype: Literal["float32", "bfloat16"]
    needs_gpu: bool
    quantization: Literal["nf4"] | None = None
    lora: Lora | None = None
    max_length: Positive
    batch: Positive
    accumulation: Positive
    seed: int = 11
    sft: Schedule
    dpo: Schedule
    source: str

    def schedule(self, stage: Stage) -> Schedule:
        """Return the schedule of a stage."""
        return self.sft if stage == "sft" else self.dpo

    def rows_a_step(self, stage: Stage) -> int:
        """Return how many rows one step of the optimizer sees."""
        return self.batch * (self.schedule(stage).accumulation or self.accumulation)

    def steps(self, stage: Stage, rows: int) -> int:
        """Return how many steps a stage takes with so many rows."""
        schedule = self.schedule(stage)
        if schedule.steps is not None:
            return schedule.steps
        return (schedule.epochs or 1) * -(-rows // self.rows_a_step(stage))


@cache
def _presets() -> dict[str, Any]:
    text = Path(__file__).with_name("presets.json").read_text(encoding="utf-8")
    presets: dict[str, Any] = json.loads(text)
    return presets


def preset_names() -> tuple[str, ...]:
    """Return the names of the presets."""
    return tuple(_presets())


def recipe_named(
    preset: str, *, model: str | None = None, steps: int | None = None, seed: int | None = None
) -> Recipe:
    """Return the recipe of a preset, with what overrides it.

    `steps` holds for both stages. Raises `QueryError` for an unknown preset and steps below 1.
    """
    if preset not in _presets():
        like = nearest(preset, preset_names()) or preset_names()
        raise QueryError(f"no preset {excerpt(preset)}", hint=f"presets: {', '.join(like)}")
    if steps is not None and steps < 1:
        raise QueryError(f"{steps} steps", hint="give 1 or more")
    fields: dict[str, Any] = {**_presets()[preset], "preset": preset}
    if steps is not None:
        fields |= {stage: fields[stage] | {"steps": steps} for stage in STAGES}
    if model is not None:
        fields["model"] = model
    if seed is not None:
        fields["seed"] = seed
    return Recipe.model_validate(fields)
