"""Chooser, planner and judge of the solver-style baselines on a chat model: one call a choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

from ...catalogs.errors import BadReply
from ...catalogs.query.constraint import Constraint, words
from ..models.chat_model import ChatModel, Request
from ..models.prompt import load_prompt
from ..models.structured import AWARE_US, RetryPolicy, ask_for
from .edits import Edit
from .hao import Action, State, described


class Choice(BaseModel):
    """The number of an edit."""

    choice: int


class Step(BaseModel):
    """The planner's next action."""

    action: Literal["analyse", "search", "suggest", "give_up"]
    position: int | None = None
    edit: int | None = None


class Verdict(BaseModel):
    """Whether the user agrees."""

    agrees: bool


def _lines(edits: Sequence[Edit]) -> str:
    return "\n".join(f"{at}. {described(edit)}" for at, edit in enumerate(edits)) or "none"


def _conflict(constraints: Sequence[Constraint]) -> str:
    return "\n".join(f"- {words(constraint)}" for constraint in constraints)


@dataclass(frozen=True)
class LLMChooser:
    """Chooses among edits; a reply that cannot be used is no choice (`Chooser`)."""

    model: ChatModel
    episode: str = ""
    policy: RetryPolicy = AWARE_US

    def choose(self, core: Sequence[Constraint], edits: Sequence[Edit]) -> int | None:
        """See `Chooser.choose`. Raises `ModelError` where the model cannot be reached."""
        text = load_prompt("choose_edit").render(conflict=_conflict(core), edits=_lines(edits))
        request = Request.of(text, role="chooser", episode=self.episode)
        try:
            return ask_for(self.model, request, Choice, policy=self.policy).choice
        except BadReply:
            return None


@dataclass(frozen=True)
class LLMPlanner:
    """Plans the inner loop of `formal-hao`; a reply that cannot be used gives up."""

    model: ChatModel
    episode: str = ""
    policy: RetryPolicy = AWARE_US

    def act(self, state: State) -> Action | None:
        """See `Planner.act`. Raises `ModelError` where the model cannot be reached."""
        text = load_prompt("plan_action").render(
            conflict="\n".join(
                f"- position {at}: {words(constraint)}"
                for at, constraint in zip(state.core, state.constraints, strict=True)
            ),
            edits=_lines(state.open),
            log="\n".join(f"- {line}" for line in state.log) or "none",
        )
        request = Request.of(text, role="planner", episode=self.episode)
        try:
            step = ask_for(self.model, request, Step, policy=self.policy)
        except BadReply:
            return None
        if step.action == "give_up":
            return None
        return Action(step.action, position=step.position, edit=step.edit)


@dataclass(frozen=True)
class LLMJudge:
    """The user of `formal-hao`, who knows a persona; a reply that cannot be used refuses."""

    model: ChatModel
    persona: str
    episode: str = ""
    policy: RetryPolicy = AWARE_US

    def agrees(self, edit: Edit, core: Sequence[Constraint]) -> bool:
        """See `Judge.agrees`. Raises `ModelError` where the model cannot be reached."""
        text = load_prompt("judge_edit").render(
            persona=self.persona, conflict=_conflict(core), edit=described(edit)
        )
        request = Request.of(text, role="judge", episode=self.episode)
        try:
            return ask_for(self.model, request, Verdict, policy=self.policy).agrees
        except BadReply:
            return False
