"""BeNYfits with a model as the person and the reader, and as who decides in the baselines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...dialogs.eligibility.decisions.program import Programs
from ...dialogs.models.chat_model import ChatModel, Request
from ..benyfits.components import Components, Method, recorded_programs
from ..benyfits.dialogue import Dialogue
from ..benyfits.episode_runner import run_conversation
from ..benyfits.published_data import BenyfitsData, read_benyfits
from ..benyfits.records import Household
from ..benyfits.scores import intervals, overall
from .benchmark import ModelBenchmark, ModelFigure
from .stand_in import stand_in

ROLES: dict[Method, str] = {
    "proada": "the person and the reader; the programs are recorded ones",
    "direct": "the person and who asks and decides",
    "react": "the person and who asks and decides, thinking aloud",
}
COLUMNS = {"f1": "Diverse F1", "turns": "Diverse turns", "accuracy": "Accuracy"}
TYPICAL_TURNS = 17
"""Questions of GPT-4o by direct prompting (ProADA, table 1, diverse), after which it is ready."""

_FACT = re.compile(r"^- (\S+): .*; (.*)$", re.MULTILINE)
_CHOICE = re.compile(r"one of '([^']*)'")
_SAID = re.compile(r"^Assistant: ", re.MULTILINE)


def benchmarks(data: Path) -> Iterator[ModelBenchmark]:
    """Yield a benchmark for each way to decide, of the diverse households."""
    read = read_benyfits(data / "benyfits")
    yield from of_households(read, recorded_programs(read), read.of("diverse"))


def of_households(
    data: BenyfitsData, programs: Programs, households: Sequence[Household]
) -> Iterator[ModelBenchmark]:
    """Yield a benchmark for each way to decide, of some households."""
    for method, roles in ROLES.items():
        yield ModelBenchmark(
            f"benyfits-{method}",
            "ProADA / BeNYfits",
            "Table 1",
            roles,
            {household.household: household for household in households},
            partial(_hold, data, programs, method),
            partial(_figures, data),
            _stand_in,
            f"concede bench benyfits --data DIR/benyfits --model NAME --method {method}",
            comparable=method != "proada",
            reason="" if method != "proada" else "there a model writes the programs",
        )


def _hold(
    data: BenyfitsData, programs: Programs, method: Method, model: ChatModel, household: Household
) -> Dialogue:
    components = Components(data, programs, method, model=model)
    return run_conversation(
        household, components.decider(household), components.user(household), components.setting
    )


def _figures(data: BenyfitsData, dialogues: Sequence[Dialogue]) -> list[ModelFigure]:
    figures: dict[str, Any] = overall(dialogues, data.labels)
    ends = intervals(dialogues, data.labels)
    return [
        ModelFigure.of(column, figures[name], ends.get(name)) for name, column in COLUMNS.items()
    ]


def _stand_in(request: Request) -> str:
    """Say `True` once about as much was asked as a model asks; else whatever fits."""
    if request.role == "decider" and request.json_schema is None:
        asked = len(_SAID.findall(request.messages[-1].content))
        return "True" if asked >= TYPICAL_TURNS else "False. Question: How old are you?"
    if request.role == "decider":
        count = int((request.json_schema or {}).get("minItems", 1))
        return str([False] * count).lower()
    if request.role == "reader":
        return json.dumps({"facts": list(_facts(request.messages[-1].content))})
    return stand_in(request)


def _facts(prompt: str) -> Iterator[dict[str, Any]]:
    """Yield a value for each fact that a reader's prompt lists: no, none, or the first choice."""
    for slot, expected in _FACT.findall(prompt):
        choice = _CHOICE.search(expected)
        number = re.search(r"from ([\d,]+)", expected)
        value: Any = float(number[1].replace(",", "")) if number else False
        yield {"slot": slot, "value": choice[1] if choice else value}
