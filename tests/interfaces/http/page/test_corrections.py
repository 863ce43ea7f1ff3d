"""A chip corrected by its form: another column, operator or value; removed; and all taken back."""

from urllib.parse import urlencode

import pytest

from harmless_markup import check_harmless
from hostile_markup import PAYLOADS
from lamp_shop import lamp_shop
from parsed_html import Markup

NAMES = (
    *("fix.column", "fix.kind", "fix.value", "undo", "edit.column"),
    *("conversation", "find.words", "say"),
)
BEGIN = "catalog=lamps&is.kind=table&max.watts=60&weight.max.watts=80"


@pytest.fixture
def lamps(service):
    return service({"lamps": lamp_shop(addresses=False)})


def sent(lamps, key: str, begin: str = BEGIN, **given) -> str:
    """Send the form of a correction; return the address that it leads to."""
    fields = [(name.replace("_", ".", 1), value) for name, value in given.items()]
    answer = lamps.get(
        f"/?{begin}&fix={key}&{urlencode(fields, doseq=True)}", follow_redirects=False
    )
    assert answer.status_code == 303
    return answer.headers["location"]


def chips(page: Markup) -> list[str]:
    return [" ".join(each.text.split()) for each in page.all("span", class_="words")]


def test_the_form_says_the_whole_search_and_what_it_corrects(lamps):
    page = Markup(lamps.get(f"/?{BEGIN}&edit=max.watts&user=ann").text)
    check_harmless(page)
    (form,) = page.all("form", id="fix")
    assert form.attributes["method"] == "get"
    inside = page.all("input", type="hidden")
    held = {each.attributes["name"]: each.attributes["value"] for each in inside}
    assert {
        "fix": "max.watts",
        "is.kind": "table",
        "weight.max.watts": "80",
    }.items() <= held.items()
    assert page.one("h2", id="editing").text == "Correct “power ≤\u00a060 W”"


def test_another_column_operator_and_value_and_the_way_back(lamps):
    address = sent(
        lamps, "max.watts", fix_column="height_cm", fix_kind="min", fix_value="40", fix_must="1"
    )
    begin, _, undo = address.partition("&undo=")
    assert begin == (
        "?catalog=lamps&is.kind=table&min.height_cm=40&weight.min.height_cm=80&must=min.height_cm"
    )
    page = Markup(lamps.get(f"/{address}").text)
    assert chips(page) == ["kind: table", "height ≥ 40 cm"]
    (link,) = page.all("a", id="undo")
    assert link.attributes["href"] == f"?{BEGIN}"
    assert undo


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ({"fix_value": ["table", "wall"], "fix_kind": "not"}, "not.kind=table&not.kind=wall"),
        ({"fix_value": "table", "fix_kind": "nonsense"}, ""),
        ({"fix_value": "yes", "fix_column": "dimmable", "fix_kind": "is"}, "is.dimmable=true"),
        ({}, "removed"),
    ],
)  # fmt: skip
def test_values_are_read_as_their_column_needs_them(lamps, given, address):
    begin = "catalog=lamps&is.kind=table"
    if not address:
        assert sent(lamps, "is.kind", begin, **given) == f"?{begin}"
    elif address == "removed":
        assert sent(lamps, "is.kind", begin, **given).startswith("?catalog=lamps&undo=")
    else:
        assert sent(lamps, "is.kind", begin, **given).startswith(f"?catalog=lamps&{address}&undo=")


def test_one_corrected_to_the_name_of_another_takes_its_place(lamps):
    begin = "catalog=lamps&max.price=50&max.watts=60"
    address = sent(lamps, "max.watts", begin, fix_column="price", fix_kind="max", fix_value="70")
    assert address.startswith("?catalog=lamps&max.price=70&undo=")


def test_a_preference_turns_round(lamps):
    begin = "catalog=lamps&prefer=low.watts&weight.prefer.watts=20"
    address = sent(lamps, "prefer.watts", begin, fix_kind="high")
    assert address.startswith("?catalog=lamps&prefer=high.watts&weight.prefer.watts=20&undo=")
    page = Markup(lamps.get(f"/?{begin}&edit=prefer.watts").text)
    assert len(page.all("form", id="fix")) == 1


def test_what_does_not_fit_is_told_and_can_be_corrected_again(lamps):
    address = sent(lamps, "max.watts", fix_kind="max", fix_column="watts", fix_value="cheap")
    page = Markup(lamps.get(f"/{address}").text)
    assert "is not a number" in page.one("section", class_="faults").text
    assert [link for link in page.all("a", class_="edit") if "edit=max.watts" in
            link.attributes["href"]]  # fmt: skip


def test_what_is_not_there_is_not_corrected(lamps):
    assert sent(lamps, "max.nope", fix_value="1") == f"?{BEGIN}"
    page = Markup(lamps.get(f"/?{BEGIN}&edit=max.nope").text)
    assert page.all("form", id="fix") == []


def test_nothing_but_this_very_page_is_a_way_back(lamps):
    for hostile in ("https://evil.example/?a=1", "//evil.example", "javascript:alert(1)", "/v1/x"):
        page = Markup(lamps.get(f"/?{BEGIN}&{urlencode({'undo': hostile})}").text)
        check_harmless(page)
        assert all("evil" not in link.attributes["href"] for link in page.all("a"))
    nested = urlencode({"undo": f"?{BEGIN}&{urlencode({'undo': '?max.price=1'})}"})
    (link,) = Markup(lamps.get(f"/?{BEGIN}&{nested}").text).all("a", id="undo")
    assert "undo" not in link.attributes["href"]


def test_a_hostile_correction_is_shown_and_not_obeyed(lamps):
    for payload in PAYLOADS:
        given = dict.fromkeys(NAMES, payload)
        for key in ("max.watts", payload):
            answer = lamps.get(
                f"/?{BEGIN}&{urlencode(given | {'fix': key})}", follow_redirects=False
            )
            assert answer.status_code == 303
            assert answer.headers["location"].startswith("?")
            check_harmless(Markup(lamps.get(f"/{answer.headers['location']}").text))
            page = lamps.get(f"/?{BEGIN}&{urlencode(given | {'edit': key})}")
            assert page.status_code == 200
            check_harmless(Markup(page.text))
