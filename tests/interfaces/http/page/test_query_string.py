"""Addresses: read without harm whatever they hold, and written so that they read the same."""

from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.errors import LimitError
from concede.interfaces.http.page.query_string import (
    FIRST_ITEMS,
    MAX_CRITERIA,
    MAX_QUERY_BYTES,
    MOST_ITEMS,
    POLICIES,
    Criterion,
    Preference,
    Search,
    parse_query_string,
)

PRINTABLE = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=12)
WORDS = PRINTABLE.map(str.strip).filter(bool)
WEIGHTS = st.integers(0, 100)


@st.composite
def some_search(draw: st.DrawFn) -> Search:
    """Any search that an address can hold."""
    keys = st.tuples(st.sampled_from(["is", "has", "min", "max"]), WORDS)
    criteria = [
        Criterion(
            kind,
            column,
            tuple(
                draw(st.lists(WORDS, min_size=1, max_size=3 if kind == "is" else 1, unique=True))
            ),
            weight=draw(WEIGHTS),
            must=draw(st.booleans()),
            gives_way=draw(st.booleans()),
        )
        for kind, column in draw(st.lists(keys, max_size=5, unique=True))
    ]
    preferred = [
        Preference(column, draw(st.sampled_from(["low", "high"])), draw(WEIGHTS))
        for column in draw(st.lists(WORDS, max_size=3, unique=True))
    ]
    return Search(
        catalog=draw(st.one_of(st.just(""), WORDS)),
        criteria=tuple(criteria),
        preferences=tuple(preferred),
        policy=draw(st.sampled_from(POLICIES)),
        top=draw(st.integers(1, MOST_ITEMS)),
        extra_columns=tuple(draw(st.lists(WORDS, max_size=3, unique=True))),
    )


@given(some_search())
def test_an_address_reads_as_it_was_written(search: Search):
    assert search.address.isascii()
    assert parse_query_string(search.address.removeprefix("?").encode()) == search


@given(st.binary(max_size=300))
def test_any_bytes_make_a_search(query: bytes):
    read = parse_query_string(query)
    assert parse_query_string(read.address.removeprefix("?").encode()) == read


def test_an_example_in_full():
    read = parse_query_string(
        b"catalog=cars&is.Make=Kia&is.Make=Seat&is.Make=Kia&min.Year=2015&max.Year=&max.a.b=1"
        b"&weight.min.Year=90&must=is.Make&give=min.Year&prefer=low.MSRP&weight.prefer.MSRP=20"
        b"&top=24&policy=fewest&show=Doors"
    )
    assert read == Search(
        "cars",
        (
            Criterion("is", "Make", ("Kia", "Seat"), must=True),
            Criterion("min", "Year", ("2015",), weight=90, gives_way=True),
            Criterion("max", "a.b", ("1",)),
        ),
        (Preference("MSRP", "low", 20),),
        "fewest",
        24,
        ("Doors",),
    )


@pytest.mark.parametrize(
    "query",
    [
        b"nonsense=1&.x=1&is.=1&is=1&weight.is.a=5&must=is.a&prefer=low&prefer=sideways.a",
        b"&&==&=a&a=&%ff=%fe&%00=%00",
        b"prefer=low.&prefer=&top=&policy=drop",
    ],
)
def test_what_is_not_known_is_left_out(query: bytes):
    assert parse_query_string(query) == Search()


@pytest.mark.parametrize(
    ("given", "read"),
    [("0", 1), ("7", 7), ("999999999", MOST_ITEMS), ("-3", FIRST_ITEMS), ("1e3", FIRST_ITEMS),
     ("٣", FIRST_ITEMS), ("9" * 5000, FIRST_ITEMS)],
)  # fmt: skip
def test_numbers_are_kept_inside_their_ends(given: str, read: int):
    assert parse_query_string(urlencode({"top": given}).encode()).top == read


def test_more_filters_than_fit_are_counted():
    query = urlencode({f"min.column {i}": "1" for i in range(MAX_CRITERIA + 3)})
    read = parse_query_string(query.encode())
    assert (len(read.criteria), read.left_out) == (MAX_CRITERIA, 3)


@pytest.mark.parametrize("query", [b"x" * (MAX_QUERY_BYTES + 1), b"a=1&" * 1000])
def test_what_no_person_asks_is_refused(query: bytes):
    with pytest.raises(LimitError, match="is the most"):
        parse_query_string(query)


def test_changes_leave_the_rest_alone():
    both = parse_query_string(b"max.price=10&is.make=Kia&weight.max.price=70&prefer=low.price")
    assert both.without("max.price").address == "?is.make=Kia&prefer=low.price"
    assert both.without("prefer.price").preferences == ()
    back = both.with_giving_way(["max.price"]).put_back("max.price")
    assert [(one.must, one.gives_way) for one in back.criteria] == [(True, False), (False, False)]
    assert back.optional("max.price") == both
    assert both.with_value("max.price", "12").values("max.price") == ("12",)
