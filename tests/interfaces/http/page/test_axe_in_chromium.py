"""axe finds nothing serious, and the tree that a screen reader walks says what can be done."""

import pytest

from axe import axe_script, findings, grave
from chromium import Browser

pytestmark = pytest.mark.slow

LAMPS = "?catalog=lamps"
CLASH = f"{LAMPS}&is.kind=floor&is.colour=brass&max.price=45"
STATES = {
    "start": LAMPS,
    "clash": CLASH,
    "correcting": f"{CLASH}&edit=max.price&undo=%3Fcatalog%3Dlamps",
    "wish": f"{LAMPS}&say=a+red+table+lamp+under+60+with+flimflam&prefer=low.watts",
    "dead end": f"{CLASH}&must=is.kind&must=max.price",
    "faults": "?catalog=shop&max.price_eur=2,5&min.released=soon&is.nope=3&conversation=gone",
    "hostile": "?catalog=hostile&min.price=99&prefer=low.price",
    "conversation": "chat?catalog=lamps",
    "not there": "?catalog=nowhere",
}
OPEN_ALL = "document.querySelectorAll('details').forEach(e => e.open = true)"


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_serious(browser: Browser, address: str, width: int):
    script = axe_script()
    browser.look(width=width, height=844)
    browser.open(address + CLASH)
    assert grave(findings(browser, script)) == []
    for state, place in STATES.items():
        browser.open(address + place)
        browser.script(OPEN_ALL)
        assert (state, grave(findings(browser, script))) == (state, [])


@pytest.mark.parametrize("state", ["clash", "wish"])
def test_axe_finds_nothing_serious_in_the_dark(browser: Browser, address: str, state: str):
    script = axe_script()
    browser.look(width=1280, height=800, dark=True)
    browser.open(address + STATES[state])
    browser.script(OPEN_ALL)
    assert grave(findings(browser, script)) == []


def test_axe_finds_nothing_serious_in_a_conversation(browser: Browser, address: str):
    script = axe_script()
    for width in (390, 1280):
        browser.look(width=width, height=844)
        browser.open(address + LAMPS)
        browser.script("document.getElementById('talking').open = true")
        browser.type("#talk-text", "a red table lamp")
        browser.press("Enter")
        browser.wait("document.querySelectorAll('#chat .mine').length === 1")
        assert grave(findings(browser, script)) == []
        browser.click("#talk-steps a[href^=chat]")
        browser.until(lambda: "/chat?" in browser.address)
        assert grave(findings(browser, script)) == []


def tree(browser: Browser) -> list[tuple[str, str]]:
    """Return roles and names in the order in which a screen reader meets them."""
    nodes = browser.devtools("Accessibility.getFullAXTree")["nodes"]
    told = [
        (node["role"]["value"], " ".join(node.get("name", {}).get("value", "").split()))
        for node in nodes
        if not node["ignored"]
    ]
    return [each for each in told if each[0] not in ("StaticText", "InlineTextBox", "generic")]


@pytest.mark.parametrize("width", [390, 1280])
def test_the_accessibility_tree_says_what_can_be_done(browser: Browser, address: str, width: int):
    browser.look(width=width, height=844)
    browser.open(address + CLASH)
    browser.script(OPEN_ALL)
    found = tree(browser)
    roles = {role for role, _ in found}
    assert {"banner", "search", "main", "status", "log"} <= roles
    for expected in (
        ("search", "Filters"),
        ("textbox", "What are you looking for?"),
        ("button", "Understand"),
        ("button", "Find words"),
        ("searchbox", "Find words"),
        ("region", "Conversation"),
        ("textbox", "In your own words"),
        ("region", "What matters"),
        ("slider", "price ≤ €45"),
        ("checkbox", "must price ≤ €45"),
        ("region", "Chosen filters"),
        ("link", "kind: floor (gave way) – correct it"),
        ("link", "Put back kind: floor"),
        ("link", "Remove price ≤ €45"),
        ("region", "Nothing matches all 3 filters"),
        ("link", "Stretch price to €52 1 item"),
        ("heading", "Or instead"),
        ("link", "Gaia reading lamp"),
        ("image", "Gaia reading lamp"),
    ):
        assert expected in found, [each for each in found if each[0] == expected[0]]
    unnamed = [role for role, name in found if role in ("link", "button", "textbox") and not name]
    assert unnamed == []


def test_the_tree_of_a_correction(browser: Browser, address: str):
    browser.open(f"{address}{CLASH}&edit=max.price")
    found = tree(browser)
    assert ("form", "Correct “price ≤ €45”") in found
    for name in ("What", "How"):
        assert ("combobox", name) in found
    assert ("button", "Change") in found
    assert [name for role, name in found if role == "link" and name in ("Remove", "Leave it")]
