"""The published files read as typed records, and anything else refused in one line."""

import gzip
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aware_us_outcomes import ITEMS, record
from concede.bench import json_lines
from concede.bench.aware_us.gold import gold_of
from concede.bench.aware_us.published_data import Run, read_golds, read_instance_file, read_runs
from concede.bench.json_lines import read_records
from concede.catalogs.errors import QueryError, UnreadableFile

RUN = {
    "instance": "S-0",
    "model": "qwen",
    "method": "local",
    "set": "S1",
    "slots_provided_to_agent": ["Year", "MSRP"],
    "dialogue": [{"role": "user", "content": "An Audi, please."}],
    "parsed_base": {"Make": "Audi"},
    "parsed_additional_constraints": [{"column": "Year", "op": ">=", "value": 2015}],
    "constraint_weights": [{"column": "Year", "op": ">=", "value": 2015, "weight": 0.9}],
    "status": "SAT_after_relaxation",
    "relaxed_constraint": {"column": "Year", "op": ">=", "value": 2015},
    "recommended_car": ITEMS[0],
}


def gzipped(path, *lines):
    path.write_bytes(gzip.compress(b"".join(line + b"\n" for line in lines)))
    return path


def run_of(**fields):
    return Run.model_validate({**RUN, **fields})


@pytest.fixture
def folder(tmp_path):
    lines = [json.dumps(record(at, split="test" if at else "train")) for at in range(2)]
    (tmp_path / "instances.jsonl").write_text("\n".join(lines), encoding="utf-8")
    gzipped(
        tmp_path / "agent_runs.jsonl.gz",
        json.dumps(RUN).encode(),
        json.dumps({**RUN, "instance": "S-1", "dialogue": None}).encode(),
    )
    return tmp_path


def test_runs_are_joined_with_their_instances(folder):
    runs = list(read_runs(folder, read_golds(folder)))
    assert [(run.run.instance, run.gold.id) for run in runs] == [("S-0", "S-0"), ("S-1", "S-1")]
    assert runs[0].run.weighed[0].weight == 0.9
    assert [run.run.dialogue is None for run in runs] == [False, True]


def test_a_split_leaves_the_other_out(folder):
    golds = read_golds(folder, "train")
    assert [gold.id for gold in golds] == ["S-0"]
    assert [read_run.run.instance for read_run in read_runs(folder, golds)] == ["S-0"]


def test_a_repair_counts_by_its_to_or_else_its_from():
    there, other = RUN["relaxed_constraint"], {"column": "Year", "op": ">=", "value": 2010}
    replaced = run_of(relaxed_constraint={"action": "replace", "from": there, "to": other})
    dropped = run_of(relaxed_constraint={"action": "drop", "from": there, "to": None})
    assert replaced.relaxed_constraint.value == 2010
    assert dropped.relaxed_constraint.value == 2015


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"status": "maybe"}, "status 'maybe'"),
        ({"slots_provided_to_agent": "Year"}, "slots_provided_to_agent"),
        ({"relaxed_constraint": 7}, "constraint"),
        ({"parsed_additional_constraints": [{"column": "Year", "op": "~", "value": 1}]}, "'~'"),
        ({"constraint_weights": [{**RUN["relaxed_constraint"], "weight": 9}]}, "weight"),
        ({"dialogue": [{"role": "cat", "content": ""}]}, "cat"),
        ({"dialogue": "hello"}, "dialogue"),
        ({"instance": None}, "instance"),
    ],
)
def test_a_wrong_field_is_one_line_with_the_line_number(fields, told, tmp_path):
    good, bad = json.dumps(RUN).encode(), json.dumps({**RUN, **fields}).encode()
    path = gzipped(tmp_path / "runs.jsonl.gz", good, b"", bad)
    with pytest.raises(UnreadableFile) as caught:
        list(read_records(path, Run.model_validate))
    assert "line 3" in str(caught.value)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b'{"run_id": NaN}', "NaN"),
        (b"[" * 100_000, "nested too deeply"),
        (b"7", "record"),
        (b"9" * 10_000, "not JSON"),
    ],
)
def test_what_is_no_record_is_one_line(line, told, tmp_path):
    path = gzipped(tmp_path / "runs.jsonl.gz", line)
    with pytest.raises(UnreadableFile, match="line 1") as caught:
        list(read_records(path, Run.model_validate))
    assert told in str(caught.value)
    assert len(str(caught.value)) < 500


def test_broken_archives_and_missing_files(tmp_path):
    whole = gzip.compress(json.dumps(RUN).encode() * 50)
    for content in (b"plain", whole[:-9], whole[:40] + b"\0" * 30):
        path = tmp_path / "runs.jsonl.gz"
        path.write_bytes(content)
        with pytest.raises(UnreadableFile, match="cannot read"):
            list(read_records(path, Run.model_validate))
    with pytest.raises(UnreadableFile, match="No such file"):
        list(read_records(tmp_path / "none.jsonl", Run.model_validate))


def test_a_line_that_never_ends_is_not_held(tmp_path, monkeypatch):
    monkeypatch.setattr(json_lines, "MAX_LINE", 1_000)
    path = gzipped(tmp_path / "runs.jsonl.gz", b" " * 5_000)
    with pytest.raises(UnreadableFile, match="too much"):
        list(read_records(path, Run.model_validate))


@pytest.mark.slow
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_any_value_of_a_field_is_taken_or_refused(value):
    for key in RUN:
        with suppress(ValueError, QueryError):
            assert run_of(**{key: value}).instance is not None


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"persona": 7}, "persona 7"),
        ({"recommended_car": "Audi"}, "recommended_car"),
        ({"chosen_relaxation": None, "gold_relaxed": 9}, "gold_relaxed 9"),
        ({"constraints": []}, "no constraints"),
        ({"id": None}, "no id"),
    ],
)
def test_a_bad_instance_is_one_line(fields, told, tmp_path):
    (tmp_path / "instances.jsonl").write_text(json.dumps(record(**fields)), encoding="utf-8")
    with pytest.raises(UnreadableFile, match="line 1") as caught:
        read_golds(tmp_path)
    assert told in str(caught.value)


def test_an_id_that_occurs_twice_is_refused(tmp_path):
    line = json.dumps(record())
    (tmp_path / "instances.jsonl").write_text(f"{line}\n{line}", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="twice"):
        read_golds(tmp_path)


def test_gold_is_named_or_numbered_or_the_lightest():
    asked = {"chosen_relaxation": None}
    assert gold_of(record(relaxed="MSRP"), 0).relaxed == ("MSRP", "<=", "30000")
    assert gold_of(record(**asked, gold_relaxed=2), 0).relaxed == ("fuel", "==", "diesel")
    assert gold_of(record(**asked), 0).relaxed == ("Year", ">=", "2015")
    assert gold_of(record(relaxed=None), 0).relaxed is None


def test_a_file_of_instances_needs_no_ids(tmp_path):
    path = tmp_path / "some.json"
    path.write_text(json.dumps([record(id=None), record(id=5)]), encoding="utf-8")
    assert [instance.id for instance in read_instance_file(path)] == ["0", "5"]
    path.write_text(json.dumps([record(), record(persona=[])]), encoding="utf-8")
    with pytest.raises(UnreadableFile, match="record 1: persona"):
        read_instance_file(path)
