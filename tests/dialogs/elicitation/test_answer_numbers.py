"""Numbers in figures and words against an obvious twin that writes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.elicitation.answer_numbers import numbers
from concede.dialogs.elicitation.answer_words import plain_words
from concede.dialogs.language.numbers import in_words


def read(text: str) -> list[float]:
    return [number.value for number in numbers(plain_words(text))]


def small(number: int) -> str:
    """Write 1 to 99."""
    if number <= 20 or number % 10 == 0:
        return in_words(number)
    return f"{in_words(number - number % 10)}-{in_words(number % 10)}"


def spelled(number: int, joint: str) -> str:
    """Write 1 to 99,999 the long way: five thousand four hundred (and) seven."""
    parts: list[str] = []
    if number >= 1000:
        parts.append(f"{small(number // 1000)} thousand")
    if number % 1000 >= 100:
        parts.append(f"{in_words(number % 1000 // 100)} hundred")
    if number % 100:
        parts.append((joint if parts else "") + small(number % 100))
    return " ".join(parts)


@given(st.integers(1, 99_999), st.sampled_from(["", "and "]))
def test_a_number_in_words_is_read_as_it_was_written(number: int, joint: str):
    assert read(f"about {spelled(number, joint)}, I think") == [number]


@given(st.integers(0, 999_999), st.sampled_from(["{:d}", "{:,d}", "${:,d}", "{:d} dollars"]))
def test_a_number_in_figures_is_read_as_it_was_written(number: int, pattern: str):
    assert read(pattern.format(number)) == [number]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fifty-four hundred", [5400]),
        ("5.4k", [5400]),
        ("two and a half thousand", [2500]),
        ("a couple of grand", [2000]),
        ("4 to 5 thousand", [4000, 5000]),
        ("5 400", [5400]),
        ("$4,700ish", [4700]),
        ("good ones", []),
        ("the 3rd", []),
    ],
)
def test_what_people_write(text: str, expected: list[float]):
    assert read(text) == expected
