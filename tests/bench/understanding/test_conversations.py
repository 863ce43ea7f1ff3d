"""Conversations read turn by turn: predictions, figures, and what a file may lack."""

import gzip
import json
from pathlib import Path

import pytest

from concede.bench.understanding.conversations import read_conversations
from concede.catalogs.errors import UnreadableFile
from conversation_folder import TURNS, conversation, write_folder

PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "sgd"


def test_a_conversation_is_read_and_scored(tmp_path):
    report = read_conversations(write_folder(tmp_path, conversation()))
    record = report.record()
    assert set(record) == {
        "turns", "joint_goal_accuracy", "slot_precision", "slot_recall", "act_f1", "ms_per_turn",
    }  # fmt: skip
    assert record["turns"] == 2
    assert [one.turn for one in report.predictions] == [0, 2]
    assert report.predictions[0].state == {"city": ["Oakland"]}
    assert report.predictions[1].state["restaurant_name"] == ["Golden Wok"]
    assert record["joint_goal_accuracy"] == 100


def test_without_labels_the_same_is_predicted_and_figures_are_null(tmp_path):
    labelled = read_conversations(write_folder(tmp_path / "a", conversation()))
    bare = read_conversations(write_folder(tmp_path / "b", conversation(labelled=False)))
    assert bare.predictions == labelled.predictions
    record = bare.record()
    assert record.pop("turns") == 2
    assert record.pop("ms_per_turn") >= 0
    assert set(record.values()) == {None}


def test_labels_are_never_read_but_to_score(tmp_path):
    misled = [
        (who, text, state and {"city": ["Rome"]}, ["GOODBYE"]) for who, text, state, _ in TURNS
    ]
    told = read_conversations(write_folder(tmp_path / "a", conversation()))
    lied_to = read_conversations(write_folder(tmp_path / "b", conversation(misled)))
    assert lied_to.predictions == told.predictions
    assert lied_to.record()["slot_recall"] < 50


def test_conversations_about_several_services_are_left_out(tmp_path):
    both = conversation(services=("Tables_1", "Trains_1"), name="2_00000")
    report = read_conversations(write_folder(tmp_path, both, conversation()))
    assert {one.dialogue for one in report.predictions} == {"1_00000"}


def test_limit_takes_the_first_conversations(tmp_path):
    folder = write_folder(tmp_path, conversation(name="a"), conversation(name="b"))
    report = read_conversations(folder, limit=1)
    assert {one.dialogue for one in report.predictions} == {"a"}


def test_predictions_are_one_line_a_turn(tmp_path):
    report = read_conversations(write_folder(tmp_path, conversation()))
    report.write_predictions(tmp_path / "out.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [set(line) for line in lines] == [{"id", "turn", "state", "acts"}] * 2


@pytest.mark.parametrize(
    "missing", ["dialogues.jsonl.gz", "schema.json", "catalogs/Tables_1.csv.gz"]
)
def test_a_missing_file_is_named(tmp_path, missing):
    folder = write_folder(tmp_path, conversation())
    (folder / missing).unlink()
    with pytest.raises(UnreadableFile, match=missing.split("/")[-1]):
        read_conversations(folder)


def test_a_broken_line_is_named(tmp_path):
    folder = write_folder(tmp_path, conversation())
    with gzip.open(folder / "dialogues.jsonl.gz", "at") as file:
        file.write('{"id": 3}\n')
    with pytest.raises(UnreadableFile, match="line 2"):
        read_conversations(folder)


def test_an_unknown_service_is_named(tmp_path):
    folder = write_folder(tmp_path, conversation(services=("Trains_9",)))
    with pytest.raises(UnreadableFile, match="Trains_9"):
        read_conversations(folder)


@pytest.mark.skipif(not PUBLISHED.exists(), reason="no published conversations at ../shared")
def test_published_conversations_are_read():
    record = read_conversations(PUBLISHED, limit=20).record()
    assert record["slot_precision"] > 80
    assert record["act_f1"] > 80
