"""Words are found in any order, in any case, in any text of an item; judged word by word."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog, Query, RepairEngine
from concede.interfaces.http.page.constraints import question_of
from concede.interfaces.http.page.form_model import form_model
from concede.interfaces.http.page.found_words import pieces_of, quoted_phrase, words_constraint
from concede.interfaces.http.page.query_string import Criterion, Search

ROWS = [
    {"name": "Alpine Meadow tent", "note": "two people, GREEN"},
    {"name": "meadow alpine", "note": None},
    {"name": "Tent % of_the 'year'", "note": 'with "quotes" and -- dashes; DROP'},
    {"name": None, "note": "alpine"},
    {"name": "green", "note": "Meadow"},
]
CATALOG = Catalog.open(pa.Table.from_pylist(ROWS))
ENGINE = RepairEngine(CATALOG)
WORD = st.sampled_from(
    "alpine MEADOW tent green % _ 'year' -- ; DROP two people of_the \" \"alpine\\ \\ ü ".split()
) | st.text(max_size=4)
SAID = st.lists(WORD, max_size=5).map(" ".join)


def found(said: str, columns: tuple[str, ...]) -> int:
    constraint = words_constraint(said, columns, weight=0.5, hard=False)
    assert constraint is not None
    return ENGINE.check(Query(constraints=(constraint,))).count


def holds(row: dict[str, str | None], piece: str, columns: tuple[str, ...]) -> bool:
    return any(piece.lower() in (row[column] or "").lower() for column in columns)


@given(said=SAID, columns=st.sampled_from([("name",), ("name", "note")]))
def test_every_word_stands_in_some_column(said: str, columns: tuple[str, ...]):
    pieces = pieces_of(said)
    if not pieces or "\x00" in said:
        return
    expected = sum(all(holds(row, piece, columns) for piece in pieces) for row in ROWS)
    assert found(said, columns) == expected


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("meadow alpine", 2),
        ('"meadow alpine"', 1),
        ("GREEN meadow", 2),
        ("' OR 1=1 --", 0),
        ('note" OR "name', 0),
    ],
)
def test_words_in_any_order_and_a_phrase_as_it_stands(said: str, count: int):
    assert found(said, ("name", "note")) == count


def test_words_in_one_column_by_the_page():
    form = form_model(CATALOG, "tents")
    search = Search(criteria=(Criterion("has", "name", ("tent meadow",)),))
    question = question_of(search, form, CATALOG)
    assert not question.faults
    assert ENGINE.check(question.query).count == 1
    single = question_of(Search(criteria=(Criterion("has", "name", ("tent",)),)), form, CATALOG)
    assert single.query.constraints[0].op == "ilike"


def test_nothing_to_look_for_is_told():
    form = form_model(CATALOG, "tents")
    question = question_of(Search(criteria=(Criterion("find", "words", ('""',)),)), form, CATALOG)
    assert "no word to look for" in question.faults["find.words"]


def test_a_phrase_is_quoted_once():
    assert quoted_phrase("alpine") == "alpine"
    assert quoted_phrase("alpine meadow") == '"alpine meadow"'
    assert pieces_of(quoted_phrase("alpine meadow")) == ("alpine meadow",)
