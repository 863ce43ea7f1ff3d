"""The pictures of the guide to the page, taken of the page itself.

    CONCEDE_SCREENSHOTS=docs/pictures pytest tests/interfaces/http/page/test_guide.py

takes them anew for the guide; otherwise they go to pytest's folder.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from chromium import Browser
from lamp_shop import lamp_shop, picture_server
from page_server import page_server

pytestmark = pytest.mark.slow

GUIDE = Path(__file__).resolve().parents[4] / "docs" / "page.md"
MOST_BYTES = 80_000
CLASH = "?catalog=lamps&is.kind=floor&is.colour=brass&max.price=45"
SIZES = {390: 844, 1280: 800}
STATES = {
    "wish": "?catalog=lamps&say=a+red+table+lamp+under+60+with+flimflam",
    "clash": CLASH,
    "correct": f"{CLASH}&edit=max.price",
}
NEAR_PICTURES = (
    "[...document.querySelectorAll('.picture')].every("
    "i => i.complete || i.getBoundingClientRect().top > innerHeight)"
)


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    """The page over lamps whose pictures another server has."""
    with picture_server() as pictures, page_server({"lamps": lamp_shop(pictures)}) as address:
        yield address


def take(browser: Browser, folder: Path, name: str, width: int) -> None:
    browser.wait(NEAR_PICTURES)
    taken = browser.picture(folder / f"page-{name}-{width}.webp", whole=False)
    assert 4_000 < taken.stat().st_size < MOST_BYTES


@pytest.mark.parametrize("width", SIZES)
def test_pictures_of_a_search(browser: Browser, shop: str, pictures: Path, width: int):
    for name, state in STATES.items():
        browser.look(width=width, height=SIZES[width])
        browser.open(shop + state)
        take(browser, pictures, name, width)


@pytest.mark.parametrize("width", SIZES)
def test_pictures_of_a_conversation(browser: Browser, shop: str, pictures: Path, width: int):
    browser.look(width=width, height=SIZES[width])
    browser.open(f"{shop}?catalog=lamps&is.kind=table")
    if not browser.script("return document.getElementById('talking').open"):
        browser.click("#talking > summary")
    browser.type("#talk-text", "something red, under 60 euros")
    browser.press("Enter")
    browser.wait("document.querySelectorAll('#chat .mine').length === 1")
    take(browser, pictures, "talk", width)


def test_the_guide_shows_these_pictures_and_they_are_small():
    shown = re.findall(r"\]\(pictures/([\w.-]+)\)", GUIDE.read_text(encoding="utf-8"))
    names = [*STATES, "talk"]
    assert sorted(shown) == sorted(f"page-{name}-{width}.webp" for name in names for width in SIZES)
    for name in shown:
        assert (GUIDE.parent / "pictures" / name).stat().st_size < MOST_BYTES
