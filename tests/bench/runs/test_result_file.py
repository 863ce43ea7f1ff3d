"""Results: figures written and read back, and every way a file can be wrong."""

import json

import pytest

from concede.bench.runs.result_file import figures_of, read_result, result_record, write_result
from concede.catalogs.errors import QueryError, UnreadableFile

ROW = {
    "setting": "S1",
    "method": "session",
    "n": 35,
    "skipped": 6,
    "relax_match": 0.5,
    "tokens": None,
    "intervals": {"relax_match": [0.4, 0.6], "tokens": None},
    "slots": {"Year": {"filled": 1, "slots": 2}},
    "pass_hat": {"1": 0.5, "2": 0.25},
    "printed": {"relax_match": 0.4},
    "differs": ["relax_match"],
    "failures": [{"instance": "S1-01", "reasons": ["missed Year >= 2013"]}],
}
ABOUT = {"benchmark": "aware-us", "command": "concede bench run", "date": "2026-11-21"}


def written(path, value):
    """Write a value as JSON."""
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_result_is_read_as_it_was_written_without_the_data(tmp_path):
    path = tmp_path / "one.json"
    write_result(path, result_record("mine", {**ABOUT, "catalog_rows": 8}, [ROW, ROW]))
    text = path.read_text(encoding="utf-8")
    assert "S1-01" not in text
    assert "printed" not in text
    assert len([line for line in text.splitlines() if '"relax_match": 0.5' in line]) == 2
    result = read_result(path)
    assert result is not None
    assert (result.name, result.about, result.catalog_rows) == ("mine", ABOUT, 8)
    row, _ = result.rows
    assert (row.labels, row.n) == ({"setting": "S1", "method": "session"}, 35)
    assert row.values == {"relax_match": 0.5, "tokens": None}
    assert row.intervals == {"relax_match": (0.4, 0.6)}
    assert row.pass_hats == {1: 0.5, 2: 0.25}


def test_no_rows_are_a_result_too(tmp_path):
    path = tmp_path / "none.json"
    write_result(path, result_record("none", {}, []))
    result = read_result(path)
    assert result is not None
    assert list(result.rows) == []


def test_bare_rows_are_named_by_their_file(tmp_path):
    result = read_result(written(tmp_path / "scored.json", [ROW]))
    assert result is not None
    assert (result.name, len(result.rows)) == ("scored", 1)


@pytest.mark.parametrize("value", [[], {}, [1], [{"id": "S1-01"}], {"kind": "run"}, "text", None])
def test_json_of_another_kind_is_no_result(value, tmp_path):
    assert read_result(written(tmp_path / "other.json", value)) is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"version": 2}, "result version 2"),
        ({"version": None}, "this release reads 1"),
        ({"name": ""}, "name ''"),
        ({"rows": {}}, "no rows"),
        ({"rows": [{}]}, "row 0: n None is no count"),
        ({"rows": [ROW, 7]}, "row 1: 7 is no object"),
        ({"rows": [{**ROW, "n": True}]}, "n True"),
        ({"rows": [{**ROW, "relax_match": 10**400}]}, "relax_match"),
        ({"rows": [{**ROW, "intervals": {"relax_match": [0.6, 0.4]}}]}, "interval of relax_match"),
        ({"rows": [{**ROW, "intervals": {"relax_match": 1}}]}, "interval of relax_match"),
        ({"rows": [{**ROW, "intervals": [1]}]}, "intervals [1] is no object"),
        ({"rows": [{**ROW, "pass_hat": {"x": 1}}]}, "pass_hat of 'x'"),
    ],
)
def test_a_wrong_result_names_what_is_wrong(change, told, tmp_path):
    record = {**result_record("mine", ABOUT, [ROW]), **change}
    with pytest.raises(UnreadableFile) as caught:
        read_result(written(tmp_path / "wrong.json", record))
    assert told in str(caught.value)
    assert "wrong.json" in str(caught.value)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b'{"kind": "result",\n "version": }', "line 2: not JSON"),
        (b"", "line 1: not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b'{"a": NaN}', "NaN is no number"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_json_is_refused(data, told, tmp_path):
    (tmp_path / "bad.json").write_bytes(data)
    with pytest.raises(UnreadableFile, match=told):
        read_result(tmp_path / "bad.json")


def test_what_is_no_file_is_refused(tmp_path):
    with pytest.raises(UnreadableFile):
        read_result(tmp_path)
    with pytest.raises(UnreadableFile):
        write_result(tmp_path / "no" / "folder.json", result_record("mine", {}, []))


def test_infinity_written_as_a_number_is_no_figure():
    with pytest.raises(QueryError, match="relax_match"):
        figures_of({"n": 1, "relax_match": json.loads("1e999")})
