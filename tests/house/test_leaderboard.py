"""The leaderboard is what the command makes of the committed results, which hold no data."""

import json
import re
import shutil
from pathlib import Path

import pytest

from concede.bench.report.markdown import write_markdown
from concede.bench.report.sources import read_sources

BENCHMARKS = Path(__file__).resolve().parents[2] / "docs" / "benchmarks"
RESULTS = BENCHMARKS / "results"
NAMES = sorted(path.name for path in RESULTS.glob("*.json"))


def test_the_page_is_made_from_the_results(tmp_path):
    page = tmp_path / "leaderboard.md"
    shutil.copyfile(BENCHMARKS / "leaderboard.md", page)
    sources = read_sources(RESULTS)
    assert sources.left_out == []
    write_markdown(page, sources)
    committed = (BENCHMARKS / "leaderboard.md").read_text(encoding="utf-8")
    assert page.read_text(encoding="utf-8") == committed


@pytest.mark.parametrize("name", NAMES)
def test_a_result_says_what_it_is_and_tells_no_instance(name):
    text = (RESULTS / name).read_text(encoding="utf-8")
    record = json.loads(text)
    assert record["name"] == Path(name).stem
    assert {"benchmark", "command", "date"} <= record.keys()
    assert record["command"].startswith("concede bench ")
    assert not re.search(r"S\d-\d\d|failures|persona|gold", text)
    cells = [cell for row in record["rows"] for cell in row.items()]
    texts = {column for column, value in cells if isinstance(value, str)}
    assert texts <= {"setting", "model", "method", "weighter", "policy"}


def test_there_are_results():
    assert {"published.json", "replay.json", "reread.json", "offline.json"} <= set(NAMES)
