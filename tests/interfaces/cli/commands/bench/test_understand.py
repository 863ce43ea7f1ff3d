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


def test_turns_are_scored_by_act(concede, tmp_path_factory):
    file = tmp_path_factory.mktemp("turns") / "turns.jsonl"
    turns = [
        {"before": "", "said": [["hello", "greet"], ["a {wish:red one} please", "inform"]]},
        {"before": "Shall it be that one?", "said": [["yes, I'll take it", "affirm select"]]},
    ]
    file.write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    done = concede("bench", "understand", "--turns", str(file), "--format", "json")
    assert done.json["acts"]["turns"] == 2
    assert done.json["acts"]["sentences"] == 3
    assert done.json["acts"]["by_act"]["affirm select"]["recall"] == 100.0
    assert "greet" in concede("bench", "understand", "--turns", str(file)).out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"before": "", "said": [["a {wanted:red one}", "inform"]]}', "wanted"),
        ('{"said": []}', "before"),
        ("no", "not JSON"),
    ],
)
def test_turns_that_do_not_fit_are_one_line(concede, tmp_path_factory, line, said):
    file = tmp_path_factory.mktemp("turns") / "turns.jsonl"
    file.write_text(line + "\n")
    done = concede("bench", "understand", "--turns", str(file))
    assert done.code == 3
    assert said in done.err
    assert "line 1" in done.err
    assert "Traceback" not in done.err
