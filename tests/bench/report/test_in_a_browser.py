"""The page in Chromium: its script sorts and filters, by keyboard too, and nothing else runs."""

import http.server
import threading
from functools import partial

import pytest

from chromium import chromium, pictures_folder
from concede.bench.report.page import report_page
from concede.bench.report.sources import read_sources
from reported_runs import ATTACKS, hostile_run, write_run

pytestmark = pytest.mark.slow


class Silent(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, format, *args):
        """Say nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the page of two runs, one of them hostile."""
    place = tmp_path_factory.mktemp("report")
    write_run(place / "ours.jsonl", {"session": [True] * 4, "other": [True, False] * 2})
    hostile_run(place / "hostile.jsonl")
    page = report_page(read_sources(place))
    (place / "page.html").write_text(page, encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def browser():
    with chromium() as one:
        yield one


@pytest.fixture
def page(browser, folder):
    """The browser with the page open."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        browser.look()
        browser.scripts(allowed=True)
        browser.open(f"http://127.0.0.1:{server.server_port}/page.html")
        yield browser
    finally:
        server.shutdown()
        server.server_close()


WIDE = """
    return [...document.querySelectorAll("body *")]
      .filter(one => !one.closest(".wide, nav") && one.getBoundingClientRect().right > arguments[0])
      .map(one => one.outerHTML.slice(0, 80))
"""
SHOWN = "[...document.querySelectorAll('details.episode')].filter(one => !one.hidden).length"
METHODS = "[...document.querySelectorAll('#overview tbody tr')].map(one => one.dataset.method)"


def complaints(page):
    """Return what the browser complained about, but for the icon that is not there."""
    return [entry for entry in page.log() if "favicon" not in entry]


def test_no_attack_runs_and_nothing_is_refused(page):
    page.script("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert page.script("return document.title") == "AWARE-US report"
    assert page.count("script") == 1
    assert complaints(page) == []


def test_a_click_or_a_key_sorts_by_a_column(page):
    before = page.script(f"return {METHODS}")
    assert before[0] == "session"
    page.click("#overview thead th:first-child button")
    assert page.script("return document.querySelector('#overview [aria-sort]').ariaSort") == (
        "descending"
    )
    page.script("document.querySelector('#overview thead th:last-child button').focus()")
    page.press("Enter")
    page.press("Space")
    after = page.script(f"return {METHODS}")
    assert sorted(after) == sorted(before)
    assert after[-1] == "session"
    assert after != before


def test_filters_choose_conversations_and_say_how_many(page):
    every = page.script(f"return {SHOWN}")
    assert every == 8 + len(ATTACKS)
    choose = """
        const one = document.querySelector(`select[name=${arguments[0]}]`);
        one.value = arguments[1];
        one.dispatchEvent(new Event("change", {bubbles: true}));
    """
    page.script(choose, "method", "other")
    assert page.script(f"return {SHOWN}") == 4
    page.script(choose, "verdict", "wrong")
    assert page.script(f"return {SHOWN}") == 2
    assert page.texts("#left") == [f"2 of {every} shown"]
    instances = "[...document.querySelectorAll('details.instance')].filter(one => !one.hidden)"
    assert page.script(f"return {instances}.length") == 2
    page.script(choose, "verdict", "")
    page.script(choose, "method", ATTACKS[0])
    assert page.script(f"return {SHOWN}") == 1


def test_without_scripts_everything_is_there(page):
    page.scripts(allowed=False)
    page.open(page.address)
    assert page.count("#overview thead button") == 0
    assert page.count("details.episode") == 8 + len(ATTACKS)
    assert not page.script("return document.getElementById('filters').checkVisibility()")
    page.scripts(allowed=True)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1360])
def test_nothing_is_wider_than_the_screen(width, dark, page, tmp_path):
    page.look(width=width, dark=dark)
    page.script("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert page.script(WIDE, width) == []
    assert page.script("return document.documentElement.scrollWidth") <= width
    name = f"report-{width}-{'dark' if dark else 'light'}.png"
    assert page.picture(pictures_folder(tmp_path) / name, whole=False).stat().st_size > 10_000
