"""ClarQ-LLM: recorded dialogues recomputed and replayed, seekers of ours, and types left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from ....dialogs.information_seeking.choosing import Mode
from ....dialogs.information_seeking.offline_provider import OfflineProvider
from ....dialogs.information_seeking.offline_seeker import OfflineSeeker
from ....dialogs.information_seeking.providers import provider_named
from ....dialogs.information_seeking.registry import seeker_named
from ....dialogs.information_seeking.telling import CheckedProvider
from ...clarq.judges import OfflineJudge, judge_score
from ...clarq.outcome import Outcome
from ...clarq.provider_folds import counted_dialogue, folds
from ...clarq.published import published_rows
from ...clarq.published_data import (
    LANGUAGES,
    of_types,
    read_dialogues,
    read_judge_pairs,
    read_tasks,
)
from ...clarq.replay import replay_rows
from ...clarq.rows import rows
from ...clarq.runner import Agents, run, run_rows
from ...clarq.seeker_folds import held_out_weights, outcomes
from ...clarq.train_provider import fitted, training_data
from ...clarq.train_seeker import FOLDS, provider_folds
from ..stage import Context, Found, Input, Stage

FOLDER = "clarq"
TASKS = (Input(f"{FOLDER}/tasks_en.jsonl.gz", 230), Input(f"{FOLDER}/tasks_zh.jsonl.gz", 230))
DIALOGUES = (
    *TASKS,
    Input(f"{FOLDER}/dialogues.jsonl.gz", 1_080),
    Input(f"{FOLDER}/published_figures.json"),
)
PAIRS = (Input(f"{FOLDER}/judge_pairs.jsonl.gz", 372),)
COMMAND = f"concede bench clarq --data DIR/{FOLDER}"
MODES: tuple[Mode, ...] = ("single", "multi")
TEST_TYPES = range(1, 27)
"""The types whose tasks the document scores; some of them are withheld."""

SEEKERS = ("offline", "oracle", "dump", "confirm", "vague", "silent")
LEFT_OUT = ("by_type", "by_depth")


def _kept(records: Sequence[dict[str, Any]]) -> Found:
    return {
        "rows": [
            {name: value for name, value in record.items() if name not in LEFT_OUT}
            for record in records
        ]
    }


def published(context: Context) -> Found:
    """Recompute success, D and L of the recorded dialogues."""
    folder = context.folder(FOLDER)
    return _kept(published_rows(folder, read_tasks(folder)))


def replay(context: Context) -> Found:
    """Put the recorded seekers' turns to our provider."""
    folder = context.folder(FOLDER)
    tasks = read_tasks(folder)
    providers = {mode: CheckedProvider(provider_named("offline", mode, None)) for mode in MODES}
    return _kept(replay_rows(folder, tasks, providers, OfflineJudge(), chosen=tasks))


def judged(context: Context) -> Found:
    """Measure the offline judge on the published verdicts."""
    pairs, judge = read_judge_pairs(context.folder(FOLDER)), OfflineJudge()
    return {
        "rows": [
            {"lang": lang, **judge_score(judge, [p for p in pairs if p.lang == lang]).record()}
            for lang in LANGUAGES
        ]
    }


def seekers(mode: Mode, context: Context) -> Found:
    """Hold dialogues of our seekers with our provider, on the test tasks that are there."""
    every = read_tasks(context.folder(FOLDER))
    there = sorted({task.type_no for task in every.values()}.intersection(TEST_TYPES))
    tasks = list(of_types(every, there).values())
    found: list[dict[str, Any]] = []
    for name in SEEKERS:
        provider = CheckedProvider(provider_named("offline", mode, None))
        agents = Agents(seeker_named(name, tasks=tasks), provider, (name, "offline"), mode)
        made = run_rows(run(tasks, agents), OfflineJudge())
        found += [{**row, "seeker": name, "mode": mode} for row in made]
    return _kept(found)


def seekers_apart(context: Context) -> Found:
    """Hold dialogues on types of task that neither seeker nor provider was fitted on."""
    parts = provider_folds(context.folder(FOLDER), FOLDS)
    total: dict[Mode, list[Outcome]] = {mode: [] for mode in MODES}
    for part, weights in zip(parts, held_out_weights(parts), strict=True):
        for mode in MODES:
            total[mode] += outcomes(part, OfflineSeeker(weights=weights), mode)
    return _kept([{**row, "mode": mode} for mode in MODES for row in rows("apart", total[mode])])


def provider_apart(context: Context) -> Found:
    """Put recorded turns to providers that were not trained on these types of task."""
    folder = context.folder(FOLDER)
    tasks = read_tasks(folder)
    dialogues = list(read_dialogues(folder, tasks))
    total: dict[tuple[str, Mode], Counter[str]] = {}
    every = {task.type_no for task in tasks.values()}
    for held in folds(every, FOLDS):
        matcher = fitted(*training_data(folder, every - set(held)))
        for dialogue in dialogues:
            task = tasks[dialogue.key]
            if task.type_no in held:
                key = (dialogue.lang, dialogue.provider)
                provider = OfflineProvider(dialogue.provider, matcher)
                found = counted_dialogue(task, dialogue, provider)
                total[key] = total.get(key, Counter[str]()) + found
    return {
        "rows": [
            {"lang": lang, "mode": mode, **_provider_figures(counts)}
            for (lang, mode), counts in sorted(total.items())
        ]
    }


def _provider_figures(counts: Counter[str]) -> dict[str, float | int]:
    shares = {
        "same_nodes_where_due": ("same", "released"),
        "silent_where_none_due": ("kept", "silent"),
        "replay_agrees": ("replay", "dialogues"),
    }
    found = {name: counts[part] / (counts[of] or 1) for name, (part, of) in shares.items()}
    found["f1"] = 2 * counts["hit"] / ((counts["ours"] + counts["new"]) or 1)
    sizes = {"dialogues": counts["dialogues"], "turns": counts["turns"]}
    return {**{name: round(value, 4) for name, value in found.items()}, **sizes}


STAGES = (
    Stage("clarq-published", published, DIALOGUES, f"{COMMAND} --published"),
    Stage("clarq-replay", replay, DIALOGUES, f"{COMMAND} --replay"),
    Stage("clarq-judge", judged, PAIRS, f"{COMMAND} --judge-pairs"),
    Stage("clarq-seekers-single", partial(seekers, "single"), TASKS, f"{COMMAND} --seeker offline"),
    Stage(
        "clarq-seekers-multi",
        partial(seekers, "multi"),
        TASKS,
        f"{COMMAND} --seeker offline --multi",
    ),
    Stage(
        "clarq-provider-apart",
        provider_apart,
        DIALOGUES,
        f"python -m concede.bench.clarq.provider_folds DIR/{FOLDER}",
        quick=False,
    ),
    Stage(
        "clarq-seekers-apart",
        seekers_apart,
        DIALOGUES,
        f"python -m concede.bench.clarq.seeker_folds DIR/{FOLDER}",
        quick=False,
    ),
)
