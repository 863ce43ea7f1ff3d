"""Trainings of the small model: what is learned from, where it goes on, what it gives."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from concede.bench.fine_tuning.apec_rows import apec_data
from concede.bench.fine_tuning.dpo import assistant_collator, train_dpo
from concede.bench.fine_tuning.encoding import IGNORED, Turns, encode_row
from concede.bench.fine_tuning.folder import DataFolder, read_data, write_data
from concede.bench.fine_tuning.generated_rows import generated_data
from concede.bench.fine_tuning.recipe import Recipe, recipe_named
from concede.bench.fine_tuning.sft import train_sft
from concede.bench.fine_tuning.tiny_model import make_tokenizer, texts_of
from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import CatalogError
from concede.dialogs.models.chat_model import Request
from concede.dialogs.models.chat_template import encoded
from concede.dialogs.models.local_model import LocalModel

pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("trl", reason="the extra train is not installed")

pytestmark = [pytest.mark.train, pytest.mark.slow]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    """A folder of made training data."""
    place = tmp_path_factory.mktemp("training") / "data"
    write_data(place, generated_data(Catalog.open("sample:cars"), "mus:2", 12, 1))
    return read_data(place)


@pytest.fixture(scope="module")
def trained(data: DataFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of some steps."""
    out = tmp_path_factory.mktemp("model") / "sft"
    train_sft(data, small(12), out)
    return out


def small(steps: int) -> Recipe:
    recipe = recipe_named("tiny", steps=steps)
    return recipe.model_copy(update={"batch": 4})


def weights(folder: Path) -> str:
    return sha256((folder / "model.safetensors").read_bytes()).hexdigest()


def test_what_is_trained_on_is_what_the_assistant_says() -> None:
    made = apec_data(3, 5, 0.1)
    rows = made.rows["sft", "train"]
    tokenizer = make_tokenizer(texts_of(rows), 800)
    turns = Turns.of(tokenizer)
    for row in rows:
        one = encode_row(tokenizer, turns, row, 10_000)
        learned = tokenizer.decode([token for token in one.labels if token != IGNORED])
        said = [m["content"] for m in row["completion"] if m["role"] == "assistant"]
        assert learned == "".join(f"{text}<|end|>" for text in said)
        assert not one.cut


def test_pairs_are_compared_by_what_the_assistant_says() -> None:
    pairs = apec_data(5, 5, 0.1).rows["dpo", "train"]
    tokenizer = make_tokenizer(texts_of(pairs), 800)
    collator = assistant_collator(tokenizer, Turns.of(tokenizer), 10_000)
    pair = pairs[0]
    prompt = encoded(tokenizer, pair["prompt"], add_generation_prompt=True)
    ids = {
        name: encoded(tokenizer, [*pair["prompt"], *pair[name]])[len(prompt) :]
        for name in ("chosen", "rejected")
    }
    batch = collator(
        [{"prompt_ids": prompt, "chosen_ids": ids["chosen"], "rejected_ids": ids["rejected"]}]
    )
    for at, name in enumerate(("chosen", "rejected")):
        kept = batch["input_ids"][at][batch["completion_mask"][at].bool()]
        said = [m["content"] for m in pair[name] if m["role"] == "assistant"]
        assert tokenizer.decode(kept) == "".join(f"{text}<|end|>" for text in said)


def test_a_run_that_was_stopped_ends_at_the_same_weights(
    data: DataFolder, trained: Path, tmp_path: Path
) -> None:
    def stop(step: int, steps: int) -> None:
        if step == 8:
            raise KeyboardInterrupt

    out = tmp_path / "again"
    with pytest.raises(KeyboardInterrupt):
        train_sft(data, small(12), out, stop)
    assert not out.exists()
    with pytest.raises(CatalogError, match="another run"):
        train_sft(data, small(13), out)
    report = train_sft(data, small(12), out)
    assert report["steps"] == 12
    assert weights(out) == weights(trained)
    assert [path.name for path in tmp_path.iterdir()] == ["again"]
    with pytest.raises(CatalogError, match="it exists"):
        train_sft(data, small(12), out)


def test_preferences_change_the_model_and_leave_the_reference(
    data: DataFolder, trained: Path, tmp_path: Path
) -> None:
    before = weights(trained)
    report = train_dpo(data, trained, small(6), tmp_path / "dpo")
    assert weights(trained) == before
    assert weights(tmp_path / "dpo") != before
    assert report["loss_first"] > report["loss_last"]
    assert report["reward_margin"] > 0


def test_a_trained_model_replies_and_is_held_to_a_schema(trained: Path) -> None:
    pytest.importorskip("llguidance")
    model = LocalModel(trained)
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"column": {"type": "string"}, "hard": {"type": "boolean"}},
        "required": ["column", "hard"],
    }
    request = Request.of("What do you want?")
    plain = model.complete(Request(request.messages, max_tokens=8, top_logprobs=3))
    assert len(plain.top_logprobs) == 3
    assert plain.top_logprobs[0][1] >= plain.top_logprobs[1][1]
    held = model.complete(Request(request.messages, max_tokens=60, json_schema=schema))
    import json

    assert set(json.loads(held.text)) == {"column", "hard"}


def test_requests_at_once_get_the_replies_they_get_alone(trained: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    model = LocalModel(trained)
    asked = [Request(Request.of(f"question {n}").messages, max_tokens=6) for n in range(5)]
    alone = [model.complete(request).text for request in asked]
    with ThreadPoolExecutor(5) as pool:
        together = [reply.text for reply in pool.map(model.complete, asked)]
    assert together == alone
