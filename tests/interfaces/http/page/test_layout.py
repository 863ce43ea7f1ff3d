"""What a designer and a screen reader would check, measured in a real browser.

Set `CONCEDE_SCREENSHOTS` to a folder to keep the pictures.
"""

from itertools import pairwise
from pathlib import Path

import pytest

from chromium import Browser

CARS = (
    "?catalog=cars&is.Make=Toyota&is.Vehicle+Style=Sedan&min.Year=2017&max.MSRP=30000"
    "&min.highway+MPG=38&is.Vehicle+Size=Large"
)
STATES = {
    "start": "?catalog=cars",
    "relaxed": CARS + "&prefer=low.MSRP&weight.min.Year=20",
    "chosen": CARS + "&give=is.Make&give=max.MSRP&must=is.Vehicle+Size",
    "dead_end": "?catalog=cars&is.Make=Toyota&max.MSRP=1500&must=is.Make&must=max.MSRP",
    "faults": "?catalog=cars&max.MSRP=2,5&min.Year=201x&is.Nope=3&is.Make=Toyota",
    "every_kind": "?catalog=shop&has.name=birch&is.maker=Oak&is.fanless=true"
    "&min.checked=2024-05-02",
    "hostile": "?catalog=hostile&min.price=99&prefer=low.price",
    "not_there": "?catalog=nowhere",
}

CONTRAST = """
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
function rgba(colour) {
  canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].map((v, i) => i < 3 ? v : v / 255);
}
function over(top, below) {
  return [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
}
function behind(element) {
  const layers = [];
  for (let e = element; e; e = e.parentElement) {
    layers.push(rgba(getComputedStyle(e).backgroundColor));
  }
  return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
}
function luminance(c) {
  const [r, g, b] = c.slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const poor = [];
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
let seen = 0;
while (texts.nextNode()) {
  const e = texts.currentNode.parentElement;
  if (!texts.currentNode.data.trim() || e.closest('.unseen, option, datalist')) continue;
  if (!e.checkVisibility()) continue;
  seen += 1;
  const style = getComputedStyle(e), size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
  const ground = behind(e), ink = over(rgba(style.color), ground);
  const [dark, light] = [luminance(ground), luminance(ink)].sort((a, b) => a - b);
  const ratio = (light + 0.05) / (dark + 0.05);
  if (ratio < (large ? 3 : 4.5)) poor.push([ratio.toFixed(2), texts.currentNode.data.slice(0, 40)]);
}
return {seen, poor};
"""

ROLES = frozenset("button checkbox combobox link slider textbox Date DisclosureTriangle".split())
OPEN_ALL = "document.querySelectorAll('details').forEach(e => e.open = true)"


def see(browser: Browser, address: str, state: str, *, all_open: bool = True) -> None:
    browser.open(address + STATES[state])
    if all_open:
        browser.script(OPEN_ALL)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_every_text_stands_out_from_its_ground(
    browser: Browser, address: str, state: str, dark: bool
):
    browser.look(dark=dark)
    see(browser, address, state)
    contrasts = browser.script(CONTRAST)
    assert contrasts["seen"] >= 3
    assert contrasts["poor"] == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 599, 1000, 1360])
def test_nothing_runs_off_the_screen(browser: Browser, address: str, width: int):
    browser.look(width=width)
    for state in STATES:
        see(browser, address, state)
        wide = browser.script(
            "return [...document.body.querySelectorAll('*:not(.unseen, .unseen *, option)')]"
            ".filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1)"
            ".map(e => e.outerHTML.slice(0, 80))"
        )
        assert (state, wide) == (state, [])
        assert browser.script("return document.documentElement.scrollWidth <= innerWidth")


def test_a_phone_has_one_column_and_room_for_fingers(browser: Browser, address: str):
    browser.look(width=390, height=844)
    see(browser, address, "relaxed")
    lefts = browser.script(
        "return ['.say', '#why', '#outcome'].map(s =>"
        "document.querySelector(s).getBoundingClientRect()).map(b => [b.left, b.right])"
    )
    assert len({tuple(left) for left in lefts}) == 1
    small = browser.script(
        "return [...document.querySelectorAll('a, button, summary, select, label.box, input')]"
        ".filter(e => e.checkVisibility() && !e.closest('label.box input'))"
        ".map(e => [e.getBoundingClientRect(), e])"
        ".filter(([b, e]) => !e.matches('.skip, label input, label > input') &&"
        "(b.height < 24 || b.width < 24)).map(([b, e]) => [b.height, e.outerHTML.slice(0, 80)])"
    )
    assert small == []


@pytest.mark.parametrize("state", STATES)
def test_everything_has_a_name_and_one_identity_and_headings_go_down(
    browser: Browser, address: str, state: str
):
    see(browser, address, state)
    nodes = browser.devtools("Accessibility.getFullAXTree")["nodes"]
    named = [
        (node["role"]["value"], node.get("name", {}).get("value", "").strip())
        for node in nodes
        if not node.get("ignored") and node["role"]["value"] in ROLES
    ]
    assert named
    assert [element for element in named if not element[1]] == []
    twice = browser.script(
        "const ids = [...document.querySelectorAll('[id]')].map(e => e.id);"
        "return ids.filter((id, i) => ids.indexOf(id) !== i)"
    )
    assert twice == []
    levels = browser.script(
        "return [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(e => +e.tagName[1])"
    )
    assert levels.count(1) == 1 == levels[0]
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_links_that_say_the_same_lead_to_the_same(browser: Browser, address: str):
    see(browser, address, "relaxed")
    links = browser.script(
        "return [...document.querySelectorAll('#app a')].map(a => [a.innerText, a.href])"
    )
    by_words: dict[str, set[str]] = {}
    for words, target in links:
        by_words.setdefault(" ".join(words.split()), set()).add(target)
    assert {words: contrasts for words, contrasts in by_words.items() if len(contrasts) > 1} == {}


def test_motion_and_colours_are_the_visitors(browser: Browser, address: str):
    see(browser, address, "relaxed")
    light = browser.script("return getComputedStyle(document.body).backgroundColor")
    browser.look(dark=True)
    assert browser.script("return getComputedStyle(document.body).backgroundColor") != light
    browser.devtools(
        "Emulation.setEmulatedMedia",
        features=[{"name": "prefers-reduced-motion", "value": "reduce"}],
    )
    assert browser.script(
        "return getComputedStyle(document.querySelector('#outcome')).transitionProperty"
    ) == "none"  # fmt: skip


SCREENS = {
    "desk": {"width": 1360, "height": 900},
    "desk_dark": {"width": 1360, "height": 900, "dark": True},
    "tablet": {"width": 800, "height": 1100},
    "phone": {"width": 390, "height": 844},
}


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
def test_pictures_are_kept(browser: Browser, address: str, pictures: Path, screen: str):
    browser.look(**SCREENS[screen])
    for state in ("start", "relaxed", "dead_end", "faults"):
        see(browser, address, state, all_open=False)
        kept = browser.picture(pictures / f"{state}_{screen}.png", whole=screen == "phone")
        assert kept.read_bytes().startswith(b"\x89PNG")
        assert kept.stat().st_size > 10_000


def test_a_picture_without_a_script_is_kept(browser: Browser, address: str, pictures: Path):
    browser.scripts(allowed=False)
    see(browser, address, "relaxed", all_open=False)
    assert browser.count("button.update") == 1
    assert browser.picture(pictures / "relaxed_no_script.png", whole=False).stat().st_size > 10_000
