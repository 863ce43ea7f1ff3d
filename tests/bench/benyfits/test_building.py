"""A data set built by trace coverage from checkers of our own."""

import json
from pathlib import Path

from benyfits_data import write_checkers, write_data
from concede.bench.benyfits.building import build, limits_of, write_built
from concede.bench.benyfits.components import recorded_programs
from concede.bench.benyfits.profile import Profile
from concede.bench.benyfits.published_data import read_benyfits
from concede.bench.benyfits.sampling import Sampler
from concede.dialogs.eligibility.decisions.evaluation import run


def quiet(households, doing):
    return households


def test_few_households_run_every_line(tmp_path: Path):
    data = read_benyfits(write_data(tmp_path / "data"))
    programs = recorded_programs(data, write_checkers(tmp_path / "checkers"))
    limits = limits_of(programs, programs.keys)
    drawn = Sampler(data.features, "uniform", limits).households(60, seed=2)
    built = build(drawn, programs, data.features, quiet)
    assert built == build(drawn, programs, data.features, quiet)
    assert (built.drawn, built.kept_lines) == (60, built.lines)
    # Both programs, each with both outcomes.
    assert 2 <= sum(len(household.targets) for household in built.households) <= 4
    assert set(built.outcomes.values()) == {True, False}
    for (household, name), outcome in built.outcomes.items():
        one = next(each for each in built.households if each.household == household)
        known = Profile(one, data.features).known(programs.keys)
        (program,) = programs.named(name)
        assert run(program, known, programs.keys).outcome is outcome
    write_built(tmp_path / "built.jsonl", built)
    lines = [json.loads(line) for line in (tmp_path / "built.jsonl").read_text().splitlines()]
    assert [set(line["eligible"]) for line in lines] == [
        set(household.targets) for household in built.households
    ]
    again = write_data(
        tmp_path / "again",
        households=[{k: v for k, v in line.items() if k != "eligible"} for line in lines],
        labels=[],
    )
    assert len(read_benyfits(again).households) == len(built.households)


def test_limits_are_what_checkers_compare_with(tmp_path: Path):
    data = read_benyfits(write_data(tmp_path / "data"))
    folder = write_checkers(tmp_path / "checkers")
    source = '"""Doc."""\n\n\ndef eligible(hh):\n    return any(16 <= m["age"] < 25 for m in hh)\n'
    (folder / "ChessClub.py").write_text(source)
    programs = recorded_programs(data, folder)
    assert limits_of(programs, programs.keys)["age"] == (16, 25)
