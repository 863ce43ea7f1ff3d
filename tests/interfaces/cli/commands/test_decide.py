"""`concede decide`: rules in a text or a folder, answers as JSON or in a conversation."""

import io
import json

import pytest

RULES = """\
# Allotments of Nordhain

## Garden plot

You can rent a plot if:

- You are 18 or older
- You live in Nordhain
- You do not own a garden

## Student plot

- Be between 16 and 27 years old
- One of the following:
  - You are enrolled at the college
  - You work at least 10 hours a week on a farm
"""

CHECKER = """\
def eligible(hh):
    # somebody is of age
    return any(m["age"] >= 18 for m in hh)
"""

KEYS = {"keys": [{"name": "age", "kind": "int", "high": 120, "description": "age in years"}]}


@pytest.fixture
def rules(folder):
    (folder / "rules.md").write_text(RULES, encoding="utf-8")
    return folder


@pytest.fixture
def answers(folder):
    def write(value):
        text = value if isinstance(value, str) else json.dumps(value)
        (folder / "answers.json").write_text(text, encoding="utf-8")

    return write


@pytest.fixture
def typed(monkeypatch):
    def give(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))

    return give


def decided(outcome):
    return {decision["program"]: decision["eligible"] for decision in outcome.json["decisions"]}


def test_without_answers_it_says_what_is_missing(concede, rules):
    outcome = concede("decide", "--rules", "rules.md", "--format", "json")
    assert (outcome.code, outcome.err) == (0, "")
    record = outcome.json
    assert (record["source"], record["turns"]) == ("text", 0)
    assert record["undecided"] == ["Garden plot", "Student plot"]
    garden, student = record["decisions"]
    assert garden["missing"] == ["age", "live_in_nordhain", "own_garden"]
    assert student["missing"][0] == "age"
    questions = {question["keys"][0]: question for question in record["questions"]}
    assert questions["age"]["text"] == "How old are you?"
    assert questions["age"]["programs"] == ["Garden plot", "Student plot"]
    assert questions["age"]["expects"][0]["kind"] == "int"
    assert record["next_question"] == record["questions"][0]
    assert record["read_as"]["Garden plot"]["typed"] == ["You are 18 or older"]


def test_answers_decide_and_reasons_say_why(concede, rules, answers):
    answers({"age": 30, "live_in_nordhain": "yes", "own_garden": False})
    outcome = concede(
        "decide", "--rules", "rules.md", "--answers", "answers.json", "--format", "json"
    )
    assert decided(outcome) == {"Garden plot": True, "Student plot": False}
    garden, student = outcome.json["decisions"]
    assert [reason["requirement"] for reason in garden["reasons"]] == [
        "You are 18 or older",
        "You live in Nordhain",
        "You do not own a garden",
    ]
    assert student["reasons"][0]["facts"] == {"age": 30}
    assert "Be between 16 and 27 years old" in student["explanation"]
    assert outcome.json["questions"] == []


def test_answers_by_question_and_in_words(concede, rules, answers):
    answers(
        [
            {"question": "How old are you?", "answer": "I turned 20 last week"},
            {"question": "Are you enrolled at the college?", "answer": "no"},
            {"question": "You work on a farm", "answer": 3},
        ]
    )
    outcome = concede(
        "decide", "--rules", "rules.md", "--answers", "answers.json", "--format", "json"
    )
    assert outcome.json["known"]["age"] == 20


def test_rules_about_you_are_answered_by_the_first_of_a_list(concede, rules, answers):
    answers([{"age": 30, "live_in_nordhain": True, "own_garden": False}, {"age": 3}])
    outcome = concede(
        "decide", "--rules", "rules.md", "--answers", "answers.json", "--format", "json"
    )
    assert decided(outcome) == {"Garden plot": True, "Student plot": False}


def test_what_nobody_knows_stays_undecided(concede, rules, answers):
    answers({"age": None, "live_in_nordhain": True, "own_garden": False, "shoe size": 43})
    outcome = concede(
        "decide", "--rules", "rules.md", "--answers", "answers.json", "--format", "json"
    )
    assert decided(outcome) == {"Garden plot": None, "Student plot": None}
    assert outcome.json["decisions"][0]["why"] == "the person does not know"
    assert outcome.json["ignored_answers"] == ["shoe size"]
    assert outcome.err == "concede: nothing asks for 'shoe size'\n"


def test_a_folder_of_checkers_and_people_in_a_list(concede, folder, answers):
    (folder / "programs").mkdir()
    (folder / "programs" / "Adult.py").write_text(CHECKER)
    (folder / "programs" / "keys.json").write_text(json.dumps(KEYS))
    for ages, eligible in (([12, 40], True), ([12, 9], False)):
        answers([{"age": age} for age in ages])
        outcome = concede(
            "decide", "--rules", "programs", "--answers", "answers.json", "--format", "json"
        )
        assert decided(outcome) == {"Adult": eligible}
        assert outcome.json["known"]["len(hh)"] == 2
    answers({"household": {}, "members": [{"age": 50}]})
    outcome = concede("decide", "--rules", "programs/Adult.py", "--answers", "answers.json")
    assert outcome.code == 0
    assert "eligible" in outcome.out


def test_a_conversation(concede, rules, typed):
    typed("I am 30\nwhy\nyes\nno\n")
    outcome = concede("decide", "--rules", "rules.md", "--talk")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == "How old are you?"
    assert any(line.startswith("— Student plot: not eligible because") for line in lines)
    assert any(line.startswith("— Garden plot: eligible because") for line in lines)


def test_a_conversation_in_json_is_spoken_on_standard_error(concede, rules, typed):
    typed("30\nskip\nquit\n")
    outcome = concede("decide", "--rules", "rules.md", "--talk", "--format", "json")
    assert outcome.json["turns"] == 2
    assert "How old are you?" in outcome.err
    assert decided(outcome)["Garden plot"] is None


def test_programs_are_written_down_and_used_again(rules, answers, capsys):
    from concede.interfaces.cli.main import run

    assert run(["decide", "--rules", "rules.md", "--save", "made", "--format", "json"]) == 0
    capsys.readouterr()
    answers({"age": 30, "live_in_nordhain": True, "own_garden": False})
    assert run(["decide", "--rules", "made", "--answers", "answers.json", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [(decision["program"], decision["eligible"]) for decision in record["decisions"]] == [
        ("Garden_plot", True),
        ("Student_plot", False),
    ]


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("{", 3, "no JSON"),
        ("5", 2, "are no answers"),
        ('{"age": -4}', 2, "-4 is no value of age; give a whole number from 0 to 130"),
        ('{"age": "blue"}', 2, "is not understood; give a whole number"),
        ('{"age": 30, "0.age": 40}', 2, "age is given twice: 30 and 40"),
        ("[1, 2]", 2, "are no people"),
        ("[]", 2, "0 people"),
        ('{"len(hh)": 99}', 2, "99 is no value of len(hh)"),
        ("[" * 100_000, 3, "no JSON"),
    ],
)
def test_answers_that_cannot_be_are_one_line(concede, rules, answers, text, code, message):
    answers(text)
    outcome = concede("decide", "--rules", "rules.md", "--answers", "answers.json")
    assert outcome.code == code
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--rules", "nowhere.md"), 3, "cannot read 'nowhere.md'"),
        (("--rules", "empty.md"), 3, "it is empty"),
        (("--rules", "rules.md", "--planner", "best"), 2, "no planner 'best'"),
        (("--rules", "rules.md", "--answers", "none.json"), 3, "cannot read 'none.json'"),
        (("--rules", "rules.md", "--offline", "--model", "x"), 2, "give one of them"),
        (("--rules", "rules.md", "--base-url", "http://x/v1"), 2, "name the model"),
        (("--rules", "evil"), 2, "line 1: an import is not allowed"),
    ],
)
def test_rules_that_cannot_be_are_one_line(concede, rules, arguments, code, message):
    (rules / "empty.md").write_text(" \n")
    (rules / "evil").mkdir()
    (rules / "evil" / "keys.json").write_text("[]")
    (rules / "evil" / "Bad.py").write_text("import os\ndef eligible(hh):\n    return True\n")
    outcome = concede("decide", *arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_model_writes_programs_asks_and_reads(concede, rules):
    """By a script: one program, one question, one answer; the program is run in a sandbox too."""
    checker = {
        "source": "def eligible(hh):\n    return hh['plots'] < 2  # not two plots yet\n",
        "keys": [{"name": "plots", "kind": "int", "level": "household", "description": "plots"}],
    }
    (rules / "short.md").write_text("Whoever has fewer than two plots may rent another.")
    script = {
        "replies": [
            {"role": "programmer", "reply": {"source": "import os", "keys": []}},
            {"role": "programmer", "reply": checker},
            {"role": "questioner", "reply": "How many plots do you have?", "times": 0},
            {"role": "reader", "reply": {"facts": [{"slot": "plots", "value": 1}]}},
        ]
    }
    (rules / "script.json").write_text(json.dumps(script))
    outcome = concede(
        "decide", "--rules", "short.md", "--model", "fake:script.json", "--format", "json"
    )
    assert outcome.code == 0, outcome.err
    assert outcome.json["source"] == "model"
    assert outcome.json["next_question"]["text"] == "How many plots do you have?"
