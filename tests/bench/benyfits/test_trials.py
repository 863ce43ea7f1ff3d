"""Repeated trials: means over them, intervals over households and trials, seeds for models."""

from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from benyfits_data import write_checkers, write_data
from concede.bench.benyfits.components import Components, recorded_programs
from concede.bench.benyfits.dialogue import Dialogue, Turn
from concede.bench.benyfits.published_data import read_benyfits
from concede.bench.benyfits.records import Label
from concede.bench.benyfits.report import Report, report_of, run_conversations
from concede.bench.benyfits.scores import count_rows, intervals, overall, sampled_figures
from concede.bench.benyfits.trials import FIGURES, SeededModel, trial_folders, trials_of
from concede.bench.progress import uncounted
from concede.catalogs.errors import QueryError, UnreadableFile
from concede.dialogs.models.chat_model import Request
from concede.dialogs.models.scripted import ScriptedModel

LABELS = {
    (f"h-{at}", "P"): Label(household=f"h-{at}", program="P", eligible=at % 2 == 0, target=True)
    for at in range(6)
}


def run(right: list[bool], turns: int, seed: int) -> Report:
    """Six households, decided right or wrong."""
    dialogues = [
        Dialogue(
            f"h-{at}", "diverse", "proada", (Turn("q", "a"),) * turns,
            {"P": (at % 2 == 0) == each}, {}, {},
        )
        for at, each in enumerate(right)
    ]  # fmt: skip
    metrics = overall(dialogues, LABELS)
    return Report({"seed": seed}, dialogues, metrics, {}, {}, {}, [], {}, {}, [])


def test_figures_are_means_of_trials():
    reports = [run([True] * 6, 4, 0), run([True] * 3 + [False] * 3, 6, 1), run([False] * 6, 2, 2)]
    trials = trials_of(reports, LABELS)
    for name in FIGURES:
        assert trials.figures[name] == pytest.approx(fmean(r.metrics[name] for r in reports))
    assert trials.figures["turns"] == 4
    assert trials.spread["turns"] == pytest.approx(2)
    record = trials.record()
    assert record["trials"] == 3
    assert [each["seed"] for each in record["per_trial"]] == [0, 1, 2]
    low, high = record["intervals"]["turns"]
    assert 2 <= low < 4 < high <= 6


def test_one_trial_has_the_interval_of_its_run():
    report = run([True, True, False, True, True, False], 3, 0)
    trials = trials_of([report], LABELS, seed=5)
    assert dict(trials.intervals) == intervals(report.dialogues, LABELS, seed=5)
    assert trials.spread["f1"] is None


def test_intervals_hold_the_spread_of_households_and_trials():
    alike = trials_of([run([True, False] * 3, 3, at) for at in range(3)], LABELS)
    apart = trials_of([run([at > 0] * 6, 3, at) for at in range(3)], LABELS)
    assert np.diff(alike.intervals["accuracy"]) > 0
    assert apart.intervals["accuracy"] == pytest.approx((0, 100))


def test_samples_are_those_of_a_plain_loop():
    report = run([True, True, False, True, True, False], 3, 0)
    table = count_rows(report.dialogues, LABELS)
    draws = np.array([[2.0, 0, 1, 1, 0, 2], [0, 6, 0, 0, 0, 0]])
    figures = sampled_figures(draws @ table, 6)
    for at, counts in enumerate(draws):
        drawn = [d for d, n in zip(report.dialogues, counts, strict=True) for _ in range(int(n))]
        plain = overall(drawn, LABELS)
        for name in FIGURES:
            mine = figures[name][at]
            assert (None if np.isnan(mine) else mine) == pytest.approx(plain[name])


def test_without_labels_there_are_turns_only(tmp_path: Path):
    data = read_benyfits(write_data(tmp_path / "data"))
    programs = recorded_programs(data, write_checkers(tmp_path / "checkers"))
    reports: list[Report] = []
    for seed in (0, 1):
        components = Components(data, programs, seed=seed)
        held = run_conversations(components, data.of("representative"), uncounted)
        reports.append(report_of(held, data, programs, components.setting))
    record = trials_of(reports, data.labels).record()
    assert record["f1"] is record["standard_deviation"]["f1"] is record["intervals"]["f1"] is None
    assert record["turns"] > 0


def test_trials_of_different_households_are_refused():
    one, other = run([True] * 6, 1, 0), run([True] * 5, 1, 1)
    with pytest.raises(QueryError, match="different households"):
        trials_of([one, other], LABELS)


def test_a_seed_goes_along_unless_there_is_one():
    seen: list[int | None] = []

    def reply(request: Request) -> str:
        seen.append(request.seed)
        return "yes"

    model = SeededModel(ScriptedModel(reply), 7)
    model.complete(Request(()))
    model.complete(Request((), seed=3))
    assert seen == [7, 3]


def test_folders_of_trials_are_in_order(tmp_path: Path):
    assert trial_folders(tmp_path) == [tmp_path]
    for at in (1, 2, 10):
        (tmp_path / f"trial-{at}").mkdir()
    assert [path.name for path in trial_folders(tmp_path)] == ["trial-1", "trial-2", "trial-10"]
    (tmp_path / "h.jsonl").touch()
    with pytest.raises(UnreadableFile, match="beside"):
        trial_folders(tmp_path)
