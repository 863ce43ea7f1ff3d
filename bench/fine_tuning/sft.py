"""Supervised fine-tuning: the likelihood of what the assistant says (AWARE-US, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ...dialogs.models.chat_template import padding_of
from ...dialogs.models.libraries import library
from .encoding import IGNORED, Encoded, Turns, encode_row
from .folder import DataFolder, training_rows
from .greedy_scores import held_out_scores
from .recipe import Recipe
from .run_folder import RunFolder, TrainedOn, run_record
from .tiny_model import make_model, make_tokenizer, texts_of
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


def train_sft(
    data: DataFolder, recipe: Recipe, out: str | Path, advance: Advance = lambda step, of: None
) -> dict[str, Any]:
    """Train on the SFT rows, write the model to a folder, and return what is measured.

    A run that was killed goes on from its last checkpoint, to the same weights. Raises
    `CatalogError` where the machine lacks something or writing fails.
    """
    rows = training_rows(data, "sft")
    check_machine(recipe)
    run = RunFolder.begin(out, run_record("sft", recipe, data))
    clock = begin()
    tokenizer, model = _start(recipe, texts_of([*rows, *data.rows["dpo", "train"]]))
    turns = Turns.of(tokenizer)
    sequences = [encode_row(tokenizer, turns, row, recipe.max_length) for row in rows]
    trainer = _trainer(model, tokenizer, sequences, recipe, run)
    trainer.remove_callback(library("transformers").PrinterCallback)
    trainer.add_callback(progress_callback(advance))
    last = run.last_checkpoint()
    with run.writing():
        trainer.train(resume_from_checkpoint=None if last is None else str(last))
    scores = held_out_scores(trainer.model, tokenizer, data.rows["sft", "test"])
    run.finish(trainer.model, tokenizer, TrainedOn.of("sft", recipe, data))
    return {
        "steps": trainer.state.global_step,
        "rows": len(rows),
        "rows_cut": sum(sequence.cut for sequence in sequences),
        **loss_ends(trainer.state.log_history),
        **scores,
        **clock.record(),
        "device": device_name(),
    }


def _start(recipe: Recipe, texts: Sequence[str]) -> tuple[Any, Any]:
    """Return tokenizer and model: made on the spot, or of the recipe's name."""
    if recipe.model is None:
        tokenizer = make_tokenizer(texts, recipe.architecture.vocabulary)
        return tokenizer, make_model(recipe, tokenizer)
    transformers = library("transformers")
    model = load_for_training(recipe, recipe.model)
    tokenizer = transformers.AutoTokenizer.from_pretrained(recipe.model, trust_remote_code=False)
    return tokenizer, model


def _trainer(
    model: Any, tokenizer: Any, sequences: Sequence[Encoded], recipe: Recipe, run: RunFolder
) -> Any:
    torch, transformers = library("torch"), library("transformers")
    padding = padding_of(tokenizer)

    def collate(batch: Sequence[Encoded]) -> dict[str, Any]:
        longest = max(len(one.ids) for one in batch)
        rest = [longest - len(one.ids) for one in batch]
        pairs = list(zip(batch, rest, strict=True))
        return {
            "input_ids": torch.tensor([one.ids + [padding] * more for one, more in pairs]),
            "attention_mask": torch.tensor([[1] * len(one.ids) + [0] * m for one, m in pairs]),
            "labels": torch.tensor([one.labels + [IGNORED] * more for one, more in pairs]),
        }

    settings = arguments(recipe, "sft", len(sequences), run.checkpoints)
    return transformers.Trainer(
        model=model,
        args=transformers.TrainingArguments(**settings),
        train_dataset=list(sequences),
        data_collator=collate,
    )
