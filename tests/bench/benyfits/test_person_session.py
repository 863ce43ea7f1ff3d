"""A person decides, stops at any moment and goes on; what was said is never asked again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benyfits_data import write_checkers, write_data
from concede.bench.benyfits.components import Components, recorded_programs
from concede.bench.benyfits.person_session import hold_session, study_households
from concede.bench.benyfits.published_data import read_benyfits
from concede.bench.benyfits.report import read_dialogues, report_of
from concede.catalogs.errors import QueryError
from concede.dialogs.transcripts.episode import read_episode

FIRST = ["Who in your household plays chess?", "programs", "", "How much prize money does everyone"
         " in your household win in a year?", "done", "maybe", "yes", "y"]  # fmt: skip
SECOND = ["done", "NO"]


@pytest.fixture
def components(tmp_path: Path) -> Components:
    data = read_benyfits(write_data(tmp_path / "data"))
    programs = recorded_programs(data, write_checkers(tmp_path / "checkers"))
    return Components(data, programs, method="person")


class Desk:
    """Somebody who types some lines, and what is shown to them."""

    def __init__(self, lines: list[str]) -> None:
        self._lines: Iterator[str] = iter(lines)
        self.shown: list[str] = []

    def read(self, prompt: str) -> str:
        self.shown.append(prompt)
        try:
            return next(self._lines)
        except StopIteration:
            raise EOFError from None

    def hold(self, components: Components, folder: Path):
        households = components.data.of("diverse")
        return hold_session(components, households, folder, self.shown.append, self.read)


def test_a_session_is_scored_as_any_run(components: Components, tmp_path: Path):
    desk = Desk([*FIRST, *SECOND])
    dialogues, whole = desk.hold(components, tmp_path / "runs")
    assert whole
    assert [dict(dialogue.decisions) for dialogue in dialogues] == [
        {"ChessClub": True, "PrizeTax": True},
        {"ChessClub": False},
    ]
    shown = "\n".join(desk.shown)
    assert "Anyone in the north who plays chess." in shown
    assert "Write yes or no." in shown
    assert [len(dialogue.turns) for dialogue in dialogues] == [2, 0]
    again = read_dialogues(tmp_path / "runs", components.data)
    assert again == dialogues
    report = report_of(again, components.data, components.programs, components.setting)
    assert (report.metrics["accuracy"], report.setting["method"]) == (100, "person")


@pytest.mark.parametrize("lines", range(len(FIRST) + len(SECOND)))
@pytest.mark.parametrize("word", [[], ["stop"]])
def test_stopped_anywhere_it_goes_on(
    components: Components, tmp_path: Path, lines: int, word: list[str]
):
    folder = tmp_path / "runs"
    typed = [*FIRST, *SECOND]
    _, whole = Desk(typed[:lines] + word).hold(components, folder)
    assert not whole
    asked = sum(len(list(read_episode(path).of_kind("turn"))) for path in folder.glob("*.jsonl"))
    kept_decisions = lines >= len(FIRST)
    rest = typed[len(FIRST) :] if kept_decisions else [
        line for at, line in enumerate(typed) if at not in ((), (0,), (0, 3))[asked]
    ]  # fmt: skip
    desk = Desk(rest)
    dialogues, whole = desk.hold(components, folder)
    assert whole
    whole_at_once, _ = Desk(typed).hold(components, tmp_path / "at once")
    assert dialogues == whole_at_once
    if asked and not kept_decisions:
        assert any(line.startswith(f"you: {FIRST[0]}\nperson: ") for line in desk.shown)


def test_nothing_is_left_to_a_session_that_is_whole(components: Components, tmp_path: Path):
    first, _ = Desk([*FIRST, *SECOND]).hold(components, tmp_path)
    desk = Desk([])
    assert desk.hold(components, tmp_path) == (first, True)
    assert not desk.shown


def test_another_session_is_not_gone_on_with(components: Components, tmp_path: Path):
    Desk(FIRST[:1]).hold(components, tmp_path)
    other = Components(components.data, components.programs, method="person", seed=1)
    with pytest.raises(QueryError, match="seed is 1, and was 0"):
        Desk(SECOND).hold(other, tmp_path)


def test_no_more_questions_than_the_document_allows(components: Components, tmp_path: Path):
    household = components.data.of("diverse")[1]
    desk = Desk([f"question {at}?" for at in range(20)] + ["no"])
    dialogues, whole = hold_session(components, [household], tmp_path, desk.shown.append, desk.read)
    assert whole
    assert len(dialogues[0].turns) == 20
    assert "That was question 20: no more." in desk.shown


def test_pairs_are_drawn_whole_but_the_last(components: Components):
    households = components.data.of("diverse")
    for pairs in (1, 2, 3):
        for seed in range(4):
            chosen = study_households(households, pairs, seed)
            assert sum(len(household.targets) for household in chosen) == pairs
            by_name = {household.household: household for household in households}
            for household in chosen[:-1]:
                assert household == by_name[household.household]
            assert chosen == study_households(households, pairs, seed)
    with pytest.raises(QueryError, match="4 pairs"):
        study_households(households, 4)


def test_a_person_is_no_component(components: Components):
    with pytest.raises(QueryError, match="session"):
        components.decider(components.data.of("diverse")[0])
