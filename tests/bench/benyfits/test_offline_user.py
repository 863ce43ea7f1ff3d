"""What the simulated person says: prose, true, the same each time, and understood."""

from pathlib import Path
from random import Random

import pytest

from benyfits_data import write_checkers, write_data
from concede.bench.benyfits.asked_facts import asked_slots
from concede.bench.benyfits.components import recorded_programs
from concede.bench.benyfits.failures import same
from concede.bench.benyfits.offline_user import OfflineUser
from concede.bench.benyfits.phrasing import said_number, said_of, sentence_of
from concede.bench.benyfits.profile import Profile
from concede.bench.benyfits.published_data import read_benyfits
from concede.bench.benyfits.sampling import Sampler
from concede.dialogs.eligibility.answers.offline import OfflineAnswerParser
from concede.dialogs.eligibility.decisions.verbalization import OfflineQuestionWriter
from concede.dialogs.eligibility.keys import SIZE, Slot
from concede.dialogs.eligibility.roles import Question
from concede.dialogs.transcripts.transcript import Transcript

NOTHING = Transcript(())


@pytest.mark.parametrize(
    ("sentence", "subject", "said"),
    [
        ("{name} receives food stamps", "I", "I receive food stamps."),
        ("{name} does not receive food stamps", "my wife", "My wife does not receive food stamps."),
        ("{name} is disabled", "Ann and I", "Ann and I are disabled."),
        ("{name} qualifies for and receives cash", "I", "I qualify for and receive cash."),
        ("{name} has the bill in their name", "I", "I have the bill in my name."),
        ("{name}'s home is not their only one", "we", "Our home is not our only one."),
        ("{name}'s heat is off", "Ann and I", "Ann's and my heat is off."),
        ("{name} lost their job", "I", "I lost my job."),
        ("{name} always carries keys", "I", "I always carry keys."),
        ("{name} lives in a old house", "none of us", "None of us lives in an old house."),
    ],
)  # fmt: skip
def test_a_profile_sentence_is_said_by_and_of_others(sentence: str, subject: str, said: str):
    assert sentence_of(said_of(sentence, subject)) == said


def test_numbers_are_written_in_many_ways_and_stay_the_same():
    from concede.dialogs.eligibility.answers.amounts import amounts
    from concede.dialogs.eligibility.answers.words import words_of

    random = Random(1)
    for value in (0, 1, 7, 20, 34, 99, 100, 999, 1_000, 35_000, 42_512, 3.25):
        for _ in range(8):
            (read,) = amounts(words_of(said_number(value, random, words=True)))
            assert read.value == value


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    data = read_benyfits(write_data(tmp_path / "data"))
    return Profile(data.households["h-0"], data.features)


@pytest.fixture
def keys(tmp_path: Path):
    data = read_benyfits(write_data(tmp_path / "data"))
    return recorded_programs(data, write_checkers(tmp_path / "checkers")).keys


def test_answers_follow_from_the_seed(profile: Profile, keys):
    question = Question("Who plays chess?", tuple(Slot(at, "plays_chess") for at in range(3)))
    said = [OfflineUser(profile, keys, seed).answer(question, NOTHING) for seed in range(20)]
    assert said == [
        OfflineUser(profile, keys, seed).answer(question, NOTHING) for seed in range(20)
    ]
    assert len(set(said)) > 5


def test_who_lives_there(profile: Profile, keys):
    parser = OfflineAnswerParser()
    question = Question("Who lives with you?", (SIZE,), (SIZE.key, "relation", "age"))
    for seed in range(10):
        said = OfflineUser(profile, keys, seed, by_the_way=0).answer(question, NOTHING)
        parsed = parser.parse(question, said, keys, {}, {})
        assert parsed.facts[SIZE] == 3
        assert parsed.names == {0: "Ada Berg", 1: "Bo Berg", 2: "Cy Berg"}
        assert parsed.facts[Slot(1, "relation")] == "spouse"
        assert [parsed.facts[Slot(at, "age")] for at in range(3)] == [40, 41, 9]


def test_what_it_does_not_know_it_says(profile: Profile, keys):
    user = OfflineUser(profile, keys)
    assert "not sure" in user.answer(Question("Why is the sky blue?"), NOTHING)
    told = user.answer(Question("x", (Slot(7, "age"),), ("age",)), NOTHING)
    assert told.startswith("I don't know")


def test_free_questions_are_understood(profile: Profile, keys):
    assert asked_slots("Do you play chess?", profile, keys) == (Slot(0, "plays_chess"),)
    assert asked_slots("Does Bo Berg play chess?", profile, keys) == (Slot(1, "plays_chess"),)
    assert len(asked_slots("Does anyone in your household play chess?", profile, keys)) == 3
    assert asked_slots("In which part of town is it?", profile, keys) == (Slot(None, "borough"),)
    assert asked_slots("How many people live with you?", profile, keys) == (SIZE,)
    assert asked_slots("Lovely weather!", profile, keys) == ()


@pytest.mark.slow
@pytest.mark.parametrize("style", ["short", "full", "mixed"])
def test_what_is_said_of_any_fact_is_never_misunderstood(shared_data: Path, style):
    """Every key, asked of one and of all, of drawn households: no wrong fact, few left open."""
    data = read_benyfits(shared_data / "benyfits")
    keys = recorded_programs(data).keys
    parser, writer = OfflineAnswerParser(), OfflineQuestionWriter()
    asked = left = 0
    wrong: list[tuple[str, str, str]] = []
    for household in Sampler(data.features, most_members=4).households(3, seed=11):
        profile = Profile(household, data.features)
        known = profile.known(keys)
        opening = Question("Who lives with you?", (SIZE,), (SIZE.key,))
        said = OfflineUser(profile, keys, 5, style).answer(opening, NOTHING)
        names = parser.parse(opening, said, keys, {}, {}).names
        told = {slot: known[slot] for slot in known if slot == SIZE or slot.key == "relation"}
        for key in keys:
            if key.name not in data.features or key.name == "relation":
                continue
            slots = tuple(dict.fromkeys(key.slot(at) for at in range(len(household.members))))
            for own in dict.fromkeys((slots, slots[-1:])):
                blank = Question("", own, (key.name,))
                question = Question(writer.write(blank, keys, told, names), own, (key.name,))
                said = OfflineUser(profile, keys, 5, style).answer(question, NOTHING)
                facts = parser.parse(question, said, keys, told, names).facts
                asked += len(own)
                left += sum(slot not in facts for slot in own)
                wrong += [
                    (question.text, said, str(slot))
                    for slot, value in facts.items()
                    if not same(value, known.get(slot))
                ]
    assert len(wrong) <= asked / 200, wrong[:5]
    assert left <= asked / 20
