"""The page and the leaderboard: readable as they are, the same for the same figures."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from concede.bench.reproduce.beside.every import every_row
from concede.bench.reproduce.headline import as_printed, interval_words, shown
from concede.bench.reproduce.leaderboard import leaderboard
from concede.bench.reproduce.page import page
from concede.bench.reproduce.report import Report
from concede.bench.reproduce.row import Figure, Results
from concede.bench.reproduce.stages.registry import STAGES

VOID = {"meta", "br", "hr", "input", "link"}


class Elements(HTMLParser):
    """Collects elements, and fails on one that is closed in the wrong place."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.attributes.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def report() -> Report:
    rows = every_row(Results(STAGES, {}))
    known = Figure(24.4, 12.2, 39.0)
    rows = [replace(row, recomputed=known) if row.table == "Table 2" else row for row in rows]
    throughput = [{"section": "s", "case": "c", "method": "m", "median_ms": 0.123, "ratio": 2.0}]
    return Report(rows, False, 12.3, {"stages": {"one": 1.5}, "throughput": throughput})


@pytest.fixture(scope="module")
def html(report: Report) -> str:
    return page(report)


def test_nothing_runs_and_nothing_is_loaded(html: str):
    elements = Elements(html)
    assert not {"script", "img", "link", "iframe", "form"} & set(elements.names)
    style = re.search(r"<style>(.*?)</style>", html, re.S)
    assert style is not None
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    assert f"default-src &#x27;none&#x27;; style-src &#x27;sha256-{digest}&#x27;" in html
    assert not [one for _, one in elements.attributes if "style" in one or "onclick" in one]


def test_tables_have_captions_and_named_rows_and_plots_have_titles(html: str):
    elements = Elements(html)
    count = elements.names.count
    assert count("caption") == count("table") > 100
    scopes = {one.get("scope") for name, one in elements.attributes if name == "th"}
    assert scopes == {"col", "row"}
    drawings = [one for name, one in elements.attributes if name == "svg"]
    assert drawings
    assert all(one["role"] == "img" for one in drawings)
    assert count("title") == len(drawings) + 1
    assert count("h1") == 1


def test_every_link_goes_to_a_place_on_the_page(html: str):
    attributes = Elements(html).attributes
    ids = [one["id"] for _, one in attributes if "id" in one]
    assert len(set(ids)) == len(ids)
    assert {one["href"] for name, one in attributes if name == "a"} <= {f"#{each}" for each in ids}


def test_without_times_the_same_figures_give_the_same_text(report: Report, html: str):
    later = replace(report, seconds=99.0, times={"stages": {"one": 2.5}, "throughput": []})
    assert leaderboard(later) == leaderboard(report)
    assert page(later).partition('id="times"')[0] == html.partition('id="times"')[0]
    same = {"rows", "documents", "quick"}
    assert {name: later.record()[name] for name in same} == {
        name: report.record()[name] for name in same
    }


def test_the_leaderboard_says_why_where_nothing_stands_beside(report: Report):
    text = leaderboard(report)
    assert "## APEC-Travel" in text
    assert "neither the trained models nor their dialogues are published." in text
    assert "| Global (Qwen3-8B), Car match (%) | 24.4 | 24.4 (12.2 to 39) | – | no |" in text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.0, "0"), (0.4792, "0.479"), (24.3902, "24.4"), (100.0, "100"), (10, "10"),
     (-1.1389, "-1.139"), (1234.56, "1,234.6"), ("true", "true")],
)  # fmt: skip
def test_figures_as_people_read_them(value, text: str):
    assert shown(value) == text


def test_printed_figures_keep_their_digits_and_intervals_need_two_ends():
    assert (as_printed(0.9272), as_printed(15), as_printed(None)) == ("0.9272", "15", "–")
    assert (interval_words(1.0, None), interval_words(0.25, 0.5)) == ("", " (0.25 to 0.5)")
