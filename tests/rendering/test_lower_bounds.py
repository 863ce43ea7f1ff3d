"""Where the clock ended the counting, tables show what was counted as a lower bound."""

import io
from dataclasses import replace

import pyarrow as pa
import pytest
from rich.console import Console, RenderableType

from concede import Answer, Catalog, Query, RepairEngine
from concede.catalogs.query.where_clause import parse_where
from concede.engine.diagnosis import Diagnosis
from concede.rendering.answer_tables import (
    answer_tables,
    answers_table,
    diagnoses_table,
    diagnosis_tables,
)

ROWS = 2_000
TABLE = pa.table({"a": range(ROWS), "b": range(ROWS)})
ENGINE = RepairEngine(Catalog.open(TABLE), threads=1)
CLASH = Query(constraints=parse_where("a < 1200 AND b >= 1500"))


def cells(shown: RenderableType, first: str) -> str:
    """Return the line that begins with this, runs of blanks made one."""
    console = Console(file=io.StringIO(), width=200, color_system=None)
    console.print(shown)
    lines = [" ".join(line.split()) for line in console.file.getvalue().splitlines()]
    return next(line for line in lines if line.startswith(first))


@pytest.fixture(params=[True, False], ids=["exact", "cut short"])
def exact(request: pytest.FixtureRequest) -> bool:
    return request.param


@pytest.fixture
def lead(exact: bool) -> str:
    return "" if exact else "≥ "


@pytest.fixture
def answer(exact: bool) -> Answer:
    return ENGINE.repair(CLASH, deadline=None).model_copy(update={"counts_exact": exact})


@pytest.fixture
def diagnosis(exact: bool) -> Diagnosis:
    found = ENGINE.diagnose(CLASH, deadline=None)
    stopped_by = None if exact else "deadline"
    return replace(found, histogram=replace(found.histogram, stopped_by=stopped_by))


def test_an_answer(answer: Answer, lead: str):
    shown = answer_tables(answer)
    assert cells(shown, "0 a < 1,200") == f"0 a < 1,200 0.5 {lead}500 gives way"
    assert cells(shown, "1 b ≥ 1,500") == f"1 b ≥ 1,500 0.5 {lead}1,200 kept"
    assert cells(shown, "drop a < 1,200") == f"drop a < 1,200 0.500 {lead}500"
    moved = "a < 1,200 → ≤ 1,201; b ≥ 1,500 → ≥ 1,201"
    assert cells(shown, moved) == f"{moved} 0.075 {lead}1"


def test_the_title_of_what_is_recommended(answer: Answer, exact: bool):
    of = "500" if exact else "at least 500"
    assert cells(answer_tables(answer), "Recommended").startswith(f"Recommended: 5 of {of} ")


def test_a_diagnosis(diagnosis: Diagnosis, exact: bool, lead: str):
    shown = diagnosis_tables(diagnosis)
    base = "2,000" if exact else "at least 2,000"
    assert cells(shown, "What was asked") == f"What was asked, over a base of {base} rows"
    assert cells(shown, "0 a < 1,200") == f"0 a < 1,200 {lead}1,200 {lead}500"
    assert cells(shown, "1 b ≥ 1,500") == f"1 b ≥ 1,500 {lead}500 {lead}1,200"


def test_many_of_them(answer: Answer, diagnosis: Diagnosis, lead: str):
    assert f" a < 1,200 {lead}500 " in cells(answers_table([(7, answer)]), "7 ")
    assert cells(diagnoses_table([(7, diagnosis)]), "7 ").endswith(f" {lead}2,000 1 2")
