"""The judge: it has nothing against right answers, and finds every kind of wrong one."""

import copy
import json

import pytest

from concede import Catalog, Query, RepairEngine
from concede.bench.serving.answer_checks import answer_errors
from concede.bench.serving.questions import questions
from concede.bench.serving.replica import Replica, Upsert
from concede.bench.serving.synthetic_items import KEY, write_file
from concede.catalogs.query.where_clause import parse_where

ROWS = 5_000


@pytest.fixture(scope="module")
def asked():
    return questions(25, seed=9)


@pytest.fixture(scope="module")
def replica():
    return Replica(ROWS, 0, ROWS + 100)


@pytest.fixture(scope="module")
def answers(asked, tmp_path_factory):
    path = tmp_path_factory.mktemp("judging") / "items.parquet"
    write_file(path, ROWS, 0)
    catalog = Catalog.open(path)
    engine = RepairEngine(catalog, threads=1)
    found = []
    for entry in asked:
        body = json.loads(entry.body)
        wishes = body.pop("constraints", None) or parse_where(body.pop("where"), catalog.schema)
        top = body.pop("top")
        query = Query.model_validate({**body, "constraints": wishes})
        found.append(engine.repair(query, top=top).record())
    return found


def test_right_answers_pass(asked, answers, replica):
    for question, answer in zip(asked, answers, strict=True):
        assert answer_errors(answer, question, replica) == []
    statuses = {answer["status"] for answer in answers}
    assert statuses == {"SAT_no_relaxation", "SAT_after_relaxation"}


def first(items):
    return items[0] if items else {}


WRONG = {
    "status": lambda one: one.update(status="UNSAT_even_after_relaxation"),
    "count": lambda one: one.update(count=one["count"] + 1),
    "conflicts": lambda one: one.update(conflicts=one["conflicts"][1:]),
    "larger conflict": lambda one: one["conflicts"][0].append(6),
    "drop-one counts": lambda one: one["drop_one_counts"].__setitem__(0, 10**6),
    "incomplete": lambda one: one.update(complete=False),
    "repair's count": lambda one: one["repairs"][-1].update(count=0),
    "repair's cost": lambda one: one["repairs"][0].update(cost=9.0),
    "dearer repair": lambda one: one["repairs"].pop(0),
    "witness's value": lambda one: one["repairs"][0]["witness"].update(price=1),
    "item's value": lambda one: one["items"][0]["row"].update(rating=5.5),
    "item of another version": lambda one: one["items"][0]["row"].update({KEY: 3}),
    "item that was never there": lambda one: one["items"][0]["row"].update({KEY: ROWS + 50}),
    "what an item meets": lambda one: one["items"][0].update(meets=[]),
    "order of items": lambda one: one["items"][0].update(violation=2.0, score=-1.0),
    "too few items": lambda one: one["items"].clear(),
    "shift's witness": lambda one: one["shifts"][0]["witness"].update(stock=-1),
    "near miss": lambda one: one["near_misses"][0].update(violates=[]),
}


@pytest.mark.parametrize("fault", WRONG)
def test_wrong_answers_are_found(asked, answers, replica, fault):
    place = next(
        place
        for place, one in enumerate(answers)
        if len(one["items"]) > 1 and len(one["repairs"]) > 1 and one["shifts"]
    )
    answer = copy.deepcopy(answers[place])
    WRONG[fault](answer)
    assert answer_errors(answer, asked[place], replica)


def test_an_answer_of_the_version_before_is_found(asked, answers):
    replica = Replica(ROWS, 0, ROWS + 100)
    place = next(i for i, one in enumerate(answers) if one["items"])
    item = answers[place]["items"][0]["row"][KEY]
    import numpy as np

    replica.apply(Upsert(np.array([item]), 77))
    assert answer_errors(answers[place], asked[place], replica)
