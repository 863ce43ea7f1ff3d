"""Times of day as people say them."""

from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.extraction.clocks import find_clocks


def read(text):
    """Return the last and widest time of a text: its first and last hours and minutes."""
    clock = max(find_clocks(text), key=lambda found: (found.end - found.start, found.start))
    return [
        f"{first // 60}:{first % 60:02}-{last // 60}:{last % 60:02}"
        if first != last
        else f"{first // 60}:{first % 60:02}"
        for first, last in clock.minutes
    ]


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("7 pm", ["19:00"]),
        ("7.30pm", ["19:30"]),
        ("18:30", ["18:30"]),
        ("19h", ["19:00"]),
        ("12 am", ["0:00"]),
        ("12:30 pm", ["12:30"]),
        ("noon", ["12:00"]),
        ("half past six", ["6:30", "18:30"]),
        ("half six", ["6:30", "18:30"]),
        ("from five to eight", ["5:00-8:00", "17:00-20:00"]),
        ("from ten to six", ["10:00-18:00"]),
        ("FROM  Ten to eight in the evening", ["10:00-20:00"]),
        ("from twenty to eight", ["7:40", "19:40"]),
        ("five to eight", ["7:55", "19:55"]),
        ("half six or after", ["6:30", "18:30"]),
        ("twenty past five", ["5:20", "17:20"]),
        ("quarter to seven in the evening", ["18:45"]),
        ("six thirty pm", ["18:30"]),
        ("seven o'clock", ["7:00", "19:00"]),
        ("11 at night", ["23:00"]),
        ("not before 10", ["10:00", "22:00"]),
        ("by eight", ["8:00", "20:00"]),
        ("from 6 till 8", ["6:00-8:00", "18:00-20:00"]),
        ("between 7 and 9 pm", ["19:00-21:00"]),
        ("from 10 to 6", ["10:00-18:00"]),
        ("in the morning", ["6:00-12:00"]),
        ("at evening 5:30", ["17:30"]),
        ("departing 14-16, please", ["14:00-16:00"]),
        ("leaving 8 - 10", ["8:00-10:00", "20:00-22:00"]),
        ("at seven-thirty", ["7:30", "19:30"]),
        ("late afternoon", ["16:00-18:00"]),
        ("only evenings", ["18:00-23:59"]),
        ("an evening one", ["18:00-23:59"]),
        ("evening one o'clock", ["13:00"]),
    ],
)
def test_times(text, times):
    assert read(text) == times


@pytest.mark.parametrize("text", ["half an hour", "within 5 km", "99:99", "$12", "a 4.5 rating"])
def test_what_is_no_time(text):
    assert [clock for clock in find_clocks(text) if not clock.bare] == []


@pytest.mark.parametrize(
    "text",
    ["open at 8", "8 or before would fit", "ten at the earliest", "from 11 on", "6.30 latest"],
)
def test_a_bare_number_may_be_a_time_and_is_not_surely_one(text: str):
    (clock,) = find_clocks(text)
    assert clock.bare
    assert not clock.is_exact


WRITTEN = ["%H:%M", "%I:%M %p", "%I.%M%p", "%I:%M %p."]


@given(st.times(), st.sampled_from(WRITTEN), st.sampled_from(("{}", "by {} or so", "({})")))
def test_a_time_is_read_back_however_it_is_written(moment, form, said):
    moment = time(moment.hour, moment.minute)
    (clock,) = find_clocks(said.format(moment.strftime(form)))
    minutes = moment.hour * 60 + moment.minute
    assert (minutes, minutes) in clock.minutes


@given(st.text(max_size=300))
def test_any_text_is_read(text):
    for clock in find_clocks(text):
        assert 0 <= clock.start < clock.end <= len(text)
        assert all(0 <= first <= last < 24 * 60 for first, last in clock.minutes)
