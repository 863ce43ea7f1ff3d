"""Programs by feature, from what checkers read."""

from pathlib import Path

import pytest

from benyfits_data import PROGRAMS, write_checkers, write_data
from concede.bench.benyfits.components import recorded_programs
from concede.bench.benyfits.feature_counts import feature_counts, write_plot
from concede.bench.benyfits.published_data import read_benyfits
from concede.catalogs.errors import QueryError, UnreadableFile

READ = [["borough", "plays_chess"], ["plays_chess", "yearly_prize_money"]]


@pytest.fixture
def counts(tmp_path: Path):
    named = [{**program, "features_read": read} for program, read in
             zip(PROGRAMS, READ, strict=True)]  # fmt: skip
    data = read_benyfits(write_data(tmp_path / "data", programs=named))
    return feature_counts(data, recorded_programs(data, write_checkers(tmp_path / "checkers")))


def test_counts_are_of_programs(counts):
    assert counts.origin == {"plays_chess": 2, "borough": 1, "yearly_prize_money": 1}
    assert counts.ours == {"borough": 1, "plays_chess": 1, "yearly_prize_money": 1}
    record = counts.record(1)
    assert record["features"] == [{"feature": "plays_chess", "programs": 2, "ours": 1}]
    assert record["features_a_program"]["mean"] == 2
    assert record["programs_a_feature"]["max"] == 2


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_same_drawing_each_time(counts, tmp_path: Path, ending: str):
    pytest.importorskip("matplotlib")
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    write_plot(first, counts)
    write_plot(second, counts)
    assert first.read_bytes() == second.read_bytes()
    if ending == "svg":
        assert "plays chess" in first.read_text() or "<use" in first.read_text()


def test_what_cannot_be_drawn(counts, tmp_path: Path):
    with pytest.raises(QueryError, match="svg"):
        write_plot(tmp_path / "a.txt", counts)
    pytest.importorskip("matplotlib")
    with pytest.raises(UnreadableFile):
        write_plot(tmp_path / "none" / "a.svg", counts)


def test_data_without_features(tmp_path: Path):
    data = read_benyfits(write_data(tmp_path / "data"))
    programs = recorded_programs(data, write_checkers(tmp_path / "checkers"))
    with pytest.raises(QueryError, match="features"):
        feature_counts(data, programs)


def test_the_published_counts(shared_data: Path):
    data = read_benyfits(shared_data / "benyfits")
    counts = feature_counts(data, recorded_programs(data))
    assert next(iter(counts.origin.items())) == ("age", 50)
    assert len(counts.features_a_program) == 82
