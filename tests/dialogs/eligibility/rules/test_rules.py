"""Texts of rules as programs: how conditions hang together, headings, tables, and hostile text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.errors import QueryError
from concede.dialogs.eligibility.decisions.evaluation import evaluate
from concede.dialogs.eligibility.keys import SIZE, Slot
from concede.dialogs.eligibility.rules.writing import RuleBook, read_rules


def outcome(book: RuleBook, name: str, **facts: Any) -> bool | None:
    """Return what a program decides on household facts; `size` is the household's."""
    known = {SIZE if key == "size" else Slot(None, key): value for key, value in facts.items()}
    program = book.programs.named(name).programs[0]
    evaluation = evaluate(program, known, book.programs.keys)
    assert not evaluation.error
    return evaluation.outcome


LIBRARY = read_rules(
    """\
# Cards of the town library

Everybody is welcome. These are our cards.

## Junior card

You can get one if all of these are true:

- You are 12 or younger
- You live in Mistelgau
- You have not lost a card before

## Scholar card

Readers must be at least 16 years old and be enrolled in a school or university.

You also need one of the following:
1. a letter from a teacher
2. You have a student ID
3. You study at least 20 hours per week

You cannot apply if:
* You owe a fee
* You are banned

## Family card

### Requirements

- Household income at or below the amounts in the table
- You have children, unless you are a foster carer
- If you are under 21, you need a parent's signature

| People | Per month |
|---|---|
| 1 | $1,000 |
| 2 | $1,500 |
| Each additional | $250 |

For more information call 555 0100.
"""
)


def test_headings_are_programs_and_titles_above_them_are_not() -> None:
    assert [program.name for program in LIBRARY.programs] == [
        "Junior card",
        "Scholar card",
        "Family card",
    ]


def test_a_list_holds_together() -> None:
    facts = {"age": 11, "live_in_mistelgau": True, "lost_card_before": False}
    assert outcome(LIBRARY, "Junior card", **facts) is True
    for name, other in {"age": 13, "live_in_mistelgau": False, "lost_card_before": True}.items():
        assert outcome(LIBRARY, "Junior card", **{name: other}) is False


def test_one_of_a_list_is_enough_and_an_exclusion_excludes() -> None:
    start: dict[str, Any] = {"age": 17, "enrolled_school_university": True}
    clean = {"owe_fee": False, "banned": False}
    assert outcome(LIBRARY, "Scholar card", **start, **clean) is None
    assert outcome(LIBRARY, "Scholar card", **start, **clean, student_id=True) is True
    assert outcome(LIBRARY, "Scholar card", **start, **clean, study_hours_week=25) is True
    assert outcome(LIBRARY, "Scholar card", banned=True) is False
    assert outcome(LIBRARY, "Scholar card", age=15) is False


def test_limits_follow_the_size_of_the_household() -> None:
    facts: dict[str, Any] = {"age": 40, "children": True}
    assert outcome(LIBRARY, "Family card", **facts, size=2, household_income=18_000) is True
    assert outcome(LIBRARY, "Family card", **facts, size=2, household_income=18_001) is False
    assert outcome(LIBRARY, "Family card", **facts, size=4, household_income=24_000) is True
    assert LIBRARY.passed_over["Family card"] == ("For more information call 555 0100.",)


def test_a_list_may_point_to_the_table() -> None:
    book = read_rules(
        "Do you have one of these?\n- a licence\n- income within the limits of the table\n\n"
        "| People | Yearly |\n|---|---|\n| 1 | $10,000 |\n| 2 | $15,000 |\n"
    )
    assert outcome(book, "rules", size=2, household_income=15_000) is True
    assert outcome(book, "rules", size=1, household_income=15_000) is None
    assert outcome(book, "rules", size=1, household_income=15_000, licence=True) is True


def test_unless_and_if_are_followed() -> None:
    facts: dict[str, Any] = {"size": 1, "household_income": 0}
    assert outcome(LIBRARY, "Family card", **facts, age=40, children=False) is None
    assert outcome(LIBRARY, "Family card", **facts, age=40, foster_carer=True) is True
    assert outcome(LIBRARY, "Family card", **facts, age=20, children=True) is None
    signed = {"parent_signature": True}
    assert outcome(LIBRARY, "Family card", **facts, age=20, children=True, **signed) is True


def test_what_is_asked_for_twice_is_one_key() -> None:
    names = [key.name for key in LIBRARY.programs.keys]
    assert names.count("age") == 1
    assert sum("age" in program.keys for program in LIBRARY.programs) == 3


def test_two_of_a_list() -> None:
    book = read_rules(
        "- Meet at least two of the following:\n  - You sing\n  - You act\n  - You dance"
    )
    assert outcome(book, "rules", sing=True, act=True) is True
    assert outcome(book, "rules", sing=True, act=False) is None
    assert outcome(book, "rules", act=False, dance=False) is False


def test_kinds_stand_for_the_words_above_them() -> None:
    book = read_rules(
        "# Rent\n- Do you live in one of these types of home?\n  - a houseboat\n  - a yurt"
    )
    assert outcome(book, "Rent", houseboat=True) is True
    key = book.programs.keys.key("yurt")
    assert key.ask == "Do you live in one of these types of home: a yurt?"


def test_prose_alone_is_split_into_its_requirements() -> None:
    book = read_rules(
        "You may be eligible if you own a bakery, have fewer than 10 employees, "
        "and are not in bankruptcy."
    )
    facts: dict[str, Any] = {"own_bakery": True, "employees": 9}
    assert outcome(book, "rules", **facts, bankruptcy=False) is True
    assert outcome(book, "rules", **facts, bankruptcy=True) is False


def test_limits_in_prose_are_not_taken_apart() -> None:
    book = read_rules(
        "Farmers should be between 21 and 70 years of age, must have farmed for 2+ years, "
        "and cannot own more than 50 acres of land."
    )
    facts: dict[str, Any] = {"age": 30, "farmed_years": 2, "own_acres_land": 50}
    assert outcome(book, "rules", **facts) is True
    for name, other in {"age": 71, "farmed_years": 1, "own_acres_land": 51}.items():
        assert outcome(book, "rules", **(facts | {name: other})) is False


def test_whom_a_program_is_open_to_is_asked() -> None:
    book = read_rules("Open to people who live in Ahorntal. Shift workers are eligible.")
    questions = [key.ask for key in book.programs.keys]
    assert questions == ["Do you live in Ahorntal?", "Are you one of these: Shift workers?"]


def test_a_program_without_a_requirement_that_is_found_is_one_question() -> None:
    book = read_rules("# Fund\nGrants go to anglers of merit.\n\n# Other\n- You fish")
    assert [program.name for program in book.programs] == ["Fund", "Other"]
    assert outcome(book, "Fund") is None


def test_each_requirement_says_how_it_was_read() -> None:
    assert "You are 12 or younger" in LIBRARY.typed["Junior card"]
    assert "You live in Mistelgau" in LIBRARY.yes_no["Junior card"]


def test_a_text_without_words_is_an_error() -> None:
    for text in ("", "\n\n", "# Title only\n", "---\n***\n"):
        with pytest.raises(QueryError, match="no requirement"):
            read_rules(text)


MARKUP = st.lists(
    st.one_of(
        st.sampled_from(
            "# A|## B|- |* you are 5 or older|1. not|  - or|| a | 1 ||one of:|any of the following:"
            '|"""|\\|`x`|[a](b)|unless|if you|, and |(|**b**|===|\t|eligible if|{|}|#'.split("|")
        ),
        st.text(max_size=30),
    ),
    max_size=30,
).map("\n".join)


@given(MARKUP)
def test_any_text_becomes_programs_that_run_or_a_clear_error(text: str) -> None:
    try:
        book = read_rules(text)
    except QueryError:
        return
    for program in book.programs:
        evaluation = evaluate(program, {}, book.programs.keys)
        assert not evaluation.error
        assert evaluation.outcome is not None or evaluation.relevant


def test_long_texts_are_read_in_time() -> None:
    book = read_rules("- you are " + "(" * 5_000 + "\n" + "- and if or unless " * 2_000)
    assert len(book.programs) == 1
