"""The person in a dialogue: answers what is asked, from the full intent, and nothing more.

The rules are those of appendix C.1: who is not asked says nothing of the task; who is asked one
thing answers that; an open question gets what the query left out; nothing to add, nothing new from
the agent, or something that only hands could do, ends it. Offline the full intent is taken sentence
by sentence: one answers a question that has a telling word in common with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ...dialogs.models.chat_model import MAX_ANSWER, ChatModel, Request, spoken_reply
from ...dialogs.models.prompt import load_prompt
from ...dialogs.transcripts.transcript import Message
from ..clarq.words import content_words
from .task import Task

FINISHED = "[FinishConversation]"
"""What a person ends a dialogue with."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f\uff1b])|\n+")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_ASKED = re.compile(
    r"[?\uff1f]|\b(please (tell|say|choose|confirm|give)|tell me|let me know|which one|"
    r"could you (tell|say|give)|do you (want|need|prefer))\b|请(问|告诉|选择|确认)|哪",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(any(thing)? (else|other)|other (wishes|requirements|preferences|information)|"
    r"what else|else that matters)\b|还有|其他|补充",
    re.IGNORECASE,
)
_BY_HAND = re.compile(
    r"\b(click|tap|log in|sign in|place the order|pay now)\b|点击|登录|付款", re.IGNORECASE
)
_SAYS_NOTHING = frozenset(("want", "look", "someth", "something", "prefer", "matter", "else"))


class User(Protocol):
    """Plays the person of a task."""

    def reply(self, task: Task, said: Sequence[Message]) -> str:
        """Return what the person says to the last message; with `FINISHED` at its end, the last."""
        ...


@dataclass(frozen=True)
class OfflineUser:
    """Answers from the sentences of the full intent; deterministic."""

    def reply(self, task: Task, said: Sequence[Message]) -> str:
        """See `User.reply`."""
        question = said[-1].content
        if not _ASKED.search(question):
            return f"Thank you, that is all. {FINISHED}"
        if _BY_HAND.search(question):
            return f"I cannot do that from here. {FINISHED}"
        told = {message.content for message in said if message.role == "user"}
        answer = " ".join(_asked_for(task, question))
        if not answer or any(answer in text for text in told):
            return f"No, nothing else. {FINISHED}"
        return answer


def _asked_for(task: Task, question: str) -> list[str]:
    """Return the sentences of the full intent that a question is about, all for an open one."""
    sentences = [part.strip() for part in _SENTENCE.split(task.full_intent) if part.strip()]
    left = [part for part in sentences if part not in task.query]
    if _OPEN.search(question):
        return left
    words = _telling(question)
    return [part for part in left if words & _telling(part)]


def _telling(text: str) -> frozenset[str]:
    return content_words(text, "zh" if _CHINESE.search(text) else "en") - _SAYS_NOTHING


@dataclass(frozen=True)
class ModelUser:
    """A model that plays the person by the same rules. Raises what the model raises."""

    model: ChatModel

    def reply(self, task: Task, said: Sequence[Message]) -> str:
        """See `User.reply`."""
        rules = load_prompt("play_map_user").render(
            time=task.context["time"],
            location=task.context.get("location", "not known"),
            query=task.query,
            full_intent=task.full_intent,
            finished=FINISHED,
        )
        # To the model that plays the person the agent is the other side.
        turned = [
            Message("assistant" if message.role == "user" else "user", message.content)
            for message in said[1:]
        ]
        request = Request((Message("system", rules), *turned), "user", task.id)
        return spoken_reply(self.model, request, MAX_ANSWER)
