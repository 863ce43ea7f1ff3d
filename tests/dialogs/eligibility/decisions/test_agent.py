"""Conversations that end in decisions: planners, contradictions, what is not known, replay."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede.catalogs.errors import QueryError, SandboxError
from concede.dialogs.eligibility.decisions.agent import DecisionAgent
from concede.dialogs.eligibility.decisions.evaluation import run
from concede.dialogs.eligibility.decisions.planning import get_planner, planner_names
from concede.dialogs.eligibility.decisions.program import Program
from concede.dialogs.eligibility.keys import SIZE, Key, KeyTable, Known, Slot
from concede.dialogs.eligibility.roles import Parsed, Question
from example_counts import examples
from random_checkers import KEYS, CheckerWriter, random_facts

TABLE = KeyTable.of(
    [
        Key("age", "int", high=120, ask="How old {is} {person}?", ask_all="How old are you all?"),
        Key("rare", "bool", prior=((True, 0.02), (False, 0.98))),
        Key("often", "bool", prior=((True, 0.95), (False, 0.05))),
        Key("job", "choice", values=("baker", "smith")),
        Key("town", "choice", "household", values=("here", "there")),
    ]
)


def program(name: str, *lines: str) -> Program:
    return Program(name, "\n".join(("def eligible(hh):", *(f"    {line}" for line in lines))))


class KnownFacts:
    """A parser that looks answers up in a household: what is not there is not known."""

    def __init__(self, facts: Known) -> None:
        self.facts = facts

    def parse(
        self,
        question: Question,
        answer: str,
        keys: KeyTable,
        known: Known,
        names: Mapping[int, str],
    ) -> Parsed:
        if answer == "?":
            return Parsed()
        facts = {slot: self.facts[slot] for slot in question.slots if slot in self.facts}
        return Parsed(facts, tuple(slot for slot in question.slots if slot not in facts))


class Said:
    """A parser that hears the facts it was given, one answer after the other."""

    def __init__(self, *heard: Parsed) -> None:
        self.heard = list(heard)

    def parse(self, *_: object) -> Parsed:
        return self.heard.pop(0) if self.heard else Parsed()


def questions_of(agent: DecisionAgent, answer: str = "…") -> list[Question]:
    questions: list[Question] = []
    while (question := agent.next_question()) is not None:
        questions.append(question)
        agent.observe(answer)
    return questions


ADULT = program("adult", "# you are of age", "return hh[0]['age'] >= 18")
BOTH = program("both", "return hh[0]['often'] and hh[0]['rare'] and hh[0]['age'] > 20")


@pytest.mark.parametrize("planner", planner_names())
@given(seed=st.integers(0, 10**9))
@settings(max_examples=examples(12))
def test_every_planner_decides_as_the_programs_do(planner: str, seed: int) -> None:
    random = Random(seed)
    facts = random_facts(random)
    programs = [Program(f"p{at}", CheckerWriter(random).write()) for at in range(2)]
    agent = DecisionAgent(
        programs, KEYS, planner=planner, parser=KnownFacts(facts), max_questions=len(facts)
    )
    questions = questions_of(agent)
    slots = [slot for question in questions for slot in question.slots]
    assert len(set(slots)) == len(slots)
    for program in programs:
        ran = run(program, facts, KEYS)
        if not ran.error:
            assert agent.decisions()[program.name].eligible is ran.outcome


def test_the_published_order_is_line_by_line_and_program_by_program() -> None:
    facts = {Slot(0, "often"): True, Slot(0, "rare"): True, Slot(0, "age"): 30}
    agent = DecisionAgent([BOTH, ADULT], TABLE, planner="published", parser=KnownFacts(facts))
    assert [question.keys[0] for question in questions_of(agent)] == ["often", "rare", "age"]


def test_the_joint_planner_asks_what_is_likely_to_settle() -> None:
    facts = {Slot(0, "often"): True, Slot(0, "rare"): False, Slot(0, "age"): 30}
    agent = DecisionAgent([BOTH], TABLE, parser=KnownFacts(facts))
    assert [question.keys[0] for question in questions_of(agent)] == ["rare"]
    assert agent.decisions()["both"].eligible is False


def test_a_fact_of_two_programs_comes_first() -> None:
    first = program("first", "return hh[0]['often'] and hh[0]['age'] > 30")
    second = program("second", "return hh[0]['job'] == 'smith' and hh[0]['age'] > 40")
    agent = DecisionAgent([first, second], TABLE, parser=KnownFacts({Slot(0, "age"): 3}))
    assert [question.keys[0] for question in questions_of(agent)] == ["age"]


def test_everyone_is_asked_at_once() -> None:
    oldest = program("oldest", "return any(m['age'] > 60 for m in hh)")
    facts = {SIZE: 3, **{Slot(at, "age"): 30 for at in range(3)}}
    agent = DecisionAgent([oldest], TABLE, parser=KnownFacts(facts))
    size, ages = questions_of(agent)
    assert size.slots == (SIZE,)
    assert ages.slots == (Slot(0, "age"), Slot(1, "age"), Slot(2, "age"))
    assert ages.text == "How old are you all?"
    alone = DecisionAgent([oldest], TABLE, planner="published", parser=KnownFacts(facts))
    assert [len(question.slots) for question in questions_of(alone)] == [1, 1, 1, 1]


def test_keys_of_a_topic_may_be_one_question() -> None:
    table = KeyTable.of([Key(name, "bool", "household", topic="pay") for name in ("tips", "rent")])
    checker = program("one", "return hh['tips'] and hh['rent']")
    facts = {Slot(None, "tips"): True, Slot(None, "rent"): True}
    (question,) = questions_of(
        DecisionAgent([checker], table, planner="joint-topics", parser=KnownFacts(facts))
    )
    assert question.keys == ("tips", "rent")
    assert "tips" in question.text
    assert "rent" in question.text
    assert len(questions_of(DecisionAgent([checker], table, parser=KnownFacts(facts)))) == 2


def test_nothing_is_asked_for_what_no_answer_can_change() -> None:
    always = program("always", "if hh[0]['rare']:", "    return True", "return True")
    assert DecisionAgent([always], TABLE).next_question() is None


@pytest.mark.parametrize("planner", planner_names())
def test_the_same_conversation_replayed_is_the_same(planner: str) -> None:
    random = Random(5)
    facts = random_facts(random)
    programs = [Program(f"p{at}", CheckerWriter(random).write()) for at in range(3)]

    def once() -> list[Question]:
        return questions_of(
            DecisionAgent(programs, KEYS, planner=planner, parser=KnownFacts(facts))
        )

    assert once() == once()


def test_who_does_not_know_is_asked_once_and_nothing_is_guessed() -> None:
    agent = DecisionAgent([ADULT], TABLE, parser=KnownFacts({}))
    assert len(questions_of(agent)) == 1
    decision = agent.decisions()["adult"]
    assert (decision.eligible, decision.missing) == (None, (Slot(0, "age"),))
    assert decision.why == "the person does not know"
    assert agent.undecided == {"adult": (Slot(0, "age"),)}


def test_what_is_not_known_need_not_matter() -> None:
    either = program("either", "return hh[0]['rare'] or hh[0]['often']")
    agent = DecisionAgent([either], TABLE, parser=KnownFacts({Slot(0, "often"): True}))
    questions_of(agent)
    assert agent.decisions()["either"].eligible is True


def test_an_answer_nobody_understands_is_asked_for_three_times() -> None:
    agent = DecisionAgent([ADULT], TABLE, parser=KnownFacts({}))
    questions = questions_of(agent, "?")
    assert [question.attempt for question in questions] == [1, 2, 3]
    assert "a whole number from 0 to 120" in questions[1].text
    assert agent.decisions()["adult"].why == "no usable answer"


def test_a_contradiction_is_asked_about_and_the_answer_holds() -> None:
    age, often = Slot(0, "age"), Slot(0, "often")
    agent = DecisionAgent(
        [program("p", "return hh[0]['age'] >= 18 and hh[0]['often'] and hh[0]['rare']")],
        TABLE,
        planner="published",
        parser=Said(Parsed({age: 30}), Parsed({age: 31, often: True}), Parsed({age: 31})),
    )
    agent.next_question()
    agent.observe("30")
    agent.next_question()
    agent.observe("yes, I am 31")
    assert age not in agent.known
    question = agent.next_question()
    assert question is not None
    assert question.disputed
    assert "30" in question.text
    assert "31" in question.text
    agent.observe("31")
    assert agent.known[age] == 31


def test_a_contradiction_never_cleared_up_is_undecided() -> None:
    age, often = Slot(0, "age"), Slot(0, "often")
    parser = Said(Parsed({age: 30}), Parsed({age: 10, often: True}))
    agent = DecisionAgent(
        [program("p", "return hh[0]['age'] >= 18 and hh[0]['often']")],
        TABLE,
        planner="published",
        parser=parser,
    )
    questions = questions_of(agent)
    assert [question.disputed for question in questions] == [False, False, True, True, True]
    assert agent.decisions()["p"].why == "contradicting answers"


def test_facts_nobody_asked_for_are_kept_and_nonsense_is_not() -> None:
    heard = {
        Slot(0, "age"): 30,
        Slot(0, "rare"): True,
        Slot(0, "often"): True,
        Slot(99, "age"): 3,
        Slot(0, "nothing"): 1,
        Slot(None, "age"): 4,
    }
    agent = DecisionAgent([BOTH], TABLE, parser=Said(Parsed(heard)))
    assert len(questions_of(agent)) == 1
    assert agent.decisions()["both"].eligible is True
    assert set(agent.known) == {Slot(0, "age"), Slot(0, "rare"), Slot(0, "often")}


def test_questions_end_at_their_number() -> None:
    agent = DecisionAgent([BOTH], TABLE, parser=KnownFacts({}), max_questions=1)
    assert len(questions_of(agent)) == 1
    assert DecisionAgent([ADULT], TABLE, max_questions=0).decisions()["adult"].eligible is None


def test_reasons_are_the_fewest_facts_and_their_lines() -> None:
    facts = {SIZE: 2, Slot(0, "age"): 40, Slot(0, "rare"): False, Slot(0, "often"): True}
    agent = DecisionAgent([BOTH, ADULT], TABLE, known=facts)
    decisions = agent.decisions()
    assert [reason.facts for reason in decisions["both"].reasons] == [((Slot(0, "rare"), False),)]
    assert decisions["adult"].reasons[0].requirement == "you are of age"
    assert decisions["adult"].reasons[0].line == 3


def test_a_program_that_fails_says_so() -> None:
    agent = DecisionAgent([program("bad", "return 1 // 0 > 1")], TABLE)
    assert agent.next_question() is None
    assert "division by zero" in agent.decisions()["bad"].why


def test_a_key_that_the_table_lacks_is_refused() -> None:
    with pytest.raises(SandboxError, match="no key 'shoe'"):
        DecisionAgent([program("p", "return hh[0]['shoe'] > 3")], TABLE)


def test_nothing_is_heard_before_a_question() -> None:
    with pytest.raises(QueryError, match="nothing was asked"):
        DecisionAgent([ADULT], TABLE).observe("30")


def test_an_unknown_planner_is_named() -> None:
    with pytest.raises(QueryError, match="no planner 'join'; planners: joint"):
        get_planner("join")


def test_a_conversation_in_words() -> None:
    """With the parser that ships: the whole loop as a person meets it."""
    agent = DecisionAgent([ADULT, BOTH], TABLE)
    question = agent.next_question()
    while question is not None:
        answers = {"age": "I am 44", "rare": "yes", "often": "yes, often"}
        agent.observe(answers[question.keys[0]])
        question = agent.next_question()
    assert {name: decision.eligible for name, decision in agent.decisions().items()} == {
        "adult": True,
        "both": True,
    }
