"""Single clauses as typed conditions: what is compared with what, and what becomes a yes or no."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.eligibility.rules.comparisons import affirmative, comparison
from concede.dialogs.eligibility.rules.conditions import condition, question_of

TYPED = {
    "You are 18 or older": 'hh["age"] >= 18',
    "at least 21 years old": 'hh["age"] >= 21',
    "Be 16 to 24 years old": '16 <= hh["age"] <= 24',
    "between the ages of 30 and 45": '30 <= hh["age"] <= 45',
    "aged 60 and over": 'hh["age"] >= 60',
    "age 55+": 'hh["age"] >= 55',
    "under the age of 26": 'hh["age"] < 26',
    "over 70 years old": 'hh["age"] > 70',
    "no older than 35 years of age": 'hh["age"] <= 35',
    "twelve years old or younger": 'hh["age"] <= 12',
    "Your income is below $30,000": 'hh["income"] < 30000',
    "earn no more than $1,500 a month": 'hh["income"] <= 18000',
    "household income of €45k or less": 'hh["household_income"] <= 45000',
    "annual family income at or below 62,500 dollars": 'hh["household_income"] <= 62500',
    "your combined household income does not exceed $400 per week": (
        'hh["household_income"] <= 20800'
    ),
    "your household has five or more people": "len(hh) >= 5",
    "work at least 30 hours per week": 'hh["work_hours_week"] >= 30',
    "GPA of 3.5 or higher": 'hh["gpa"] >= 3.5',
    "less than $2,000 in savings": 'hh["savings"] < 2000',
    "cannot own more than 50 acres of land": 'not (hh["own_acres_land"] > 50)',
    "You do not have more than $900 in savings": 'not (hh["savings"] > 900)',
    "must not be over 30 years old": 'hh["age"] <= 30',
    "You are not 65 or older": 'not (hh["age"] >= 65)',
    "have two or more children": 'hh["children"] >= 2',
}


@pytest.mark.parametrize("clause", TYPED)
def test_a_comparison_is_typed(clause: str) -> None:
    result = condition(clause, clause)
    assert (result.code, result.typed) == (TYPED[clause], True)


@pytest.mark.parametrize(
    "clause",
    [
        "Your child is 5 or younger",
        "Someone in your household is over 60",
        "born before 1999",
        "enrolled in Section 8",
        "rent is more than 30% of your income",
        "earning up to $20,000 and up to $40,000 for couples",
        "a married student earning less than $9,000",
        "one of these forms",
        "a first-time buyer",
        "in 9th grade or above",
    ],
)
def test_what_is_no_plain_comparison_is_asked_as_a_whole(clause: str) -> None:
    result = condition(clause, clause)
    assert not result.typed
    assert result.key.kind == "bool"


@pytest.mark.parametrize(
    ("clause", "positive"),
    [
        ("You do not own a car", "You own a car"),
        ("You have never been evicted", "You have ever been evicted"),
        ("not currently enrolled", "currently enrolled"),
        ("must not be a student", "are a student"),
        ("You have no health insurance", "You have any health insurance"),
        ("You don't receive a pension", "You receive a pension"),
    ],
)
def test_a_negation_is_taken_off(clause: str, positive: str) -> None:
    assert affirmative(clause) == (positive, True)


@pytest.mark.parametrize(
    "clause",
    [
        "You live with somebody who cannot care for themselves",
        "You do not own a home and do not rent one",
        "You are not only a student but a worker",
        "Married with no children",
        "You work for a not-for-profit",
    ],
)
def test_a_negation_of_something_else_stays(clause: str) -> None:
    assert affirmative(clause) == (clause, False)


@pytest.mark.parametrize(
    ("clause", "question"),
    [
        ("You are a veteran", "Are you a veteran?"),
        ("a parent", "Are you a parent?"),
        ("own a home", "Do you own a home?"),
        ("You received the grant before", "Have you received the grant before?"),
        ("have completed a course", "Have you completed a course?"),
        ("currently enrolled in school", "Are you currently enrolled in school?"),
        ("Do you rent?", "Do you rent?"),
        ("Your home is insured", "Is your home insured?"),
        ("A member is a nurse", "Is this true for you: A member is a nurse?"),
    ],
)
def test_a_clause_becomes_a_question(clause: str, question: str) -> None:
    assert question_of(clause) == question


@given(st.text(max_size=200))
def test_any_text_is_read_or_left(text: str) -> None:
    limits = comparison(text)
    if limits is not None:
        assert limits.low is not None or limits.high is not None
    result = condition(text, text)
    assert result.key.name.isidentifier()
