"""The modes on flats to let: records written by hand, a catalog that has nothing of cars."""

import gzip
import json

import pytest

from concede import Catalog
from concede.bench.aware_us.conversation import opening_of
from concede.bench.aware_us.modes import (
    Options,
    offline_rows,
    published_rows,
    replay_rows,
    reread_rows,
)
from concede.bench.aware_us.published_data import labelled, read_instance_file
from concede.bench.aware_us.replay import Script
from concede.catalogs.errors import QueryError

FLATS = """\
name,district,heating,rooms,rent
Elm 1,Nord,gas,3,900
Elm 2,Nord,gas,3,950
Oak 1,Nord,wood pellets,4,1200
Oak 2,Nord,heat pump,2,700
Fir 1,Süd,heat pump,4,800
"""
HEATINGS = ["heat pump", "Unknown", "gas", "wood pellets"]
CONSTRAINTS = [
    {"column": "rooms", "op": ">=", "value": 4, "weight": 0.6},
    {"column": "rent", "op": "<=", "value": 1000, "weight": 0.3},
]
FLAT = {"name": "Oak 1", "rent": 1200}
RECORD = {
    "id": "flat",
    "set": "S3",
    "split": "train",
    "base": {"district": "Nord"},
    "base_query_sentence": "I need a flat in the district Nord.",
    "constraints": CONSTRAINTS,
    "gold_relaxed": 1,
    "recommended_car": FLAT,
    "persona": (
        "At least 4 rooms are a must. "
        "A rent of at most 1000 would be nice, but I can easily pay more."
    ),
}
ANSWERS = [
    ("How many rooms do you need?", "At least 4 rooms, that is a must."),
    ("What rent can you pay?", "At most 1000 would be nice, but I can easily pay more."),
]
RUN = {
    "instance": "flat",
    "model": "qwen",
    "method": "local",
    "set": "S3",
    "slots_provided_to_agent": ["rooms", "rent"],
    "dialogue": [
        {"role": "user", "content": RECORD["base_query_sentence"]},
        *(
            {"role": role, "content": text}
            for pair in ANSWERS
            for role, text in zip(("assistant", "user"), pair, strict=True)
        ),
    ],
    "parsed_base": {"district": "Nord"},
    "parsed_additional_constraints": CONSTRAINTS,
    "constraint_weights": CONSTRAINTS,
    "status": "UNSAT_even_after_relaxation",
    "relaxed_constraint": None,
    "recommended_car": None,
}


@pytest.fixture(scope="module")
def flats(tmp_path_factory):
    path = tmp_path_factory.mktemp("flats") / "flats.csv"
    path.write_text(FLATS, encoding="utf-8")
    return Catalog.open(path)


@pytest.fixture
def data(tmp_path):
    """Write a data folder of records and runs, and return the options that name it."""

    def write(*runs, records=(RECORD,), **options):
        lines = "\n".join(map(json.dumps, records))
        (tmp_path / "instances.jsonl").write_text(lines, encoding="utf-8")
        packed = gzip.compress("\n".join(map(json.dumps, runs)).encode())
        (tmp_path / "agent_runs.jsonl.gz").write_bytes(packed)
        return Options(data=str(tmp_path), **options)

    return write


def test_published_scores_what_was_recorded(data):
    row, everything = published_rows(data(RUN))
    assert row.labels == {"setting": "S3", "model": "qwen", "method": "local"}
    assert everything.labels["setting"] == "all"
    assert (row.n, row.values["unsat"], row.values["car_match"]) == (1, 1, 0)
    assert row.values["questions"] == 2


def test_replay_repairs_what_was_recorded(data, flats):
    row, _ = replay_rows(flats, data(RUN))
    assert (row.values["relax_match"], row.values["car_match"]) == (1, 1)


def test_replay_links_values_to_the_catalog(data, flats):
    heating = {"column": "heating", "op": "==", "value": "a heat pump", "weight": 0.5}
    row, _ = replay_rows(flats, data({**RUN, "constraint_weights": [heating]}))
    assert row.values["sat_no_relaxation"] == 1
    assert row.failures[0].instance == "flat"


def test_replay_of_a_run_that_parsed_nothing(data, flats):
    empty = {**RUN, "constraint_weights": [], "parsed_additional_constraints": []}
    row, _ = replay_rows(flats, data(empty))
    assert (row.values["slot_completion"], row.values["sat_no_relaxation"]) == (0, 1)
    reasons = row.failures[0].reasons
    assert "missed rooms >= 4" in reasons
    assert "as read, nothing has to give way" in reasons


def test_reread_reads_the_dialogue_alone(data, flats):
    misled = {**RUN, "constraint_weights": [], "parsed_additional_constraints": []}
    row, _ = reread_rows(flats, data(misled))
    assert (row.values["slot_completion"], row.values["car_match"]) == (1, 1)
    assert row.openings_read == 1


def test_withheld_dialogues_are_counted(data, flats):
    row, everything = reread_rows(flats, data(RUN, {**RUN, "dialogue": None}))
    assert (row.n, row.skipped, everything.skipped) == (1, 1, 1)
    (alone, _) = reread_rows(flats, data({**RUN, "dialogue": None}))
    assert (alone.n, alone.skipped, alone.values["car_match"]) == (0, 1, None)
    assert alone.record()["intervals"]["car_match"] is None


def test_offline_talks_with_the_persona(data, flats):
    row, everything = offline_rows(flats, data())
    assert row.labels == {"setting": "S3"}
    assert everything.labels == {"setting": "all"}
    assert (row.values["slot_completion"], row.values["car_match"]) == (1, 1)


def test_withheld_personas_are_counted(data, flats):
    records = [RECORD, {**RECORD, "id": "other", "persona": None}]
    row, _ = offline_rows(flats, data(records=records))
    assert (row.n, row.skipped) == (1, 1)


def test_offline_without_an_opening_or_a_setting(tmp_path, flats):
    left = {key: RECORD[key] for key in ("base", "constraints", "persona")}
    path = tmp_path / "one.json"
    path.write_text(json.dumps([left]), encoding="utf-8")
    (gold,) = read_instance_file(path)
    assert "district Nord" in opening_of(gold, flats)
    (row,) = offline_rows(flats, Options(instances=str(path)))
    assert row.labels == {"setting": "all"}
    # The lightest constraint is the gold one where none is named, and no item is known.
    assert (row.values["relax_match"], row.values["car_match"]) == (1, None)
    assert not row.failures


def test_a_weight_of_the_wrong_constraint_is_told(data, flats):
    upside_down = [
        {**constraint, "weight": 0.9 - constraint["weight"]} for constraint in CONSTRAINTS
    ]
    row, _ = replay_rows(flats, data({**RUN, "constraint_weights": upside_down}))
    (failure,) = row.record()["failures"]
    told = "relaxed rooms >= 4 (weight 0.30) instead of rent <= 1000 (weight 0.60)"
    assert failure == {"instance": "flat", "reasons": [told]}


def test_a_missing_text_is_a_value_one_can_ask_for(data, flats, tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text(FLATS.replace("gas,3,950", ",3,950"), encoding="utf-8")
    gaps = Catalog.open(path)
    assert labelled(flats) is flats
    read = labelled(gaps)
    assert read.values("heating") == HEATINGS
    rows = [catalog.fetch(range(5)) for catalog in (gaps, read)]
    assert rows[1] == [{**row, "heating": row["heating"] or "Unknown"} for row in rows[0]]
    heating = {"column": "heating", "op": "==", "value": "Unknown", "weight": 0.5}
    run = {**RUN, "constraint_weights": [heating]}
    row, _ = replay_rows(
        gaps, data(run, records=[{**RECORD, "recommended_car": {"name": "Elm 2"}}])
    )
    assert (row.values["sat_no_relaxation"], row.values["car_match_ungated"]) == (1, 1)


def test_another_item_is_told(data, flats):
    records = [{**RECORD, "recommended_car": {"name": "Fir 1"}}]
    row, _ = replay_rows(flats, data(RUN, records=records))
    assert row.failures[0].reasons == ("offered Oak 1 instead of Fir 1",)


def test_a_complaint_names_its_instance(data, flats):
    bad = {**RECORD, "base": {"garden": "yes"}}
    with pytest.raises(QueryError, match="instance flat: unknown column 'garden'"):
        offline_rows(flats, data(records=[bad]))


@pytest.mark.parametrize("options", [Options(), Options(data="a", instances="b")])
def test_one_source_is_needed(options, flats):
    with pytest.raises(QueryError, match="one source"):
        offline_rows(flats, options)


def test_a_question_that_names_no_slot_is_asked_all_the_same(flats):
    script = Script(flats, ("rooms", "rent"), [("And what else?", "Nothing."), *ANSWERS])
    asked = []
    while (question := script.ask(None, (), ())) is not None:
        asked.append((question.slot, script.answer(question, None)))
    assert [slot for slot, _ in asked] == ["", "rooms", "rent"]
    assert [answer for _, answer in asked][1:] == [answer for _, answer in ANSWERS]
