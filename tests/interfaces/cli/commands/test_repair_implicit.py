"""`concede repair --implicit`: what history, profile and moment add to what is asked."""

import json

import pytest

THINGS = "id,price,brand\n" + "".join(
    f"{row},{10 + row},{'Ada Bo Cy Di'.split()[row % 4]}\n" for row in range(16)
)
ASKED = ("repair", "--catalog", "things.csv", "--where", "price <= 9", "--implicit")
PERSON = ("--user", "ann", "--events", "log.jsonl", "--key", "id", "--time", "2026-05-01T12:00")


def event(number, clicked=4, day=None, **more):
    shown = {
        "shown": [1, clicked, 2, 7],
        "clicked": [clicked],
        "time": f"2026-{day or f'04-{number + 1:02}'}",
    }
    return json.dumps({"id": f"e{number}", "user": "ann"} | shown | more)


@pytest.fixture
def shop(folder):
    (folder / "things.csv").write_text(THINGS)
    (folder / "log.jsonl").write_text("\n".join(event(number) for number in range(8)) + "\n")
    (folder / "ann.json").write_text(json.dumps({"budget": 15}))
    return folder


def test_a_habit_is_asked_for_and_named(shop, concede):
    outcome = concede(*ASKED, *PERSON, "--format", "json")
    assert outcome.code == 0
    answer = json.loads(outcome.out)
    parts = {part["constraint"]["column"]: part for part in answer["implicit"]}
    assert parts["brand"]["constraint"]["value"] == "Ada"
    assert "because of 8 of 8 earlier choices" in answer["explanation"]
    text = concede(*ASKED, *PERSON).out
    assert "because of 8 of 8 earlier" in text


def test_later_events_change_no_byte(shop, concede):
    before = concede(*ASKED, *PERSON, "--format", "json").out
    with (shop / "log.jsonl").open("a") as file:
        for number in range(8, 20):
            file.write(event(number, clicked=3, day=f"05-{number - 6:02}") + "\n")
    assert concede(*ASKED, *PERSON, "--format", "json").out == before


def test_a_profile_alone(shop, concede):
    answer = json.loads(concede(*ASKED, "--about", "ann.json", "--format", "json").out)
    (part,) = answer["implicit"]
    assert (part["type"], part["evidence"]) == ("hard", ["profile.budget"])
    assert answer["hard"][0]["value"] == 15


def test_records_of_a_file_have_factors_of_their_own(shop, concede):
    lines = concede(*ASKED, *PERSON, "--format", "ndjson").out.splitlines()
    assert len(lines) == 1
    assert "implicit" in json.loads(lines[0])


@pytest.mark.parametrize(
    "options",
    [
        ("--implicit",),
        ("--user", "ann"),
        ("--implicit", "--user", "ann"),
        ("--implicit", "--time", "soon"),
        ("--implicit", "--place", "91,0"),
        ("--implicit", "--place", "here"),
        ("--implicit", *PERSON[:5], "nothing"),
    ],
)
def test_options_that_do_not_go_together_are_refused(shop, concede, options):
    outcome = concede("repair", "--catalog", "things.csv", "--where", "price <= 9", *options)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("text", ["[]", "{", '{"cars": 1}', '{"budget": -1}', '{"budget": NaN}'])
def test_a_bad_profile_is_named(shop, concede, text):
    (shop / "ann.json").write_text(text)
    outcome = concede(*ASKED, "--about", "ann.json")
    assert outcome.code == 3
    assert "ann.json" in outcome.err
    assert outcome.err.count("\n") == 1
