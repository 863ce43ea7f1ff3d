"""Recipes, what they will take, and what is said where a machine lacks something."""

from __future__ import annotations

from pathlib import Path

import pytest

from concede.bench.fine_tuning.folder import write_data
from concede.bench.fine_tuning.recipe import preset_names, recipe_named
from concede.bench.fine_tuning.rows import TrainingData
from concede.bench.fine_tuning.sizes import (
    adapter_parameters,
    all_parameters,
    is_at_hand,
    memory_gib,
    missing,
    trainable_parameters,
)
from concede.bench.fine_tuning.training import check_machine
from concede.catalogs.errors import CatalogError, QueryError, UnreadableFile
from concede.dialogs.models.local_folder import check_folder
from concede.dialogs.models.opening import open_model


def test_parameters_are_those_of_the_published_models() -> None:
    # Of the models' cards; norms of Qwen3's heads are not counted here: 36 layers of 256.
    qwen, llama = recipe_named("qwen3-8b"), recipe_named("llama3.1-8b-apec")
    assert all_parameters(qwen.architecture) + 36 * 256 == 8_190_735_360
    assert all_parameters(llama.architecture) == 8_030_261_248
    assert qwen.lora
    assert adapter_parameters(qwen.architecture, qwen.lora) == 43_646_976
    assert trainable_parameters(llama) == all_parameters(llama.architecture)


def test_the_published_recipe_is_the_published_one() -> None:
    recipe = recipe_named("qwen3-8b")
    assert recipe.quantization == "nf4"
    assert recipe.lora
    assert (recipe.lora.rank, recipe.lora.alpha, recipe.lora.dropout) == (16, 32, 0.05)
    assert (recipe.max_length, recipe.batch, recipe.accumulation, recipe.seed) == (1024, 1, 8, 11)
    assert (recipe.sft.epochs, recipe.sft.learning_rate) == (3, 2e-4)
    assert (recipe.dpo.epochs, recipe.dpo.learning_rate, recipe.dpo.beta) == (1, 5e-5, 0.1)
    # 518 rows, 8 a step, the last step of an epoch not full.
    assert recipe.steps("sft", 518) == 3 * 65


def test_steps_override_both_stages() -> None:
    recipe = recipe_named("tiny", steps=7)
    assert recipe.steps("sft", 10_000) == recipe.steps("dpo", 10_000) == 7
    with pytest.raises(QueryError, match="0 steps"):
        recipe_named("tiny", steps=0)


def test_an_unknown_preset_names_the_nearest() -> None:
    with pytest.raises(QueryError, match="qwen3-8b"):
        recipe_named("qwen3")


@pytest.mark.parametrize("preset", preset_names())
def test_memory_grows_with_what_is_kept(preset: str) -> None:
    recipe = recipe_named(preset)
    assert 0 < memory_gib(recipe, "sft") < memory_gib(recipe, "dpo")


def test_a_machine_without_a_gpu_or_the_model_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("HF_HOME", "/nowhere")
    recipe = recipe_named("qwen3-8b")
    assert not is_at_hand("Qwen/Qwen3-8B")
    lacking = " ".join(missing(recipe))
    assert "a GPU" in lacking
    assert "Qwen/Qwen3-8B" in lacking
    with pytest.raises(CatalogError, match="--dry-run") as error:
        check_machine(recipe)
    assert error.value.exit_code == 3
    assert "\n" not in str(error.value)


def model_folder(place: Path, **files: str) -> Path:
    place.mkdir()
    (place / "config.json").write_text(files.pop("config", "{}"))
    for name, text in files.items():
        (place / name.replace("__", ".")).write_text(text)
    return place


def test_a_folder_of_pickles_or_code_is_no_model(tmp_path: Path) -> None:
    pickles = model_folder(tmp_path / "a", pytorch_model__bin="")
    with pytest.raises(UnreadableFile, match="pickle"):
        check_folder(pickles)
    both = model_folder(tmp_path / "b", model__safetensors="", training_args__bin="")
    with pytest.raises(UnreadableFile, match="training_args"):
        check_folder(both)
    code = model_folder(
        tmp_path / "c", config='{"auto_map": {"AutoModel": "evil.py"}}', model__safetensors=""
    )
    with pytest.raises(UnreadableFile, match="code of its own"):
        check_folder(code)
    with pytest.raises(UnreadableFile, match="no such folder"):
        open_model(f"hf:{tmp_path / 'none'}")
    check_folder(model_folder(tmp_path / "d", model__safetensors=""))


def test_empty_data_cannot_be_trained_on(tmp_path: Path) -> None:
    from concede.bench.fine_tuning.folder import read_data
    from concede.bench.fine_tuning.sizes import dry_run

    write_data(tmp_path / "data", TrainingData("test", 0))
    with pytest.raises(QueryError, match=r"sft\.train\.jsonl has no rows"):
        dry_run(recipe_named("tiny"), "sft", read_data(tmp_path / "data"))
