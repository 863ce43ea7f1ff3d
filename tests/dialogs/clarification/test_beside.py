"""The noun beside a number or a value says which column it is about."""

import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs import clarify
from concede.dialogs.clarification.beside import named_beside, surest
from concede.dialogs.clarification.look import Look

PORTS = ("Alness", "Brora", "Carbost", "Durness")
SHADES = ("black", "ivory", "teal")


@pytest.fixture(scope="module")
def boats(tmp_path_factory):
    lines = [
        f"{PORTS[at % 4]},{PORTS[(at * 3 + 1) % 4]},{1 + at % 8},{2 + at % 9},"
        f"{1 + at * 7 % 41 / 10},"
        f"{SHADES[at % 3]},{SHADES[at * 5 % 7 % 3]},{1 + at % 3},{4 + at % 5},"
        f"{5 + at % 30},{6 + at % 28}"
        for at in range(180)
    ]
    head = "from,to,berths,cabins,rating,hull colour,sail colour,min divers,max divers"
    head += ",bus minutes,walk minutes"
    path = tmp_path_factory.mktemp("boats") / "boats.csv"
    path.write_text("\n".join([head, *lines]), encoding="utf-8")
    return Catalog.open(path)


@pytest.mark.parametrize(
    ("text", "said", "columns"),
    [
        ("at least 3 berths and a rating over 4", "3", {"berths"}),
        ("at least 3 berths and a rating over 4", "4", {"rating"}),
        ("berths 3 cabins 4", "3", {"berths"}),
        ("berths 3 cabins 4", "4", {"cabins"}),
        ("3 berths under 4", "4", set()),
        ("3 berths, 4", "4", set()),
        ("from Alness to Brora", "Alness", {"from"}),
        ("from Alness to Brora", "Brora", {"to"}),
        ("Alness to Brora", "Alness", set()),
        ("a teal hull", "teal", {"hull colour"}),
        ("walk at most 10 minutes", "10", {"walk minutes"}),
    ],
)
def test_the_noun_beside(boats, text, said, columns):
    look = Look.at(text, boats)
    at = [word.text for word in look.reading.words].index(said)
    assert surest(named_beside(look, at, at)) == columns


@pytest.mark.parametrize(
    "text",
    [
        "at least 3 berths and a rating over 4",
        "from Carbost, a teal hull",
        "for 3 divers",
        "4 or 5 cabins, from Alness",
    ],
)
def test_what_a_noun_settles_is_not_asked(boats, text):
    assert not [u.said for u in clarify(text, boats).unknowns]


@pytest.mark.parametrize(("text", "said"), [("4, from Alness", "4"), ("a teal one", "teal")])
def test_what_no_noun_settles_is_asked(boats, text, said):
    assert said in [unknown.said for unknown in clarify(text, boats).unknowns]
