"""The folder of the data: what it holds, and what is said about one that is broken."""

import gzip
from collections import Counter
from pathlib import Path

import pytest

from clarq_data import DIALOGUES, KITE, TASKS, write_data, write_lines
from concede.bench.clarq.published_data import (
    of_types,
    read_dialogues,
    read_judge_pairs,
    read_tasks,
    spans,
)
from concede.catalogs.errors import QueryError, UnreadableFile


def test_the_published_folder(shared_data: Path):
    folder = shared_data / "clarq"
    tasks = read_tasks(folder)
    assert Counter(lang for lang, _ in tasks) == {"en": 230, "zh": 230}
    nodes = Counter(len(task.responses) - 1 for task in tasks.values() if task.lang == "en")
    assert sum(count * n for n, count in nodes.items()) == 1_006
    assert len(list(read_dialogues(folder, tasks))) == 1_080
    assert len(read_judge_pairs(folder)) == 372
    with pytest.raises(QueryError, match=r"no task of type 19; the data holds 1-18, 27-31"):
        of_types(tasks, [18, 19])


def test_a_folder_of_our_own(tmp_path: Path):
    tasks = read_tasks(write_data(tmp_path))
    assert list(tasks) == [("en", "01-0"), ("en", "02-0"), ("zh", "01-0")]
    assert [node.purpose for node in tasks["en", "01-0"].responses] == ["", "which", "", ""]
    assert list(read_tasks(tmp_path, ["zh"])) == [("zh", "01-0")]
    assert list(of_types(tasks, [2])) == [("en", "02-0")]
    assert spans([1, 2, 3, 5, 7, 8]) == "1-3, 5, 7-8"


def test_one_language_alone_and_without_gzip(tmp_path: Path):
    write_lines(tmp_path / "tasks_en.jsonl", [KITE])
    assert list(read_tasks(tmp_path)) == [("en", "01-0")]
    with pytest.raises(UnreadableFile, match="tasks_zh"):
        read_tasks(tmp_path, ["zh"])


def test_children_before_their_parents_are_put_behind_them(tmp_path: Path):
    nodes = KITE["responses"]
    write_data(tmp_path, [{**KITE, "responses": [nodes[2], nodes[0], nodes[3], nodes[1]]}])
    (task,) = read_tasks(tmp_path, ["en"]).values()
    assert [node.node for node in task.responses] == ["0", "2", "1", "1.1"]


def node(name: object, parent: object, text: object = "x"):
    return {"node": name, "parent": parent, "text": text}


ROOT_NODE = node("0", None)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"responses": [ROOT_NODE, node("1", "2"), node("2", "1")]}, "'1' is its own ancestor"),
        ({"responses": [ROOT_NODE, node("1", "7")]}, "'1' has the missing parent '7'"),
        ({"responses": [ROOT_NODE, node("1", "0"), node("1", "0")]}, "'1' occurs twice"),
        ({"responses": [ROOT_NODE, node("1", "0", " . ")]}, "'1' has no text"),
        ({"responses": [ROOT_NODE, node("1", None)]}, "'1' has parent None"),
        ({"responses": [ROOT_NODE, node("1", "0", 7)]}, "responses.1.text 7"),
        ({"responses": []}, "responses"),
        ({"lang": "fr"}, "unknown language 'fr'"),
        ({"lang": "zh"}, "is in zh"),
        ({"id": 5}, "id 5"),
    ],
)
def test_a_broken_task_is_told_in_one_line(tmp_path: Path, changed: dict[str, object], told: str):
    write_lines(tmp_path / "tasks_en.jsonl.gz", [KITE | {"id": "00"}, KITE | changed])
    with pytest.raises(UnreadableFile) as raised:
        read_tasks(tmp_path, ["en"])
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_broken_line_is_numbered(tmp_path: Path):
    path = tmp_path / "tasks_en.jsonl.gz"
    write_data(tmp_path)
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()) + b'{"id": '))
    with pytest.raises(UnreadableFile, match="line 3: not JSON"):
        read_tasks(tmp_path)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"task": "01-00"}, "line 1: unknown task '01-00' in en; did you mean 01-0"),
        ({"lang": "fr"}, "line 1: lang 'fr'"),
        ({"turns": [{"speaker": "king", "text": "x"}]}, "turns.0.speaker 'king'"),
    ],
)
def test_a_broken_dialogue_is_numbered(tmp_path: Path, changed: dict[str, object], told: str):
    tasks = read_tasks(write_data(tmp_path, TASKS, [DIALOGUES[0] | changed]))
    with pytest.raises(UnreadableFile, match=told):
        list(read_dialogues(tmp_path, tasks))
