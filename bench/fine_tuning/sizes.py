"""What a training will take, computed before it starts and without any library for it.

Parameters follow from the architecture exactly; memory is an estimate: weights, gradients, Adam's
two moments, and activations of one batch with each layer's input kept (activation checkpointing).
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

from .checks import estimated_tokens
from .folder import DataFolder, training_rows
from .recipe import Architecture, Lora, Recipe
from .rows import Stage

GIB = 2**30
NF4_BYTES = 0.5 + 0.127 / 8
"""Of a weight: four bits, and the double-quantized constants of a block (QLoRA, section 3)."""

LIBRARIES = ("torch", "transformers", "trl", "peft", "datasets", "accelerate")


def projections(size: Architecture) -> list[tuple[int, int]]:
    """Return inputs and outputs of a layer's seven projections: q, k, v, o, gate, up, down."""
    inside, shared = size.heads * size.head_size, size.kv_heads * size.head_size
    hidden, wide = size.hidden, size.intermediate
    return [
        (hidden, inside),
        (hidden, shared),
        (hidden, shared),
        (inside, hidden),
        (hidden, wide),
        (hidden, wide),
        (wide, hidden),
    ]


def all_parameters(size: Architecture) -> int:
    """Return the number of weights: tables, projections, and the two norms of each layer.

    Norms of heads, which Qwen3 has and Llama has not, are left out: 256 in a layer of 10⁸.
    """
    layer = sum(a * b for a, b in projections(size)) + 2 * size.hidden
    tables = size.vocabulary * size.hidden * (1 if size.tied else 2)
    return tables + size.layers * layer + size.hidden


def adapter_parameters(size: Architecture, lora: Lora) -> int:
    """Return the number of weights of the adapters: rank · (inputs + outputs) a projection."""
    return size.layers * sum(lora.rank * (a + b) for a, b in projections(size))


def trainable_parameters(recipe: Recipe) -> int:
    """Return how many weights change."""
    if recipe.lora:
        return adapter_parameters(recipe.architecture, recipe.lora)
    return all_parameters(recipe.architecture)


def memory_gib(recipe: Recipe, stage: Stage) -> float:
    """Return about how much memory a training takes, in GiB."""
    size, trained = recipe.architecture, trainable_parameters(recipe)
    wide = 2 if recipe.dtype == "bfloat16" else 4
    inside = size.layers * sum(a * b for a, b in projections(size))
    # Only projections are quantized; tables and norms keep their type.
    weights = wide * (all_parameters(size) - inside)
    weights += inside * (NF4_BYTES if recipe.quantization else wide)
    copies = 2 if stage == "dpo" and not recipe.lora else 1
    optimizer = trained * (wide + 8) + (trained * wide if recipe.lora else 0)
    sequences = recipe.batch * (2 if stage == "dpo" else 1)
    tokens = sequences * recipe.max_length
    # Inputs of all layers, one layer at work, and the scores of all words in single precision.
    layer = 4 * size.hidden + 3 * size.intermediate
    activations = tokens * (wide * (size.layers * size.hidden + layer) + 4 * size.vocabulary)
    return (copies * weights + optimizer + activations) / GIB


@dataclass(frozen=True)
class DryRun:
    """What a run would do."""

    recipe: Recipe
    stage: Stage
    rows: int
    tokens: int
    over_length: int
    missing: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {
            "stage": self.stage,
            "preset": self.recipe.preset,
            "model": self.recipe.model,
            "rows": self.rows,
            "rows_over_length": self.over_length,
            "tokens": self.tokens,
            "tokens_by": "characters / 4",
            "steps": self.recipe.steps(self.stage, self.rows),
            "rows_a_step": self.recipe.rows_a_step(self.stage),
            "parameters": all_parameters(self.recipe.architecture),
            "trainable_parameters": trainable_parameters(self.recipe),
            "memory_gib": round(memory_gib(self.recipe, self.stage), 2),
            "missing": list(self.missing),
            "recipe": self.recipe.model_dump(),
        }


def dry_run(recipe: Recipe, stage: Stage, data: DataFolder) -> DryRun:
    """Return what a run on this data would do. Raises `QueryError` for data without rows."""
    rows = training_rows(data, stage)
    lengths = [estimated_tokens(row, stage) for row in rows]
    over = sum(length > recipe.max_length for length in lengths)
    return DryRun(recipe, stage, len(rows), sum(lengths), over, tuple(missing(recipe)))


def missing(recipe: Recipe) -> list[str]:
    """Return what a run needs and this machine lacks, a phrase each."""
    lacking = [name for name in LIBRARIES if find_spec(name) is None]
    found = [f"{', '.join(lacking)} (pip install 'concede[train]')"] if lacking else []
    if recipe.needs_gpu and which("nvidia-smi") is None:
        found.append(f"a GPU with about {memory_gib(recipe, 'dpo'):.0f} GiB of memory")
    if recipe.quantization and find_spec("bitsandbytes") is None:
        found.append("bitsandbytes (pip install bitsandbytes)")
    if recipe.model and not is_at_hand(recipe.model):
        found.append(f"the model {recipe.model} (give --model FOLDER, or fetch it first)")
    return found


def is_at_hand(model: str) -> bool:
    """Return whether a model is a folder here, or in the local store of Hugging Face."""
    if Path(model).is_dir():
        return True
    from os import environ

    home = Path(environ.get("HF_HOME", Path.home() / ".cache" / "huggingface"))
    hub = Path(environ.get("HF_HUB_CACHE", home / "hub"))
    return (hub / f"models--{model.replace('/', '--')}" / "snapshots").is_dir()
