"""Histograms kept by file: equal to one pass, and only what changed is read again."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from concede import Catalog, CatalogError, Constraint, Query, QueryError, RepairEngine
from concede.catalogs.partitions.parquet_folder import ParquetFolder
from concede.engine.bound_query import bind
from concede.engine.repair_context import mask
from concede.engine.stored_diagnosis import diagnose_histogram
from concede.solvers.limits import Budget
from concede.solvers.partials import by_file
from concede.solvers.partials.by_file import Update, update_histogram
from concede.solvers.partials.partial import merged
from concede.solvers.partials.stored_histogram import read_histogram
from concede.solvers.registry import get_solver
from example_counts import examples
from parquet_parts import KEY, keyed, write_parts
from random_problems import RandomProblem, problems, table

ASKED = Query(
    base=[Constraint(column="flag", op="==", value=True)],
    constraints=[
        Constraint(column="number", op=">=", value=2),
        Constraint(column="ratio", op="<=", value=0.1),
        Constraint(column="name", op="like", value="a%"),
    ],
)


@pytest.fixture
def lake(tmp_path):
    """A folder of four partitions of 40 rows, and the files."""
    folder = tmp_path / "lake"
    folder.mkdir()
    return folder, write_parts(folder, keyed(table(41)[1]), [10, 20, 30])


def updated(folder: Path, query: Query = ASKED, output: str = "h.parquet") -> Update:
    out = folder.parent / output
    return update_histogram(ParquetFolder(folder, besides=out), query, KEY, out)


def whole(folder: Path) -> Catalog:
    paths = sorted(folder.rglob("*.parquet"))
    return Catalog.open(pa.concat_tables([pq.read_table(path) for path in paths]))


def agrees(folder: Path, query: Query = ASKED, output: str = "h.parquet") -> None:
    """What the stored histogram says is what one pass over all rows says."""
    ours = diagnose_histogram(folder.parent / output).record()
    theirs = RepairEngine(whole(folder), solver="sql").diagnose(query).record()
    assert ours.pop("catalog_version") is None
    assert theirs.pop("catalog_version") == 1
    assert ours == theirs


def first_keys(problem: RandomProblem) -> dict[int, int]:
    """The twin: for each mask the number of the first row of the base with exactly it."""
    found: dict[int, int] = {}
    for number, row in enumerate(table(problem.number)[1]):
        if all(base.test(row) for base in problem.base):
            met = sum(1 << bit for bit, each in enumerate(problem.constraints) if each.test(row))
            found.setdefault(met, number)
    return found


@settings(
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(problems(), st.lists(st.integers(0, 40), max_size=5), st.sampled_from([1, 10**9]))
def test_partials_added_up_equal_one_pass(problem, cuts, batch_bytes):
    rows = table(problem.number)[1]
    with TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        folder = Path(place) / "lake"
        folder.mkdir()
        data = keyed(rows)
        write_parts(folder, data, [min(cut, len(rows)) for cut in cuts])
        patch.setattr("concede.catalogs.partitions.parquet_folder.BATCH_BYTES", batch_bytes)
        done = updated(folder, problem.query)
        together = read_histogram(folder.parent / "h.parquet").together
        assert dict(zip(together.masks.tolist(), together.counts.tolist(), strict=True)) == (
            problem.twin().masks()
        )
        assert dict(zip(together.masks.tolist(), together.first_keys.tolist(), strict=True)) == (
            first_keys(problem)
        )
        catalog = Catalog.open(data)
        assert together.masks.tolist() == done.histogram.together.masks.tolist()
        if problem.constraints:
            bound = bind(catalog, problem.query)
            context = mask(bound, get_solver("bitset"), Budget(deadline=None))
            assert together.masks.tolist() == context.histogram.masks.tolist()
            ends = {name: bound.base.ends(name) for name in together.ends}
            assert dict(together.ends) == ends
            ours = diagnose_histogram(folder.parent / "h.parquet").record()
            theirs = RepairEngine(catalog).diagnose(problem.query).record()
            assert {**ours, "catalog_version": 1} == theirs


def test_only_what_is_new_or_replaced_is_read_again(lake, monkeypatch):
    folder, paths = lake
    assert (updated(folder).read, updated(folder).read) == (4, 0)
    read: list[str] = []
    count = by_file.count_partitions

    def noted(folder, parts, *more):
        read.extend(part.name for part in parts)
        return count(folder, parts, *more)

    monkeypatch.setattr(by_file, "count_partitions", noted)
    pq.write_table(pq.read_table(paths[3]).slice(0, 3), paths[1])
    paths[2].unlink()
    pq.write_table(keyed(table(17)[1]), folder / "part-900.parquet")
    done = updated(folder)
    assert (read, done.kept, done.removed) == ([paths[1].name, "part-900.parquet"], 2, 1)
    agrees(folder)


def test_a_file_with_the_same_time_but_other_rows_is_read_again(lake):
    folder, paths = lake
    updated(folder)
    before = paths[0].stat()
    data = pq.read_table(paths[0])
    flipped = pa.array([None if flag is None else not flag for flag in data["flag"].to_pylist()])
    pq.write_table(data.set_column(data.schema.get_field_index("flag"), "flag", flipped), paths[0])
    os.utime(paths[0], ns=(before.st_atime_ns, before.st_mtime_ns))
    assert updated(folder).read == 1
    agrees(folder)


def test_a_run_that_is_killed_goes_on_where_it_was(lake, monkeypatch):
    folder, _ = lake
    monkeypatch.setattr("concede.catalogs.partitions.parquet_folder.BATCH_BYTES", 1)
    count, left = by_file.count_partitions, [2]

    def killed(*given):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return count(*given)

    with monkeypatch.context() as patch:
        patch.setattr(by_file, "count_partitions", killed)
        with pytest.raises(KeyboardInterrupt):
            updated(folder)
    assert not (folder.parent / "h.parquet").exists()
    progress = folder.parent / "h.parquet.progress"
    progress.write_bytes(progress.read_bytes() + b'{"tag": "cut o')
    assert updated(folder).read == 2
    assert [path.name for path in sorted(folder.parent.iterdir())] == ["h.parquet", "lake"]
    agrees(folder)


def test_the_histogram_before_stays_until_the_next_is_whole(lake, monkeypatch):
    folder, paths = lake
    updated(folder)
    before = (folder.parent / "h.parquet").read_bytes()
    paths[0].unlink()

    def full(*given):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("concede.solvers.partials.stored_histogram.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        updated(folder)
    assert (folder.parent / "h.parquet").read_bytes() == before
    assert [path.name for path in sorted(folder.parent.iterdir())] == ["h.parquet", "lake"]


def test_strangers_are_refused(lake, tmp_path):
    folder, _ = lake
    updated(folder)
    other = Query(base=ASKED.base, constraints=ASKED.constraints[:2])
    with pytest.raises(CatalogError, match="histogram of another query"):
        updated(folder, other)
    with pytest.raises(CatalogError, match="histogram of another query"):
        update_histogram(ParquetFolder(folder), ASKED, "other number", tmp_path / "h.parquet")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    write_parts(elsewhere, keyed(table(5)[1]), [])
    with pytest.raises(CatalogError, match=r"is the histogram of .*lake"):
        updated(elsewhere)
    updated(elsewhere, output="other.parquet")
    updated(elsewhere, other, "query.parquet")
    added = diagnose_histogram(tmp_path / "h.parquet", tmp_path / "other.parquet")
    assert added.base_rows == sum(row["flag"] is True for n in (41, 5) for row in table(n)[1])
    with pytest.raises(CatalogError, match="another query"):
        diagnose_histogram(tmp_path / "h.parquet", tmp_path / "query.parquet")
    with pytest.raises(CatalogError, match="counted twice"):
        diagnose_histogram(tmp_path / "h.parquet", tmp_path / "h.parquet")


def test_another_weight_is_the_same_histogram(lake):
    folder, _ = lake
    updated(folder)
    weighed = Query(
        base=ASKED.base,
        constraints=[
            ASKED.constraints[0].model_copy(update={"hard": True}),
            *ASKED.constraints[1:],
        ],
    )
    assert updated(folder, weighed).read == 0
    agrees(folder, weighed)


def test_other_columns_are_refused(lake):
    folder, paths = lake
    updated(folder)
    for path in paths:
        pq.write_table(pq.read_table(path).append_column("more", pa.nulls(10, pa.int8())), path)
    with pytest.raises(CatalogError, match="histogram of other columns"):
        updated(folder)
    pq.write_table(pq.read_table(paths[1]).drop_columns(["day"]), paths[1])
    with pytest.raises(CatalogError, match=r"part-001.*column 'day' is missing there, and DATE"):
        updated(folder, output="another.parquet")


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + 50 * b"x" + b"\xff\xff\0\0PAR1"])
def test_what_is_no_parquet_is_refused(lake, content):
    folder, paths = lake
    paths[2].write_bytes(content)
    with pytest.raises(CatalogError, match="part-002"):
        updated(folder)


@pytest.mark.parametrize("damage", ["parquet", "metadata", "text", "missing"])
def test_what_is_no_histogram_is_refused(lake, damage):
    folder, paths = lake
    updated(folder)
    path = folder.parent / "h.parquet"
    if damage == "parquet":
        path.write_bytes(paths[0].read_bytes())
    elif damage == "metadata":
        data = pq.read_table(path)
        record = json.loads(pq.read_schema(path).metadata[b"concede_histogram"])
        del record["asked"]
        pq.write_table(
            data.replace_schema_metadata({"concede_histogram": json.dumps(record)}), path
        )
    elif damage == "text":
        path.write_text("a,b\n1,2\n")
    else:
        path.unlink()
    with pytest.raises(CatalogError, match=r"h\.parquet"):
        diagnose_histogram(path)
    if damage != "missing":
        # Nobody's file is overwritten.
        with pytest.raises(CatalogError):
            updated(folder)


def test_a_row_without_a_key_is_refused(lake):
    folder, paths = lake
    data = pq.read_table(paths[0])
    pq.write_table(data.set_column(0, KEY, pa.nulls(10, pa.int64())), paths[0])
    with pytest.raises(CatalogError, match="'id' is NULL"):
        updated(folder)
    with pytest.raises(QueryError, match="key 'name' is of type VARCHAR"):
        update_histogram(ParquetFolder(folder), ASKED, "name", folder.parent / "h.parquet")


def test_a_file_that_changes_while_it_is_read_is_refused(lake, monkeypatch):
    folder, paths = lake
    count = by_file.count_partitions

    def changing(*given):
        done = count(*given)
        pq.write_table(pq.read_table(paths[1]).slice(1), paths[1])
        return done

    with monkeypatch.context() as patch:
        patch.setattr(by_file, "count_partitions", changing)
        with pytest.raises(CatalogError, match="changed while it was read"):
            updated(folder)
    updated(folder)
    agrees(folder)


def test_folders_named_by_values_are_a_column(tmp_path):
    folder = tmp_path / "lake"
    rows = keyed(table(41)[1])
    for hour, start in ((7, 0), (8, 20), ("__HIVE_DEFAULT_PARTITION__", 30)):
        (folder / f"hour={hour}").mkdir(parents=True)
        pq.write_table(rows.slice(start, 10), folder / f"hour={hour}" / "a.parquet")
        pq.write_table(rows.slice(start + 5, 5), folder / f"hour={hour}" / "b.parquet")
    (folder / "_temporary").mkdir()
    (folder / "_temporary" / "half.parquet").write_bytes(b"half")
    late = Query(constraints=[Constraint(column="hour", op=">=", value=8)])
    done = updated(folder, late)
    assert done.histogram.together.histogram.count([0]) == 15
    assert done.histogram.together.rows == 45
    assert ParquetFolder(folder).schema.find("hour").sql_type == "BIGINT"
    parts = [part.together for part in [done.histogram, updated(folder, late).histogram]]
    assert parts[0].masks.tolist() == parts[1].masks.tolist()


def test_nan_matches_nothing_and_moments_are_in_utc(tmp_path):
    folder = tmp_path / "lake"
    folder.mkdir()
    moments = pa.array([0, 3_600_000_000, 7_200_000_000], pa.timestamp("us", "America/New_York"))
    data = pa.table({KEY: [1, 2, 3], "x": [float("nan"), 1.0, float("inf")], "at": moments})
    pq.write_table(data, folder / "a.parquet")
    query = Query(
        constraints=[
            Constraint(column="x", op=">=", value=1),
            Constraint(column="at", op="<=", value="1970-01-01T01:00:00"),
        ]
    )
    done = updated(folder, query).histogram.together
    assert dict(zip(done.masks.tolist(), done.first_keys.tolist(), strict=True)) == {
        2: 1,
        3: 2,
        1: 3,
    }
    assert dict(done.ends) == {"x": (1.0, 1.0), "at": (0.0, 7200.0)}


def test_opening_hours_are_refused(tmp_path):
    folder = tmp_path / "lake"
    folder.mkdir()
    pq.write_table(
        pa.table({KEY: [1], "opening_hours": ["Mo-Fr 08:00-18:00"]}), folder / "a.parquet"
    )
    query = Query(constraints=[Constraint(op="open at", value="2024-03-04T09:00")])
    with pytest.raises(QueryError, match="not counted by file"):
        updated(folder, query)


def test_partials_without_any_partition():
    assert merged(3, []).rows == 0


def test_a_folder_without_files_is_refused(tmp_path):
    with pytest.raises(CatalogError, match="no Parquet file"):
        ParquetFolder(tmp_path)
    with pytest.raises(CatalogError, match="no such folder"):
        ParquetFolder(tmp_path / "nowhere")
