"""The page for conversations, without a browser: what is said and done, its bounds, its safety."""

import json
import re
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from concede import Catalog
from harmless_markup import check_harmless
from hostile_markup import PAYLOADS
from parsed_html import Markup
from shop_window import shop_window

OPENING = "I am looking for a Toyota sedan"
CLASH = "newer than 2016, under 15000, and large"


@pytest.fixture
def served(service, cars):
    return service({"cars": cars, "shop": shop_window()})


def parsed(response, status: int = 200) -> Markup:
    assert response.status_code == status, response.text[:500]
    page = Markup(response.text)
    check_harmless(page)
    return page


def said(page: Markup) -> list[str]:
    """Return what was said by both, in order."""
    box = [element for element in page.all("li") if element.attributes.get("class") in WHO]
    return [WHO[element.attributes["class"]] + element.text.partition(": ")[2] for element in box]


WHO = {"mine": "> ", "theirs": ""}


def buttons(page: Markup, name: str) -> dict[str, str]:
    """Return the values of the buttons of a name, and their words."""
    return {button.attributes["value"]: button.text for button in page.all("button", name=name)}


def chips(page: Markup) -> list[str]:
    return [span.text for span in page.all("span", class_="words")]


def step(served, page: Markup, **given: str):
    """Send the form of a page with a button, or with words."""
    kept = {"conversation": identity_of(page), "catalog": "cars"}
    return served.post("/chat", data=kept | given)


def identity_of(page: Markup) -> str:
    return page.all("input", type="hidden", name="conversation")[0].attributes["value"]


def begun(served, text: str = OPENING) -> Markup:
    return parsed(served.post("/chat", data={"text": text, "catalog": "cars"}))


def test_a_conversation_from_the_first_word_to_the_item_taken(served):
    page = begun(served)
    assert said(page)[:2] == ["What are you looking for?", f"> {OPENING}"]
    assert said(page)[-1].endswith("What would you pay at most?")
    assert chips(page) == ["make Toyota", "vehicle style Sedan"]
    page = parsed(step(served, page, text="No preference"))
    assert "> No preference" in said(page)
    choices = buttons(page, "text")
    assert choices == {
        "Compact": "Compact (73)",
        "Midsize": "Midsize (69)",
        "Large": "Large (51)",
        "No preference": "No preference",
    }
    page = parsed(step(served, page, text="Large"))
    assert chips(page)[-1] == "vehicle size Large"
    page = parsed(step(served, page, text="newer than 2016, under 15000"))
    page = parsed(step(served, page, propose="Show me what there is"))
    assert page.one("h2", id="notice").text == "Nothing fits all of it"
    gone = page.all("del")[0].text
    page = parsed(step(served, page, refuse=next(iter(buttons(page, "refuse")))))
    assert page.all("del")[0].text != gone
    assert "stays, whatever else gives way" in said(page)[-1]
    page = parsed(step(served, page, undo="1"))
    assert page.all("del")[0].text == gone
    assert said(page)[-1].startswith("Understood so far")
    page = parsed(step(served, page, forget="0"))
    assert "make Toyota" not in chips(page)
    assert said(page)[-1].startswith("Make is open again, no longer Toyota.")
    page = parsed(step(served, page, accept=list(buttons(page, "accept"))[1]))
    assert said(page)[-1].startswith("Taken: ")
    assert len(page.all("article")) == 1
    assert page.one("label", for_="text").text == "Anything else?"
    assert not buttons(page, "forget")
    page = parsed(step(served, page, text="and one under 20000"))
    assert "MSRP under 20,000" in chips(page)
    assert {"Taken", "Offered"} <= {heading.text for heading in page.all("h2")}


def test_the_search_for_it_has_the_same_wishes(served):
    page = begun(served, f"{OPENING} under 15000, the cheapest")
    address = next(
        link.attributes["href"] for link in page.all("a") if link.text.startswith("Search for it")
    )
    query = parse_qs(urlsplit(address).query)
    # It was offered at once, so what was said is weighed.
    assert 0 < int(query.pop("weight.under.MSRP")[0]) <= 100
    assert query == {
        "catalog": ["cars"],
        "is.Make": ["Toyota"],
        "is.Vehicle Style": ["Sedan"],
        "under.MSRP": ["15000"],
        "prefer": ["low.MSRP"],
        "must": ["is.Make", "is.Vehicle Style"],
    }
    parsed(served.get(f"/{address.removeprefix('./')}"))


def test_both_pages_lead_to_each_other(served):
    search = Markup(served.get("/?catalog=shop").text)
    there = next(link.attributes["href"] for link in search.all("a") if link.text == "Talk it over")
    page = parsed(served.get(f"/{there}"))
    assert said(page) == ["What are you looking for?"]
    back = next(link.attributes["href"] for link in page.all("a") if "filters" in link.text)
    assert back == "./?catalog=shop"


def test_looking_opens_no_conversation(served):
    parsed(served.get("/chat"))
    parsed(served.get("/chat?catalog=shop"))
    assert served.head("/chat").status_code == 200
    assert len(served.app.state.concede.conversations) == 0


def test_it_is_the_conversation_that_programs_see(served):
    page = begun(served)
    identity = identity_of(page)
    reply = served.post(f"/v1/chat/{identity}/messages", json={"text": CLASH, "propose": True})
    assert reply.json()["proposal"]["relaxed"]
    page = parsed(served.get(f"/chat?conversation={identity}"))
    assert f"> {CLASH}" in said(page)
    assert len(buttons(page, "accept")) == 5
    messages = served.get(f"/v1/chat/{identity}").json()["messages"]
    assert [line.removeprefix("> ") for line in said(page)[1:]] == [
        message["content"] for message in messages
    ]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_words_are_shown_and_not_obeyed(served, payload):
    page = parsed(step(served, begun(served), text=payload))
    if "\x00" not in payload:
        assert any(payload.strip() in line for line in said(page))
    anew = served.post("/chat", data={"text": payload, "conversation": payload})
    assert "idle for too long" in parsed(anew, 404).one("p", role="alert").text
    parsed(served.get(f"/chat?{urlencode({'conversation': payload})}"), 404)
    parsed(served.get(f"/chat?{urlencode({'catalog': payload})}"), 404)


def test_a_catalog_that_holds_markup(service):
    import pyarrow as pa

    kinds = [f"{PAYLOADS[row % 3]} {row % 3}" for row in range(60)]
    table = pa.table({PAYLOADS[0]: kinds, PAYLOADS[4]: kinds[1:] + kinds[:1], "price": range(60)})
    served = service({PAYLOADS[2]: Catalog.open(table)})
    page = parsed(served.post("/chat", data={"text": "price under 50"}))
    for _ in range(8):
        choices = buttons(page, "text")
        if not choices:
            break
        page = parsed(step(served, page, catalog=PAYLOADS[2], text=next(iter(choices))))
    page = parsed(step(served, page, propose="Show me what there is"))
    assert buttons(page, "accept")


def test_a_forgotten_conversation_says_so_and_begins_anew(served):
    page = begun(served)
    conversations = served.app.state.concede.conversations
    identity = identity_of(page)
    conversations.find(identity).last_used -= conversations.seconds + 1
    page = parsed(step(served, page, text="a red one", catalog="shop"), 404)
    assert "idle for too long" in page.one("p", role="alert").text
    # What was to be said is there still.
    assert page.one("input", name="text").attributes["value"] == "a red one"
    assert page.one("input", name="catalog").attributes["value"] == "shop"
    assert not page.all("input", name="conversation")
    again = parsed(served.post("/chat", data={"text": "a Birch", "catalog": "shop"}))
    assert chips(again) == ["maker Birch"]


async def hold(stored) -> None:
    await stored.lock.acquire()


def test_two_steps_at_once_are_one_too_many(served):
    page = begun(served)
    identity = identity_of(page)
    stored = served.app.state.concede.conversations.find(identity)
    served.portal.call(hold, stored)
    trouble = parsed(step(served, page, text="large"), 409)
    assert "is being answered" in trouble.one("main").text
    served.portal.call(stored.lock.release)
    back = next(link for link in trouble.all("a") if "Back" in link.text).attributes["href"]
    assert said(parsed(served.get(f"/{back}"))) == said(page)


def test_conversations_are_bounded_in_number(service, cars):
    served = service({"cars": cars}, limits={"conversations": 1})
    begun(served)
    full = served.post("/chat", data={"text": OPENING})
    assert full.headers["retry-after"]
    assert parsed(full, 503).one("h1").text == "Just a moment"


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_form_that_another_site_sends_does_nothing(served, site):
    given = served.post("/chat", data={"text": OPENING}, headers={"Sec-Fetch-Site": site})
    parsed(given, 403)
    assert len(served.app.state.concede.conversations) == 0


@pytest.mark.parametrize(
    "given",
    [
        {"accept": "0"},
        {"accept": "-1"},
        {"accept": "one"},
        {"refuse": "0"},
        {"refuse": "99"},
        {"refuse": "²"},
        {"forget": "99"},
        {"forget": "99999999999999999999"},
        {"text": "x" * 20_000},
    ],
)
def test_out_of_turn_is_refused_and_the_conversation_goes_on(served, given):
    page = begun(served)
    trouble = parsed(step(served, page, **given), 422)
    assert any("Back" in link.text for link in trouble.all("a"))
    assert "make Toyota" in chips(parsed(step(served, page, text="large")))


def test_nothing_said_is_heard_as_nothing(served):
    page = parsed(step(served, begun(served), text="  "))
    assert said(page)[-1].startswith("I heard nothing.")


def test_what_is_no_form_is_refused(served):
    parsed(served.post("/chat", json={"text": OPENING}), 415)
    parsed(served.post("/chat", data={"text": "x" * 200_000}), 413)
    parsed(served.post("/chat", data={f"a{place}": "b" for place in range(500)}), 503)
    assert len(served.app.state.concede.conversations) == 0


def test_every_response_is_locked_down(served):
    page = begun(served)
    identity = identity_of(page)
    moved = served.post(
        "/chat", data={"conversation": identity, "text": "large"}, follow_redirects=False
    )
    assert moved.status_code == 303
    assert re.fullmatch(r"chat\?catalog=&conversation=[\w-]{32}", moved.headers["location"])
    for response in (moved, served.get("/chat"), served.get("/chat?conversation=x")):
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert response.headers["referrer-policy"] == "no-referrer"


def test_a_service_with_a_key_has_no_page(service, cars):
    assert service({"cars": cars}, api_key="x" * 20).get("/chat").status_code == 404


def test_a_long_conversation_shows_its_end(served):
    page = begun(served)
    identity = identity_of(page)
    session = served.app.state.concede.conversations.find(identity).value.session
    for place in range(150):
        session.say(f"line {place} {'x' * 3_000}")
    lines = said(parsed(served.get(f"/chat?conversation={identity}")))
    assert len(lines) == 101
    assert lines[0] == "53 earlier messages not shown"
    assert all(len(line) < 2_100 for line in lines)


def test_where_nothing_may_give_way_there_is_nothing_to_take(served):
    page = begun(served)
    page = parsed(step(served, page, text=CLASH))
    page = parsed(step(served, page, propose="Show me what there is"))
    while kept := buttons(page, "refuse"):
        page = parsed(step(served, page, refuse=next(iter(kept))))
    assert page.one("h2", id="notice").text == "Nothing fits all of it"
    assert "Which of them could be different?" in said(page)[-1]
    assert not buttons(page, "accept")
    assert not page.all("ol", class_="items")
    assert len(buttons(page, "forget")) == 5
    assert buttons(page, "undo")


def test_what_was_taken_before_stands_beside_what_is_offered_now(service, cars, tmp_path):
    sedan = {"column": "Make", "op": "==", "value": "Toyota", "quote": "Toyota"}
    lexus = sedan | {"value": "Lexus", "quote": "Lexus"}
    turns = [
        {"constraints": [sedan], "moves": [{"act": "show"}]},
        {"constraints": [lexus], "moves": [{"act": "take", "items": [1]}, {"act": "drop"}]},
    ]
    script = tmp_path / "script.json"
    script.write_text(json.dumps([json.dumps(turn) for turn in turns]))
    served = service({"cars": cars}, model=f"fake:{script}")
    page = begun(served, "a Toyota")
    page = parsed(step(served, page, text="the first, and now a Lexus"))
    assert [heading.text for heading in page.all("h2")][-2:] == ["Taken", "Offered"]
    taken, offered = page.all("article")[:2]
    assert "meets" not in taken.text
    assert "meets 1 of 1" in offered.text
    reply = served.post(f"/v1/chat/{identity_of(page)}/undo", json={}).json()
    assert reply["taken"] == []
