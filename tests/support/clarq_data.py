"""A small ClarQ-LLM folder of our own: three tasks, two languages, a seeker that follows a list."""

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concede.bench.clarq.published_data import task_of
from concede.dialogs.information_seeking.task import ClarificationTask, SeekerTask, SpokenTurn

KITE = {
    "id": "01-0",
    "lang": "en",
    "type_no": 1,
    "type": "Toys",
    "split": "test",
    "role": "child",
    "goal": "fly a kite",
    "items": ["string"],
    "skills": ["run"],
    "scenes": ["Long Beach", "Short Beach (closed)"],
    "background": "You are a child. Find out how to fly a kite.",
    "responses": [
        {"node": "0", "parent": None, "text": "Take the kite to the beach."},
        {"node": "1", "parent": "0", "text": "The blue kite is the light one.", "purpose": "which"},
        {"node": "1.1", "parent": "1", "text": "It hangs in the shed.", "purpose": None},
        {"node": "2", "parent": "0", "text": "Long Beach has wind."},
    ],
}
SOUP = {
    **KITE,
    "id": "02-0",
    "type_no": 2,
    "type": "Food",
    "goal": "cook soup",
    "responses": [
        {"node": "0", "parent": None, "text": "Boil the roots."},
        {"node": "1", "parent": "0", "text": "Carrots, not beets."},
        {"node": "2", "parent": "0", "text": "An hour will do!"},
    ],
}
TEA = {
    **KITE,
    "lang": "zh",
    "goal": "泡茶",
    "responses": [
        {"node": "0", "parent": None, "text": "你可以用茶壶泡茶。"},
        {"node": "1", "parent": "0", "text": "用红色的茶壶。"},
        {"node": "2", "parent": "0", "text": "水要烧开。"},
    ],
}
TASKS = (KITE, SOUP, TEA)


def kite() -> ClarificationTask:
    """The task with a node below a node."""
    return task_of(KITE)


def turns(*texts: str) -> tuple[SpokenTurn, ...]:
    """Turns of provider and seeker by turns, the provider first."""
    return tuple(
        SpokenTurn("seeker" if place % 2 else "provider", text) for place, text in enumerate(texts)
    )


def write_lines(path: Path, records: Iterable[object]) -> None:
    """JSON lines, gzipped where the name says so."""
    text = "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def dialogue(task: Mapping[str, Any], *texts: str, success: bool, **more: Any) -> dict[str, Any]:
    """A recorded dialogue."""
    said = [
        {"speaker": turn.speaker, "text": f"Jax: {turn.text}" if not at % 2 else turn.text}
        for at, turn in enumerate(turns(*texts))
    ]
    about = {"task": task["id"], "lang": task["lang"], "run": "g/provider/chat"}
    return {**about, "provider": "single", "turns": said, "success": success, **more}


DIALOGUES = (
    dialogue(
        KITE, "Hi?", "How do I fly a kite?", "Take the kite to the beach.", "Which beach?",
        "long beach has wind", "Which kite?", "Well, THE BLUE KITE is the light one!",
        "Where is it?", "It hangs in the shed, I think.", "Goodbye!", success=True,
    ),
    dialogue(
        SOUP, "Hi?", "How do I cook soup?", "Boil the roots.", "Which roots?",
        "Carrots, not beets.", "So I boil carrots. Goodbye!", success=False,
    ),
    dialogue(TEA, "你好", "怎么泡茶？", "你可以用茶壶泡茶。", "再见", success=False),
)  # fmt: skip


def write_data(
    folder: Path,
    tasks: Sequence[Mapping[str, Any]] = TASKS,
    dialogues: Sequence[Mapping[str, Any]] = DIALOGUES,
) -> Path:
    """A folder of the published shape."""
    folder.mkdir(parents=True, exist_ok=True)
    for lang in ("en", "zh"):
        records = [task for task in tasks if task["lang"] == lang]
        write_lines(folder / f"tasks_{lang}.jsonl.gz", records)
    write_lines(folder / "dialogues.jsonl.gz", dialogues)
    return folder


@dataclass(frozen=True)
class ScriptedSeeker:
    """Says its lines in order, the last one for ever."""

    lines: tuple[str, ...]

    def say(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> str:
        """See `Seeker.say`."""
        return self.lines[min(len(turns) // 2, len(self.lines) - 1)]
