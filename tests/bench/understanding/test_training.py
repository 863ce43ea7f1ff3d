"""One command trains the reader: same seed, same bytes; its manifest names the sources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from concede.bench.understanding.curve_plots import curve_tables, write_curves
from concede.bench.understanding.curves import measure
from concede.bench.understanding.labelled_set import Sources, labelled_set
from concede.interfaces.cli.main import run
from sgd_files import write_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("sgd"))


def trained(corpus: Path, out: Path) -> tuple[bytes, dict[str, Any]]:
    given = (
        "--data",
        str(corpus),
        "--made",
        "100",
        "--catalogs",
        "12",
        "--part",
        "reader",
        "--written",
        "10",
    )
    assert run(["train", "understanding", *given, "--seed", "3", "--out", str(out)]) == 0
    return (out / "reader.npz").read_bytes(), json.loads((out / "reader.json").read_text())


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes(
    corpus: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Wide enough for any temporary folder's path.
    monkeypatch.setenv("COLUMNS", "400")
    first, manifest = trained(corpus, tmp_path / "one")
    again, _ = trained(corpus, tmp_path / "two")
    assert first == again
    assert manifest["seed"] == 3
    assert manifest["figures"]["sentences"] == {"known": 250, "made": 116, "sgd": 4}
    assert set(manifest["attribution"]) == {"known", "made", "sgd"}
    assert "CC BY-SA 4.0" in manifest["attribution"]["sgd"]
    assert "reader.npz" in capsys.readouterr().out


def test_a_folder_that_is_none_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "understanding", "--data", "/nowhere/at/all"]) == 2
    assert "/nowhere/at/all is no folder" in capsys.readouterr().err


def test_a_set_holds_every_source_and_its_catalogs(corpus: Path, tmp_path: Path) -> None:
    everything = labelled_set(Sources(sgd=corpus, made=40, catalogs=4, most_written=10), tmp_path)
    assert everything.sizes == {"known": 250, "made": 46, "sgd": 4}
    assert {sentence.catalog for sentence in everything.sentences} <= set(everything.catalogs)
    assert (everything.folder / "sgd_Homes_9.csv").is_file()
    assert everything.only(lambda sentence: sentence.source == "sgd").sizes == {"sgd": 4}


@pytest.mark.slow
def test_a_point_for_each_size_and_part_left_out_and_the_same_plots_again(
    corpus: Path, tmp_path: Path
) -> None:
    measured = measure(
        Sources(sgd=corpus, made=200, catalogs=8, most_written=10), sizes=(100,), most=20
    )
    assert len(measured.curve) == 2
    assert measured.curve[0].sentences == 100
    names = [point.name for point in measured.without]
    assert "without SGD" in names
    assert "neighbouring words silenced" in names
    assert measured.shipped[0].name == "what ships"
    assert len(measured.shipped) == 3
    assert {"made", "fresh"} <= set(measured.curve[0].figures)
    assert sum(one.readings for one in measured.calibration.bins) > 0
    pytest.importorskip("matplotlib")
    first = [path.read_bytes() for path in write_curves(measured, tmp_path / "one")]
    again = [path.read_bytes() for path in write_curves(measured, tmp_path / "two")]
    assert first == again
    assert len(first) == 5
    assert all(table.rows for table in curve_tables(measured))
