"""What SFT and DPO have in common: models, the trainer's arguments, and what is measured."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...catalogs.errors import CatalogError
from ...dialogs.models.libraries import library, quiet
from ...dialogs.models.local_folder import check_folder
from .recipe import Recipe
from .rows import Stage
from .sizes import missing

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
SAVES = 5
"""Checkpoints of a run."""


@dataclass
class Clock:
    """Wall and processor seconds since it was made."""

    begun: float
    spent: float

    @classmethod
    def start(cls) -> Clock:
        """Return a clock that starts now."""
        return cls(time.perf_counter(), time.process_time())

    def record(self) -> dict[str, float]:
        """Return both, in seconds."""
        return {
            "seconds": round(time.perf_counter() - self.begun, 1),
            "cpu_seconds": round(time.process_time() - self.spent, 1),
        }


def check_machine(recipe: Recipe) -> None:
    """Raise `CatalogError` (exit code 3) where this machine lacks something a run needs."""
    if lacking := missing(recipe):
        problem = f"{recipe.preset} needs {'; '.join(lacking)}"
        raise CatalogError(problem, hint="see what it would do: --dry-run")


def device_name() -> str:
    """Return what is trained on: `cuda` or `cpu`."""
    return "cuda" if library("torch").cuda.is_available() else "cpu"


def begin() -> Clock:
    """Return a clock; the libraries are quiet from here on, and a processor uses one thread.

    More threads are slower.
    """
    quiet()
    if device_name() == "cpu":
        library("torch").set_num_threads(1)
    return Clock.start()


def load_for_training(recipe: Recipe, folder: str | Path) -> Any:
    """Return a model from a folder or a name, as the recipe trains it.

    A folder that holds adapters goes on with them; else the recipe's adapters are added.
    """
    if Path(folder).is_dir():
        check_folder(folder)
    if (Path(folder) / "adapter_config.json").is_file():
        peft = library("peft")
        base = peft.PeftConfig.from_pretrained(str(folder)).base_model_name_or_path
        return peft.PeftModel.from_pretrained(
            _loaded(recipe, base), str(folder), is_trainable=True, use_safetensors=True
        )
    return with_adapters(recipe, _loaded(recipe, folder))


def _loaded(recipe: Recipe, folder: str | Path) -> Any:
    torch, transformers = library("torch"), library("transformers")
    options: dict[str, Any] = {"dtype": getattr(torch, recipe.dtype)}
    if recipe.quantization:
        options["quantization_config"] = transformers.BitsAndBytesConfig(
            load_in_4bit=True,
            bnb_4bit_quant_type=recipe.quantization,
            bnb_4bit_use_double_quant=True,
            bnb_4bit_compute_dtype=torch.bfloat16,
        )
        options["device_map"] = {"": 0}
    return transformers.AutoModelForCausalLM.from_pretrained(
        str(folder), trust_remote_code=False, use_safetensors=True, **options
    )


def with_adapters(recipe: Recipe, model: Any) -> Any:
    """Return the model with the recipe's adapters, if it has any."""
    if recipe.lora is None:
        return model
    peft = library("peft")
    if recipe.quantization:
        model = peft.prepare_model_for_kbit_training(model)
    config = peft.LoraConfig(
        r=recipe.lora.rank,
        lora_alpha=recipe.lora.alpha,
        lora_dropout=recipe.lora.dropout,
        target_modules=list(PROJECTIONS),
        task_type="CAUSAL_LM",
    )
    return peft.get_peft_model(model, config)


def arguments(recipe: Recipe, stage: Stage, rows: int, folder: Path) -> dict[str, Any]:
    """Return the arguments of a trainer of Hugging Face, for TrainingArguments or a subclass."""
    schedule, steps = recipe.schedule(stage), recipe.steps(stage, rows)
    return {
        "output_dir": str(folder),
        "max_steps": steps,
        "per_device_train_batch_size": recipe.batch,
        "per_device_eval_batch_size": recipe.batch,
        "gradient_accumulation_steps": recipe.rows_a_step(stage) // recipe.batch,
        "learning_rate": schedule.learning_rate,
        "lr_scheduler_type": schedule.scheduler,
        "warmup_steps": schedule.warmup,
        "seed": recipe.seed,
        "data_seed": recipe.seed,
        "bf16": recipe.dtype == "bfloat16",
        "gradient_checkpointing": recipe.needs_gpu,
        "use_cpu": not recipe.needs_gpu and device_name() == "cpu",
        "logging_steps": 1,
        "save_strategy": "steps",
        "save_steps": max(1, -(-steps // SAVES)),
        "save_total_limit": 2,
        "report_to": [],
        "disable_tqdm": True,
        "remove_unused_columns": False,
    }


def loss_ends(history: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return the mean loss of the first and of the last tenth of the steps."""
    losses = [float(entry["loss"]) for entry in history if "loss" in entry]
    tenth = max(1, len(losses) // 10)
    return {
        "loss_first": sum(losses[:tenth]) / tenth,
        "loss_last": sum(losses[-tenth:]) / tenth,
    }


def progress_callback(advance: Any) -> Any:
    """Return a callback for a trainer that calls `advance(step, steps)` after each step."""
    transformers = library("transformers")

    class Advance(transformers.TrainerCallback):
        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            advance(state.global_step, state.max_steps)

    return Advance()
