"""A person played by a chat model that is given the household's profile (ProADA, section 2.3)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...dialogs.decisions.roles import Question
from ...dialogs.llm_roles import HEARD, MAX_ANSWER, spoken_reply
from ...dialogs.models.chat_model import ChatModel, Request
from ...dialogs.prompt import Prompt, load_prompt
from ...dialogs.transcript import Message, Transcript
from .profile import NAME, Profile


@dataclass(frozen=True)
class LLMUser:
    """Answers from a profile in a model's words. A `SimulatedUser`."""

    model: ChatModel
    profile: Profile
    prompt: Prompt = field(default_factory=lambda: load_prompt("answer_from_profile"))

    def answer(self, question: Question, transcript: Transcript) -> str:
        """See `SimulatedUser.answer`. Raises `ModelError` where the model gives no answer."""
        system = Message("system", self.prompt.render(profile=told(self.profile)))
        # The person's own turns are the model's.
        turned = [
            Message("user" if one.role == "assistant" else "assistant", one.content)
            for one in transcript.messages[-HEARD:]
        ]
        if not turned or turned[-1].role != "user":
            turned.append(Message("user", question.text))
        request = Request((system, *turned), role="user", episode=self.profile.household.household)
        return spoken_reply(self.model, request, MAX_ANSWER)


def told(profile: Profile) -> str:
    """Return a household's profile as one text: the published one, or its facts in sentences."""
    if profile.household.profile_text:
        return profile.household.profile_text
    lines = [
        profile.sentence(member, feature).replace(NAME, profile.household.names[member]) + "."
        for member in range(len(profile.household.members))
        for feature in profile.features
    ]
    return "\n".join(lines)
