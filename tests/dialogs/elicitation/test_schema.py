"""The travel schema, schemas from JSON, and the values that entries take."""

import pytest

from concede.catalogs.errors import QueryError
from concede.dialogs.elicitation.schema import Entry, Schema, read_schema, travel_schema


def test_the_travel_schema_has_54_entries_of_which_6_cannot_be_asked():
    schema = travel_schema()
    hidden = {entry.name for entry in schema.entries if not entry.askable}
    assert len(schema.entries) == 54
    assert len(schema.askable) == 48
    assert hidden == {
        f"persona.{name}"
        for name in ("job", "age", "interest", "education", "marital_status", "travel_style")
    }
    assert all(entry.question for entry in schema.askable)


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("persona.budget", "5400", 5400),
        ("hotel.ratings", 4.0, 4),
        ("persona.disability", "yes", "Yes"),
    ],
)
def test_a_value_is_spelled_as_the_entry_spells_it(name: str, given: object, value: object):
    assert travel_schema().find(name).value_of(given) == value


@pytest.mark.parametrize(
    ("name", "given"),
    [("persona.budget", 99), ("hotel.ratings", True), ("hotel.ratings", "nan"),
     ("persona.disability", "maybe")],
)  # fmt: skip
def test_a_value_the_entry_cannot_take_is_refused(name: str, given: object):
    with pytest.raises(QueryError, match=name):
        travel_schema().find(name).value_of(given)


def test_an_unknown_entry_is_refused_with_the_nearest():
    with pytest.raises(QueryError) as caught:
        travel_schema().profile_of({"hotel.rating": 3})
    assert "hotel.ratings" in (caught.value.hint or "")


def test_a_name_stands_once():
    with pytest.raises(QueryError, match="twice"):
        Schema("twice", (Entry("a"), Entry("a")))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 200_000,
        '{"entries": [{}]}',
        '{"entries": 3}',
        '{"entries": []}',
        '{"entries": [{"name": "a", "choices": "abc"}]}',
        '{"entries": [{"name": "a", "low": "one"}]}',
        '{"entries": [{"name": "a", "high": NaN}]}',
        '{"entries": [{"name": "a", "low": 9, "high": 1}]}',
    ],
)
def test_what_is_no_schema_is_refused(text: str):
    with pytest.raises(QueryError, match="no schema"):
        read_schema(text)
