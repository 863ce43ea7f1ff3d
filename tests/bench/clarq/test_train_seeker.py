"""Fitting of the offline seeker's likelihoods: on other types only, the same bytes every time."""

from pathlib import Path

import pytest

from clarq_data import kite
from concede.bench.clarq import seeker_folds, train_seeker
from concede.bench.clarq.train_seeker import examples_by_fold, fitted, provider_folds, written
from concede.dialogs.information_seeking.first_in_order import FirstInOrder
from concede.dialogs.information_seeking.likelihood import WEIGHTS
from concede.dialogs.information_seeking.offline_seeker import OfflineSeeker
from concede.dialogs.information_seeking.open_points import read_dialogue
from concede.dialogs.information_seeking.task import SpokenTurn

TURNS = tuple(
    SpokenTurn(who, text)
    for who, text in (
        ("provider", "Hello."),
        ("seeker", "How do I fly a kite?"),
        ("provider", "Take the kite to the beach."),
    )
)


def test_what_was_answered_more_often_is_likelier():
    found = [(("bias", "good"), True)] * 9 + [(("bias", "bad"), False)] * 9
    weights = fitted(found)
    assert weights["good"] > 0 > weights["bad"]
    assert fitted(found[::-1]) == weights


def test_weights_decide_what_the_seeker_asks():
    task = kite().for_seeker()
    points = read_dialogue(task, TURNS, {}).open()
    assert points
    assert {point.likely for point in points} == {0.5}
    assert OfflineSeeker(weights={"bias": -9.0}).say(task, TURNS) == "Thank you, goodbye!"


def test_examples_do_not_rest_on_the_file_that_ships(monkeypatch: pytest.MonkeyPatch):
    tasks, provider = (kite(),), FirstInOrder()
    found = list(train_seeker.examples(tasks, provider, {}))
    assert any(label for _, label in found)
    for name in WEIGHTS:
        monkeypatch.setitem(WEIGHTS, name, -5.0)
    assert list(train_seeker.examples(tasks, provider, {})) == found


def test_a_provider_of_a_fold_has_not_seen_its_types(
    shared_data: Path, monkeypatch: pytest.MonkeyPatch
):
    seen: list[set[int]] = []

    def data(folder: Path, types: set[int]) -> tuple[()]:
        seen.append(set(types))
        return ()

    monkeypatch.setattr(train_seeker, "training_data", data)
    monkeypatch.setattr(train_seeker, "fitted_matcher", lambda *_: None)
    parts = provider_folds(shared_data / "clarq", 4)
    for (tasks, _), types in zip(parts, seen, strict=True):
        assert types
        assert types.isdisjoint({task.type_no for task in tasks})


def test_the_figures_of_a_fold_are_of_its_tasks(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(train_seeker, "OfflineProvider", lambda *_: FirstInOrder())
    monkeypatch.setattr(seeker_folds, "OfflineProvider", lambda *_: FirstInOrder())
    parts = (((kite(),), None), ((kite(),), None))
    examples = examples_by_fold(parts)  # type: ignore[arg-type]
    first, second = seeker_folds.held_out_weights(parts)  # type: ignore[arg-type]
    assert first == fitted(examples[1])
    assert written(first) == written(second)
    found = list(seeker_folds.outcomes(parts[0], OfflineSeeker(weights=first), "single"))  # type: ignore[arg-type]
    assert [one.task for one in found] == [kite()]
    assert "SR" in seeker_folds.line("all", found)
