"""Each thing a shopper does, on a phone and on a desk, in a real browser."""

import pytest

from chromium import Browser

pytestmark = pytest.mark.slow

LAMPS = "?catalog=lamps"
CLASH = f"{LAMPS}&is.kind=floor&is.colour=brass&max.price=45"
HEIGHTS = {390: 844, 1280: 800}


@pytest.fixture(params=HEIGHTS)
def shopper(request: pytest.FixtureRequest, browser: Browser) -> Browser:
    """The browser as wide as a phone, and as a desk."""
    browser.look(width=request.param, height=HEIGHTS[request.param])
    return browser


def words(browser: Browser) -> list[str]:
    """What the chips say."""
    return browser.texts(".chip .words")


def open_panel(browser: Browser, panel: str) -> None:
    """Open a panel as a visitor does where it is closed."""
    if not browser.script("return document.getElementById(arguments[0]).open", panel):
        browser.click(f"#{panel} > summary")


def first_item(browser: Browser) -> str:
    return browser.texts(".item h3")[0]


def test_find_words_in_any_order(shopper: Browser, address: str):
    shopper.open(address + LAMPS)
    shopper.type("[name='say']", "lamp READING boreas")
    shopper.click("button[name='as']")
    shopper.wait("location.search.includes('find.words')")
    assert words(shopper) == ["finds “lamp” “READING” “boreas”"]
    assert set(shopper.texts(".item h3")) == {"Boreas reading lamp"}
    open_panel(shopper, "filters")
    shopper.script("document.querySelector('[name=\"find.words\"]').value = ''")
    shopper.type("[name='find.words']", "wall faro")
    shopper.wait("document.querySelector('.chip .words')?.innerText.includes('faro')")
    assert all(name.startswith("Faro") for name in shopper.texts(".item h3"))


def test_type_a_wish(shopper: Browser, address: str):
    shopper.open(address + LAMPS)
    shopper.type("[name='say']", "a red table lamp under 60 with flimflam")
    shopper.press("Enter")
    shopper.wait("document.querySelectorAll('.chip').length === 3")
    assert sorted(words(shopper)) == ["colour: red", "kind: table", "price <\u00a0€60"]
    assert "flimflam" in shopper.texts(".heard")[0]
    shopper.click("#undo-said")
    shopper.wait("document.querySelectorAll('.chip').length === 0")
    shopper.back()
    shopper.wait("document.querySelectorAll('.chip').length === 3")


def test_paste_a_wish_of_several_lines(shopper: Browser, address: str):
    shopper.open(address + LAMPS)
    shopper.script(
        "const f = document.querySelector('[name=say]'); f.focus();"
        "document.execCommand('insertText', false, 'a red lamp\\nfor the table')"
    )
    shopper.click(".say .primary")
    shopper.wait("document.querySelectorAll('.chip').length === 2")


def test_correct_a_chip(shopper: Browser, address: str):
    shopper.open(f"{address}{LAMPS}&say=under+60+watts")
    shopper.wait("document.querySelectorAll('.chip').length === 1")
    shopper.click(".chip .edit")
    shopper.wait("document.activeElement.name === 'fix.column'")
    choose(shopper, "fix.column", "height_cm")
    shopper.wait("document.activeElement.name === 'fix.column'")
    shopper.wait("!document.querySelector('[aria-busy]')")
    choose(shopper, "fix.kind", "max")
    shopper.type("[name='fix.value']", "\ue003\ue00355")
    shopper.click("#fix .primary")
    shopper.wait("!document.querySelector('#fix')")
    shopper.wait("document.querySelector('#undo')")
    assert words(shopper) == ["height ≤\u00a055 cm"]
    assert shopper.script("return document.activeElement.id") == "undo"
    shopper.press("Enter")
    shopper.wait("!document.querySelector('#undo')")
    assert words(shopper) == ["power <\u00a060 W"]


def choose(browser: Browser, name: str, value: str) -> None:
    """Choose in a menu, as its own list does."""
    browser.script(
        "const m = document.getElementsByName(arguments[0])[0]; m.focus(); m.value = arguments[1];"
        "m.dispatchEvent(new Event('change', {bubbles: true}))",
        name,
        value,
    )


def test_remove_a_chip_and_take_that_back(shopper: Browser, address: str):
    shopper.open(address + CLASH)
    shopper.click(".chip:nth-child(2) .remove")
    shopper.wait("document.querySelectorAll('.chip').length === 2")
    shopper.click("#undo")
    shopper.wait("document.querySelectorAll('.chip').length === 3")
    assert words(shopper) == ["kind: floor", "colour: brass", "price ≤\u00a0€45"]


def test_see_what_clashes(shopper: Browser, address: str):
    shopper.open(address + CLASH)
    assert shopper.texts("#notice") == ["Nothing matches all 3 filters"]
    open_panel(shopper, "explained")
    told = shopper.texts(".notice p")
    assert "No item meets both kind: floor and price ≤\u00a0€45." in told


def test_put_back(shopper: Browser, address: str):
    shopper.open(address + CLASH)
    before = shopper.texts(".gave-way del")
    shopper.click(".gave-way .button")
    shopper.wait("location.search.includes('must=')")
    shopper.wait("document.querySelectorAll('.chip.must').length === 1")
    assert shopper.texts(".chip.must .words") == before
    assert shopper.texts(".gave-way del") != before
    assert shopper.count(".item")


def test_make_a_must(shopper: Browser, address: str):
    shopper.open(address + CLASH)
    open_panel(shopper, "weights")
    shopper.click("[name='must'][value='max.price']")
    shopper.wait("document.querySelectorAll('.chip.must').length === 1")
    assert shopper.texts(".chip.must .words") == ["price ≤\u00a0€45"]
    shopper.click(".chip.must .must-mark")
    shopper.wait("!document.querySelector('.chip.must')")


def test_move_a_slider(shopper: Browser, address: str):
    shopper.open(f"{address}{CLASH}&weight.is.kind=60")
    before = shopper.texts(".gave-way del")
    open_panel(shopper, "weights")
    shopper.script("document.getElementsByName('weight.max.price')[0].focus()")
    shopper.press(*["Right"] * 9)
    shopper.wait("location.search.includes('weight.max.price=95')")
    shopper.wait("!document.querySelector('[aria-busy]')")
    assert shopper.texts(".gave-way del") != before


def test_take_a_stretch(shopper: Browser, address: str):
    shopper.open(address + CLASH)
    open_panel(shopper, "explained")
    way = shopper.texts(".ways > ul a")[0]
    assert way.split("\n") == ["Stretch price to €52", "1 item"]
    shopper.click(".ways > ul a")
    shopper.wait("!document.querySelector('.notice')")
    assert "price ≤\u00a0€52" in words(shopper)
    assert shopper.texts("#items") == ["1 item matches"]


def test_ask_in_the_chat(shopper: Browser, address: str):
    shopper.open(f"{address}{LAMPS}&is.kind=table")
    shopper.script("window.same_page = true")
    open_panel(shopper, "talking")
    shopper.type("#talk-text", "something red, under 60")
    shopper.press("Enter")
    shopper.wait("document.querySelectorAll('#chat .mine').length === 1")
    assert sorted(words(shopper)) == ["colour: red", "kind: table", "price <\u00a0€60"]
    assert shopper.script("return document.activeElement.id") == "talk-text"
    assert shopper.script("return document.getElementById('status').textContent")
    assert shopper.script("return window.same_page")
    shopper.click(".chip .remove")
    shopper.wait("document.querySelectorAll('.chip').length === 2")
    open_panel(shopper, "talking")
    shopper.type("#talk-text", "and it must be dimmable")
    shopper.press("Enter")
    shopper.wait("document.querySelectorAll('#chat .mine').length === 2")
    assert "kind: table" not in words(shopper)
    assert any(word.startswith("dimmable") for word in words(shopper))
    shopper.click("#talk-steps a[href^=chat]")
    shopper.until(lambda: "/chat?" in shopper.address)
    assert shopper.count(".said .mine") == 2
    assert len(shopper.texts(".chip .words")) == 3


def test_open_an_item(shopper: Browser, address: str):
    shopper.open(f"{address}{LAMPS}&is.kind=table")
    shopper.click(".item .why > summary")
    assert shopper.script("return document.querySelector('.item .why').open")
    assert "Together" in shopper.texts(".item .why")[0]
    link = shopper.script("return document.querySelector('.item h3 a').href")
    assert link.startswith("https://lamps.example/")


@pytest.mark.parametrize("state", [LAMPS, CLASH, f"{LAMPS}&say=a+red+table+lamp+under+60"])
def test_the_first_item_is_in_view_without_scrolling(shopper: Browser, address: str, state: str):
    shopper.open(address + state)
    top, bottom = shopper.script(
        "const i = document.querySelector('.item').getBoundingClientRect(),"
        "h = document.querySelector('.item h3').getBoundingClientRect();"
        "return [i.top, h.bottom]"
    )
    height = shopper.script("return innerHeight")
    assert 0 < top < height - 100, (top, height)
    assert bottom < height


def test_pictures_come_late_and_say_what_they_show(shopper: Browser, address: str):
    shopper.open(address + LAMPS)
    shopper.wait("document.querySelector('.picture').naturalWidth > 0")
    pictures = shopper.script(
        "return [...document.querySelectorAll('.item')].map(i => [i.querySelector('img'), "
        "i.querySelector('h3').innerText]).filter(([i]) => i)"
        ".map(([i, t]) => [i.alt === t, i.loading, i.referrerPolicy])"
    )
    assert pictures
    assert all(each == [True, "lazy", "no-referrer"] for each in pictures)
    assert shopper.log() == []


def test_without_a_script_wishes_corrections_and_the_chat_do_it(shopper: Browser, address: str):
    shopper.scripts(allowed=False)
    shopper.open(address + LAMPS)
    shopper.type("[name='say']", "a red lamp under 60")
    shopper.click(".say .primary")
    shopper.until(lambda: shopper.count(".chip") == 2)
    shopper.click(".chip:nth-child(2) .edit")
    shopper.until(lambda: shopper.count("#fix") == 1)
    assert shopper.script("return document.activeElement.name") == "fix.column"
    shopper.press("Tab", "Tab")
    shopper.type("[name='fix.value']", "\ue003\ue00339")
    shopper.press("Enter")
    shopper.until(lambda: "price <\u00a0€39" in words(shopper))
    shopper.click("#undo")
    shopper.until(lambda: "price <\u00a0€60" in words(shopper))
    shopper.type("[name='say']", "lamp reading")
    shopper.click("button[name='as']")
    shopper.until(lambda: shopper.count(".chip") == 3)
    assert "finds “lamp” “reading”" in words(shopper)
    shopper.script("document.getElementById('talking').open = true")
    shopper.type("#talk-text", "and dimmable")
    shopper.press("Enter")
    shopper.until(lambda: shopper.count("#chat .mine") == 1)
    assert "dimmable: yes" in words(shopper)
    assert shopper.count("html.live") == 0


def test_all_of_it_by_keyboard_alone(shopper: Browser, address: str):
    shopper.open(address + CLASH)
    for selector in (
        "[name='say']",
        "button[name='as']",
        "#filters summary, [name='find.words']",
        "#talking summary, #talk-text",
        "#weights summary, [name^='weight.']",
        ".chip .edit",
        ".gave-way .button",
        "#explained summary, .ways a",
        ".item h3 a",
        ".item summary",
    ):
        tab_to(shopper, selector)
    shopper.open(address + CLASH)
    tab_to(shopper, ".chip:nth-child(3) .edit")
    shopper.press("Enter")
    shopper.wait("document.activeElement.name === 'fix.column'")
    shopper.press("Tab", "Tab")
    shopper.press(*"99", "Enter")
    shopper.wait("document.activeElement.id === 'undo'")
    assert any(word.startswith("price") and "99" in word for word in words(shopper))


def tab_to(browser: Browser, selector: str, most: int = 90) -> None:
    """Press Tab until the focus is on an element."""
    for _ in range(most):
        if browser.script("return document.activeElement.matches(arguments[0])", selector):
            return
        browser.press("Tab")
    raise AssertionError(f"Tab never comes to {selector}")
