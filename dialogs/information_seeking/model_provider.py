"""A provider on a chat model: the model only chooses a type and nodes, we put in their texts.

It is shown the tree, what was told and what may be told next, and replies with ids. An id that
may not be told now is refused and the model asked again; a sentence of its own is taken only
where no node's text stands in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import BaseModel, Field

from ...catalogs.errors import BadReply, excerpt
from ..models.chat_model import ChatModel, Request
from ..models.prompt import load_prompt
from ..models.structured import ask_for
from ..transcripts.transcript import Message
from .choosing import Mode, candidates, place
from .provider_replies import ENOUGH, GREETING, SAID, in_language, joined
from .task import ROOT, ClarificationTask, ProviderReply, ResponseNode, SpokenTurn
from .telling import normal, told_before
from .wording import written

ATTEMPTS = 3
"""Requests, until a reply names only nodes that may be told."""

MAX_SHOWN = 20_000
"""Characters of a dialogue that the model is shown, the latest."""

MAX_WORDS = 500
MIN_PART = 12
"""Characters of a node's text in a row that no sentence of the model may hold."""

_NONE = {"en": "(none)", "zh": "\uff08无\uff09"}
_NAMES = {"en": ("Provider", "Seeker"), "zh": ("知情者", "打听者")}
_HOW_MANY = {
    "single": {"en": "the one id that fits best", "zh": "最合适的一个编号"},
    "multi": {"en": "the ids of all facts asked for", "zh": "所有被问到的内容的编号"},
}


class Choice(BaseModel):
    """What the model replies."""

    type: Annotated[int, Field(ge=1, le=6)]
    nodes: Annotated[list[str], Field(max_length=100)] = []
    words: str = ""


@dataclass(frozen=True)
class ModelProvider:
    """Tells the nodes that a model chooses among those that may be told.

    The greeting and the first answer need no model. Raises `BadReply` where the model names
    other nodes in every attempt, and any `ModelError` of the model.
    """

    model: ChatModel
    mode: Mode = "single"

    def reply(self, task: ClarificationTask, turns: Sequence[SpokenTurn]) -> ProviderReply:
        """See `Provider.reply`."""
        if not turns:
            return ProviderReply(in_language(GREETING, task.lang))
        told = frozenset(told_before(task, turns))
        texts = {node.node: node.text for node in task.responses}
        if ROOT not in told:
            return ProviderReply(texts[ROOT], (), 1)
        due = candidates(task, told)
        choice = self._choice(task, turns, told, due)
        if choice.type == 2 and choice.nodes:
            nodes = [node for node in task.responses if node.node in choice.nodes]
            text = joined([node.text for node in nodes], written(task.lang))
            return ProviderReply(text, tuple(node.node for node in nodes), 2)
        if choice.type == 4 and choice.nodes:
            return ProviderReply(texts[choice.nodes[0]], (), 4)
        return ProviderReply(_words(task, choice, over=not due), (), choice.type)

    def _choice(
        self,
        task: ClarificationTask,
        turns: Sequence[SpokenTurn],
        told: frozenset[str],
        due: Sequence[str],
    ) -> Choice:
        text = _prompt(task, turns, told, due, self.mode)
        request = Request((Message("user", text),), "provider", f"{task.id} {task.lang}")
        problem = ""
        for _ in range(ATTEMPTS):
            choice = ask_for(self.model, request, Choice)
            problem = _problem(choice, told, due, self.mode)
            if not problem:
                return choice
            complaint = Message("user", f"{text}\n\n{problem}")
            request = replace(request, messages=(complaint,))
        raise BadReply(
            f"{excerpt(self.model.name)} named nodes that may not be told, {ATTEMPTS} times: "
            f"{problem}",
            hint="try another model",
        )


def _problem(choice: Choice, told: frozenset[str], due: Sequence[str], mode: Mode) -> str:
    """Return what is wrong with the nodes chosen, without a word of the model's, or ""."""
    if choice.type == 2:
        if not choice.nodes or not set(choice.nodes) <= set(due):
            return f'"nodes" may only hold: {", ".join(due) or "nothing"}.'
        if mode == "single" and len(set(choice.nodes)) > 1:
            return '"nodes" may hold one id only.'
        return ""
    if choice.type == 4:
        known = sorted(told, key=place)
        wrong = not set(choice.nodes) <= told
        return f'"nodes" may only hold, for type 4: {", ".join(known)}.' if wrong else ""
    return '"nodes" must be empty for this type.' if choice.nodes else ""


def _prompt(
    task: ClarificationTask,
    turns: Sequence[SpokenTurn],
    told: frozenset[str],
    due: Sequence[str],
    mode: Mode,
) -> str:
    lang = written(task.lang)
    provider, seeker = _NAMES[lang]
    lines = [f"{provider if turn.speaker == 'provider' else seeker}: {turn.text}" for turn in turns]
    known = [node for node in task.responses if node.node in told and node.node != ROOT]
    free = [node for node in task.responses if node.node in due]
    return load_prompt(f"provide_{lang}").render(
        role=task.role,
        goal=task.goal,
        root=next(node.text for node in task.responses if node.node == ROOT),
        told="\n".join(f"{node.node}: {node.text}" for node in known) or _NONE[lang],
        open="\n".join(map(_line, free)) or _NONE[lang],
        how_many=_HOW_MANY[mode][lang],
        dialogue="\n".join(lines)[-MAX_SHOWN:],
    )


def _line(node: ResponseNode) -> str:
    return f"{node.node}: {node.text}" + (f" [{node.purpose}]" if node.purpose else "")


def _words(task: ClarificationTask, choice: Choice, *, over: bool) -> str:
    """Return the model's sentence where it tells nothing, else one of ours."""
    said = choice.words.strip()[:MAX_WORDS]
    if said and not reveals(task, said):
        return said
    return in_language(ENOUGH if over else SAID[choice.type], task.lang)


def reveals(task: ClarificationTask, said: str) -> bool:
    """Return whether a sentence holds a node's text, or a long enough part of one."""
    heard = normal(said)
    for node in task.responses:
        text = normal(node.text)
        part = min(MIN_PART if written(task.lang) == "zh" else 2 * MIN_PART, len(text))
        if any(text[at : at + part] in heard for at in range(len(text) - part + 1)):
            return True
    return False
