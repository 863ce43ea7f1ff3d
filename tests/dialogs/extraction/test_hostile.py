"""Texts meant to break extraction: it answers or refuses, and never runs SQL of theirs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import QueryError
from concede.dialogs.extraction.offline import MAX_SAID, extract


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    ["a ", "5 ", "under 5 ", "Harbour ", "Harbour or ", "no ", "1,111", "(", "if ", "four ", "999"],
)
def test_the_longest_text_allowed_is_read(catalog, piece):
    extraction = extract((piece * MAX_SAID)[:MAX_SAID], catalog("flats"))
    assert len(extraction.constraints) <= 20


def test_a_longer_text_is_refused(catalog):
    with pytest.raises(QueryError, match="characters"):
        extract("x" * (MAX_SAID + 1), catalog("flats"))


@pytest.mark.parametrize(
    "text",
    [
        "\0\0 rent under 900 \0",
        "\ud800 in Harbour \udfff",
        "\x1b[2J rent under 900",
        "'; DROP TABLE flats; -- in Harbour",
        "{{constraints}} rent < 10**400",
        "rent under " + "9" * 5_000,
        "rent under 1e999 or NaN or ∞",
        "١٢٣ Ⅻ ² ½ bedrooms",
        "",
    ],
)
def test_odd_texts_neither_crash_nor_leave_the_catalog(catalog, text):
    flats = catalog("flats")
    for extracted in extract(text, flats).constraints:
        flats.bind(extracted.constraint)
        assert extracted.constraint.op != "sql"


@pytest.mark.parametrize(
    "text",
    [
        "rent under 900\x07",
        "\x1b[2J rent under 900",
        "in Harbour\0",
        "\u202erent under 900",
        "\x7f",
    ],
)
def test_of_control_characters_nothing_is_taken(catalog, text):
    found = extract(text, catalog("flats"))
    assert not found.constraints
    assert [(part.evidence.text, part.reason) for part in found.not_understood] == [
        (text, "holds what nobody types")
    ]


@pytest.mark.parametrize(
    "text", ["rent\tunder 900\r\n", "rent under\x0b900", "rent under 900\u200b"]
)
def test_blanks_of_all_kinds_are_no_control_characters(catalog, text):
    (found,) = extract(text, catalog("flats")).constraints
    assert (found.constraint.column, found.constraint.value) == ("monthly_rent", 900)


def test_values_that_are_sql_stay_values():
    import pandas as pd

    evil = "x'; DROP TABLE t; --"
    catalog = Catalog.open(pd.DataFrame({"kind": [evil, "plain"] * 5}))
    (extracted,) = extract(evil, catalog, slot="kind").constraints
    assert extracted.constraint.value == evil
    assert catalog.count([catalog.bind(extracted.constraint)]) == 5


@given(st.text(max_size=200))
def test_any_text_gives_constraints_that_bind(catalog, text):
    flats = catalog("flats")
    for extracted in extract(text, flats, slot="district").constraints:
        flats.bind(extracted.constraint)
        assert 0.0 <= extracted.score <= 1.0
