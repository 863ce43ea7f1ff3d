"""Which parts take part in a run, by name."""

from __future__ import annotations

from collections.abc import Sequence

from ...catalogs.errors import QueryError, excerpt
from ...dialogs.elicitation.agents import Planner, Stenographer, Traveller
from ...dialogs.elicitation.dialogue_planner import DialoguePlanner
from ...dialogs.elicitation.model_roles import ModelPlanner, ModelStenographer, ModelTraveller
from ...dialogs.elicitation.planners import CriticalPlanner, published_planner, random_planner
from ...dialogs.elicitation.population import Mode, people
from ...dialogs.elicitation.schema import Schema
from ...dialogs.elicitation.stenographer import OfflineStenographer
from ...dialogs.elicitation.traveller import SimulatedTraveller
from ...dialogs.models.chat_model import ChatModel
from .judge import OfflineJudge
from .model_judge import ModelJudge
from .run import Roles
from .travellers import TravellerRecord

PLANNERS = ("critical", "published", "random", "model", "dialogue", "choice")


def planner_named(name: str, seed: int, model: ChatModel | None, think: bool) -> Planner:
    """Return a planner. Raises `QueryError` for an unknown name and `model` without one."""
    if name == "critical":
        return CriticalPlanner()
    if name == "published":
        return published_planner()
    if name == "random":
        return random_planner(seed)
    if name in ("model", "dialogue"):
        if model is None:
            raise QueryError(f"--planner {name} without a model", hint="give --model NAME")
        return ModelPlanner(model, think) if name == "model" else DialoguePlanner(model)
    raise QueryError(f"no planner {excerpt(name)}", hint=f"planners: {', '.join(PLANNERS)}")


def roles_of(schema: Schema, model: ChatModel | None, seed: int = 0) -> Roles:
    """Return the parts of a run: on a model where there is one, else offline."""
    stenographer: Stenographer = (
        OfflineStenographer() if model is None else ModelStenographer(model)
    )

    def traveller(record: TravellerRecord) -> Traveller:
        seeded = f"{seed} {record.id}"
        simulated = SimulatedTraveller(
            record.profile,
            seed=seeded,
            schema=schema,
            request=record.request,
            answers=record.answers,
        )
        if model is None or record.answers:
            return simulated
        return ModelTraveller(model, schema, record.profile, simulated.request(), simulated.style)

    judge = OfflineJudge(schema, OfflineStenographer()) if model is None else ModelJudge(model)
    return Roles(schema, stenographer, traveller, judge.score)


def drawn_travellers(
    count: int, mode: Mode, seed: int, schema: Schema
) -> Sequence[TravellerRecord]:
    """Return made travellers, without texts of their own; the same seed draws the same."""
    return [
        TravellerRecord(f"{mode}-{seed}-{number}", person.profile, person.critical, "")
        for number, person in enumerate(people(count, mode, seed, schema))
    ]
