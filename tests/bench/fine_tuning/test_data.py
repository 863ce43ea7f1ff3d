"""Training data: counts, the folder on disk, what is kept apart, and what checks find."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from concede.bench.fine_tuning.apec_rows import apec_data
from concede.bench.fine_tuning.aware_us_rows import aware_us_data
from concede.bench.fine_tuning.checks import check_data
from concede.bench.fine_tuning.episode_rows import episode_data
from concede.bench.fine_tuning.folder import read_data, write_data
from concede.bench.fine_tuning.generated_rows import generated_data
from concede.bench.fine_tuning.guard import check_apart, check_unseen
from concede.bench.fine_tuning.instance_rows import fingerprint_of
from concede.bench.fine_tuning.rows import SPLITS, STAGES, TrainingData, fingerprint, splits
from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import CatalogError, QueryError, UnreadableFile
from concede.dialogs.conversation.session import Session
from concede.dialogs.transcripts.episode import EpisodeWriter


@pytest.fixture(scope="module")
def cars() -> Catalog:
    """The sample cars."""
    return Catalog.open("sample:cars")


def row(text: str, split: str = "train", **meta: Any) -> dict[str, Any]:
    return {
        "prompt": [{"role": "user", "content": text}],
        "completion": [{"role": "assistant", "content": "null"}],
        "meta": {"split": split, "instance": text, "role": "slot", **meta},
    }


def test_published_instances_give_the_published_number_of_rows(
    shared_data: Path, tmp_path: Path
) -> None:
    cars = Catalog.open(shared_data / "cooperunion_cars" / "data.csv")
    data = aware_us_data(shared_data / "aware_us", cars, 11)
    assert data.counts() == {"sft": {"train": 518, "test": 132}, "dpo": {"train": 227, "test": 57}}
    train = data.rows["sft", "train"]
    assert sum(row["completion"][0]["content"] == "null" for row in train) == 194
    pairs = data.rows["dpo", "train"]
    assert sum(row["meta"]["infeasible"] for row in pairs) == 105
    again = aware_us_data(shared_data / "aware_us", cars, 11)
    assert again.rows == data.rows
    write_data(tmp_path / "data", data)
    assert not check_data(read_data(tmp_path / "data"), 1_024).problems


def test_pairs_begin_with_what_leaves_the_query_empty(cars: Catalog) -> None:
    data = generated_data(cars, "unique:4", 6, 2)
    by_instance: dict[str, list[dict[str, Any]]] = {}
    for pair in [*data.rows["dpo", "train"], *data.rows["dpo", "test"]]:
        by_instance.setdefault(pair["meta"]["instance"], []).append(pair)
    assert by_instance
    for pairs in by_instance.values():
        rejected = [json.loads(pair["rejected"][0]["content"]) for pair in pairs]
        assert all((one["rows"] == 0) == (one["item"] is None) for one in rejected)
        chosen = json.loads(pairs[0]["chosen"][0]["content"])
        assert chosen["rows"] > 0
        assert chosen["item"]
        # With a unique repair no other single drop leaves rows.
        assert all(one["rows"] == 0 for one in rejected)


def test_a_made_instance_is_in_one_split_and_its_rows_say_what_it_wants(cars: Catalog) -> None:
    data = generated_data(cars, "mus:2", 12, 4)
    check_apart(data)
    for split in SPLITS:
        assert data.rows["sft", split]
        for one in data.rows["sft", split]:
            wish = json.loads(one["completion"][0]["content"])
            if wish is not None:
                assert wish["column"] == one["meta"]["slot"]
                assert set(wish) == {"column", "op", "value"}


def test_one_instance_in_both_splits_is_refused() -> None:
    same = fingerprint("I want a car.", "Somebody.")
    data = TrainingData("test", 0)
    data.add("sft", [row("a", "train", fingerprint=same), row("b", "test", fingerprint=same)])
    with pytest.raises(QueryError, match="train and test"):
        check_apart(data)


def test_case_and_spaces_do_not_make_another_instance() -> None:
    assert fingerprint("A  car", "he") == fingerprint("a car", "He ")
    assert fingerprint("a car", "he") != fingerprint("a carhe", "")


def test_a_model_is_not_measured_on_what_it_learned() -> None:
    check_unseen({"x"}, [("S1-01", "y")])
    with pytest.raises(QueryError, match="S1-01"):
        check_unseen({"x"}, [("S1-01", "x")])


def test_every_fifth_is_for_testing_and_a_single_one_is_trained_on() -> None:
    assert splits(["a"], 0) == {"a": "train"}
    drawn = splits(map(str, range(50)), 1)
    assert sum(split == "test" for split in drawn.values()) == 10


def test_what_is_written_is_read_again(tmp_path: Path, cars: Catalog) -> None:
    data = generated_data(cars, "mus:2", 6, 1)
    manifest = write_data(tmp_path / "data", data)
    read = read_data(tmp_path / "data")
    assert read.rows == data.rows
    assert not read.edited()
    assert manifest["counts"] == data.counts()
    assert read.trained_on == set(manifest["split"]["train"])
    # Training data is replaced; the same data gives the same bytes.
    first = (tmp_path / "data" / "sft.train.jsonl").read_bytes()
    write_data(tmp_path / "data", data)
    assert (tmp_path / "data" / "sft.train.jsonl").read_bytes() == first
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_folder_of_other_files_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(CatalogError, match="other files"):
        write_data(tmp_path, TrainingData("test", 0))
    assert (tmp_path / "thesis.txt").exists()


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("manifest.json", '{"format": "something else"}', "no manifest of training data"),
        ("manifest.json", "[", "not JSON"),
        ("sft.train.jsonl", '{"prompt": [', "line 1"),
        ("sft.train.jsonl", '{"prompt": [], "completion": []}', "line 1"),
        (
            "dpo.train.jsonl",
            json.dumps(
                {
                    "prompt": [{"role": "user", "content": "?"}],
                    "chosen": [{"role": "assistant", "content": "a"}],
                    "rejected": [{"role": "assistant", "content": "a"}],
                }
            ),
            "chosen and rejected are the same",
        ),
    ],
)
def test_what_is_no_training_data_is_refused(
    tmp_path: Path, cars: Catalog, name: str, text: str, what: str
) -> None:
    write_data(tmp_path / "data", generated_data(cars, "mus:2", 3, 1))
    (tmp_path / "data" / name).write_text(text)
    with pytest.raises((UnreadableFile, QueryError), match=what):
        read_data(tmp_path / "data")


def test_checks_find_repeats_long_rows_and_one_label(tmp_path: Path) -> None:
    data = TrainingData("test", 0)
    texts = ("a", "a", "b", "c" * 9_000)
    data.add("sft", [*map(row, texts), row("d", "test"), row("b", "test")])
    write_data(tmp_path / "data", data)
    found = check_data(read_data(tmp_path / "data"), 1_024)
    assert any("1 rows are there twice" in problem for problem in found.problems)
    assert any("over 1,024 tokens" in problem for problem in found.problems)
    assert any("1 prompts are in train and in test" in problem for problem in found.problems)
    assert any("the same completion" in warning for warning in found.warnings)


def test_rewards_can_be_recomputed_from_what_a_pair_says() -> None:
    data = apec_data(6, 3, 0.25)
    pairs = [*data.rows["dpo", "train"], *data.rows["dpo", "test"]]
    assert pairs
    for pair in pairs:
        meta = pair["meta"]
        for name in ("chosen", "rejected"):
            parts = meta[f"scores_{name}"]
            assert meta[f"reward_{name}"] == 0.25 * parts["r_c"] + 0.75 * parts["r_a"]
            right = [
                entry
                for entry, value in meta[f"profile_{name}"].items()
                if meta["profile"].get(entry) == value
            ]
            points = sum(4 if entry in meta["critical"] else 1 for entry in right)
            assert parts["r_c"] == pytest.approx(points / 84)
        assert meta["reward_chosen"] > meta["reward_rejected"]
        assert pair["chosen"][-1]["role"] == "assistant"


def test_all_three_roles_are_trained_and_agents_think_first() -> None:
    rows = apec_data(4, 1, 0.1).rows["sft", "train"]
    assert {one["meta"]["role"] for one in rows} == {"agent", "traveller", "stenographer"}
    agent = next(one for one in rows if one["meta"]["role"] == "agent")
    assert agent["completion"][0]["content"].startswith("[Think]")


def test_a_chat_gives_what_was_confirmed_and_what_was_refused(
    tmp_path: Path, cars: Catalog
) -> None:
    path = tmp_path / "chat.jsonl"
    with EpisodeWriter(path, {"catalog": "cars"}) as file:
        session = Session(cars, save=file.write, max_questions=0)
        session.hear(
            "A Lexus sedan from 2016 or newer, at most 20000 dollars, at least 30 city mpg"
        )
        session.propose()
        first = session.proposal
        assert first is not None
        assert first.relaxed
        session.refuse(first.relaxed)
        session.accept()
    data = episode_data([path])
    pairs = data.rows["dpo", "train"]
    assert len(pairs) == 1
    assert pairs[0]["chosen"] != pairs[0]["rejected"]


def test_a_file_without_conversations_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 1}\n')
    with pytest.raises(UnreadableFile, match="neither"):
        episode_data([path])


def test_published_instances_keep_their_fingerprint_whatever_their_id(shared_data: Path) -> None:
    from dataclasses import replace

    from concede.bench.aware_us.published_data import read_golds

    gold = next(gold for gold in read_golds(shared_data / "aware_us") if gold.persona)
    assert fingerprint_of(gold) == fingerprint_of(replace(gold, id="renamed"))


def test_every_stage_and_split_has_a_file(tmp_path: Path) -> None:
    write_data(tmp_path / "data", TrainingData("test", 0))
    names = {f"{stage}.{split}.jsonl" for stage in STAGES for split in SPLITS}
    assert names | {"manifest.json"} == {path.name for path in (tmp_path / "data").iterdir()}


def test_a_trained_model_is_refused_by_what_it_was_trained_on(tmp_path: Path) -> None:
    from concede.bench.aware_us.gold import gold_of
    from concede.bench.fine_tuning.measured_models import check_model
    from concede.bench.fine_tuning.recipe import recipe_named
    from concede.bench.fine_tuning.run_folder import TRAINED, TrainedOn

    record = {
        "base_query_sentence": "A car.",
        "persona": "Somebody who drives.",
        "additional_constraints": [{"column": "Year", "op": ">=", "value": 2010}],
    }
    learned, other = gold_of({**record, "id": "a"}, 0), gold_of({**record, "persona": "I."}, 1)
    trained = TrainedOn(
        stage="sft",
        recipe=recipe_named("tiny"),
        builder="test",
        fingerprints=[fingerprint_of(gold_of({**record, "id": "b"}, 0))],
    )
    (tmp_path / TRAINED).write_text(trained.model_dump_json())
    check_model(f"hf:{tmp_path}", [other])
    check_model("gpt", [learned])
    with pytest.raises(QueryError, match="was trained on 1 of them, such as a"):
        check_model(f"hf:{tmp_path}", [learned])
