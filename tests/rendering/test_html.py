"""What is not markup is escaped, wherever it stands."""

from hypothesis import given
from hypothesis import strategies as st

from concede.rendering.html import UNPRINTABLE, Html, document, join, tag, text
from parsed_html import Markup

ANY_TEXT = st.text(st.characters(codec=None, categories=None), max_size=60)


def test_text_is_escaped_and_markup_is_not():
    made = tag("p", "a < b & ", tag("b", "'c'"), class_='"x"')
    assert made == '<p class="&quot;x&quot;">a &lt; b &amp; <b>&#x27;c&#x27;</b></p>'
    assert isinstance(made, Html)


def test_attributes_may_be_absent_or_alone():
    assert tag("input", name="n", checked=True, disabled=False, value=None) == (
        '<input name="n" checked>'
    )
    assert tag("a", aria_label="x", for_="y") == '<a aria-label="x" for="y"></a>'


def test_children_are_flattened_and_none_is_nothing():
    assert join("a", None, ["b", [1, None]], Html("<i>")) == "ab1<i>"


def test_what_does_not_print_is_replaced():
    assert text("a\x00\x1b\ud800b\ufffe") == "a\ufffd\ufffd\ufffdb\ufffd"
    assert tag("p", "\ud800").encode() == "<p>\ufffd</p>".encode()


@given(ANY_TEXT, ANY_TEXT)
def test_any_text_comes_back_as_text(inside: str, attribute: str):
    made = document(tag("title", "t"), tag("body", tag("p", inside, title=attribute)))
    made.encode()
    parsed = Markup(made)
    assert [element.name for element in parsed.elements] == ["html", "head", "title", "body", "p"]
    paragraph = parsed.one("p")
    assert paragraph.text == UNPRINTABLE.sub("\ufffd", inside)
    assert paragraph.attributes == {"title": UNPRINTABLE.sub("\ufffd", attribute)}
