"""Monty and the fallback against our evaluator: the same outcome and the same missing fact."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from concede.catalogs.errors import QueryError
from concede.dialogs.eligibility.decisions.cross_check import CrossCheck, run_in_sandbox
from concede.dialogs.eligibility.decisions.evaluation import run
from concede.dialogs.eligibility.decisions.program import Program
from concede.dialogs.eligibility.keys import SIZE, Slot
from concede.dialogs.eligibility.sandbox.running import open_sandbox
from concede.dialogs.eligibility.sandbox.sandbox import Sandbox
from random_checkers import KEYS, CheckerWriter, random_facts

ONE = Program("one", "def eligible(hh):\n    return hh[0]['age'] >= 18\n", origin="model")


@pytest.fixture(scope="module", params=["monty", "subprocess"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    if request.param == "monty":
        pytest.importorskip("pydantic_monty")
    with open_sandbox(request.param) as opened:
        yield opened


@pytest.mark.parametrize("seed", range(12))
def test_a_sandbox_decides_as_the_evaluator(seed: int, sandbox: Sandbox) -> None:
    random = Random(seed)
    program = Program("random", CheckerWriter(random).write())
    facts = random_facts(random)
    ours, theirs = run(program, facts, KEYS), run_in_sandbox(program, facts, KEYS, sandbox)
    assert theirs.outcome is ours.outcome
    assert bool(theirs.error) is bool(ours.error)


def test_a_missing_fact_comes_back_with_its_line(sandbox: Sandbox) -> None:
    result = run_in_sandbox(ONE, {SIZE: 1}, KEYS, sandbox)
    assert (result.outcome, result.missing, result.line) == (None, "0.age", 2)
    size = Program("size", "def eligible(hh):\n    return len(hh) > 1\n")
    assert run_in_sandbox(size, {}, KEYS, sandbox).missing == "len(hh)"


def test_an_outcome_that_both_find_stands(sandbox: Sandbox) -> None:
    cross_check = CrossCheck(sandbox)
    facts = {Slot(0, "age"): 20}
    assert cross_check.disagreement(ONE, facts, KEYS, True) == ""
    assert "another outcome" in cross_check.disagreement(ONE, facts, KEYS, False)


def test_a_settled_outcome_needs_no_further_fact(sandbox: Sandbox) -> None:
    source = "def eligible(hh):\n    return any(m['ill'] and m['works'] for m in hh)\n"
    program = Program("any", source, origin="model")
    facts = {SIZE: 3, Slot(0, "ill"): False, Slot(1, "works"): False, Slot(2, "ill"): False}
    assert CrossCheck(sandbox).disagreement(program, facts, KEYS, False) == ""


def test_a_recorded_program_needs_no_second_opinion(sandbox: Sandbox) -> None:
    recorded = Program("one", ONE.source)
    assert CrossCheck(sandbox).disagreement(recorded, {}, KEYS, True) == ""


def test_an_unknown_sandbox_is_named() -> None:
    with pytest.raises(QueryError, match="no sandbox 'jail'"):
        open_sandbox("jail")
