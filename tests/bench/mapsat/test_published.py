"""The published runs recomputed, and folders that are torn or made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from concede.bench.mapsat.published import COMPARED, published
from concede.bench.mapsat.published_data import read_runs, read_tasks
from concede.catalogs.errors import ConcedeError, UnreadableFile
from mapsat_data import RUNS, TASKS, changed, run, write_data

KEYS = "id model ECR IISR AR TS IFS Eff SES CEI turns Eff_recorded differs".split()


def test_a_small_folder(tmp_path: Path):
    found = published(write_data(tmp_path / "data"))
    first, second, third = found["runs"]
    assert list(first) == KEYS
    assert not any(each["differs"] for each in found["runs"])
    assert first["IISR"] == pytest.approx(0.85)
    assert first["TS"] == pytest.approx(1 / 3)
    assert first["SES"] == pytest.approx(0.5 * 0.85 * 0.6)
    assert first["CEI"] == pytest.approx(0.5 * 0.85 * 0.6 * 1_000)
    assert (first["turns"], first["Eff_recorded"]) == (2, pytest.approx(0.6))
    assert (third["turns"], third["Eff_recorded"]) == (2, pytest.approx(3 / 8))
    assert second["IISR"] == 1
    one, two = found["models"]
    assert (one["recorded_turns_fit"], two["recorded_turns_fit"]) == (1, 0)
    assert one["recorded_tools_fit"] == 0
    assert one["by_source"].keys() == {"context", "preference"}
    assert one["by_domain"]["navigation"]["tasks"] == 2
    assert one["tools"]["profile_first"]["share"] == 1
    assert found["compared"][0]["tasks"] == 1


@pytest.mark.parametrize("name", COMPARED)
def test_a_stored_figure_that_is_not_the_details_own_differs(tmp_path: Path, name: str):
    # With an Eff of its own the stored SES no longer follows.
    by = {"near": 0.0015, "far": -0.1}
    for word, change in by.items():
        stored = RUNS[0]["metrics"][name]
        spoiled = changed(RUNS[0], f"metrics.{name}", min(1.0, stored) + change)
        if name == "IFS" and change > 0:
            spoiled = changed(RUNS[0], "metrics.IFS", 1.0 - change)
        found = published(write_data(tmp_path / word, runs=[spoiled]))
        assert found["runs"][0]["differs"] == (word == "far")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("metrics.Eff", 0.0),
        ("metrics.Eff", 1.5),
        ("metrics.ECR", None),
        ("metrics.total_tokens", 0),
        ("details.ECR.denominator", 0),
        ("details.ECR.numerator", 5),
        ("details.IISR.rubrics.0.weight", -1.0),
        ("details.IISR.rubrics.0.credit", 0.8),
        ("details.IISR.rubrics.1.credit", 0.5),
        ("details.IISR.rubrics.0.type", "firm"),
        ("details.TS.gold_tools", "search_poi"),
        ("n_assistant_turns", -1),
        ("id", "t-9"),
    ],
)
def test_runs_that_cannot_be(tmp_path: Path, place: str, value: object):
    folder = write_data(tmp_path / "data", runs=[changed(RUNS[0], place, value)])
    with pytest.raises(ConcedeError) as raised:
        published(folder)
    assert "\n" not in str(raised.value)
    assert raised.value.exit_code in (2, 3)


def test_what_is_twice(tmp_path: Path):
    folder = write_data(tmp_path / "data", tasks=[TASKS[0], TASKS[0]])
    with pytest.raises(UnreadableFile, match="'t-1' twice"):
        read_tasks(folder)
    folder = write_data(tmp_path / "data", runs=[run("t-1", "one"), run("t-1", "one")])
    with pytest.raises(UnreadableFile, match="'one' twice"):
        read_runs(folder, read_tasks(folder))


def test_no_runs_have_no_means(tmp_path: Path):
    found = published(write_data(tmp_path / "data", runs=[]))
    assert found == {"runs": [], "models": [], "compared": []}


def test_all_twenty_published_runs_come_out_as_stored(shared_data: Path):
    folder = shared_data / "mapsatisfybench_demo"
    if not folder.is_dir():
        pytest.skip("no MapSatisfyBench data")
    found = published(folder)
    assert [each["differs"] for each in found["runs"]] == [False] * 20
    near = [abs(each["Eff"] - each["Eff_recorded"]) <= 0.002 for each in found["runs"]]
    assert sum(near) == 6
    assert sum(model["recorded_turns_fit"] for model in found["models"]) == 6
    assert {1, 2, 3, 4, 5, 6} == {each["turns"] for each in found["runs"]}
    qwen, gpt = found["models"]
    figures = ("ECR", "IISR", "AR", "TS", "IFS", "Eff", "SES")
    means = [0.85, 0.6682, 0.6062, 0.3873, 0.7375, 0.5425, 0.2895]
    assert [qwen[name] for name in figures] == pytest.approx(means, abs=2e-4)
    means = [0.9667, 0.6854, 0.6701, 0.4083, 0.6, 0.6084, 0.3873]
    assert [gpt[name] for name in figures] == pytest.approx(means, abs=2e-4)
    weights = {
        task.id: [i.confidence for i in task.implicit_intent]
        for task in read_tasks(folder).values()
    }
    for each in read_runs(folder, read_tasks(folder)):
        assert [rubric.weight for rubric in each.details.IISR.rubrics] == weights[each.id]
