"""What a dialogue has told so far, read from its turns; and what may be told next."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .task import ROOT, ClarificationTask, ResponseNode, SpokenTurn

_ENDS = " \t\r\n.。!！?？,，;；:：…"


def plain(text: str) -> str:
    """Return a text without case, end punctuation or doubled spaces, for comparing."""
    return " ".join(text.casefold().split()).strip(_ENDS)


def told_nodes(task: ClarificationTask, turns: Sequence[SpokenTurn]) -> frozenset[str]:
    """Return the nodes whose text some turn of the provider after the greeting contains."""
    said = [plain(turn.text) for turn in turns[1:] if turn.speaker == "provider"]
    found: set[str] = set()
    for node in task.responses:
        wanted = plain(node.text)
        if any(wanted in text for text in said):
            found.add(node.node)
    return frozenset(found)


def open_nodes(task: ClarificationTask, told: Collection[str]) -> tuple[ResponseNode, ...]:
    """Return the nodes that may be told next, sorted as the origin goes through them."""
    found = [
        node for node in task.responses if node.node not in told and node.node != ROOT and node.parent in told
    ]
    return tuple(sorted(found, key=lambda node: place(node.node)))


def place(node: str) -> tuple[tuple[int, str], ...]:
    """Return a key that puts 2 before 10 and 1.1 after 1."""
    return tuple((int(part), "") if part.isdigit() else (0, part) for part in node.split("."))
