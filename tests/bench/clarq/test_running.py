"""Dialogues held, replayed and answered, with providers and seekers made for the test."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from clarq_data import TASKS, ScriptedSeeker, kite, turns, write_data, write_lines
from concede.bench.clarq.judges import NoJudge
from concede.bench.clarq.prefixes import predictions, read_prefixes, summary
from concede.bench.clarq.provider_errors import Choice, choices, error_rates
from concede.bench.clarq.published_data import read_tasks, task_of
from concede.bench.clarq.replay import replay_rows
from concede.bench.clarq.runner import Agents, run, run_rows
from concede.bench.clarq.transcripts import read_held
from concede.catalogs.errors import AgentError, ModelUnavailable, QueryError, UnreadableFile
from concede.dialogs.information_seeking.first_in_order import FirstInOrder
from concede.dialogs.information_seeking.task import (
    ClarificationTask,
    ProviderReply,
    SeekerTask,
    SpokenTurn,
)

ASKS = ScriptedSeeker(("How?", "What else?", "What else?", "And what else?", "Goodbye!"))
FIRST = {"single": FirstInOrder(), "multi": FirstInOrder()}


@dataclass
class Broken:
    """A seeker on a model that is gone for one task."""

    on: str
    asked: int = 0

    def say(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> str:
        self.asked += 1
        if task.id == self.on:
            raise ModelUnavailable("no reply")
        return ASKS.say(task, turns)


@dataclass(frozen=True)
class Leaky:
    """A provider that tells a node it does not name."""

    def reply(self, task: ClarificationTask, turns: Sequence[SpokenTurn]) -> ProviderReply:
        return ProviderReply(" ".join(node.text for node in task.responses[1:]), ("1",))


def agents(seeker: object = ASKS) -> Agents:
    return Agents(seeker, FirstInOrder(), ("asks", "first"), "single")  # type: ignore[arg-type]


TASK_LIST = [task_of(task) for task in TASKS]


def test_a_run_and_its_rows():
    held = run(TASK_LIST, agents())
    rows = run_rows(held, NoJudge(), reference=FirstInOrder())
    assert [(row["run"], row["lang"], row["tasks"]) for row in rows] == [
        ("asks/first/single", "en", 2),
        ("asks/first/single", "zh", 1),
    ]
    assert [row["success_rate"] for row in rows] == [1.0, 1.0]
    assert [row["D"] for row in rows] == [0.5, 1.0]
    assert rows[0]["provider_errors"]["first_kind_per_100"] == 0


def test_a_run_goes_on_where_it_stopped(tmp_path: Path):
    out = tmp_path / "run.jsonl"
    broken = Broken("02-0")
    first = run(TASK_LIST, agents(broken), out)
    assert [dialogue.failure for dialogue in first.dialogues] == [None, "no reply", None]
    again = Broken("")
    second = run(TASK_LIST, agents(again), out)
    assert [dialogue.failure for dialogue in second.dialogues] == [None] * 3
    assert again.asked == 5
    whole = read_held(out)
    assert run_rows(whole, NoJudge()) == run_rows(second, NoJudge())
    assert {dialogue.task for dialogue in whole.dialogues} == set(TASK_LIST)


def test_a_model_that_never_answers_ends_the_run():
    with pytest.raises(ModelUnavailable):
        run(TASK_LIST[:1], agents(Broken("01-0")))


def test_another_run_is_not_mixed_in(tmp_path: Path):
    out = tmp_path / "run.jsonl"
    run(TASK_LIST[:1], agents(), out)
    with pytest.raises(QueryError, match="mode is 'multi'"):
        run(TASK_LIST[:1], Agents(ASKS, FirstInOrder(), ("asks", "first"), "multi"), out)


def test_a_run_of_something_else_is_not_rescored(tmp_path: Path):
    path = tmp_path / "run.jsonl"
    write_lines(path, [{"kind": "run", "version": 1, "benchmark": "chess"}])
    with pytest.raises(UnreadableFile, match="a run of 'chess'"):
        read_held(path)


def test_recorded_seekers_are_put_to_a_provider(tmp_path: Path):
    tasks = read_tasks(write_data(tmp_path))
    rows = replay_rows(tmp_path, tasks, FIRST, NoJudge(), chosen=tasks)
    english, chinese = rows
    # The kite is flown as recorded; soup gets one node of two, as recorded.
    assert (english["success_rate"], english["recorded_success_rate"]) == (0.5, 0.5)
    assert (english["agree"], english["D"]) == (1.0, -0.5)
    assert (chinese["tasks"], chinese["agree"]) == (1, 1.0)
    # Node 2 was due and 1 was told; then 1 was due and told, then 1.1.
    assert english["against_recorded"]["turns"] == 4
    assert english["against_recorded"]["same_nodes_where_due"] == 0.75


def test_both_kinds_of_provider_error():
    found = [
        Choice(("1",), ("1",)),
        Choice(("1",), ("2",)),
        Choice(("1", "2"), ("1",)),
        Choice(("1",), ()),
        Choice((), ("1",)),
        Choice((), ()),
    ]
    assert [choice.kind for choice in found] == [0, 1, 1, 1, 2, 0]
    rates = error_rates(found)
    assert (rates["first_kind_per_100"], rates["second_kind_per_100"]) == (50.0, 16.6667)
    # Two of the five nodes that were due are among the four told.
    assert (rates["f1"], rates["turns"]) == (pytest.approx(4 / 9, abs=1e-4), 6)
    assert error_rates([])["first_kind_per_100"] is None


def test_choices_leave_greeting_and_first_answer_out():
    said = turns("Hi?", "How?", "Take the kite to the beach.", "Which?", "Long Beach has wind.",
                 "Goodbye")  # fmt: skip
    assert list(choices(kite(), said, FirstInOrder())) == [Choice(("2",), ("1",))]


def prefix(*texts: str, **more: object) -> dict[str, object]:
    said = [{"speaker": turn.speaker, "text": turn.text} for turn in turns(*texts)]
    return {"id": "p", "task": "01-0", "lang": "en", "provider": "single", "turns": said, **more}


PREFIX = prefix("Hi?", "How?", "Jax: Take the kite to the beach", "Which kite?")


def test_prefixes_are_answered(tmp_path: Path):
    tasks = read_tasks(write_data(tmp_path))
    path = tmp_path / "prefixes.jsonl"
    write_lines(path, [PREFIX, prefix("Hi?", "How?", id=7, lang="zh")])
    prefixes = read_prefixes(path, tasks)
    made = predictions(prefixes, tasks, FIRST)
    assert made == [
        {"id": "p", "type": 2, "nodes": ["1"], "text": "The blue kite is the light one."},
        {"id": 7, "type": 1, "nodes": [], "text": "你可以用茶壶泡茶。"},
    ]
    rows = summary("first", prefixes, made)
    assert [(row["lang"], row["prefixes"], row["releasing"]) for row in rows] == [
        ("en", 1, 1),
        ("zh", 1, 0),
    ]


def test_an_answer_that_tells_what_it_hides_is_an_error(tmp_path: Path):
    tasks = read_tasks(write_data(tmp_path))
    path = tmp_path / "prefixes.jsonl"
    write_lines(path, [PREFIX])
    with pytest.raises(AgentError, match=r"prefix 'p': .* names nodes \('1',\)"):
        predictions(read_prefixes(path, tasks), tasks, {"single": Leaky(), "multi": Leaky()})


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (prefix("Hi?", "How?", "Fine."), "ends with the provider"),
        (prefix("Hi?", "How?", task="9"), "unknown task '9' in en"),
        (prefix("Hi?", "How?", lang="fr"), "no task in language 'fr'"),
        (prefix("Hi?", "How?", provider="both"), "provider 'both'"),
        (prefix(), "turns"),
        ("text", "record 'text'"),
    ],
)
def test_a_broken_prefix_is_numbered(tmp_path: Path, line: object, told: str):
    tasks = read_tasks(write_data(tmp_path))
    path = tmp_path / "prefixes.jsonl"
    path.write_text(f"{json.dumps(PREFIX)}\n{json.dumps(line)}\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="line 2") as raised:
        read_prefixes(path, tasks)
    assert told in str(raised.value)
