"""The page on performance says what the code does, and can be filled."""

import re
from importlib import import_module
from pathlib import Path

from concede.bench.throughput.markdown import check_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "performance.md"


def test_the_thresholds_on_the_page_are_those_of_the_code():
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\d,]+) \w+ \|.*`([\w.]+)\.([A-Z_]+)` \|$", text, re.MULTILINE)
    assert len(rows) == 10
    on_the_page = {
        f"{module}.{name}": int(number.replace(",", "")) for number, module, name in rows
    }
    in_the_code = {
        f"{module}.{name}": getattr(import_module(f"concede.{module}"), name)
        for _, module, name in rows
    }
    assert on_the_page == in_the_code


def test_the_page_can_be_filled_by_a_run():
    before, after = check_page(PAGE)
    assert "## The figures" in before
    assert after.strip() == ""
