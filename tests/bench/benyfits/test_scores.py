"""The figures beside a plain twin, and beside the document's own arithmetic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.bench.benyfits.dialogue import Dialogue, Turn
from concede.bench.benyfits.records import Label
from concede.bench.benyfits.scores import (
    Counts,
    counted,
    intervals,
    overall,
    per_program,
    turn_weighted,
)

PAIRS = st.lists(st.tuples(st.sampled_from([True, False, None]), st.booleans()), max_size=40)


def dialogue(household: str, turns: int, **decisions: bool | None) -> Dialogue:
    asked = tuple(Turn(f"q{n}", "a") for n in range(turns))
    return Dialogue(household, "diverse", "proada", asked, decisions, {}, {})


def label(household: str, program: str, eligible: bool) -> Label:
    return Label(household=household, program=program, eligible=eligible, target=True)


def labelled(*labels: Label) -> dict[tuple[str, str], Label]:
    return {(label.household, label.program): label for label in labels}


@given(PAIRS)
def test_figures_equal_a_plain_twin(pairs: list[tuple[bool | None, bool]]):
    figures = counted(pairs).figures()
    said = [true for one, true in pairs if one is True]
    eligible = [one for one, true in pairs if true]
    right = [one for one, true in pairs if one == true and one is not None]
    precision = sum(said) / len(said) if said else None
    recall = sum(entry is True for entry in eligible) / len(eligible) if eligible else None
    assert figures["precision"] == (None if precision is None else pytest.approx(100 * precision))
    assert figures["recall"] == (None if recall is None else pytest.approx(100 * recall))
    assert figures["accuracy"] == (pytest.approx(100 * len(right) / len(pairs)) if pairs else None)
    if precision and recall:
        assert figures["f1"] == pytest.approx(100 * 2 * precision * recall / (precision + recall))
    assert counted(pairs).n == len(pairs)


def test_undecided_is_never_right():
    assert Counts(tp=1, lost=1).figures()["recall"] == 50
    assert Counts(tp=1, lost=1).figures()["precision"] == 100
    assert Counts(tn=1, spared=1).figures()["accuracy"] == 50
    assert Counts(tn=1, spared=1).figures()["f1"] is None


def test_turn_weighted_f1_is_that_of_table_1():
    for f1, turns, printed in (
        (55.6, 16.5, 47.7),
        (51.8, 19.0, 43.5),
        (46.2, 20.1, 38.5),
        (42.2, 23.7, 34.1),
        (36.3, 0.0, 36.3),
    ):
        assert turn_weighted(f1, turns) == pytest.approx(printed, abs=0.05)
    assert turn_weighted(None, 3) is None


def test_pairs_are_counted_alike_whatever_their_household():
    labels = labelled(
        label("a", "P", True), label("a", "Q", True), label("b", "P", False), label("b", "R", True)
    )
    told = [dialogue("a", 4, P=True, Q=False), dialogue("b", 8, P=True, R=None, S=True)]
    metrics = overall(told, labels)
    assert (metrics["n_pairs"], metrics["n_labelled"], metrics["undecided"]) == (5, 4, 1)
    assert metrics["turns"] == 6
    assert metrics["f1"] == pytest.approx(100 * 2 / (2 + 1 + 2))
    rows = per_program(told, labels)
    assert list(rows) == ["P", "Q", "R", "S"]
    assert (rows["P"]["n"], rows["P"]["eligible"], rows["P"]["wrong"]) == (2, 1, 1)
    assert (rows["R"]["undecided"], rows["R"]["wrong"]) == (1, 1)
    assert (rows["S"]["eligible"], rows["S"]["f1"]) == (None, None)


def test_without_labels_only_turns_are_left():
    metrics = overall([dialogue("a", 3, P=True)], {})
    assert metrics["f1"] is metrics["accuracy"] is metrics["turn_weighted_f1"] is None
    assert metrics["turns"] == 3
    ends = intervals([dialogue("a", 3, P=True)], {})
    assert ends["f1"] is None
    assert ends["turns"] == (3, 3)
    assert intervals([], {}) == {}


def test_intervals_hold_the_figure_and_follow_from_the_seed():
    labels = labelled(*(label(f"h{n}", "P", n % 3 > 0) for n in range(30)))
    told = [dialogue(f"h{n}", n % 7, P=n % 2 > 0) for n in range(30)]
    ends, metrics = intervals(told, labels, seed=1), overall(told, labels)
    assert ends == intervals(told, labels, seed=1)
    for name in ("f1", "precision", "recall", "accuracy", "turns", "turn_weighted_f1"):
        low, high = ends[name]
        assert low < metrics[name] < high
