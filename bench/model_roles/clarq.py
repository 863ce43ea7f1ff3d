"""ClarQ-LLM with a model as the seeker, in its two modes, or as the provider."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...dialogs.information_seeking.dialogue import MAX_TURNS, converse
from ...dialogs.information_seeking.providers import provider_named
from ...dialogs.information_seeking.registry import seeker_named
from ...dialogs.information_seeking.task import (
    ClarificationTask,
    Provider,
    ProviderReply,
    Seeker,
    SpokenTurn,
)
from ...dialogs.information_seeking.telling import CheckedProvider
from ...dialogs.models.chat_model import ChatModel, Request
from ..clarq.judges import OfflineJudge
from ..clarq.outcome import outcome_of
from ..clarq.published_data import read_tasks
from ..clarq.rows import row
from ..clarq.transcripts import Dialogue
from .benchmark import ModelBenchmark, ModelFigure
from .stand_in import stand_in

MEASURES = {"success_rate": "s", "D": "D", "L": "L"}
LANGUAGES = {"en": "English", "zh": "Chinese"}
TYPICAL_TURNS = 8
"""Questions after which a stand-in says goodbye; tasks have about four unknowns."""

_TOLD = re.compile(r"^(?:Provider|对方): ", re.MULTILINE)

Parts = Callable[[ChatModel], tuple[Seeker, Provider]]


def _on_seeker(name: str, model: ChatModel) -> tuple[Seeker, Provider]:
    return seeker_named(name, model=model), CheckedProvider(provider_named("offline", "single"))


def _on_provider(model: ChatModel) -> tuple[Seeker, Provider]:
    return seeker_named("offline"), CheckedProvider(provider_named("model", "single", model))


PARTS: dict[str, tuple[Parts, str, str]] = {
    "chat": (partial(_on_seeker, "chat"), "Table III", "the seeker, in chat"),
    "comp": (partial(_on_seeker, "comp"), "Table III", "the seeker, all in one message"),
    "provider": (_on_provider, "Table V", "the provider, asked by our seeker"),
}


def benchmarks(data: Path) -> Iterator[ModelBenchmark]:
    """Yield a benchmark for each part and language."""
    yield from of_tasks(read_tasks(str(data / "clarq")))


def of_tasks(tasks: Mapping[Any, ClarificationTask]) -> Iterator[ModelBenchmark]:
    """Yield a benchmark for each part and language that some tasks have."""
    for lang in LANGUAGES:
        own = {task.id: task for task in tasks.values() if task.lang == lang}
        for name, (parts, table, roles) in PARTS.items() if own else ():
            option = (
                f"--seeker {name}" if name != "provider" else "--seeker offline --provider model"
            )
            yield ModelBenchmark(
                f"clarq-{name}-{lang}",
                "ClarQ-LLM",
                table,
                f"{roles} ({LANGUAGES[lang]})",
                own,
                partial(_hold, parts),
                partial(_figures, lang, name),
                _stand_in,
                f"concede bench clarq --data DIR/clarq --lang {lang} {option} --model NAME",
                reason="the published tasks; the other side is ours",
            )


def _hold(parts: Parts, model: ChatModel, task: ClarificationTask) -> Dialogue:
    seeker, provider = parts(model)
    turns: list[SpokenTurn] = []

    def said(turn: SpokenTurn, reply: ProviderReply | None) -> None:
        turns.append(turn)

    converse(seeker, provider, task, MAX_TURNS, said)
    return Dialogue(task, tuple(turns))


def _figures(lang: str, name: str, dialogues: Sequence[Dialogue]) -> list[ModelFigure]:
    judge = OfflineJudge()
    outcomes = [outcome_of(dialogue.task, dialogue.turns, judge) for dialogue in dialogues]
    figures = row(name, lang, outcomes)
    column = "" if name == "provider" else f"{LANGUAGES[lang]} "
    return [
        ModelFigure.of(f"{column}{short}", figures[measure], figures["intervals"].get(measure))
        for measure, short in MEASURES.items()
    ]


def _stand_in(request: Request) -> str:
    """Ask for a while and say goodbye; as a provider, have nothing to tell."""
    if request.role == "provider":
        return '{"type": 3, "nodes": [], "words": "That I cannot say."}'
    if request.role != "seeker":
        return stand_in(request)
    content = request.messages[-1].content
    told = len(_TOLD.findall(content)) + sum(each.role == "user" for each in request.messages)
    return "Goodbye!" if told > TYPICAL_TURNS else "Which of them should I take with me?"
