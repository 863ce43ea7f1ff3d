"""Whatever is said, the parser returns facts of the right types, soon, and the same each time."""

import string

from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.eligibility.answers.offline import OfflineAnswerParser
from concede.dialogs.eligibility.keys import SIZE, Slot, Value
from concede.dialogs.eligibility.roles import Question
from spoken_answers import KEYS

PARSER = OfflineAnswerParser()
NAMES = {0: "Dana", 1: "Rob Hill", 2: "May", 3: "Leo"}
KNOWN: dict[Slot, Value] = {
    SIZE: 4,
    Slot(0, "relation"): "self",
    Slot(1, "relation"): "spouse",
    Slot(2, "relation"): "child",
    Slot(3, "relation"): "child",
}
WORDS = (
    "I we my wife son kids Rob May Leo nobody everyone except only but and or not n't no yes "
    "the rest others who is does smokes 4 35k $1,200 twelve years months a month hundred and "
    ", . ; : ( ) ' § ‡ - — I'd know don't sorry 0 999999999999999999 1e9 else neither nor so do"
).split(" ")


def asked(name: str) -> Question:
    key = KEYS.key(name)
    slots = tuple(dict.fromkeys(key.slot(at) for at in NAMES))
    return Question("How is that for everyone?", slots, (name,))


QUESTIONS = [asked(key.name) for key in KEYS] + [Question("Who?", (SIZE,), (SIZE.key,))]


@given(
    st.sampled_from(QUESTIONS),
    st.one_of(
        st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join),
        st.text(max_size=200),
        st.text(alphabet=string.punctuation + " §‡\n", max_size=60),
    ),
)
def test_facts_are_typed_and_about_the_household(question: Question, answer: str):
    known = {} if SIZE in question.slots else KNOWN
    parsed = PARSER.parse(question, answer, KEYS, known, {} if not known else NAMES)
    for slot, value in parsed.facts.items():
        assert KEYS.typed(slot, value) == value
        assert slot.member is None or 0 <= slot.member < 20
    assert parsed == PARSER.parse(question, answer, KEYS, known, {} if not known else NAMES)


def test_long_and_repetitive_answers_are_read_in_time():
    for piece in (
        "everyone except ",
        "and my wife ",
        "1,",
        "Rob's ",
        "not ",
        "((((",
        "I I.",
        "no. ",
    ):
        for question in (asked("age"), asked("smokes"), QUESTIONS[-1]):
            PARSER.parse(question, piece * 20_000, KEYS, KNOWN, NAMES)


def test_two_stories_about_one_person_leave_the_fact_open():
    parsed = PARSER.parse(asked("age"), "Rob is 40. Rob is 45.", KEYS, KNOWN, NAMES)
    assert Slot(1, "age") not in parsed.facts
    parsed = PARSER.parse(asked("age"), "Rob is 40, sorry, 45.", KEYS, KNOWN, NAMES)
    assert parsed.facts[Slot(1, "age")] == 45


def test_one_of_two_sons_is_nobody_in_particular():
    parsed = PARSER.parse(asked("smokes"), "My son smokes.", KEYS, KNOWN, NAMES)
    assert not parsed.facts
    parsed = PARSER.parse(asked("smokes"), "Rob smokes and my son does.", KEYS, KNOWN, NAMES)
    assert parsed.facts == {Slot(0, "smokes"): False, Slot(1, "smokes"): True}


def test_what_contradicts_earlier_answers_is_returned_as_heard():
    known = {**KNOWN, Slot(1, "age"): 40}
    parsed = PARSER.parse(asked("age"), "Rob is 45.", KEYS, known, NAMES)
    assert parsed.facts == {Slot(1, "age"): 45}


def test_a_household_whose_size_is_contradicted_is_not_taken_in():
    question = Question("Who lives with you?", (SIZE,), (SIZE.key,))
    answer = "There are three of us, me and my kids Ann, Bo and Cy."
    assert PARSER.parse(question, answer, KEYS, {}, {}).facts.get(SIZE) is None
    parsed = PARSER.parse(question, "I don't know how to say.", KEYS, {}, {})
    assert parsed.unknown == (SIZE,)


def test_what_is_said_by_the_way_adds_nobody_to_the_household():
    question = Question("Who lives with you?", (SIZE,), (SIZE.key,))
    answer = (
        "I am Ann Lee and my son Bo Lee lives with me. By the way, my son gets help from the "
        "Office for Children's Affairs and my neighbor Cy smokes."
    )
    parsed = PARSER.parse(question, answer, KEYS, {}, {})
    assert parsed.facts[SIZE] == 2
    assert parsed.names == {0: "Ann Lee", 1: "Bo Lee"}
