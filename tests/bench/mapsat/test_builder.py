"""Built tasks: figures as somebody outside computes them, and nothing known from afterwards."""

from __future__ import annotations

import json

import pytest

from concede import Catalog, Constraint, QueryError
from concede.bench.mapsat.agents import NAMES, OfflineAgent
from concede.bench.mapsat.builder import Builder, build
from concede.bench.mapsat.credit import satisfaction
from concede.bench.mapsat.items import Items
from concede.bench.mapsat.runner import held, offline_roles, paired, report, run
from concede.bench.mapsat.task import Task, task_of
from mapsat_tasks import meets, slow_iisr, town, town_items, town_tasks

ROWS = {row["id"]: row for row in town()}


def runs(name: str, tasks: tuple[Task, ...] | list[Task]) -> list[dict[str, object]]:
    roles = offline_roles(OfflineAgent(name, town_items()), town_items())  # pyright: ignore[reportArgumentType] a name of NAMES
    return [each.record() for each in run(roles, tasks)]


@pytest.mark.parametrize("name", NAMES)
def test_figures_equal_those_computed_outside(name: str):
    for task, found in zip(town_tasks(), runs(name, town_tasks()), strict=True):
        row, record = ROWS[found["item"]], task.record()
        explicit = [meets(row, constraint) for constraint in record["explicit"]]
        assert found["ECR"] == sum(explicit) / len(explicit) == 1
        assert found["IISR"] == pytest.approx(slow_iisr(row, record["implicit"]), abs=1e-9)
        assert found["Eff"] == pytest.approx(1 / (1 + 1 / task.clarifications))
        assert found["SES"] == pytest.approx(found["ECR"] * found["IISR"] * found["Eff"])


def test_only_cases_with_a_choice_and_evidence_are_kept():
    for task in town_tasks():
        assert task.implicit
        bought = task.after[-1]["bought"][0]
        assert all(meets(ROWS[bought], constraint.record()) for constraint in task.explicit)
        assert all(event["time"] < task.context["time"] for event in task.history)
        said = {constraint.column for constraint in task.explicit}
        assert not said & {
            need.constraint.column for need in task.implicit if need.constraint.column
        }


def test_deciding_tasks_are_those_where_counting_offers_less():
    offered = runs("equal", town_tasks())
    for task, found in zip(town_tasks(), offered, strict=True):
        record = task.record()
        best = max(
            slow_iisr(row, record["implicit"])
            for row in ROWS.values()
            if all(meets(row, constraint) for constraint in record["explicit"])
        )
        assert task.deciding == (best - found["IISR"] >= 0.05)
    assert 3 * sum(task.deciding for task in town_tasks()) >= len(town_tasks())


def test_the_oracle_offers_the_best_and_evidence_comes_near():
    means = {name: report(name, _held(name), town_items())["means"]["IISR"] for name in NAMES}
    best = [
        satisfaction(town_items(), task.implicit)[town_items().meeting(task.explicit)].max()
        for task in town_tasks()
    ]
    assert means["oracle"] == pytest.approx(sum(best) / len(best))
    assert means["evidence"] >= 0.95 * means["oracle"]
    assert means["evidence"] >= means["explicit"] + 0.15
    assert means["evidence"] > means["equal"]


def _held(name: str) -> list[object]:
    roles = offline_roles(OfflineAgent(name, town_items()), town_items())  # pyright: ignore[reportArgumentType] as above
    return [held(roles, task) for task in town_tasks()]


@pytest.mark.parametrize("name", ["evidence", "equal", "explicit"])
def test_what_is_to_be_found_out_changes_no_answer(name: str):
    tasks = town_tasks()
    turned = [
        task_of(
            task.record()
            | {
                "after": other.after,
                "implicit": [],
                "full_intent": other.full_intent,
                "deciding": not task.deciding,
            }
        )
        for task, other in zip(tasks, (*tasks[1:], tasks[0]), strict=True)
    ]
    before, after = runs(name, tasks), runs(name, turned)
    for key in ("item", "relaxed", "explanation"):
        assert [one[key] for one in before] == [one[key] for one in after]


def test_what_came_after_gives_no_task_other_evidence():
    builder = Builder(town_items())
    for task in town_tasks(6):
        ids = {event["id"] for event in task.history}
        for need in task.implicit:
            assert set(need.evidence) <= ids
    assert builder.left_out == {}


def test_what_gives_way_is_said_with_what_it_weighs():
    found = [one for one in runs("evidence", town_tasks()) if one["relaxed"]]
    assert found
    for one in found:
        for relaxed in one["relaxed"]:
            constraint = Constraint.model_validate(relaxed["constraint"])
            assert f"{constraint} weighs {relaxed['weight']:.2f}" in one["explanation"]
            assert relaxed["because"]


def test_the_same_seed_builds_the_same_tasks():
    tasks = build(Builder(town_items()), 4, 4)
    assert [task.record() for task in tasks] == [task.record() for task in town_tasks()[:4]]
    assert json.dumps(build(Builder(town_items()), 4, 5)[0].record()) != json.dumps(
        tasks[0].record()
    )


def test_a_catalog_with_too_little_to_want(tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("id,name\n" + "".join(f"{n},thing {n} of its own\n" for n in range(30)))
    with pytest.raises(QueryError, match="too little"):
        build(Builder(Items(Catalog.open(str(path)), "id")), 2, 0)


def test_a_key_stands_for_its_first_row(tmp_path):
    path = tmp_path / "twice.csv"
    path.write_text("id,colour\na,red\na,blue\n,green\nb,blue\n")
    items = Items(Catalog.open(str(path)), "id")
    assert [(row["id"], row["colour"]) for row in items.rows] == [("a", "red"), ("b", "blue")]


def test_intervals_are_of_paired_differences():
    found = paired([1.0, 0.5, 0.75], [0.5, 0.5, 0.5])
    assert found["difference"] == 0.25
    low, high = found["interval"]
    assert 0 <= low < 0.25 < high <= 0.5
    assert paired([1.0], [0.5])["interval"] == [0.5, 0.5]
