"""Direct preference optimization: chosen over rejected, against a reference (AWARE-US, 4).

The reference is the model that training starts from, unless another is named. TRL trains on every
token after the prompt; in dialogues those of the other side are masked here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ...catalogs.errors import QueryError
from ...dialogs.models.chat_template import TEMPLATE_OPTIONS, encoded, padding_of
from ...dialogs.models.libraries import library
from .encoding import Turns
from .folder import DataFolder, training_rows
from .recipe import Recipe
from .rows import PARTS, Row
from .run_folder import RunFolder, TrainedOn, read_trained_on, run_record
from .training import (
    arguments,
    begin,
    check_machine,
    device_name,
    load_for_training,
    loss_ends,
    progress_callback,
)

Advance = Callable[[int, int], None]


def train_dpo(
    data: DataFolder,
    start: str | Path,
    recipe: Recipe,
    out: str | Path,
    advance: Advance = lambda step, of: None,
    *,
    reference: str | Path | None = None,
) -> dict[str, Any]:
    """Train the model of a folder on pairs, write it to another, and return what is measured.

    Rewards are β times what the policy's log-likelihood of a completion gained on the
    reference's: `reward_margin` is the mean of chosen minus rejected over the training pairs,
    `reward_accuracy` the share of pairs where it is positive, `heldout_accuracy` the same on
    the test pairs (None without any). Raises `UnreadableFile` for a folder without a trained
    model, and as `train_sft` does.
    """
    before = read_trained_on(start)
    check_machine(recipe)
    pairs = training_rows(data, "dpo")[: recipe.dpo.most_pairs]
    run = RunFolder.begin(out, run_record("dpo", recipe, data, Path(start)))
    clock = begin()
    tokenizer = library("transformers").AutoTokenizer.from_pretrained(
        str(start), trust_remote_code=False
    )
    kept = _fitting(tokenizer, pairs, recipe.max_length)
    if not kept:
        problem = f"all {len(pairs)} prompts are over {recipe.max_length:,} tokens"
        raise QueryError(problem, hint="use a preset of longer sequences")
    trainer = _trainer(
        load_for_training(recipe, start),
        _reference(recipe, start, reference),
        tokenizer,
        kept,
        arguments(recipe, "dpo", len(kept), run.checkpoints) | {"beta": recipe.dpo.beta},
        recipe.max_length,
    )
    trainer.add_callback(progress_callback(advance))
    last = run.last_checkpoint()
    with run.writing():
        trainer.train(resume_from_checkpoint=None if last is None else str(last))
    scores = _scores(
        trainer, kept, _fitting(tokenizer, data.rows["dpo", "test"], recipe.max_length)
    )
    run.finish(trainer.model, tokenizer, TrainedOn.of("dpo", recipe, data, before))
    return {
        "steps": trainer.state.global_step,
        "pairs": len(kept),
        "pairs_dropped": len(pairs) - len(kept),
        "pairs_cut": sum(_longest(tokenizer, row) > recipe.max_length for row in kept),
        **loss_ends(trainer.state.log_history),
        **scores,
        **clock.record(),
        "device": device_name(),
    }


def _fitting(tokenizer: Any, pairs: Sequence[Row], most: int) -> list[Row]:
    """Return the pairs whose prompts leave room for a reply."""
    return [
        row
        for row in pairs
        if len(encoded(tokenizer, row["prompt"], add_generation_prompt=True)) < most
    ]


def _longest(tokenizer: Any, row: Row) -> int:
    _, *parts = PARTS["dpo"]
    return max(len(encoded(tokenizer, [*row["prompt"], *row[part]])) for part in parts)


def _reference(recipe: Recipe, start: str | Path, reference: str | Path | None) -> Any:
    """Return the reference model; None where TRL keeps the starting adapters as one."""
    if recipe.lora and reference is None:
        return None
    return load_for_training(recipe, reference or start)


def _trainer(
    model: Any,
    reference: Any,
    tokenizer: Any,
    rows: Sequence[Row],
    settings: dict[str, Any],
    max_length: int,
) -> Any:
    trl = library("trl")
    trainer = trl.DPOTrainer(
        model=model,
        ref_model=reference,
        args=trl.DPOConfig(**settings, max_length=max_length, precompute_ref_log_probs=True),
        train_dataset=_dataset(rows),
        processing_class=tokenizer,
        data_collator=assistant_collator(tokenizer, Turns.of(tokenizer), max_length),
    )
    trainer.remove_callback(library("transformers").PrinterCallback)
    return trainer


def _dataset(rows: Sequence[Row]) -> Any:
    records = [
        {part: row[part] for part in PARTS["dpo"]}
        | {"chat_template_kwargs": dict(TEMPLATE_OPTIONS)}
        for row in rows
    ]
    return library("datasets").Dataset.from_list(records)


def assistant_collator(tokenizer: Any, turns: Turns, max_length: int) -> Any:
    """Return TRL's collator for pairs, with what the other side says masked."""
    torch = library("torch")
    preferences: Any = library("trl.trainer.dpo_trainer").DataCollatorForPreference

    class AssistantOnly(preferences):
        def torch_call(self, examples: list[dict[str, Any]]) -> dict[str, Any]:
            batch: Any = preferences.torch_call(self, examples)
            said = torch.tensor([turns.mask(ids) for ids in batch["input_ids"].tolist()])
            batch["completion_mask"] = batch["completion_mask"] * said
            return batch

    return AssistantOnly(pad_token_id=padding_of(tokenizer), max_length=max_length)


def _scores(trainer: Any, kept: Sequence[Row], tested: Sequence[Row]) -> dict[str, float | None]:
    """Return what the rewards are on the training pairs and on those held out."""
    on_training, held_out = _rewards(trainer, kept), _rewards(trainer, tested)
    return {
        "reward_margin": on_training["margins"],
        "reward_accuracy": on_training["accuracies"],
        "heldout_accuracy": held_out["accuracies"],
    }


def _rewards(trainer: Any, rows: Sequence[Row]) -> dict[str, float | None]:
    """Return margin and accuracy of the rewards over pairs; None without any."""
    if not rows:
        return {"margins": None, "accuracies": None}
    metrics = trainer.evaluate(_dataset(rows))
    return {name: float(metrics[f"eval_rewards/{name}"]) for name in ("margins", "accuracies")}
