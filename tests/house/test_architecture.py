"""The files and names that the architecture page sends a reader to are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
# To change, open, look for: the file in backticks, a name in it in backticks or nothing.
ROWS = re.findall(r"^\| (.+?) \| `([^`]+)` \| (?:`([^`]+)`)? ?\|$", PAGE, re.MULTILINE)


def test_the_table_has_one_file_for_each_change():
    table = PAGE.partition("## To change")[2]
    lines = [line for line in table.splitlines() if line.startswith("|")]
    headings = [line for line in lines if line.startswith(("| **", "|---", "| to change"))]
    assert len(ROWS) == len(lines) - len(headings) > 30


@pytest.mark.parametrize(("change", "path", "name"), ROWS, ids=[row[0] for row in ROWS])
def test_what_is_to_be_changed_is_where_the_table_says(change: str, path: str, name: str):
    assert (ROOT / path).exists()
    if name:
        assert name in (ROOT / path).read_text(encoding="utf-8")


def test_every_file_named_on_the_page_exists():
    named = set(re.findall(r"\b(?:\w+/)+\w+\.(?:py|txt|css)\b", PAGE))
    assert len(named) > 30
    assert sorted(path for path in named if not (ROOT / path).is_file()) == []
