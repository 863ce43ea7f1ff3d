"""Training data from conversations that were saved: chats, elicitations and benchmark runs.

What a file holds is told by its first line. A recorded AWARE-US episode gives a pair where it
relaxed something else than gold; for chats see `chat_rows`, for elicitations `dialogue_rows`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from ...catalogs.errors import QueryError, UnreadableFile
from ...catalogs.validation_fault import first_fault
from ...dialogs.models.prompt import load_prompt
from ...dialogs.transcripts.episode import Episode, read_episode
from ..aware_us.gold import ConstraintKey, Gold, constraint_key, gold_of
from ..json_lines import read_values
from ..runs.run_file import RUN, read_run
from .chat_rows import chat_rows
from .dialogue_rows import dialogue_row
from .folder import file_sha256
from .instance_rows import fingerprint_of, give_way_prompt, prompts, wish_record
from .rows import SPLITS, Row, TrainingData, assistant_says, json_text, splits


def episode_data(paths: Sequence[str | Path]) -> TrainingData:
    """Return the rows of saved conversations; `settings` counts those that gave none.

    Raises `UnreadableFile` for a file that holds no conversations, and `QueryError` for none.
    """
    if not paths:
        raise QueryError("no files", hint="name files of chat --transcript, bench --out, …")
    data = TrainingData(
        "episodes",
        0,
        sources={Path(path).name: file_sha256(path) for path in paths},
        prompts=[*prompts(), load_prompt("ask_traveller").record()],
    )
    episodes = [rows for path in paths for rows in _read(Path(path))]
    split_of = splits((str(row["meta"]["fingerprint"]) for rows in episodes for row in rows), 0)
    for rows in episodes:
        for row in rows:
            row["meta"].setdefault("split", split_of[row["meta"]["fingerprint"]])
            data.add("dpo" if "chosen" in row else "sft", [row])
    without = sum(not rows for rows in episodes)
    data.settings = {"files": len(paths), "episodes_without_rows": without}
    return data.without_repeats()


def _read(path: Path) -> Iterator[list[Row]]:
    try:
        yield from _rows_of(path)
    except ValidationError as error:
        raise UnreadableFile(str(path), f"an event's {first_fault(error).line()}") from None
    except QueryError as error:
        raise UnreadableFile(str(path), error.problem, hint=error.hint) from None


def _rows_of(path: Path) -> Iterator[list[Row]]:
    """Yield the rows of each conversation of a file."""
    value = next(iter(read_values(path)), None)
    first: Mapping[str, Any] = cast("Any", value) if isinstance(value, Mapping) else {}
    if first.get("kind") == RUN:
        for episode in read_run(path).episodes:
            yield _of_episode(episode, str(episode.header.get("episode")))
    elif first.get("kind") == "header":
        yield _of_episode(read_episode(path), path.stem)
    elif "messages" in first:
        for dialogue in read_values(path):
            yield [dialogue_row(dialogue)]
    else:
        reason = "neither a saved chat, nor a run, nor elicitations"
        hint = "give files of --transcript, --out or --dialogues"
        raise UnreadableFile(str(path), reason, hint=hint)


def _of_episode(episode: Episode, name: str) -> list[Row]:
    instance = episode.header.get("instance")
    if isinstance(instance, Mapping):
        gold = gold_of(cast("Mapping[str, Any]", instance), 0)
        return list(_wrong_relaxations(episode, gold))
    return chat_rows(episode, name)


class _Outcome(BaseModel):
    relaxed: list[ConstraintKey] = []


def _wrong_relaxations(episode: Episode, gold: Gold) -> Iterator[Row]:
    """Yield gold against what a recorded episode relaxed instead of it."""
    outcomes = [_Outcome.model_validate(event) for event in episode.of_kind("outcome")]
    relaxed = outcomes[-1].relaxed if outcomes else []
    by_key = {constraint_key(constraint): constraint for constraint in gold.constraints}
    wrong = [by_key[key] for key in relaxed if key in by_key]
    if gold.relaxed not in by_key or gold.relaxed in relaxed or not wrong:
        return
    # A published split is kept; others are drawn.
    published = {"split": gold.split} if gold.split in SPLITS else {}
    yield {
        "prompt": give_way_prompt(gold.opening, gold.persona, gold.constraints),
        "chosen": assistant_says(json_text({"gives_way": wish_record(by_key[gold.relaxed])})),
        "rejected": assistant_says(json_text({"gives_way": wish_record(wrong[0])})),
        "meta": {
            **published,
            "instance": gold.id,
            "role": "give_way",
            "fingerprint": fingerprint_of(gold),
        },
    }
