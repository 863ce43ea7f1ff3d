"""The published runs recomputed from their details, beside the stored figures.

ECR, IISR, AR, TS and IFS come from the details; Eff is the stored one, since the recorded turns are
of another run than the scores. SES and CEI follow from these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .agreement import HumanScores, judged_like_people
from .figures import ScoredDialogue, comparison, domains_of, summary
from .published_data import PublishedRun, PublishedTask, read_runs, read_tasks
from .scores import (
    Scores,
    cost_efficiency,
    efficiency,
    implicit_satisfaction,
    implied_turns,
    share,
    tool_selection,
)

TOLERANCE = 0.002
"""Stored figures have four decimals, and SES was computed from rounded ones."""

COMPARED = ("ECR", "IISR", "AR", "TS", "IFS", "Eff", "SES")


def published(
    folder: str | Path, *, people: HumanScores | None = None, seed: int = 0
) -> dict[str, Any]:
    """Return every published run, each model's means, and the models compared in pairs.

    `people`: what people gave these runs, which the judge's scores are then compared with.
    """
    tasks = read_tasks(folder)
    runs = read_runs(folder, tasks)
    scored: dict[str, list[ScoredDialogue]] = {}
    for run in runs:
        scored.setdefault(run.model, []).append(_scored(run, tasks[run.id]))
    judged = {(run.id, run.model): recomputed(run).record() for run in runs}
    agreeing = {} if people is None else {"people": judged_like_people(people, judged)}
    return {
        "runs": [run_record(run, tasks[run.id]) for run in runs],
        "models": [
            {"model": model, **summary(of, seed=seed), **_fits(runs, tasks, model)}
            for model, of in scored.items()
        ],
        "compared": _compared(scored, seed),
        **agreeing,
    }


def recomputed(run: PublishedRun) -> Scores:
    """Return the figures of a run from its details and its stored Eff.

    A gold tool that was called wrongly is no valid one: it is in the union once.
    """
    rubrics, buckets = run.details.IISR.rubrics, run.details.TS
    ecr = share(run.details.ECR.verdicts)
    iisr = implicit_satisfaction([r.factor for r in rubrics], [r.credit for r in rubrics])
    ses = ecr * iisr * run.metrics.Eff
    valid = {*buckets.correct_tools, *buckets.extra_tools}
    return Scores(
        ecr=ecr,
        iisr=iisr,
        ar=ecr * iisr,
        ts=tool_selection(buckets.gold_tools, valid),
        ifs=share(run.details.IFS.verdicts),
        eff=run.metrics.Eff,
        ses=ses,
        cei=cost_efficiency(ses, run.metrics.total_tokens),
    )


def run_record(run: PublishedRun, task: PublishedTask) -> dict[str, Any]:
    """Return a run's figures, the turns its Eff stands for, and whether any figure differs."""
    scores = recomputed(run).record()
    stored = run.metrics.model_dump()
    differs = any(abs(float(scores[name] or 0) - stored[name]) > TOLERANCE for name in COMPARED)
    return {
        "id": run.id,
        "model": run.model,
        **scores,
        "turns": implied_turns(run.metrics.Eff, task.max_clarifications),
        "Eff_recorded": efficiency(run.n_assistant_turns, task.max_clarifications),
        "differs": differs,
    }


def _fits(
    runs: Sequence[PublishedRun], tasks: Mapping[str, PublishedTask], model: str
) -> dict[str, int]:
    """Return in how many runs of a model the recorded turns, and tools, are those of the scores."""
    own = [run for run in runs if run.model == model]
    turns = sum(
        abs(run.metrics.Eff - efficiency(run.n_assistant_turns, tasks[run.id].max_clarifications))
        <= TOLERANCE
        for run in own
    )
    tools = sum(frozenset(run.tools_called) == run.details.TS.called for run in own)
    return {"recorded_turns_fit": turns, "recorded_tools_fit": tools}


def _scored(run: PublishedRun, task: PublishedTask) -> ScoredDialogue:
    """Return a run with the tools of its recorded calls, whose order the scores do not keep."""
    return ScoredDialogue(
        run.id,
        recomputed(run),
        tuple(run.tools_called),
        domains_of(task.expected_tools),
        task.sources,
    )


def _compared(scored: Mapping[str, list[ScoredDialogue]], seed: int) -> list[dict[str, Any]]:
    """Return each later model less each earlier one, on the tasks both have."""
    models = list(scored)
    return [
        {"first": first, "second": second, **comparison(scored[first], scored[second], seed=seed)}
        for at, first in enumerate(models)
        for second in models[at + 1 :]
        if {one.id for one in scored[first]} & {one.id for one in scored[second]}
    ]
