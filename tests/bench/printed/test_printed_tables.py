"""What the documents print is held once, whole, and as the benchmarks and pages quote it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from concede.bench.printed.tables import DOCUMENTS, printed

DOCS = Path(__file__).resolve().parents[3] / "docs" / "benchmarks"

TABLES = {
    "aware_us": [f"Table {n}" for n in range(1, 7)] + ["Figure 1", "Figure 2"],
    "mapsat": ["Table 1", "Table 2", "Table A1", "Table A2", *(f"Table B{n}" for n in range(1, 5))]
    + [f"Figure {n}" for n in (1, 2, 3, 4, 5, "B1", "B2")],
    "clarq": [f"Table {n}" for n in ("I", "II", "III", "IV", "V")]
    + [f"Figure {n}" for n in range(1, 22)],
    "apec": [f"Table {n}" for n in range(1, 11)] + [f"Figure {n}" for n in range(1, 10)],
    "benyfits": [f"Table {n}" for n in range(1, 5)] + [f"Figure {n}" for n in range(1, 18)],
}


@pytest.mark.parametrize("file", DOCUMENTS)
def test_every_table_and_figure_is_named(file: str):
    assert set(TABLES[file]) <= set(printed(file).tables)


@pytest.mark.parametrize("file", DOCUMENTS)
def test_rows_are_as_wide_as_their_columns_and_what_has_none_says_why(file: str):
    for table in printed(file).tables.values():
        assert all(len(row) == len(table.columns) for row in table.rows.values()), table.name
        assert table.rows or table.without, table.name


@pytest.mark.parametrize("file", DOCUMENTS)
def test_no_cell_is_named_twice(file: str):
    names = Counter(
        (table.name, cell.name) for table in printed(file).tables.values() for cell in table.cells()
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_the_printed_numbers_agree_with_each_other():
    """Sums and means that the documents print, from what else they print."""
    tables = printed("benyfits").tables
    for name in ("Table 3", "Table 4"):
        rows = dict(tables[name].rows)
        positive, negative, share = rows.pop("Total")
        assert [sum(row[at] for row in rows.values()) for at in (0, 1)] == [positive, negative]
        assert share == pytest.approx(100 * positive / (positive + negative), abs=0.03)
    for _, _, _, _, f1, turns, weighted in tables["Table 1"].rows.values():
        assert weighted == pytest.approx(f1 / (turns / 100 + 1), abs=0.11)


def test_a_mean_is_that_of_its_trials():
    rows = printed("benyfits").tables["Table 2"].rows
    for name, mean in rows.items():
        if name.endswith(", mean"):
            trials = [rows[f"{name.removesuffix('mean')}trial {at}"] for at in (1, 2, 3)]
            # Each has two or more decimals of its own, of which one is printed.
            assert mean[3] == pytest.approx(sum(trial[3] for trial in trials) / 3, abs=0.11), name


def test_the_page_of_apec_quotes_what_is_printed():
    table = printed("apec").tables["Table 2"]
    quoted = re.findall(r"^\| (.+), printed \| (.+) \|$", (DOCS / "apec.md").read_text(), re.M)
    rows = {"Llama-3.1-8B": "Llama-3.1-8B", "Llama-3.1-70B": "Llama3.1-70B",
            "SFT": "APEC-Travel-SFT",
            "DPO, iterations 2+3": "APEC-Travel-DPO, Iteration 2+3"}  # fmt: skip
    assert {name for name, _ in quoted} == set(rows)
    for name, cells in quoted:
        figures = [float(figure) for figure in re.findall(r"[\d.]+", cells)]
        assert figures == list(table.rows[rows[name]])[:8]


def test_the_page_of_benyfits_quotes_what_is_printed():
    tables, page = printed("benyfits").tables, (DOCS / "benyfits.md").read_text()
    f1, turns = tables["Table 1"].rows["ProADA (Ours), GPT-4o"][:2]
    accuracy, recall, precision = tables["Table 2"].rows["Diverse, ProADA (Ours), GPT-4o"][:3]
    row = f"| document: ProADA, GPT-4o | {f1} | {precision} | {recall} | {accuracy} | {turns} |"
    assert row in page
    person = tables["Section 4"].value("accuracy", "%")
    assert f"| document: a person (39 pairs) | | | | {person} |" in page
