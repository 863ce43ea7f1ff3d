"""A conversation on the page as a visitor holds it: in a real browser, with and without scripts."""

import pytest

from chromium import Browser
from hostile_markup import MARK, PAYLOADS

pytestmark = pytest.mark.slow


def after(browser: Browser, count: int) -> None:
    """Wait for so many things said by the visitor."""
    browser.until(lambda: browser.count(".said .mine") == count)


@pytest.mark.parametrize("script", [True, False])
def test_a_conversation_by_keyboard_and_buttons(browser: Browser, address: str, script: bool):
    browser.scripts(allowed=script)
    browser.open(f"{address}?catalog=cars")
    browser.click(".other a")
    browser.until(lambda: "/chat?" in browser.address)
    browser.type("#text", "I am looking for a Toyota sedan")
    browser.press("Enter")
    after(browser, 1)
    assert browser.texts(".chip .words") == ["make Toyota", "vehicle style Sedan"]
    browser.click(".quick button[value='No preference']")
    after(browser, 2)
    assert browser.texts(".quick button")[0] == "Compact (73)"
    browser.type("#text", "large, newer than 2016, under 15000")
    browser.press("Enter")
    after(browser, 3)
    if not browser.count(".item"):
        browser.click("button[name='propose']")
        browser.until(lambda: browser.count(".item") == 5)
    before = browser.texts(".notice del")
    browser.click("button[name='refuse']")
    browser.until(lambda: browser.count(".chip.must") == 1)
    assert browser.texts(".notice del") != before
    browser.click("button[name='undo']")
    browser.until(lambda: browser.count(".chip.must") == 0)
    chips = browser.count(".chip")
    browser.click(".chip button[name='forget']")
    browser.until(lambda: browser.count(".chip") == chips - 1)
    browser.type("#text", f"thank you {PAYLOADS[0]}")
    browser.press("Enter")
    browser.until(lambda: PAYLOADS[0] in browser.texts(".said")[0])
    browser.click("button[name='accept']")
    browser.until(lambda: "Anything else?" in browser.texts("label"))
    assert browser.count(".item") == 1
    assert browser.texts(".said li")[-1].splitlines()[-1].startswith("Taken: ")
    assert browser.script(f"return window.{MARK} === undefined")
    assert browser.log() == []


def test_the_last_words_are_in_view(browser: Browser, address: str):
    browser.open(f"{address}chat?catalog=cars")
    for count, words in enumerate(["a Toyota sedan", *["what is there?"] * 3], 1):
        browser.type("#text", words)
        browser.press("Enter")
        after(browser, count)
    inside = browser.script(
        "const box = document.querySelector('.said').getBoundingClientRect();"
        "const last = document.querySelector('.said li:last-child').getBoundingClientRect();"
        "return [last.bottom <= box.bottom + 1, last.bottom > box.top, innerHeight > box.bottom]"
    )
    assert inside == [True, True, True]
    assert browser.script("return document.activeElement.id") == "text"


def test_nothing_is_wider_than_a_phone(browser: Browser, address: str):
    browser.look(width=390, height=844)
    browser.open(f"{address}chat?catalog=cars")
    browser.type("#text", f"a Toyota sedan under 9000 {'x' * 300}")
    browser.press("Enter")
    after(browser, 1)
    assert browser.script("return document.documentElement.scrollWidth <= innerWidth")
