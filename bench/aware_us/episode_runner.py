"""Episode runner: runs planned episodes in threads, writes transcripts, skips finished episodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from ...catalogs.errors import ModelError, QueryError
from ...dialogs.conversation.session import Saved, unsaved
from ..progress import Counted, uncounted
from ..runs.run_file import RunWriter
from .gold import Gold
from .outcome import Outcome
from .transcripts import FAILED, failed, header_of, outcome_of, save_outcome


@dataclass(frozen=True)
class PlannedEpisode:
    """An episode to be held: its key in the run, what it is on, its labels, and how.

    `details` are further fields of its header.
    """

    key: str
    gold: Gold
    labels: Mapping[str, str]
    hold: Callable[[Saved], Outcome]
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])


def run_episodes(
    plans: Sequence[PlannedEpisode],
    writer: RunWriter | None = None,
    *,
    jobs: int = 1,
    counted: Counted = uncounted,
    doing: str = "talking",
) -> list[Outcome]:
    """Hold the episodes and return how they ended, in the order planned.

    Those that the writer's file holds already are read from there; those that failed are held
    again. A model that fails ends its episode with status UNKNOWN, written down as failed.
    `jobs` are held side by side. Raises the first other error, which names its instance.
    """
    there = writer.finished if writer else ()
    outcomes = {episode.header["episode"]: outcome_of(episode) for episode in there}
    ended = {key: outcome for key, outcome in outcomes.items() if outcome.failure is None}
    due = [plan for plan in plans if plan.key not in ended]
    for plan, outcome in _progress(due, writer, jobs, counted, doing):
        ended[plan.key] = outcome
    return [replace(ended[plan.key], labels=plan.labels) for plan in plans]


def _progress(
    due: Sequence[PlannedEpisode], writer: RunWriter | None, jobs: int, counted: Counted, doing: str
) -> Iterator[tuple[PlannedEpisode, Outcome]]:
    if jobs == 1:
        for plan in counted(due, doing):
            yield plan, _run_episode(plan, writer)
        return
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(jobs))
        # What has not begun when something goes wrong, or is interrupted, never begins.
        stack.callback(pool.shutdown, wait=True, cancel_futures=True)
        futures = {pool.submit(_run_episode, plan, writer): plan for plan in due}
        finished = as_completed(futures)
        for _ in counted(due, doing):
            done = next(finished)
            yield futures[done], done.result()


def _run_episode(plan: PlannedEpisode, writer: RunWriter | None) -> Outcome:
    """Hold one episode; a complaint about its instance names it."""
    save = unsaved
    if writer is not None:
        header = {**header_of(plan.gold, plan.labels), **plan.details}
        save = writer.episode(plan.key, **header)
    try:
        outcome = plan.hold(save)
    except ModelError as error:
        save("end", reason=f"{FAILED}{error}")
        return failed(plan.gold, str(error))
    except QueryError as error:
        problem = f"instance {plan.gold.id}: {error.problem}"
        raise QueryError(problem, hint=error.hint) from None
    save_outcome(outcome, save)
    return outcome
