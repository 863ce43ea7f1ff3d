"""Dialogues cut off behind a turn of the seeker, and what a provider answers there.

    {"id", "task", "lang", "provider": "single"|"multi", "turns": [{"speaker", "text"}, …]}
    {"id", "type": 1-6, "nodes": ["1.1"], "text": "…"}

`nodes` are the ones told for the first time. An answer that tells another one, or does not hold
the text of one it names, is an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from ...catalogs.errors import AgentError, QueryError, UnreadableFile, excerpt
from ...dialogs.information_seeking.task import ProviderReply
from ...dialogs.information_seeking.telling import check_reply
from ..json_lines import read_records
from ..progress import Counted, uncounted
from ..text_files import write_json_lines
from .published_data import Record, Tasks, Turn, task_named
from .replay import Providers

ANSWERED, NOT_ANSWERED = 2, 3
"""Types of utterance that a provider's answer shows where it does not say one itself (IV-C)."""


class Prefix(Record):
    """One line of the file."""

    id: str | int
    task: str
    lang: str
    provider: Literal["single", "multi"] = "single"
    turns: list[Turn] = Field(min_length=1, max_length=1_000)


def read_prefixes(path: str | Path, tasks: Tasks) -> list[Prefix]:
    """Return the lines of a file; raise `UnreadableFile` that names the line of what is wrong."""

    def prefix(record: object) -> Prefix:
        read = Prefix.model_validate(record)
        task_named(tasks, read.lang, read.task)
        if read.turns[-1].speaker != "seeker":
            hint = "the last turn is the seeker's"
            raise QueryError(f"prefix {excerpt(read.id)} ends with the provider", hint=hint)
        return read

    prefixes = list(read_records(path, prefix))
    if not prefixes:
        raise UnreadableFile(str(path), "it holds no prefix")
    return prefixes


def predictions(
    prefixes: Sequence[Prefix],
    tasks: Tasks,
    providers: Providers,
    counted: Counted = uncounted,
) -> list[dict[str, Any]]:
    """Return the prediction of each prefix; raise `AgentError` for one that tells what it hides."""
    return [_prediction(prefix, tasks, providers) for prefix in counted(prefixes, "answering")]


def _prediction(prefix: Prefix, tasks: Tasks, providers: Providers) -> dict[str, Any]:
    task = tasks[prefix.lang, prefix.task]
    turns = tuple(turn.spoken for turn in prefix.turns)
    try:
        reply = check_reply(task, turns, providers[prefix.provider].reply(task, turns))
    except AgentError as error:
        raise AgentError(f"prefix {excerpt(prefix.id)}: {error.problem}", hint=error.hint) from None
    return {
        "id": prefix.id,
        "type": utterance_type(reply),
        "nodes": list(reply.released),
        "text": reply.text,
    }


def utterance_type(reply: ProviderReply) -> int:
    """Return the type that a provider took the seeker's turn for."""
    return reply.kind or (ANSWERED if reply.released else NOT_ANSWERED)


def write_predictions(path: str | Path, made: Sequence[Mapping[str, Any]]) -> None:
    """Write a JSON line for each prediction. Raises `UnreadableFile`."""
    write_json_lines(path, made)


def summary(
    run: str, prefixes: Sequence[Prefix], made: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return a row for each language: how many prefixes, how many were answered with a fact."""
    found: list[dict[str, Any]] = []
    for lang in sorted({prefix.lang for prefix in prefixes}):
        lines = [line for p, line in zip(prefixes, made, strict=True) if p.lang == lang]
        types = [line["type"] for line in lines]
        found.append(
            {
                "run": run,
                "lang": lang,
                "tasks": len({prefix.task for prefix in prefixes if prefix.lang == lang}),
                "prefixes": len(lines),
                "releasing": sum(bool(line["nodes"]) for line in lines),
                "types": {str(kind): types.count(kind) for kind in range(1, 7)},
            }
        )
    return found
