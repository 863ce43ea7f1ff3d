"""`concede bench benyfits` with a person, with trials, and the features, from the outside."""

from pathlib import Path

import pytest

from benyfits_data import PROGRAMS, write_checkers, write_data
from command_line import in_own_process

GIVEN = ("bench", "benyfits", "--data", "data", "--checkers", "checkers", "--format", "json")
PERSON = (*GIVEN, "--agent", "person", "--dataset", "diverse", "--pairs", "3",
          "--transcripts", "session", "--offline")  # fmt: skip

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    read = (["borough", "plays_chess"], ["yearly_prize_money"])
    programs = [{**program, "features_read": features} for program, features in
                zip(PROGRAMS, read, strict=True)]  # fmt: skip
    write_data(tmp_path / "data", programs=programs)
    write_checkers(tmp_path / "checkers")
    return tmp_path


def test_a_session_is_stopped_and_gone_on_with(folder: Path):
    first = in_own_process(*PERSON, folder=folder, typed="Who plays chess?\nstop\n")
    assert (first.code, first.out) == (0, "")
    assert "person: " in first.err
    assert first.err.endswith("concede: stopped at 0 of 3 pairs; the same command goes on\n")
    second = in_own_process(*PERSON, folder=folder, typed="done\nno\n")
    assert second.code == 0, second.err
    assert "you: Who plays chess?" in second.err
    assert second.json["method"] == "person"
    third = in_own_process(*PERSON, folder=folder, typed="done\ny\ny\n")
    assert (third.json["n_pairs"], third.json["turns"]) == (3, 0.5)
    whole = in_own_process(*PERSON, folder=folder, typed="")
    assert whole.json == third.json
    assert "Household" not in whole.err


def test_trials_are_kept_apart_and_read_again(folder: Path):
    trials = (*GIVEN, "--offline", "--trials", "3", "--seed", "5")
    done = in_own_process(*trials, "--transcripts", "runs", folder=folder)
    assert done.code == 0, done.err
    assert (done.json["trials"], done.json["f1"]) == (3, 100)
    assert [trial["seed"] for trial in done.json["per_trial"]] == [5, 6, 7]
    assert sorted(path.name for path in (folder / "runs").iterdir()) == [
        "trial-1", "trial-2", "trial-3",
    ]  # fmt: skip
    again = in_own_process(*GIVEN, "--rescore", "runs", "--seed", "5", folder=folder)
    for name in ("f1", "turns", "intervals", "standard_deviation"):
        assert again.json[name] == done.json[name]
    table = in_own_process(*trials[:-3], "2", "--format", "table", folder=folder)
    assert "BeNYfits, 2 trials" in table.out


def test_answers_of_the_person_are_judged(folder: Path):
    done = in_own_process(*GIVEN, "--offline", folder=folder)
    assert done.json["answers"]["faithful"] == 100
    table = in_own_process(*GIVEN[:-1], "table", "--offline", folder=folder)
    assert "What the person answered" in table.out


def test_features_are_counted(folder: Path):
    command = ("bench", "benyfits-features", *GIVEN[2:6], "--plot", "figure2.svg")
    done = in_own_process(*command, "--format", "json", folder=folder)
    assert done.code == 0, done.err
    assert done.json["features"][0] == {"feature": "borough", "programs": 1, "ours": 1}
    assert (folder / "figure2.svg").read_bytes().startswith(b"<?xml")
    assert "features a program" in in_own_process(*command[:6], folder=folder).out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--agent", "person", "--offline"), "--transcripts"),
        (("--agent", "person", "--offline", "--transcripts", "x", "--trials", "2"), "--trials"),
        (("--agent", "person", "--offline", "--transcripts", "x"), "39 pairs"),
        (("--offline", "--pairs", "4"), "4 pairs"),
    ],
)
def test_what_cannot_be_is_one_line(folder: Path, arguments: tuple[str, ...], told: str):
    done = in_own_process(*GIVEN, *arguments, folder=folder, typed="")
    assert done.code == 2
    assert told in done.err
    assert done.err.count("\n") == 1
