"""Answers against the profile: who tells the truth, who lies, who tells too much."""

from pathlib import Path
from random import Random

import pytest

from benyfits_data import write_checkers, write_data
from concede.bench.benyfits.answer_judgement import AnswerJudge, answer_figures, unfaithful_records
from concede.bench.benyfits.components import Components, recorded_programs
from concede.bench.benyfits.dialogue import Dialogue, Turn
from concede.bench.benyfits.episode_runner import run_conversation
from concede.bench.benyfits.offline_user import OfflineUser
from concede.bench.benyfits.profile import Profile
from concede.bench.benyfits.published_data import BenyfitsData, read_benyfits
from concede.dialogs.eligibility.decisions.program import Programs
from concede.dialogs.eligibility.keys import SIZE, Slot
from concede.dialogs.eligibility.roles import Question
from concede.dialogs.transcripts.transcript import Transcript

CHESS = tuple(Slot(at, "plays_chess") for at in range(3))
WHO = "Who in your household plays chess?"


@pytest.fixture
def data(tmp_path: Path) -> BenyfitsData:
    return read_benyfits(write_data(tmp_path / "data"))


@pytest.fixture
def programs(tmp_path: Path, data: BenyfitsData) -> Programs:
    return recorded_programs(data, write_checkers(tmp_path / "checkers"))


def judged(data: BenyfitsData, programs: Programs, question: str, answer: str, *slots: Slot):
    turn = Turn(question, answer, slots)
    dialogue = Dialogue("h-0", "diverse", "proada", (turn,), {}, {}, {})
    return AnswerJudge(data, programs.keys).answers(dialogue)[0]


@pytest.mark.parametrize(
    ("answer", "readable", "faithful", "beyond"),
    [
        ("Bo and Cy.", True, True, ()),
        ("Only Bo plays chess, nobody else.", True, False, ()),
        ("All of us play chess.", True, False, ()),
        ("I don't know.", True, False, ()),
        ("Why do you ask?", False, False, ()),
        ("Bo and Cy. By the way, Cy wins 300 per year in prizes.", True, True,
         ("yearly_prize_money",)),
    ],
)  # fmt: skip
def test_what_an_answer_is_worth(data, programs, answer, readable, faithful, beyond):
    found = judged(data, programs, WHO, answer, *CHESS)
    assert (found.readable, found.faithful, found.beyond) == (readable, faithful, beyond)


def test_a_question_in_free_words_is_understood_first(data, programs):
    assert judged(data, programs, "Does anybody in your family play chess?", "Bo and Cy.").faithful
    assert not judged(data, programs, "Does anybody play chess?", "Only me.").faithful


def test_who_lives_there_may_come_with_ages(data, programs):
    found = judged(
        data, programs, "Who lives in your household?",
        "I am Ada Berg. I live with my husband Bo Berg (41) and my son Cy Berg (9).", SIZE,
    )  # fmt: skip
    assert found.faithful
    assert found.beyond == ()
    other = judged(data, programs, "Who lives in your household?", "I live alone.", SIZE)
    assert not other.faithful


def test_figures_and_the_document_s_interval(data, programs):
    answers = [judged(data, programs, WHO, "Bo and Cy.", *CHESS)] * 60
    answers.append(judged(data, programs, WHO, "Nobody.", *CHESS))
    figures = answer_figures(answers)
    assert figures["faithful"] == pytest.approx(98.36, abs=0.01)
    assert figures["intervals"]["faithful"] == pytest.approx((91.3, 99.7), abs=0.1)
    assert (figures["n_answers"], figures["n_wrong"], figures["verbose"]) == (61, 1, 0)
    (record,) = unfaithful_records(answers)
    assert record["wrong"] == ["1.plays_chess", "2.plays_chess"]
    assert answer_figures([])["faithful"] is None


class Liar:
    """Answers from another household's profile, now and then."""

    def __init__(self, true: OfflineUser, false: OfflineUser, seed: str) -> None:
        self._true, self._false, self._random = true, false, Random(seed)
        self.lied: list[bool] = []

    def answer(self, question: Question, transcript: Transcript) -> str:
        true = self._true.answer(question, transcript)
        said = self._false.answer(question, transcript) if self._random.random() < 0.2 else true
        self.lied.append(said != true)
        return said


@pytest.mark.slow
def test_lies_and_additions_are_found_in_published_households(shared_data: Path):
    data = read_benyfits(shared_data / "benyfits")
    programs = recorded_programs(data)
    judge, components = AnswerJudge(data, programs.keys), Components(data, programs)
    lied: list[tuple[bool, bool]] = []
    added: list[tuple[bool, bool]] = []
    for household in data.of("diverse")[1:28:3]:
        members = tuple(_changed(member) for member in household.members)
        false = household.model_copy(update={"members": members, "profile_text": ""})
        users = [OfflineUser(Profile(each, data.features), programs.keys, style="mixed")
                 for each in (household, false)]  # fmt: skip
        liar = Liar(*users, household.household)
        held = run_conversation(household, components.decider(household), liar, components.setting)
        answers = judge.answers(held)
        lied += zip(liar.lied, (bool(answer.wrong) for answer in answers), strict=True)
        added += [("By the way" in answer.answer, bool(answer.beyond)) for answer in answers]
    assert sum(lie for lie, _ in lied) > 5
    assert all(lie == found for lie, found in lied)
    assert all(more == found for more, found in added)


def _changed(member):
    """Another person: every truth turned, older and richer."""
    turned = {name: not value if isinstance(value, bool) else value for name, value in
              member.items()}  # fmt: skip
    richer = {"annual_work_income": member["annual_work_income"] + 7000, "age": member["age"] + 3}
    return {**turned, **richer}
