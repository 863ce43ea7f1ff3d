"""What of a tree of facts was told: a node's text stands in what a provider said.

Case, end punctuation and the width of blanks do not count (ClarQ-LLM, V-B).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...catalogs.errors import AgentError, excerpt
from .task import ROOT, ClarificationTask, Provider, ProviderReply, ResponseNode, SpokenTurn

END_PUNCTUATION = ".。!！?？;；,，…"


def normal(text: str) -> str:
    """Return a text as it is compared: lower case, single blanks, no punctuation at its end."""
    return " ".join(text.lower().split()).rstrip(END_PUNCTUATION + " ")


def holds(said: str, text: str) -> bool:
    """Return whether a text stands in what was said."""
    return normal(text) in normal(said)


def told_nodes(task: ClarificationTask, said: Iterable[str]) -> tuple[str, ...]:
    """Return the nodes whose text stands in any of these turns, in the order of the tree."""
    spoken = [normal(text) for text in said]
    return tuple(
        node.node for node in task.responses if any(normal(node.text) in text for text in spoken)
    )


def provider_answers(turns: Sequence[SpokenTurn]) -> list[str]:
    """Return what the provider said after its greeting."""
    return [turn.text for turn in turns if turn.speaker == "provider"][1:]


def told_before(task: ClarificationTask, turns: Sequence[SpokenTurn]) -> tuple[str, ...]:
    """Return the nodes told in a dialogue, its greeting left out."""
    return told_nodes(task, provider_answers(turns))


def releasable(task: ClarificationTask, told: Iterable[str]) -> tuple[ResponseNode, ...]:
    """Return the nodes that may be told next: untold ones whose parent was told."""
    known = set(told)
    return tuple(
        node for node in task.responses if node.node not in known and (node.parent or ROOT) in known
    )


def newly_told(task: ClarificationTask, turns: Sequence[SpokenTurn], text: str) -> tuple[str, ...]:
    """Return the nodes, without the root, that an answer tells for the first time."""
    before = {ROOT, *told_before(task, turns)}
    return tuple(node for node in told_nodes(task, [text]) if node not in before)


def check_reply(
    task: ClarificationTask, turns: Sequence[SpokenTurn], reply: ProviderReply
) -> ProviderReply:
    """Return a reply that tells the nodes it names and no other; else raise `AgentError`."""
    told = _told_by_itself(task, newly_told(task, turns, reply.text), reply.released)
    if told != reply.released:
        raise AgentError(
            f"task {excerpt(task.id)}: a provider names nodes {excerpt(reply.released)} and its "
            f"text tells {excerpt(told)}",
            hint="a reply holds the texts of the nodes it releases, and no other",
        )
    return reply


def _told_by_itself(
    task: ClarificationTask, told: Sequence[str], released: Sequence[str]
) -> tuple[str, ...]:
    """Return the nodes told, without those that only a released node or the root tells."""
    whole = [normal(node.text) for node in task.responses if node.node in (ROOT, *released)]
    texts = {node.node: normal(node.text) for node in task.responses}
    return tuple(
        node for node in told if node in released or not any(texts[node] in text for text in whole)
    )


@dataclass(frozen=True)
class CheckedProvider:
    """A provider whose every answer is checked by `check_reply`; its greeting tells nothing."""

    inner: Provider

    def reply(self, task: ClarificationTask, turns: Sequence[SpokenTurn]) -> ProviderReply:
        """See `Provider.reply`; raises `AgentError` for an answer that tells what it hides."""
        reply = self.inner.reply(task, turns)
        return check_reply(task, turns, reply) if turns else reply
