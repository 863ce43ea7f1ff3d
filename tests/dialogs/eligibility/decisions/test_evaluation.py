"""Programs in three values: compared with Python itself on random programs and households."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.eligibility.decisions.evaluation import evaluate, run
from concede.dialogs.eligibility.decisions.program import Program
from concede.dialogs.eligibility.keys import SIZE, Slot
from random_checkers import KEYS, CheckerWriter, Household, random_facts


def written(seed: int) -> tuple[Program, dict[Slot, Any], Any, Random]:
    """Return a random program, a household, and what Python makes of them."""
    random = Random(seed)
    source = CheckerWriter(random).write()
    facts = random_facts(random)
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    try:
        truth: Any = bool(namespace["eligible"](Household(facts)))
    except (IndexError, KeyError, ValueError, ZeroDivisionError):
        truth = None
    return Program("random", source), facts, truth, random


@given(st.integers(0, 10**9))
def test_a_full_household_is_decided_as_python_decides(seed: int) -> None:
    program, facts, truth, _ = written(seed)
    ran = run(program, facts, KEYS)
    assert ran.outcome is truth
    assert bool(ran.error) is (truth is None)
    if truth is not None:
        assert evaluate(program, facts, KEYS).outcome is truth


@given(st.integers(0, 10**9))
def test_what_is_settled_no_further_fact_changes(seed: int) -> None:
    program, facts, truth, random = written(seed)
    part = {slot: value for slot, value in facts.items() if random.random() < 0.6}
    evaluation = evaluate(program, part, KEYS)
    if evaluation.outcome is not None and truth is not None:
        assert evaluation.outcome is truth
        assert not evaluation.relevant
    if evaluation.outcome is None and not evaluation.error:
        assert evaluation.relevant
        assert not set(evaluation.relevant) & part.keys()


@given(st.integers(0, 10**9))
def test_what_can_matter_is_enough_to_decide(seed: int) -> None:
    program, facts, truth, random = written(seed)
    part = {slot: value for slot, value in facts.items() if random.random() < 0.5}
    part[SIZE] = facts[SIZE]
    evaluation = evaluate(program, part, KEYS)
    if evaluation.outcome is None and truth is not None:
        heard = {slot: facts[slot] for slot in evaluation.relevant}
        assert evaluate(program, part | heard, KEYS).outcome is truth


@given(st.integers(0, 10**9))
def test_a_run_stops_at_facts_until_it_has_them_all(seed: int) -> None:
    program, facts, truth, _ = written(seed)
    known: dict[Slot, Any] = {}
    for _ in range(len(facts) + 1):
        ran = run(program, known, KEYS)
        if ran.missing is None:
            break
        assert ran.missing.slot not in known
        known[ran.missing.slot] = facts[ran.missing.slot]
    assert ran.outcome is truth
    assert set(ran.read) <= known.keys()


def program(*lines: str) -> Program:
    return Program("one", "\n".join(("def eligible(hh):", *(f"    {line}" for line in lines))))


ILL, WORKS = Slot(0, "ill"), Slot(0, "works")


def test_the_order_of_conditions_does_not_matter() -> None:
    checker = program("return hh[0]['ill'] and hh[0]['works']")
    assert evaluate(checker, {WORKS: False}, KEYS).outcome is False
    assert run(checker, {WORKS: False}, KEYS).missing is not None
    assert evaluate(checker, {WORKS: True}, KEYS).relevant == (ILL,)


def test_a_branch_that_changes_nothing_is_not_asked_for() -> None:
    checker = program("if hh[0]['ill']:", "    n = 1", "else:", "    n = 1", "return n == 1")
    assert evaluate(checker, {}, KEYS).outcome is True


def test_both_ways_to_the_same_return_settle() -> None:
    checker = program("if hh[0]['ill']:", "    return False", "return False")
    assert evaluate(checker, {}, KEYS).outcome is False


def test_sums_of_what_is_unknown_are_bounded() -> None:
    checker = program("return sum(m['income'] for m in hh) <= 1500")
    facts = {SIZE: 2, Slot(0, "income"): 400}
    assert evaluate(checker, facts, KEYS).outcome is True
    facts[Slot(0, "income")] = 900
    assert evaluate(checker, facts, KEYS).relevant == (Slot(1, "income"),)


def test_a_missing_fact_comes_with_its_line_and_requirement() -> None:
    checker = program("# you are of age", "return hh[0]['age'] >= 18")
    missing = run(checker, {}, KEYS).missing
    assert missing is not None
    assert (missing.slot, missing.line) == (Slot(0, "age"), 3)
    assert (missing.code, missing.requirement) == ("return hh[0]['age'] >= 18", "you are of age")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("return hh[3]['ill']", "no member 3"),
        ("return 1 / 0 > 0", "division by zero"),
        ("return hh[0]['age'] < 'old'", "has no answer"),
        ("pass", "nothing"),
        ("return (1, 2)", "no truth value"),
        ("return hh['age'] > 3", "a key of members"),
        ("k = hh[0]['tie']; return hh[0][k]", "nothing is at"),
        ("return min([m for m in hh if 1 > 2]) == 1", "least or greatest of nothing"),
        ("return [[[1]]] == 1", "lists of lists"),
    ],
)
def test_what_goes_wrong_is_told_and_decides_nothing(line: str, problem: str) -> None:
    facts = random_facts(Random(1)) | {SIZE: 2}
    result = run(program(line), facts, KEYS)
    assert result.outcome is None
    assert problem in result.error


def test_a_household_beyond_its_size_is_no_error_on_a_path_not_taken() -> None:
    checker = program("if len(hh) > 1:", "    return hh[1]['ill']", "return False")
    assert evaluate(checker, {SIZE: 1}, KEYS).outcome is False
    assert evaluate(checker, {}, KEYS).relevant[0] == SIZE


def test_executed_lines_are_those_of_the_path() -> None:
    checker = program("if hh[0]['ill']:", "    return True", "return hh[0]['works']")
    assert run(checker, {ILL: True}, KEYS).lines == (2, 3)
    assert run(checker, {ILL: False, WORKS: True}, KEYS).lines == (2, 4)
