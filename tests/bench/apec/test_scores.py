"""Figures of APEC-Travel from what was found, and what its files may hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.bench.apec.annotations import METRICS, correlations, read_annotations
from concede.bench.apec.scores import accumulated, scored, summary
from concede.bench.apec.travellers import TravellerRecord, read_travellers
from concede.catalogs.errors import UnreadableFile
from concede.dialogs.elicitation.population import people
from concede.dialogs.elicitation.schema import travel_schema

SCHEMA = travel_schema()
PERSON = people(1, "coherent", 3)[0]


def test_everything_right_is_one_and_nothing_is_nothing():
    whole = scored(SCHEMA, PERSON.profile, PERSON.critical, PERSON.profile, 12, 15)
    assert (whole.overall, whole.critical, whole.r_c, whole.filled) == (1, 1, 1, 54)
    assert whole.reward == pytest.approx(0.1 + 0.9 * 15)
    assert whole.reward_scaled == pytest.approx(1)
    nothing = scored(SCHEMA, PERSON.profile, PERSON.critical, {}, 0)
    assert (nothing.overall, nothing.critical, nothing.r_c, nothing.reward) == (0, 0, 0, 0)


@given(st.sets(st.sampled_from([entry.name for entry in SCHEMA.entries])))
def test_r_c_counts_a_critical_entry_four_times(names: set[str]):
    found = {name: PERSON.profile[name] for name in names}
    critical = sum(name in PERSON.critical for name in names)
    got = scored(SCHEMA, PERSON.profile, PERSON.critical, found, 3)
    assert got.r_c == pytest.approx((4 * critical + len(names) - critical) / (4 * 10 + 44))
    assert got.overall == pytest.approx(len(names) / 54)
    assert got.critical == pytest.approx(critical / 10)


def test_a_wrong_value_is_filled_and_not_right():
    other = {"persona.travel_with_child": "No" if is_yes("persona.travel_with_child") else "Yes"}
    got = scored(SCHEMA, PERSON.profile, PERSON.critical, other, 1)
    assert (got.filled, got.right) == (1, 0)


def is_yes(name: str) -> bool:
    return PERSON.profile[name] == "Yes"


def test_efficiency_is_the_mean_of_ratios():
    few = scored(SCHEMA, PERSON.profile, PERSON.critical, PERSON.profile, 2)
    many = scored(SCHEMA, PERSON.profile, PERSON.critical, {}, 10)
    # The ratio of the means would be 0.5 / 6.
    assert summary([few, many])["efficiency"] == pytest.approx(0.25)


def test_the_curve_rises_as_critical_entries_are_found():
    first, second = PERSON.critical[:2]
    profiles = [
        {},
        {first: PERSON.profile[first]},
        {first: PERSON.profile[first], second: PERSON.profile[second]},
    ]
    assert accumulated(profiles, PERSON.profile, PERSON.critical) == [0, 0.1, 0.2]


def written(tmp_path: Path, value: object) -> Path:
    path = tmp_path / "travellers.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def record(**changes: object) -> dict[str, object]:
    whole = TravellerRecord("a", PERSON.profile, PERSON.critical, "Day 1, from Ulm to Bern")
    return {**whole.record(), **changes}


def test_travellers_are_read_as_they_were_written(tmp_path: Path):
    answers = {entry.name: ["hm", "yes"] for entry in SCHEMA.askable}
    (read,) = read_travellers(written(tmp_path, [record(answers=answers)]), SCHEMA)
    assert read.record() == record(answers=answers)


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("[{", "not JSON"),
        ([3], "a traveller is"),
        ([record(id="a"), record(id="a")], "one id"),
        ([record(profile={"persona.budgett": 3})], "persona.budgett"),
        ([record(profile={"persona.budget": 3})], "cannot be"),
        ([record(profile={"flight.preferred_cabin": "first"})], "first"),
        ([record(critical=["persona.nothing"])], "persona.nothing"),
        ([record(critical="persona.budget")], "critical"),
        ([record(request=None)], "request"),
        ([record(answers={e.name: "yes" for e in SCHEMA.askable[1:]})], "47 answers"),
        ([record(answers={e.name: 3 for e in SCHEMA.askable})], "answer for"),
    ],
)
def test_what_is_no_traveller_is_named(tmp_path: Path, value: object, complaint: str):
    with pytest.raises(UnreadableFile, match=complaint):
        read_travellers(written(tmp_path, value), SCHEMA)


def test_human_scores_and_how_they_correlate(tmp_path: Path):
    path = tmp_path / "sheet.csv"
    lines = ["d1,a,5,5,4,1,3", "d1,b,3,3,4,3,3", "d2,a,2,2,1,5,3", "d3,a,1,1,5,2,3"]
    path.write_text("\n".join([f"dialogue,annotator,{','.join(METRICS)}", *lines]))
    found = correlations(read_annotations(path))
    assert found["planning"]["prioritization"] == pytest.approx(1)
    assert found["planning"]["helpfulness"] is None
    path.write_text(f"dialogue,annotator,{','.join(METRICS)}\nd1,a,5,5,4,1,6\n")
    with pytest.raises(UnreadableFile, match="line 2: helpfulness"):
        read_annotations(path)
