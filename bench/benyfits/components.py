"""Components of a conversation: who decides, who answers, who reads the answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from ...catalogs.errors import QueryError, UnreadableFile
from ...dialogs.conversation.agents import HEARD
from ...dialogs.eligibility.answers.offline import OfflineAnswerParser
from ...dialogs.eligibility.decisions.agent import DecisionAgent
from ...dialogs.eligibility.decisions.planning import get_planner
from ...dialogs.eligibility.decisions.program import Programs, load_programs
from ...dialogs.eligibility.roles import AnswerParser, Decider, Question
from ...dialogs.models.chat_model import MAX_ANSWER, ChatModel, Request, spoken_reply
from ...dialogs.models.prompt import Prompt, load_prompt
from ...dialogs.transcripts.transcript import Message, Transcript
from .offline_user import OfflineUser, SimulatedUser, Style
from .profile import NAME, Profile
from .published_data import BenyfitsData
from .records import Household


@dataclass(frozen=True)
class LLMUser:
    """Answers from a profile in a model's words. A `SimulatedUser`."""

    model: ChatModel
    profile: Profile
    prompt: Prompt = field(default_factory=lambda: load_prompt("answer_from_profile"))

    def answer(self, question: Question, transcript: Transcript) -> str:
        """See `SimulatedUser.answer`. Raises `ModelError` where the model gives no answer."""
        system = Message("system", self.prompt.render(profile=profile_text(self.profile)))
        # The person's own turns are the model's.
        turned = [
            Message("user" if message.role == "assistant" else "assistant", message.content)
            for message in transcript.messages[-HEARD:]
        ]
        if not turned or turned[-1].role != "user":
            turned.append(Message("user", question.text))
        request = Request((system, *turned), role="user", episode=self.profile.household.household)
        return spoken_reply(self.model, request, MAX_ANSWER)


def profile_text(profile: Profile) -> str:
    """Return a household's profile as one text: the published one, or its facts in sentences."""
    if profile.household.profile_text:
        return profile.household.profile_text
    lines = [
        profile.sentence(member, feature).replace(NAME, profile.household.names[member]) + "."
        for member in range(len(profile.household.members))
        for feature in profile.features
    ]
    return "\n".join(lines)


PACKAGE = __name__.rpartition(".")[0]
Method = Literal["proada", "direct", "react", "random", "person"]


def recorded_programs(data: BenyfitsData, folder: Path | None = None) -> Programs:
    """Return the checkers of a folder, those that ship by default; one for each program.

    Raises `UnreadableFile` where a program of the data has none.
    """
    requirements = {name: program.requirements_text for name, program in data.programs.items()}
    where = folder or Path(str(files(PACKAGE) / "checkers"))
    programs = load_programs(where, requirements=requirements)
    have = {program.name for program in programs.programs}
    if missing := sorted(set(data.programs) - have):
        raise UnreadableFile(str(where), f"no checker for {missing[0]} ({len(missing)} missing)")
    return programs


@dataclass(frozen=True)
class Components:
    """Who takes part in each conversation.

    `model` plays the person and reads the answers where it is given, and decides where the
    method is a baseline; `user_model` False leaves the person to the offline one.
    """

    data: BenyfitsData
    programs: Programs
    method: Method = "proada"
    planner: str = "joint"
    model: ChatModel | None = None
    seed: int = 0
    style: Style = "mixed"
    offline_user: bool = False
    offline_parser: bool = False

    def __post_init__(self) -> None:
        if self.method == "proada":
            get_planner(self.planner)
        elif self.method in ("direct", "react") and self.model is None:
            raise QueryError(f"{self.method} without a model", hint="give --model")

    @cached_property
    def setting(self) -> dict[str, Any]:
        """What a transcript keeps of it, so that the run can be made again."""
        return {
            "method": self.method,
            "planner": self.planner if self.method == "proada" else None,
            "user": "offline" if self._plays_offline else "model",
            "parser": "offline" if self._reads_offline else "model",
            "model": None if self.model is None else self.model.name,
            "style": self.style if self._plays_offline else None,
            "seed": self.seed,
        }

    @property
    def _plays_offline(self) -> bool:
        return self.model is None or self.offline_user

    @property
    def _reads_offline(self) -> bool:
        return self.model is None or self.offline_parser

    def user(self, household: Household) -> SimulatedUser:
        """Return the person of a household."""
        profile = Profile(household, self.data.features)
        if self.model is not None and not self.offline_user:
            return LLMUser(self.model, profile)
        return OfflineUser(profile, self.programs.keys, self.seed, self.style)

    def decider(self, household: Household) -> Decider:
        """Return who decides for a household."""
        episode = household.household
        if self.method == "proada":
            programs = self.programs.named(*household.targets)
            parser = self.parser(episode)
            return DecisionAgent(programs, self.programs.keys, planner=self.planner, parser=parser)
        from ...dialogs.eligibility.decisions.baselines import (
            DirectDecider,
            RandomDecider,
            ReActDecider,
        )

        if self.method == "person":
            raise QueryError("a person decides in a session", hint="hold_session holds one")
        if self.method == "random":
            return RandomDecider(household.targets, f"{self.seed} {episode}")
        assert self.model is not None
        requirements = {
            name: self.data.programs[name].requirements_text for name in household.targets
        }
        kind = DirectDecider if self.method == "direct" else ReActDecider
        return kind(requirements, self.model, episode=episode)

    def parser(self, episode: str = "") -> AnswerParser:
        """Return who understands answers."""
        if self.model is None or self.offline_parser:
            return OfflineAnswerParser()
        from ...dialogs.eligibility.decisions.llm_roles import LLMAnswerParser

        return LLMAnswerParser(self.model, episode)
