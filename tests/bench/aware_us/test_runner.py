"""Runs over every combination: held once, gone on with, side by side, scored from the file."""

import json
import threading

import pytest

from concede import Catalog
from concede.bench.aware_us.gold import gold_of
from concede.bench.aware_us.runner import RunMatrix, RunSettings, run
from concede.bench.aware_us.scoring import compare_rows, read_outcomes, score_rows
from concede.bench.runs.run_file import read_run
from concede.catalogs.errors import QueryError, UnreadableFile
from concede.dialogs.models.scripted import ScriptedModel

FLATS = """\
name,district,heating,rooms,rent
Elm 1,Nord,gas,3,900
Elm 2,Nord,gas,3,950
Oak 1,Nord,wood pellets,4,1200
Oak 2,Nord,heat pump,2,700
Fir 1,Süd,heat pump,4,800
"""
CONSTRAINTS = [
    {"column": "rooms", "op": ">=", "value": 4, "weight": 0.6},
    {"column": "rent", "op": "<=", "value": 1000, "weight": 0.3},
]
RECORD = {
    "id": "flat",
    "set": "S3",
    "base": {"district": "Nord"},
    "base_query_sentence": "I need a flat in the district Nord.",
    "constraints": CONSTRAINTS,
    "gold_relaxed": 1,
    "recommended_car": {"name": "Oak 1", "rent": 1200},
    "persona": (
        "At least 4 rooms are a must. "
        "A rent of at most 1000 would be nice, but I can easily pay more."
    ),
}
GOLDS = [
    gold_of(RECORD, 0),
    gold_of({**RECORD, "id": "other", "set": "S2"}, 1),
    gold_of({**RECORD, "id": "silent", "persona": None}, 2),
]


@pytest.fixture
def flats(tmp_path):
    (tmp_path / "flats.csv").write_text(FLATS, encoding="utf-8")
    return Catalog.open(str(tmp_path / "flats.csv"))


def asked(**given):
    names = {"methods": ("session",), "weighters": ("lexical",), "policies": ("fewest",)}
    return RunMatrix(**{**names, "models": (), "seeds": (0,), **given})


def test_every_combination_is_held_once(flats, tmp_path):
    wanted = asked(
        methods=("session", "formal-aware", "formal-hao"),
        weighters=("lexical", "uniform"),
        policies=("fewest", "cumulative"),
        seeds=(0, 1),
    )
    settings = RunSettings(str(tmp_path / "run.jsonl"), jobs=3)
    held = run(flats, GOLDS, wanted, settings)
    assert (held.new, held.failed, held.skipped) == (2 * 2 * (2 * 2 + 2), 0, 1)
    again = run(flats, GOLDS, wanted, settings)
    assert (again.new, len(again.outcomes)) == (0, held.new)
    assert score_rows(again.outcomes) == score_rows(held.outcomes)
    assert score_rows(read_outcomes(settings.out)) == score_rows(held.outcomes)


def test_a_transcript_tells_the_whole_conversation(flats, tmp_path):
    settings = RunSettings(str(tmp_path / "run.jsonl"))
    run(flats, GOLDS[:1], asked(), settings)
    (episode,) = read_run(settings.out).episodes
    kinds = [event["kind"] for event in episode.events]
    assert kinds[0] == "message"
    assert kinds[-2:] == ["outcome", "end"]
    assert {"understood", "weighed", "proposed"} <= set(kinds)
    assert episode.header["instance"]["persona"] == RECORD["persona"]
    (outcome,) = read_outcomes(settings.out)
    assert (outcome.relax_match, outcome.car_match, outcome.questions) == (True, True, 2)


def test_another_seed_asks_in_another_order(flats, tmp_path):
    settings = RunSettings(str(tmp_path / "run.jsonl"))
    run(flats, GOLDS[:1], asked(seeds=tuple(range(6))), settings)
    said = [
        tuple(entry.content for entry in each.transcript)
        for each in read_run(settings.out).episodes
    ]
    assert len(set(said)) == 2
    rows = score_rows(read_outcomes(settings.out))
    assert set(rows[0].pass_hats) == set(range(1, 7))


def reply(request):
    """Play all parts with a few fixed lines."""
    last = request.messages[-1].content
    if request.role == "agent":
        return "What rent can you pay?" if "now: rent" in last else "How many rooms do you need?"
    if request.role == "role-player":
        return "At most 1000 would be nice." if "rent" in last else "At least 4 rooms."
    if request.role == "extractor":
        return json.dumps({"constraints": [
            {"column": column, "op": op, "value": value, "quote": quote}
            for column, op, value, quote in (
                ("district", "==", "Nord", "Nord"),
                ("rent", "<=", 1000, "At most 1000"),
                ("rooms", ">=", 4, "At least 4"),
            )
            if quote in last
        ]})  # fmt: skip
    return json.dumps(
        {"weights": [0.9, 0.2] if "rooms" in last[: last.find("rent")] else [0.2, 0.9]}
    )


@pytest.fixture
def model(monkeypatch):
    """A model by the name `tiny`, and how many of its calls were under way at once."""
    now, most, lock = [0], [0], threading.Lock()
    both = threading.Event()

    def answer(request):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
            if now[0] > 1:
                both.set()
        both.wait(timeout=5)
        try:
            return reply(request)
        finally:
            with lock:
                now[0] -= 1

    opened = ScriptedModel(answer, name="tiny")
    monkeypatch.setattr("concede.bench.aware_us.runner.open_model", lambda *_, **__: opened)
    return most


def test_conversations_with_a_model_side_by_side(flats, tmp_path, model):
    settings = RunSettings(str(tmp_path / "run.jsonl"), jobs=2)
    held = run(flats, GOLDS, asked(weighters=("global",), models=("tiny",)), settings)
    assert held.failed == 0
    assert model[0] == 2
    assert all(outcome.tokens is not None for outcome in held.outcomes)
    roles = [entry for each in read_run(settings.out).episodes for entry in each.of_kind("usage")]
    assert {"agent", "extractor", "role-player"} <= set(roles[0]["roles"])


def test_a_model_that_fails_is_written_down_and_tried_again(flats, tmp_path, monkeypatch):
    replies = iter(["What rent can you pay?"])
    models = [ScriptedModel(replies, name="tiny"), ScriptedModel(reply, name="tiny")]
    monkeypatch.setattr("concede.bench.aware_us.runner.open_model", lambda *_, **__: models.pop(0))
    settings = RunSettings(str(tmp_path / "run.jsonl"))
    wanted = asked(weighters=("global",), models=("tiny",))
    held = run(flats, GOLDS[:1], wanted, settings)
    assert (held.new, held.failed) == (1, 1)
    (row, _) = score_rows(held.outcomes)
    assert row.values["unknown"] == 1
    assert "the model failed" in row.failures[0].reasons[0]
    (episode,) = read_run(settings.out).episodes
    assert episode.termination.startswith("failed: ")
    assert run(flats, GOLDS[:1], wanted, settings).failed == 0
    assert read_outcomes(settings.out)[0].failure is None


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"methods": ("magic",)}, "no method 'magic'"),
        ({"weighters": ("heavy",)}, "heavy"),
        ({"weighters": ("global",)}, "asks a model; give --model"),
        ({"policies": ("best",)}, "no policy 'best'"),
    ],
)
def test_what_cannot_be_combined(given, why):
    with pytest.raises(QueryError, match=why):
        asked(**given).combinations()


def test_two_kinds_are_not_compared_as_one(flats, tmp_path):
    settings = RunSettings(str(tmp_path / "run.jsonl"))
    run(flats, GOLDS, asked(weighters=("lexical", "uniform")), settings)
    every = read_outcomes(settings.out)
    with pytest.raises(QueryError, match=r"2 kinds of weighter; give --first weighter=NAME"):
        compare_rows(every, every)
    first = read_outcomes(settings.out, {"weighter": "uniform"})
    second = read_outcomes(settings.out, {"weighter": "lexical"})
    found = {(row.setting, row.comparison.measure): row.comparison for row in
             compare_rows(first, second)}  # fmt: skip
    assert found["all", "relax_match"].n == 2
    assert found["S3", "relax_match"].second == 1
    with pytest.raises(QueryError, match="no episode with weighter 'oracle'; it has lexical"):
        read_outcomes(settings.out, {"weighter": "oracle"})


def test_a_run_of_another_benchmark(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text('{"kind":"run","version":1,"benchmark":"chess"}\n')
    with pytest.raises(UnreadableFile, match="a run of 'chess'"):
        read_outcomes(path)
