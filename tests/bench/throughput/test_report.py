"""The report as tables, Markdown and plots."""

from __future__ import annotations

import importlib.util
import io

import pytest
from rich.console import Console

from concede.bench.throughput import markdown, plots, result_tables, run
from concede.bench.throughput.comparison import Comparison, Method, Runner
from concede.bench.throughput.report import Cell, Report, Result, Section, Selectivity
from concede.bench.throughput.result_tables import report_tables
from concede.bench.throughput.timings import Pace
from concede.catalogs.errors import QueryError, UnreadableFile

KNOWN = Selectivity(shares=(0.3, 0.3), base_share=1.0, matching=12, drawn="by hand", seed=7)


def result(method: str, median: float, ratio: float) -> Result:
    return Result(
        method=method,
        outcome="measured",
        runs=3,
        median_ms=median,
        p99_ms=2 * median,
        fastest_ms=median / 2,
        ratio=ratio,
        bytes=1_250_000,
        compared=("histogram",),
    )


def grid_cell(rows: int, density: float | str, base: str) -> Cell:
    results = (
        result("concede", 0.5, 1.0),
        result("DuckDB, stored mask", 11.0, 22.0),
        Result(method="Z3, rows", outcome="skipped", why="takes minutes"),
        Result(method="CPMpy", outcome="not installed", why="without cpmpy"),
    )
    case = {"rows": rows, "k": 8, "density": density, "base": base, "state": "warm"}
    return Cell(case=case, selectivity=KNOWN, results=results)


@pytest.fixture
def report() -> Report:
    grid = tuple(
        grid_cell(rows, density, base)
        for rows in (10_000, 1_000_000)
        for density in (0.3, "skewed")
        for base in ("all", "1%")
    )
    fit = Cell(
        case={"of": "linear fit"}, figures={"ns a row": 2.0, "ms at no rows": 0.1, "R²": 0.999}
    )
    growth = tuple(
        Cell(
            case={"rows": rows, "k": 8, "density": 0.3, "state": "warm"},
            selectivity=KNOWN,
            results=(result("concede", rows / 1e6, 1.0),),
            figures={"bytes a row": 200.0},
        )
        for rows in (10_000, 1_000_000)
    )
    widths = tuple(
        Cell(
            case={"of": kind, "rows": 10, "k": k},
            results=(result("concede", k, 1.0),),
            figures={"row masks": 4.0},
        )
        for kind in ("histogram", "diagnosis")
        for k in (2, 4)
    )
    race = (grid_cell(10_000, 0.2, "all"),)
    cells = {"diagnosis": grid, "repair": race, "rows": (*growth, fit), "constraints": widths}
    return Report(
        options={"quick": True, "seed": 7},
        machine={"processor": "P", "cores": 2},
        versions={"duckdb": "2.0.0", "cpmpy": "not installed"},
        sections=tuple(
            Section(name=name, title=name.title(), note="What it is.", cells=cells[name])
            for name in run.SECTIONS
            if name in cells
        ),
    )


def on_terminal(report: Report, width: int) -> str:
    written = io.StringIO()
    Console(file=written, width=width).print(report_tables(report), crop=False)
    return written.getvalue()


@pytest.mark.parametrize("width", [60, 100, 160])
def test_tables_fit_and_leave_nobody_out(report, width):
    text = on_terminal(report, width)
    assert max(map(len, text.splitlines())) <= width
    flat = " ".join(text.split())
    assert "Z3, rows: skipped (takes minutes)" in flat
    assert "CPMpy: not installed (without cpmpy)" in flat
    assert "1,000,000 rows, warm" in flat
    assert "×22" in flat
    assert "R² 0.999" in flat


def test_a_row_of_the_grid_says_what_is_kept_and_of_what(report):
    (first, _) = result_tables.result_tables(report.section("diagnosis"))
    assert first.title == "10,000 rows, warm"
    assert [row[:3] for row in first.rows] == [
        ("8", "0.3", "all"),
        ("8", "0.3", "1%"),
        ("8", "skewed", "all"),
        ("8", "skewed", "1%"),
    ]
    assert {len(row) for row in first.rows} == {len(first.headers)}


@pytest.mark.parametrize(
    ("value", "said"),
    [(None, "–"), (0.0123, "0.0123"), (1.0, "1"), (15.26, "15.3"), (1234.5, "1,234")],
)
def test_milliseconds_keep_three_digits(value, said):
    assert result_tables.milliseconds(value) == said


@pytest.mark.parametrize(
    ("value", "said"), [(None, "–"), (999, "999 B"), (1_250_000, "1.25 MB"), (2e12, "2e+03 GB")]
)
def test_sizes_stand_in_the_unit_that_suits(value, said):
    assert result_tables.size(value).replace("\N{NO-BREAK SPACE}", " ") == said


def test_markdown_goes_between_the_markers_and_again(report, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{markdown.BEGIN}\nold\n{markdown.END}\nafter\n", encoding="utf-8")
    markdown.fill(page, report)
    once = page.read_text(encoding="utf-8")
    assert once.startswith(f"before\n{markdown.BEGIN}\n")
    assert once.endswith(f"{markdown.END}\nafter\n")
    assert "old" not in once
    assert "| k | keeps | of |" in once
    assert "`concede bench throughput --quick --seed 7`" in once
    markdown.fill(page, report)
    assert page.read_text(encoding="utf-8") == once


def test_every_line_of_a_markdown_table_has_the_same_number_of_cells(report):
    widths: set[int] = set()
    for line in [*markdown.report_markdown(report).splitlines(), ""]:
        if line.startswith("|"):
            widths.add(line.replace("\\|", "").count("|"))
        else:
            assert len(widths) <= 1
            widths = set()


def test_a_page_without_markers_or_without_a_file_is_refused(tmp_path, report):
    page = tmp_path / "page.md"
    with pytest.raises(UnreadableFile):
        markdown.fill(page, report)
    page.write_text("nothing to fill\n")
    with pytest.raises(QueryError, match="no markers"):
        markdown.fill(page, report)
    assert page.read_text() == "nothing to fill\n"


def test_plots_are_written_where_there_is_something_to_draw(report, tmp_path):
    pytest.importorskip("matplotlib")
    written = plots.write_plots(report, tmp_path / "new" / "folder")
    assert [entry.name for entry in written] == [
        "diagnosis.png",
        "repair.png",
        "constraints.png",
        "rows.png",
    ]
    assert all(entry.read_bytes().startswith(b"\x89PNG") for entry in written)


def test_without_matplotlib_the_hint_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(plots, "find_spec", lambda name: None)
    with pytest.raises(QueryError, match=r"pip install 'concede\[bench\]'"):
        plots.check_plots(tmp_path / "folder")
    assert not (tmp_path / "folder").exists()
    assert importlib.util.find_spec("concede") is not None


def test_a_measured_race_can_be_shown():
    method = Method("concede", lambda stack: Runner(lambda: 1, lambda found: {"n": found}))
    cell = Comparison({"of": "nothing"}, [method]).run(Pace(2, 1.0))
    section = Section(name="threads", title="T", note="N", cells=(cell,))
    (sheet,) = result_tables.result_tables(section)
    assert sheet.rows[0][0] == "concede"
    assert sheet.rows[0][4] == "2"
