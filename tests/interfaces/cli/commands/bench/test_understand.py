"""`concede bench understand`: figures, predictions, and what is said of files that do not fit."""

import json

import pytest

from conversation_folder import conversation, write_folder


@pytest.fixture
def data(tmp_path_factory):
    return write_folder(tmp_path_factory.mktemp("talk"), conversation())


def test_json_has_the_figures(concede, data):
    done = concede("bench", "understand", "--data", str(data), "--format", "json")
    assert done.code == 0
    assert list(done.json) == [
        "turns", "joint_goal_accuracy", "slot_precision", "slot_recall", "act_f1", "ms_per_turn",
    ]  # fmt: skip


def test_predictions_are_written(concede, data, tmp_path_factory):
    file = tmp_path_factory.mktemp("out") / "predictions.jsonl"
    done = concede("bench", "understand", "--data", str(data), "--predictions", str(file))
    assert done.code == 0
    assert [json.loads(line)["turn"] for line in file.read_text().splitlines()] == [0, 2]


def test_people_get_tables_by_service_and_by_phenomenon(concede, data):
    done = concede("bench", "understand", "--data", str(data))
    assert "Tables_1" in done.out
    assert "accepted or confirmed" in done.out


def test_a_missing_folder_is_one_line(concede):
    done = concede("bench", "understand", "--data", "nowhere")
    assert done.code == 3
    assert "nowhere" in done.err
    assert "Traceback" not in done.err


def test_nothing_to_read_is_said(concede):
    assert concede("bench", "understand").code == 2


def test_requests_are_scored(concede, tmp_path_factory):
    folder = tmp_path_factory.mktemp("requests")
    (folder / "catalogs").mkdir()
    (folder / "catalogs" / "vans.csv").write_text("seats,colour\n5,red\n7,blue\n9,red\n")
    gold = {"constraints": [{"column": "colour", "op": "==", "value": "red"}]}
    request = {"catalog": "vans", "text": "a red one please", "gold": gold}
    (folder / "requests.jsonl").write_text(json.dumps(request) + "\n")
    file = str(folder / "requests.jsonl")
    done = concede("bench", "understand", "--requests", file, "--format", "json")
    assert done.json["requests"]["overall"]["requests"] == 1
