"""The plain service beside ours answers the same: counts, conflicts, repairs, witnesses, rows."""

import pytest
from starlette.testclient import TestClient

from concede import Catalog
from concede.bench.serving.questions import questions
from concede.bench.serving.rival import rival_app
from concede.bench.serving.synthetic_items import KEY, write_file
from concede.engine.repair_engine import RepairEngine
from concede.interfaces.http.request_models import RepairRequest

JSON = {"Content-Type": "application/json"}
ROWS = 3_000
ASKED = [each for each in questions(60, 3) if each.kind != "where"]


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    path = tmp_path_factory.mktemp("rival") / "0.parquet"
    write_file(path, ROWS, 0)
    catalog = Catalog.open(str(path), key=KEY)
    return TestClient(rival_app(str(path))), RepairEngine(catalog)


@pytest.mark.parametrize("question", ASKED, ids=lambda question: question.kind)
def test_both_answer_the_same(both, question):
    client, engine = both
    theirs = client.post("/v1/repair", content=question.body, headers=JSON).json()
    asked = RepairRequest.model_validate_json(question.body)
    ours = engine.repair(asked.query(engine.catalog), top=asked.top).record()
    assert sorted(theirs["conflicts"]) == sorted(ours["conflicts"])
    assert theirs["drop_one_counts"] == ours["drop_one_counts"]
    # Of repairs that cost the same either may come first.
    first = theirs["repairs"][0] if theirs["repairs"] else ours
    assert theirs["count"] == first["count"]
    known = {tuple(each["dropped"]): each for each in ours["repairs"]}
    assert [each["cost"] for each in theirs["repairs"]] == pytest.approx(
        [each["cost"] for each in ours["repairs"]]
    )
    for repair in theirs["repairs"]:
        same = known.get(tuple(repair["dropped"]))
        assert same is None or same["count"] == repair["count"]
    assert len(theirs["items"]) == min(theirs["count"], asked.top)
    assert len(theirs["near_misses"]) == len(ours["near_misses"])
    alone = {
        shift["changes"][0]["position"]: shift["changes"][0]["to"]["value"]
        for shift in ours["shifts"]
        if len(shift["changes"]) == 1 and shift["changes"][0]["action"] == "shift"
    }
    theirs_alone = {shift["position"]: shift["to"] for shift in theirs["shifts"]}
    assert {place: theirs_alone[place] for place in alone if place in theirs_alone} == {
        place: to for place, to in alone.items() if place in theirs_alone
    }
