"""Decision records say which tests hold them, and those tests exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECORDS = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
TESTS = {path.name for path in (ROOT / "tests").rglob("test_*.py")}


def test_the_index_lists_every_record():
    index = (ROOT / "docs" / "decisions" / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[(\d{4}): (.*)\]\((.*)\)$", index, re.MULTILINE)
    titles = [path.read_text(encoding="utf-8").partition("\n")[0] for path in RECORDS]
    expected = [
        (path.name[:4], title[2:], path.name) for path, title in zip(RECORDS, titles, strict=True)
    ]
    assert listed == expected


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_the_tests_that_hold_a_record_exist(record: Path):
    text = record.read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/.]+)(?:::\w+)?`|`(test_\w+\.py)`", text)
    missing = [
        path or name
        for path, name in named
        if not ((ROOT / path).exists() if path else name in TESTS)
    ]
    assert missing == []
    assert named or "Superseded" in text
