"""Figures from transcripts alone: the published ones, and small dialogues counted by hand."""

from pathlib import Path

import pytest

from clarq_data import DIALOGUES, TASKS, kite, turns, write_data
from concede.bench.clarq.failures import missed_facts
from concede.bench.clarq.judges import OfflineJudge, judge_score
from concede.bench.clarq.outcome import depth, outcome_of
from concede.bench.clarq.published import published_rows
from concede.bench.clarq.published_data import (
    JudgePair,
    RecordedDialogue,
    read_judge_pairs,
    read_tasks,
    task_of,
)
from concede.bench.clarq.rows import comparison, row
from concede.catalogs.errors import QueryError


def outcomes():
    tasks = {(task["lang"], task["id"]): task_of(task) for task in TASKS}
    read = [RecordedDialogue.model_validate(record) for record in DIALOGUES]
    return [outcome_of(tasks[dialogue.key], dialogue.spoken) for dialogue in read]


def test_all_18_published_cells_are_those_of_the_dialogues(shared_data: Path):
    folder = shared_data / "clarq"
    rows = published_rows(folder, read_tasks(folder))
    assert [row["tasks"] for row in rows] == [180] * 6
    assert [row["equal"] for row in rows] == [{"success_rate": True, "D": True, "L": True}] * 6
    assert sum(row["rescued_by_judge"] for row in rows) == 1
    printed = {row["lang"]: row["printed"] for row in rows if row["printed"]}
    assert printed["en"] == {"success_rate": 0.485, "D": 0.492, "L": 70.5}


def test_a_dialogue_counted_by_hand():
    done, half, none = outcomes()
    assert (done.success, done.released, done.discrepancy) == (True, ("1", "1.1", "2"), 0)
    # 5, 1, 1, 2 and 0 blanks in five turns.
    assert done.query_length == pytest.approx(9 / 5)
    assert (half.success, half.released, half.discrepancy) == (False, ("1",), -1)
    # Characters: 5 and 2.
    assert (none.released, none.discrepancy, none.query_length) == ((), -2, 3.5)
    assert [outcome.ended for outcome in (done, half, none)] == [True, True, True]


def test_what_the_first_answer_tells_does_not_count():
    outcome = outcome_of(kite(), turns("Hi?", "How?", "Long Beach has wind", "Goodbye"))
    assert outcome.released == ()


def test_no_turn_of_the_seeker_at_all():
    outcome = outcome_of(kite(), turns("Hi?"))
    assert (outcome.success, outcome.discrepancy, outcome.query_length) == (False, -4, 0)


def test_a_judge_is_asked_about_what_is_missing_and_one_no_is_enough():
    class Judge:
        def __init__(self, *yes: str) -> None:
            self.yes, self.asked = yes, list[tuple[str, ...]]()

        def told(self, lang: str, gold: str, purpose: str, said: list[str]) -> bool:
            self.asked.append((lang, gold, purpose, *said))
            return gold in self.yes

    said = turns("Hi", "How?", "Take the kite to the beach.", "a", "Blue.", "b",
                 "Long Beach has wind.", "Goodbye")  # fmt: skip
    lenient = Judge("The blue kite is the light one.", "It hangs in the shed.")
    outcome = outcome_of(kite(), said, lenient)
    assert outcome.success
    assert outcome.rescued
    assert lenient.asked == [
        ("en", "The blue kite is the light one.", "which", "Blue."),
        ("en", "It hangs in the shed.", "", "Blue."),
    ]
    assert not outcome_of(kite(), said, Judge("It hangs in the shed.")).success


def test_a_judge_is_not_asked_where_the_provider_said_nothing_of_its_own():
    said = turns("Hi", "How?", "Take the kite to the beach.", "b", "Long Beach has wind.", "Bye")

    class Judge:
        def told(self, *_: object) -> bool:
            raise AssertionError

    assert not outcome_of(kite(), said, Judge()).success


def test_a_row_and_its_breakdowns():
    english = [outcome for outcome in outcomes() if outcome.task.lang == "en"]
    made = row("run", "en", english)
    assert (made["tasks"], made["success_rate"], made["D"], made["released"]) == (
        2,
        0.5,
        -0.5,
        0.75,
    )
    assert made["by_type"].keys() == {"1", "2"}
    assert {key: part["tasks"] for key, part in made["by_depth"].items()} == {"1": 1, "2": 1}
    assert {key: part["success_rate"] for key, part in made["by_unknowns"].items()} == {
        "2": 0.0,
        "3": 1.0,
    }
    low, high = made["intervals"]["success_rate"]
    assert 0 < low < 0.5 < high < 1
    assert depth(kite()) == 2
    assert row("run", "en", [])["success_rate"] is None


def test_two_runs_are_compared_task_by_task():
    done, half, none = outcomes()
    failed = outcome_of(done.task, done.turns[:4])
    compared = comparison([failed, half], [done, half, none])
    assert (compared["tasks"], compared["success_rate"], compared["D"]) == (2, 0.5, 1.5)
    assert (compared["only_first"], compared["only_second"], compared["p"]) == (0, 1, 1.0)
    with pytest.raises(QueryError, match="no task in both runs"):
        comparison([half], [none])


def test_why_facts_were_missed():
    start = ("Hi?", "How do I fly a kite?", "Take the kite to the beach.")

    def classes(*said: str) -> dict[str, str]:
        return dict(missed_facts(outcome_of(kite(), turns(*start, *said))))

    assert classes("Goodbye") == {"1": "overlooked", "2": "overlooked"}
    assert classes("Which one, the blue or the red?", "Nothing.", "Goodbye") == {
        "1": "forgotten",
        "2": "overlooked",
    }
    assert classes("So I take the blue one, right?", "Yes.", "Goodbye")["1"] == "hidden_in_summary"
    # What hangs below an untold fact could not be asked for.
    assert "1.1" not in classes("Where is the shed?", "Nothing.", "Goodbye")


def test_a_judge_is_scored_beside_one_that_always_says_no():
    pairs = [
        JudgePair(lang="en", gold="A lake.", generated=["on a lake, there"], match=True),
        JudgePair(lang="en", gold="A lake.", generated=["no"], match=False),
        JudgePair(lang="zh", gold="水要烧开。", generated=["不知道"], match=False),
    ]
    score = judge_score(OfflineJudge(), pairs).record()
    assert (score["found"], score["false_alarms"], score["agree"]) == (1, 0, 1.0)
    assert score["always_no"] == pytest.approx(2 / 3, abs=1e-4)


def test_published_verdicts_are_nearly_always_no(shared_data: Path):
    score = judge_score(OfflineJudge(), read_judge_pairs(shared_data / "clarq")).record()
    assert (score["pairs"], score["matches"], score["always_no"]) == (372, 3, 0.9919)
    assert score["false_alarms"] == 0


def test_rows_of_a_folder_without_figures(tmp_path: Path):
    tasks = read_tasks(write_data(tmp_path))
    rows = published_rows(tmp_path, tasks, chosen={("zh", "01-0"): tasks["zh", "01-0"]})
    assert [(row["run"], row["lang"], row["recorded"]) for row in rows] == [
        ("g/provider/chat", "zh", None)
    ]
