"""Runs: a dialogue on each task, judged and scored; what an offline run's report says.

    {"agent": …, "tasks_file": …, "n": 150, "ECR": …, …, "means": {…},
     "deciding": {"n": 47, "ECR": …, …, "over_equal": {"difference", "interval"}},
     "by_source": {…}, "tasks": [{"id", "item", "ECR", …, "SES", "credits": […], …}]}

`over_equal` compares IISR with what equal weights offer on the deciding tasks: the mean of the
paired differences, and its 95 % bootstrap interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...catalogs.errors import ModelError, QueryError, excerpt
from ...dialogs.conversation.session import Saved, unsaved
from ..bootstrap import RESAMPLES, draw_counts, percentile_interval
from ..progress import Counted, uncounted
from ..runs.run_file import RunWriter
from .agents import OfflineAgent
from .dialogue import Agent, Dialogue, Said, Turn, converse, unheard
from .items import Items
from .judge import Judge, OfflineJudge, judged
from .scores import Scores, Verdict, mean_scores, scores_of
from .task import Task
from .user import OfflineUser, User

BENCHMARK = "mapsat"
Record = dict[str, Any]


@dataclass(frozen=True)
class Roles:
    """Who talks, and who judges."""

    agent: Agent
    user: User
    judge: Judge


@dataclass(frozen=True)
class Held:
    """A dialogue with its verdict and its figures."""

    dialogue: Dialogue
    verdict: Verdict
    scores: Scores

    def record(self) -> Record:
        """Return what a report says of a task."""
        task, offered = self.dialogue.task, self.dialogue.last_offer
        return {
            "id": task.id,
            "item": None if offered is None else offered.item,
            **figures(self.scores),
            "deciding": task.deciding,
            "turns": len(self.dialogue.turns),
            "tools": [called.call.tool for called in self.dialogue.called],
            "credits": [
                {**need.record(), "credit": credit}
                for need, credit in zip(task.implicit, self.verdict.credits, strict=True)
            ],
            "relaxed": [] if offered is None else list(offered.relaxed),
            "explanation": "" if offered is None else offered.explanation,
        }


def figures(scores: Scores | None) -> Record:
    """Return figures by name; CEI only where tokens were counted."""
    record = {} if scores is None else scores.record()
    return {name: value for name, value in record.items() if value is not None or name != "CEI"}


def offline_roles(agent: Agent, items: Items) -> Roles:
    """Return an agent with a person and a judge that need no model."""
    return Roles(agent, OfflineUser(), OfflineJudge(items))


def held(roles: Roles, task: Task, said: Said = unheard) -> Held:
    """Hold and judge one dialogue. Raises what the roles raise."""
    dialogue = converse(roles.agent, roles.user, task, said)
    verdict = roles.judge.verdict(dialogue)
    return Held(dialogue, verdict, scores_of(judged(dialogue, verdict)))


def run(
    roles: Roles,
    tasks: Sequence[Task],
    out: str | Path | None = None,
    counted: Counted = uncounted,
) -> list[Held]:
    """Return a judged dialogue for each task, in order; `out`: write what is said, line by line.

    A dialogue that a model broke off is left out; where it breaks off all, its error is raised.
    Raises `QueryError` for a file that holds a run.
    """
    results: list[Held] = []
    errors: list[ModelError] = []
    with ExitStack() as stack:
        header = {"benchmark": BENCHMARK, "agent": roles.agent.name}
        writer = stack.enter_context(RunWriter(out, header)) if out else None
        if writer is not None and writer.finished:
            raise QueryError(f"{excerpt(str(out))} holds a run already", hint="name another file")
        for task in counted(tasks, "talking"):
            save = writer.episode(task.id, query=task.query) if writer else unsaved
            try:
                results.append(held(roles, task, _writing(save)))
                save("end", reason="finished")
            except ModelError as error:
                errors.append(error)
                save("end", reason=f"failed: {error}")
    if errors and not results:
        raise errors[-1]
    return results


def _writing(save: Saved) -> Said:
    """Return what writes each message, an agent's with its tools and what gave way."""

    def said(message: Any, turn: Turn | None) -> None:
        fields: Record = {"role": message.role, "content": message.content}
        if turn is not None:
            fields["tools"] = [
                {"tool": each.call.tool, "arguments": dict(each.call.arguments),
                 **each.reply.record()}
                for each in turn.called
            ]  # fmt: skip
            fields |= {"item": turn.item, "relaxed": list(turn.relaxed)}
        save("message", **fields)

    return said


def report(agent: str, results: Sequence[Held], items: Items, seed: int = 0) -> Record:
    """Return the report of a run, deciding tasks compared with equal weights."""
    deciding = [each for each in results if each.dialogue.task.deciding]
    means = figures(mean_scores([each.scores for each in results]))
    chosen = figures(mean_scores([each.scores for each in deciding]))
    beside: Record = {} if agent == "equal" else {"over_equal": _over_equal(deciding, items, seed)}
    return {
        "agent": agent,
        "n": len(results),
        **means,
        "means": means,
        "deciding": {"n": len(deciding), **chosen, **beside},
        "by_source": _by_source(results),
        "tasks": [each.record() for each in results],
    }


def _over_equal(deciding: Sequence[Held], items: Items, seed: int) -> Record | None:
    """Return how far IISR is above what equal weights reach; None without a deciding task."""
    if not deciding:
        return None
    roles = offline_roles(OfflineAgent("equal", items), items)
    equal = [held(roles, each.dialogue.task).scores.iisr for each in deciding]
    return paired([each.scores.iisr for each in deciding], equal, seed)


def paired(first: Sequence[float], second: Sequence[float], seed: int = 0) -> Record:
    """Return the mean of first less second, and its 95 % interval over tasks drawn again."""
    apart = np.array(first) - np.array(second)
    drawn = draw_counts(len(apart), seed, RESAMPLES) @ apart / len(apart)
    low, high = percentile_interval(drawn) or (float(apart.mean()),) * 2
    return {
        "difference": round(float(apart.mean()), 6),
        "interval": [round(low, 6), round(high, 6)],
    }


def _by_source(results: Sequence[Held]) -> Mapping[str, Record]:
    """Return the means of tasks that have a factor of each source (Figure 5b)."""
    sources = {need.source for each in results for need in each.dialogue.task.implicit}
    found: dict[str, Record] = {}
    for source in sorted(sources):
        own = [
            each.scores
            for each in results
            if any(need.source == source for need in each.dialogue.task.implicit)
        ]
        means = figures(mean_scores(own))
        found[source] = {"n": len(own), **{name: means[name] for name in ("IISR", "AR", "SES")}}
    return found
