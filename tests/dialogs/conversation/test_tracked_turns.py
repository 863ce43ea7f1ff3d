"""What a turn may mean, column by column, before anything is decided."""

import pytest

from concede.bench.understanding.dialogues import open_catalog, read_services
from concede.dialogs.conversation.tracker import Tracker
from conversation_folder import write_folder


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    folder = write_folder(tmp_path_factory.mktemp("tables"))
    with open_catalog(folder, "Tables_1") as catalog:
        return Tracker.of(catalog, read_services(folder)["Tables_1"].columns()).reader


def meant(turn):
    """Return the columns and values that a turn may mean."""
    return {(one.column, one.value) for one in turn.candidates}


def test_values_and_dates_stand_as_said_and_those_of_a_list_as_the_catalog_spells_them(reader):
    turn = reader.user("golden wok for two on March 3rd", "")
    assert {("restaurant_name", "golden wok"), ("date", "March 3rd"), ("party_size", "2")} <= meant(
        turn
    )


def test_names_that_no_column_holds_may_be_of_any_open_one(reader):
    assert ("city", "Walnut Creek") in meant(reader.user("In Walnut Creek please.", ""))
    assert ("city", "Springfield, IL") in meant(reader.user("In Springfield, IL please.", ""))
    assert ("party_size", "Walnut Creek") not in meant(reader.user("In Walnut Creek please.", ""))


def test_columns_that_are_only_told_have_no_candidates(reader):
    turn = reader.assistant("Golden Wok, call 510-555-0101.")
    assert "phone" not in {one.column for one in turn.candidates}


def test_values_are_masked_and_words_are_kept(reader):
    turn = reader.user("I want a place in Oakland for 2 people", "")
    assert turn.words == ("i", "want", "a", "place", "in", "@", "for", "#", "people")


def test_what_was_asked_before_is_known(reader):
    assert reader.user("Oakland", "Which city?").asked.get("city")
    assert not reader.user("Oakland", "").asked


def test_the_words_around_a_value_and_the_nearest_of_its_column(reader):
    found = reader.user("a table in the city of Oakland", "").candidates
    city = next(one for one in found if (one.column, one.value) == ("city", "Oakland"))
    assert city.around == ("of", "city", "the", "^", "^")
    assert city.near.startswith("<True")
    assert city.gain > 0
