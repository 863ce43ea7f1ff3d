"""Conversations held, written down, read again and scored: the same each time."""

import json
from pathlib import Path

import pytest

from benyfits_data import write_checkers, write_data
from concede.bench.benyfits.components import Components, recorded_programs
from concede.bench.benyfits.dialogue import dialogue_of, slot_of
from concede.bench.benyfits.failures import FailureClassifier
from concede.bench.benyfits.published_data import read_benyfits
from concede.bench.benyfits.report import (
    read_dialogues,
    report_of,
    run_conversations,
    write_predictions,
)
from concede.bench.benyfits.scores import question_counts
from concede.catalogs.errors import QueryError, UnreadableFile
from concede.dialogs.eligibility.keys import SIZE, Slot
from concede.dialogs.eligibility.roles import Question
from concede.dialogs.models.scripted import ScriptedModel
from concede.dialogs.transcripts.episode import Episode, read_episode
from concede.dialogs.transcripts.transcript import Transcript


@pytest.fixture
def data(tmp_path: Path):
    return read_benyfits(write_data(tmp_path / "data"))


@pytest.fixture
def programs(tmp_path: Path, data):
    return recorded_programs(data, write_checkers(tmp_path / "checkers"))


def quiet(households, doing):
    return households


def judged(data, programs) -> FailureClassifier:
    return FailureClassifier(
        data, {program.name: program for program in programs.programs}, programs.keys
    )


@pytest.mark.parametrize("planner", ["joint", "published", "published-together"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_decisions_are_those_of_the_facts(data, programs, planner, seed):
    components = Components(data, programs, planner=planner, seed=seed)
    told = run_conversations(components, list(data.households.values()), quiet)
    assert {event.household: dict(event.decisions) for event in told} == {
        "h-0": {"ChessClub": True, "PrizeTax": True},
        "h-1": {"ChessClub": False},
        "h-2": {"PrizeTax": True, "ChessClub": True},
    }
    report = report_of(told, data, programs, components.setting)
    assert (report.metrics["f1"], report.metrics["undecided"]) == (100, 0)
    assert not report.failures


def test_a_run_read_again_scores_the_same(data, programs, tmp_path):
    components = Components(data, programs)
    households = list(data.households.values())
    told = run_conversations(components, households, quiet, tmp_path / "runs")
    again = read_dialogues(tmp_path / "runs", data)
    assert again == told
    assert (
        report_of(told, data, programs, {}).record()
        == report_of(again, data, programs, {}).record()
    )
    header = read_episode(tmp_path / "runs" / "h-0.jsonl").header
    assert header["programs"] == ["ChessClub", "PrizeTax"]
    assert (header["method"], header["planner"], header["user"]) == ("proada", "joint", "offline")


def test_the_same_conversation_gives_the_same_questions(data, programs):
    told = [
        run_conversations(Components(data, programs), data.of("diverse"), quiet) for _ in range(2)
    ]
    assert told[0] == told[1]
    asked = [[turn.question for turn in entry.turns] for entry in told[0]]
    agent = Components(data, programs).decider(data.households["h-0"])
    replayed: list[str] = []
    for turn in told[0][0].turns:
        question = agent.next_question()
        assert question is not None
        replayed.append(question.text)
        agent.observe(turn.answer)
    assert agent.next_question() is None
    assert replayed == asked[0]


def test_predictions_have_a_line_for_every_pair(data, programs, tmp_path):
    told = run_conversations(Components(data, programs), list(data.households.values()), quiet)
    write_predictions(tmp_path / "p.jsonl", told)
    lines = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text().splitlines()]
    assert len(lines) == 5
    assert lines[0] == {"household": "h-0", "program": "ChessClub", "eligible": True}
    with pytest.raises(UnreadableFile):
        write_predictions(tmp_path / "nowhere" / "p.jsonl", told)


def test_what_was_asked_beside_what_had_to_be(data, programs):
    told = run_conversations(Components(data, programs), data.of("diverse"), quiet)
    counts = question_counts(told, data.labels, programs.keys)
    # h-0: borough, two chess players, three prizes; h-1: the borough.
    assert counts["lower_bound_facts"] == (6 + 1) / 2
    assert counts["lower_bound_keys"] == (3 + 1) / 2
    assert counts["asked_covered"] > 50
    others = run_conversations(Components(data, programs), data.of("representative"), quiet)
    assert question_counts(others, data.labels, programs.keys)["asked_facts"] is None


class Mumbler:
    """A person who never says anything usable."""

    def answer(self, question: Question, transcript: Transcript) -> str:
        return "Well, you know how it is."


def test_who_cannot_be_understood_is_left_undecided(data, programs):
    from concede.bench.benyfits.episode_runner import run_conversation

    components = Components(data, programs)
    one = run_conversation(
        data.households["h-0"],
        components.decider(data.households["h-0"]),
        Mumbler(),
        components.setting,
    )
    assert set(one.decisions.values()) == {None}
    (first, second) = judged(data, programs).pairs(one)
    assert first.reasons[0].startswith("no recovery")
    assert (first.decided, first.eligible) == (None, True)
    assert "repetition" in judged(data, programs).habits(one)
    assert report_of([one], data, programs, {}).metrics["undecided"] == 2
    assert second.program == "PrizeTax"


def episode(**turn: object) -> Episode:
    header = {"benchmark": "benyfits", "household": "h-0", "dataset": "diverse", "method": "proada"}
    decision = {"kind": "decision", "program": "ChessClub", "eligible": False, "missing": []}
    ending = {"kind": "end", "reason": "decided"}
    return Episode(
        header, ({"kind": "turn", "question": "q", "answer": "a", **turn}, decision, ending)
    )


def test_reasons_of_what_went_wrong(data, programs):
    judge = judged(data, programs)
    (misread,) = judge.pairs(dialogue_of(episode(facts={"1.plays_chess": False})))
    assert misread.reasons == ("misreading: 1.plays_chess",)
    wrong_person = episode(facts={"2.yearly_prize_money": 800}, slots=["2.yearly_prize_money"])
    prize = {**wrong_person.events[1], "program": "PrizeTax"}
    one = dialogue_of(
        Episode(wrong_person.header, (wrong_person.events[0], prize, wrong_person.events[2]))
    )
    assert judge.pairs(one)[0].reasons == ("conflating members: 2.yearly_prize_money",)
    unexplained = dialogue_of(episode(facts={"1.plays_chess": True}))
    assert judge.pairs(unexplained)[0].reasons == ("unexplained",)


def test_habits_of_asking(data, programs):
    judge = judged(data, programs)
    told = episode(question="Is your total income below $69,900?", slots=["0.age"])
    assert judge.habits(dialogue_of(told)) == ["ultra-specificity", "multi-member households"]
    told = episode(question="How old is your son?", slots=["2.age"])
    assert judge.habits(dialogue_of(told)) == []
    told = episode(question="How old is your cousin?", slots=["2.age"])
    assert judge.habits(dialogue_of(told)) == ["suggestibility"]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (['{"kind": "header", "version": 1}'], "not of benyfits"),
        (['{"kind": "header", "version": 1, "benchmark": "benyfits"}'], "no end"),
        (['{"kind": "header", "version": 9}'], "no episode"),
        (["[]"], "no event"),
        (
            [
                '{"kind": "header", "version": 1, "benchmark": "benyfits", "household": "h-9"}',
                '{"kind": "end", "reason": "decided"}',
            ],
            "unknown household",
        ),
        (
            [
                '{"kind": "header", "version": 1, "benchmark": "benyfits", "household": "h-0"}',
                '{"kind": "decision", "program": "ChessClub", "eligible": "maybe"}',
                '{"kind": "end", "reason": "decided"}',
            ],
            "is no decision",
        ),
        (
            [
                '{"kind": "header", "version": 1, "benchmark": "benyfits", "household": "h-0"}',
                '{"kind": "turn", "facts": {"what is this": 1}}',
                '{"kind": "end", "reason": "decided"}',
            ],
            "is no fact",
        ),
        (
            [
                '{"kind": "header", "version": 1, "benchmark": "benyfits", "household": "h-0"}',
                '{"kind": "decision", "program": "Chess", "eligible": true}',
                '{"kind": "end", "reason": "decided"}',
            ],
            "unknown program",
        ),
    ],
)
def test_files_that_are_no_run(data, tmp_path, lines, told):
    (tmp_path / "x.jsonl").write_text("\n".join(lines) + "\n")
    with pytest.raises(UnreadableFile, match=told):
        read_dialogues(tmp_path, data)


def test_a_folder_without_runs(data, tmp_path):
    with pytest.raises(UnreadableFile, match="no episode"):
        read_dialogues(tmp_path / "none", data)


def test_slots_as_text():
    assert slot_of("0.age") == Slot(0, "age")
    assert slot_of("borough") == Slot(None, "borough")
    assert slot_of(str(SIZE)) == SIZE
    with pytest.raises(QueryError):
        slot_of("0.")


def test_baselines_talk_through_the_same_runner(data, programs):
    replies = iter(["False", "Do you play chess?", "True", "[true]"])
    model = ScriptedModel(lambda request: next(replies, "True"))
    components = Components(data, programs, method="direct", model=model, offline_user=True)
    (one,) = run_conversations(components, [data.households["h-1"]], quiet)
    assert one.method == "direct"
    assert set(one.decisions) == {"ChessClub"}
    with pytest.raises(QueryError, match="without a model"):
        Components(data, programs, method="react")


def test_chance_decides_without_asking(data, programs):
    components = Components(data, programs, method="random", seed=3)
    told = run_conversations(components, list(data.households.values()), quiet)
    assert all(not event.turns for event in told)
    assert None not in {decided for event in told for decided in event.decisions.values()}
    assert told == run_conversations(components, list(data.households.values()), quiet)
