"""A conversation beside the result: it sets filters, and is told those that are set by hand."""

import pytest

from harmless_markup import check_harmless
from hostile_markup import PAYLOADS
from lamp_shop import lamp_shop
from parsed_html import Markup


@pytest.fixture
def lamps(service):
    return service({"lamps": lamp_shop(addresses=False), "more": lamp_shop(addresses=False)})


def said(lamps, search: str, **given: str):
    """Take a step beside a search; return the page that it leads to, and its address."""
    step = {"beside": search, "catalog": "lamps"} | given
    answer = lamps.post("/chat", data=step, follow_redirects=False)
    assert answer.status_code == 303, answer.text[:500]
    address = answer.headers["location"]
    assert address.startswith("./?")
    page = Markup(lamps.get(f"/{address[2:]}").text)
    check_harmless(page)
    return page, address[2:].partition("#")[0]


def identity_of(page: Markup) -> str:
    form = [each for each in page.all("input", name="conversation") if each.attributes["value"]]
    return form[0].attributes["value"]


def chips(page: Markup) -> set[str]:
    return {" ".join(each.text.split()) for each in page.all("span", class_="words")}


def talk(page: Markup) -> list[str]:
    return [each.text for each in page.all("li") if each.attributes.get("class") == "mine"]


SEARCH = "?catalog=lamps&is.kind=table"


def test_what_is_said_becomes_filters_beside_those_there_were(lamps):
    page, address = said(lamps, SEARCH, text="a red one under 60 euros")
    assert chips(page) == {"kind: table", "colour: red", "price < €60"}
    assert talk(page) == ["You: a red one under 60 euros"]
    assert "conversation=" in address
    assert "is.kind=table" in address


def test_it_is_the_same_conversation_everywhere(lamps):
    page, _ = said(lamps, SEARCH, text="a red one under 60 euros")
    identity = identity_of(page)
    answer = lamps.post(f"/v1/chat/{identity}/messages", json={"text": "I want it dimmable"})
    assert answer.status_code == 200, answer.text
    wishes = answer.json()["wishes"]
    assert [wish["column"] for wish in wishes["base"]] == ["colour"]
    assert {wish["column"] for wish in wishes["constraints"]} == {"kind", "price", "dimmable"}
    whole = Markup(lamps.get(f"/chat?conversation={identity}").text)
    assert talk(whole) == ["You: a red one under 60 euros", "You: I want it dimmable"]
    again = Markup(lamps.get(f"/{SEARCH}&conversation={identity}").text)
    assert talk(again) == talk(whole)


def test_filters_set_by_hand_are_told_to_it(lamps):
    page, _ = said(lamps, SEARCH, text="a red one under 60 euros")
    by_hand = "?catalog=lamps&is.kind=wall&max.watts=20&must=max.watts&weight.is.kind=80"
    page, address = said(lamps, by_hand, conversation=identity_of(page), text="I want it dimmable")
    assert chips(page) == {"kind: wall", "power ≤ 20 W", "dimmable: yes"}
    assert "must=max.watts" in address
    assert "weight.is.kind=80" in address
    session = lamps.app.state.concede.conversations.find(identity_of(page)).value.session
    assert session.preferences.base == []
    told = {wish.column: wish for wish in session.preferences.soft}
    assert told["watts"].hard
    assert told["kind"].weight == 0.8


def test_taking_a_step_back_takes_its_filters_back(lamps):
    page, address = said(lamps, SEARCH, text="a red one under 60 euros")
    page, _ = said(lamps, address, conversation=identity_of(page), undo="1")
    assert chips(page) == {"kind: table"}


def test_words_to_find_and_what_was_not_understood_stay_with_the_search(lamps):
    search = f"{SEARCH}&find.words=reading+lamp&max.watts=cheap"
    page, address = said(lamps, search, text="a red one")
    assert "finds “reading” “lamp”" in chips(page)
    assert "max.watts=cheap" in address


def test_quick_answers_and_showing_now(lamps):
    page, address = said(lamps, SEARCH, text="something red")
    answers = page.all("button", form="talk-steps")
    assert "No preference" in [each.text for each in answers]
    before = len(talk(page))
    page, address = said(
        lamps, address, conversation=identity_of(page), propose="Show me what there is"
    )
    assert len(talk(page)) == before + 1
    assert page.all("li", class_="item")


def test_one_that_is_forgotten_begins_anew_and_the_filters_stay(lamps):
    page = Markup(lamps.get(f"/{SEARCH}&conversation=gone").text)
    assert "idle for too long" in page.one("p", role="alert").text
    assert chips(page) == {"kind: table"}
    assert all("conversation=gone" not in link.attributes["href"] for link in page.all("a"))
    page, _ = said(lamps, SEARCH, conversation="gone", text="a red one")
    assert chips(page) == {"kind: table", "colour: red"}


def test_one_about_another_catalog_is_not_shown(lamps):
    page, _ = said(lamps, SEARCH, text="a red one")
    other = Markup(lamps.get(f"/?catalog=more&conversation={identity_of(page)}").text)
    assert talk(other) == []


def test_nothing_said_is_told(lamps):
    answer = lamps.post("/chat", data={"beside": SEARCH, "catalog": "lamps", "accept": "0"})
    assert answer.status_code == 422
    state = lamps.app.state.concede
    assert len(state.conversations) == 0


def test_another_site_cannot_speak(lamps):
    answer = lamps.post(
        "/chat",
        data={"beside": SEARCH, "text": "a red one"},
        headers={"sec-fetch-site": "cross-site"},
    )
    assert answer.status_code == 403


def test_hostile_words_are_shown_and_not_obeyed(lamps):
    for payload in PAYLOADS:
        page, _ = said(lamps, f"?catalog=lamps&has.name={payload}", text=f"red {payload}")
        shown = payload.replace("\x00", "\ufffd")
        assert any(shown.strip()[:10] in each for each in talk(page)) or "\x1b" in payload
        answer = lamps.post(
            "/chat", data={"beside": payload, "text": "red"}, follow_redirects=False
        )
        assert answer.status_code in (303, 404)
        assert answer.headers.get("location", "./?").startswith("./?")
