"""Open points of free-text tasks, in English and Chinese, and the seeker that asks for them."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from concede.dialogs.information_seeking.offline_seeker import OfflineSeeker
from concede.dialogs.information_seeking.open_points import OpenPoint, open_points
from concede.dialogs.information_seeking.options import option_groups, read_options
from concede.dialogs.information_seeking.task import SeekerTask, SpokenTurn

TEA = SeekerTask(
    "tea",
    "en",
    "cook",
    "brew mountain tea",
    ("A copper kettle", "A clay kettle", "Some honey"),
    ("Boil water (requires a fire stone)",),
    ("East Garden (the gate is locked)", "West Garden (the gate is locked)", "Old Cellar"),
    "You are a cook.",
)
SOUP = SeekerTask(
    "soup",
    "zh",
    "厨师",
    "煮一锅汤",
    ("铜锅", "陶锅"),
    ("用大火煮", "用小火煮"),
    ("东菜园（园门上了锁）", "西菜园（园门上了锁）", "旧地窖"),
    "你是厨师。",
)


def said(*texts: str) -> list[SpokenTurn]:
    """Turns that begin with the provider's greeting and alternate."""
    return [SpokenTurn("seeker" if at % 2 else "provider", text) for at, text in enumerate(texts)]


def found(points: tuple[OpenPoint, ...], kind: str) -> list[OpenPoint]:
    return [point for point in points if point.kind == kind]


def labels(task: SeekerTask) -> list[tuple[str, int]]:
    return [(group.label, len(group.options)) for group in option_groups(read_options(task))]


def test_options_that_share_what_they_are_stand_in_a_group():
    assert labels(TEA) == [("kettle", 2), ("garden", 2)]
    assert labels(SOUP) == [("锅", 2), ("火煮", 2), ("菜园", 2)]


def test_a_word_for_several_options_is_open_until_one_is_named():
    start = ("Hi?", "How?", "Pick the leaves in the garden and put them in the kettle.")
    options = {point.options for point in found(open_points(TEA, said(*start)), "options")}
    assert options >= {("East Garden", "West Garden"), ("copper kettle", "clay kettle")}
    told = said(*start, "Which garden?", "The leaves grow in the West Garden.")
    left = [p for p in open_points(TEA, told) if p.said == "garden" and p.question[0] != "A"]
    assert left == []


def test_a_restriction_in_brackets_is_asked_about_once_for_all_that_share_it():
    points = open_points(TEA, said("Hi?", "How?", "Go to the garden."))
    barred = [p for p in found(points, "restriction") if p.said == "the gate is locked"]
    assert [p.question for p in barred] == [
        'How do I get into the garden? It says "the gate is locked".'
    ]


def test_what_a_skill_requires_and_nobody_has_is_asked_for():
    points = open_points(TEA, said("Hi?", "How?", "You need to boil water."))
    assert 'Where can I get fire stone, which "Boil water" needs?' in [p.question for p in points]


def test_a_thing_that_the_background_does_not_hold_needs_a_source():
    points = open_points(TEA, said("Hi?", "How?", "You need to find silver needles and honey."))
    assert [p.said for p in found(points, "source")] == ["silver needles"]


def test_a_thing_to_be_had_where_there_are_several_names_both():
    points = open_points(TEA, said("Hi?", "How?", "Buy silver needles at the garden."))
    assert "At which garden can I get silver needles, East Garden or West Garden?" in [
        point.question for point in points
    ]


def test_being_put_off_opens_and_closes_nothing():
    start = ("Hi?", "How?", "Go to the garden.")
    before = {p.said for p in open_points(TEA, said(*start))}
    put_off = said(*start, "What?", "You are overthinking it. Just take the copper kettle.")
    assert {p.said for p in open_points(TEA, put_off)} == before


def test_chinese_answers_open_the_same_kinds():
    points = open_points(SOUP, said("你好", "怎么做？", "你需要到菜园采集薄荷叶，然后用锅煮汤。"))
    questions = [point.question for point in points]
    assert "在哪个菜园可以得到薄荷叶，东菜园还是西菜园？" in questions
    assert "我怎么才能进入菜园？那里园门上了锁。" in questions
    assert "我应该使用哪个锅，铜锅还是陶锅？" in questions


def test_without_turns_the_goal_and_the_background_are_read():
    assert {point.kind for point in open_points(TEA)} >= {"options", "restriction"}


# Seeker


def talk(task: SeekerTask, answer: Callable[[str], str], most: int = 12) -> list[str]:
    turns, asked = said("Hi?"), list[str]()
    while len(asked) < most and not (asked and "goodbye" in asked[-1]):
        asked.append(OfflineSeeker().say(task, turns))
        turns += said("", asked[-1])[1:]
        turns.append(SpokenTurn("provider", answer(asked[-1])))
    return asked


def helpful(question: str) -> str:
    if question.startswith("How do I complete"):
        return "Pick the leaves in the garden and put them in the kettle."
    if "Which garden" in question:
        return "The leaves grow in the West Garden."
    if "Which kettle" in question:
        return "Only the clay kettle will do."
    if "get into" in question:
        return "Show the honey to the gardener to get through the locked gate."
    if "fire stone" in question:
        return "A fire stone lies in the Old Cellar."
    return "You are overthinking it."


def test_it_asks_for_every_gap_and_says_goodbye_when_nothing_is_open():
    asked = talk(TEA, helpful)
    assert asked[0] == "How do I complete this task: brew mountain tea?"
    assert asked[-1] == "Thank you, goodbye!"
    for gap in ("Which garden", "Which kettle", "get into the garden", "fire stone"):
        assert sum(gap in question for question in asked) == 1


def test_it_repeats_no_turn_and_gives_up_on_one_who_tells_nothing():
    def stubborn(question: str) -> str:
        return helpful(question) if question.startswith("How do I complete") else "Who knows?"

    asked = talk(TEA, stubborn)
    assert asked[-1] == "Thank you, goodbye!"
    assert len(set(asked)) == len(asked)


def test_it_remembers_what_was_not_answered():
    start = ("Hi?", "How?", "Pick the leaves in the garden and put them in the kettle.")
    turns = said(*start)
    first = OfflineSeeker().say(TEA, turns)
    other = "Only the clay kettle will do." if "garden" in first else "Go to the West Garden."
    turns += said("", first, other)[1:]
    later = [point.question for point in open_points(TEA, turns)]
    assert any(question in first for question in later)


def test_it_stops_when_it_is_told_that_it_knows_enough():
    turns = said("Hi?", "How?", "Go to the garden.", "Which?", "You have enough information now.")
    assert OfflineSeeker().say(TEA, turns) == "Thank you, goodbye!"
    assert OfflineSeeker().say(SOUP, said("", "", "去菜园。", "", "你已经有足够的信息。")) == (
        "谢谢，再见！"
    )


@pytest.mark.parametrize("task", [TEA, SOUP], ids=["en", "zh"])
def test_hash_seeds_change_nothing(task: SeekerTask):
    code = (
        "from concede.dialogs.information_seeking.open_points import open_points\n"
        "from concede.dialogs.information_seeking.task import SeekerTask\n"
        f"print(open_points({task!r}))"
    )
    root = str(Path(__file__).parents[3].parent)
    shown = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": root},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "7")
    }
    assert len(shown) == 1
