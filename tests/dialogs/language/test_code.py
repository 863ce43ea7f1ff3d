"""SQL, and what addresses are written in, are told from what people say."""

from __future__ import annotations

import pytest

from concede.dialogs.language.code import is_code


@pytest.mark.parametrize(
    "text",
    [
        "%3Cb%3E500",
        "500%20or%201=1",
        "'; DROP TABLE cars;--",
        "500' OR 1=1 --",
        "red' AND sleep(5)--",
        "SELECT * FROM cars WHERE make = 'Honda'",
        "update cars set price = 1",
        "x UNION ALL SELECT 500",
        "select make, price from cars where price < 500",
        "select count(*) from cars",
    ],
)
def test_code_is_none_of_what_people_say(text):
    assert is_code(text)


@pytest.mark.parametrize(
    "text",
    [
        "select one from the list",
        "I want <b>red</b>",
        "drop table lamps; a floor lamp",
        "I'd like to select a laptop from Lenovo",
        "Can you select a dining table from your range?",
        "I can't decide, select for me the best one from those, please",
        "rent <a lot less> please",
        "brand = 'Acer' and ram = 16",
        'I want the 27" screen --',
        "a 15' cable --",
        "select one from Ashby where there is a garden",
        "and DROP TABLE hotels; -- in Porto",
        "price < 500 and size > 3",
        "under <500> please",
        "we <3 it",
        "update the price, set it to 500",
        "please delete the red one from my list",
        "can you create a table for two?",
        "a table; drop the price",
        "50% off, 20% deposit",
        "it's -- well -- five",
        "5' 10\" tall -- ok",
        "a 'nice' one -- cheap",
        "fish & chips; R&D",
        "100% wool",
    ],
)
def test_plain_words_are_no_code(text):
    assert not is_code(text)
