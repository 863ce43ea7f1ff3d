"""`concede weigh` with files of what people did, and with factors of their history."""

import json

import pytest

from concede.dialogs.weighters.evidence.behaviour import Behaviour
from simulated_people import World, marks

EVENT = {
    "id": "e1",
    "user": "ann",
    "time": "2026-01-01T12:00:00Z",
    "constraints": [
        {"column": "price", "op": "<=", "value": 200},
        {"column": "brand", "op": "==", "value": "Ada"},
    ],
    "shown": ["i1", "i2", "i3"],
    "clicked": ["i2"],
}
PROBE = {"id": "p1", "user": "ann", "constraints": EVENT["constraints"], "shown": ["i4", "i5"]}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return World(tmp_path_factory.mktemp("world"))


@pytest.fixture
def weigh(concede, world, tmp_path):
    """Weigh probes after a log; both are records, or lines as they stand."""

    def ask(events, probes=(PROBE,), **more):
        files = {"events": events, "probes": probes}
        for name, given in files.items():
            lines = [given] if isinstance(given, str) else [json.dumps(one) + "\n" for one in given]
            (tmp_path / f"{name}.jsonl").write_text("".join(lines))
        return concede(
            "weigh", "--weighter", "evidence", "--catalog", str(world.folder / "things.csv"),
            "--key", more.get("key", "id"), "--events", str(tmp_path / "events.jsonl"),
            "--probes", str(tmp_path / "probes.jsonl"), "--format", "ndjson",
        )  # fmt: skip

    return ask


def answers_of(concede, world):
    outcome = concede(
        "weigh", "--weighter", "evidence", "--catalog", str(world.folder / "things.csv"),
        "--key", "id", "--events", str(world.folder / "events.jsonl"),
        "--probes", str(world.folder / "probes.jsonl"), "--format", "ndjson",
    )  # fmt: skip
    assert (outcome.code, outcome.err) == (0, "")
    return [json.loads(line) for line in outcome.out.splitlines()]


def test_simulated_people_are_understood(concede, world):
    found = marks(world, answers_of(concede, world))
    for known, least in {1: 0.68, 3: 0.71, 10: 0.75, 30: 0.84}.items():
        assert found.ordered[known] >= least, found
    assert found.loss <= 1.53
    assert found.choice_gap <= 0.05
    assert found.confidence_gap <= 0.1


def test_the_same_files_give_the_same_bytes(concede, world):
    assert answers_of(concede, world) == answers_of(concede, world)


def test_a_probe_is_answered_in_its_own_order(weigh):
    outcome = weigh([EVENT])
    answer = json.loads(outcome.out)
    assert list(answer) == ["id", "weights", "confidence", "because", "choice"]
    assert len(answer["weights"]) == len(answer["confidence"]) == len(answer["because"]) == 2
    assert sum(answer["choice"]) == pytest.approx(1, abs=1e-5)
    assert all(because in ([], ["e1"]) for because in answer["because"])


@pytest.mark.parametrize("log", [[], [EVENT | {"user": "bob"}], [EVENT | {"clicked": []}]])
def test_nobody_known_is_neutral(weigh, log):
    answer = json.loads(weigh(log).out)
    assert answer["weights"] == [0.5, 0.5]
    assert answer["because"] == [[], []]


def test_vanished_items_are_skipped_and_counted(weigh):
    outcome = weigh([EVENT | {"shown": ["i1", "gone", "i2"]}], [PROBE | {"shown": ["gone", "i4"]}])
    assert (outcome.code, outcome.err.count("\n")) == (0, 1)
    assert "2 items shown not in the catalog: skipped" in outcome.err
    assert json.loads(outcome.out)["choice"] == [0.0, 1.0]


BAD = {
    "torn": json.dumps(EVENT) + "\n" + json.dumps(EVENT)[:40],
    "foreign": json.dumps(EVENT) + '\n{"event": "click", "who": "ann"}\n',
    "no JSON": json.dumps(EVENT) + "\nid,user,time\n",
    "list": json.dumps(EVENT) + "\n[1, 2]\n",
    "NaN": json.dumps(EVENT) + "\n" + json.dumps(EVENT | {"time": float("nan")}) + "\n",
    "date": json.dumps(EVENT) + "\n" + json.dumps(EVENT | {"time": "2026-02-30"}) + "\n",
    "field": json.dumps(EVENT) + "\n" + json.dumps(EVENT | {"rating": 3}) + "\n",
    "not shown": json.dumps(EVENT) + "\n" + json.dumps(EVENT | {"clicked": ["i9"]}) + "\n",
    "position": json.dumps(EVENT) + "\n" + json.dumps(EVENT | {"put_back": [2]}) + "\n",
    "dwell": json.dumps(EVENT) + "\n" + json.dumps(EVENT | {"dwell": {"i1": -1}}) + "\n",
    "column": json.dumps(EVENT)
    + "\n"
    + json.dumps(EVENT | {"id": "e2", "constraints": [{"column": "x", "op": "==", "value": 1}]})
    + "\n",
    "constraint": json.dumps(EVENT)
    + "\n"
    + json.dumps(EVENT | {"constraints": [{"column": "price", "op": "~", "value": 1}]})
    + "\n",
}


@pytest.mark.parametrize("log", BAD.values(), ids=BAD)
def test_a_bad_line_is_named(weigh, log):
    outcome = weigh(log)
    assert outcome.code in (2, 3)
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    assert "events.jsonl" in outcome.err
    assert "line 2" in outcome.err


def test_a_bad_probe_is_named(weigh):
    wrong = PROBE | {"constraints": [{"column": "prize", "op": "<=", "value": 1}]}
    outcome = weigh([EVENT], [PROBE, wrong])
    assert (outcome.code, outcome.out) == (3, "")
    assert "probes.jsonl': line 2" in outcome.err


def test_an_unknown_key_is_one_line(weigh):
    outcome = weigh([EVENT], key="sku")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--weighter", "evidence", "--key", "id"),
        ("--weighter", "learned", "--text", "cheap", "--events", "e.jsonl"),
        ("--weighter", "behaviour"),
        ("--weighter", "learned"),
    ],
)
def test_files_that_do_not_belong_together_are_one_line(concede, arguments):
    outcome = concede("weigh", "--catalog", "cars.csv", *arguments)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)


def test_factors_are_weighed_as_published(concede, tmp_path):
    path = tmp_path / "factors.jsonl"
    path.write_text(
        '{"id": "brand", "supporting": 38, "total": 94, "recent": 20, "early": 18}\n\n'
        '{"id": "driving", "profile": 0.852, "routine": true, "current_need": 1.2}\n'
    )
    outcome = concede(
        "weigh", "--weighter", "behaviour", "--factors", str(path), "--format", "ndjson"
    )
    assert outcome.code == 0
    brand, driving = map(json.loads, outcome.out.splitlines())
    assert (brand["id"], round(brand["weight"], 4)) == ("brand", 0.4851)
    assert (driving["id"], round(driving["weight"], 4)) == ("driving", 0.8179)


def test_a_bad_factor_is_named(concede, tmp_path):
    path = tmp_path / "factors.jsonl"
    path.write_text('{"id": 1, "profile": 0.5}\n{"id": 2, "profile": 1.5}\n')
    outcome = concede("weigh", "--weighter", "behaviour", "--factors", str(path))
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (3, "", 1)
    assert "factors.jsonl': line 2: profile" in outcome.err


def test_embedded_and_command_line_agree(concede, world):
    from concede import Catalog
    from concede.dialogs.weighters.evidence.weighter import EvidenceWeighter

    catalog = Catalog.open(world.folder / "things.csv")
    behaviour = Behaviour.read(catalog, "id", world.folder / "events.jsonl")
    answer = next(one for one in answers_of(concede, world) if one["id"] == "p3-0")
    probe = next(
        json.loads(line)
        for line in (world.folder / "probes.jsonl").read_text().splitlines()
        if '"p3-0"' in line
    )
    weights = EvidenceWeighter(behaviour, "u3").weigh("", probe["constraints"]).weights
    assert list(weights) == pytest.approx(answer["weights"], abs=1e-6)
