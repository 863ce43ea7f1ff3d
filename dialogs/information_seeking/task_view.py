"""A task as sets of terms, read once: what each node is about, and which options it names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from .task import ClarificationTask, ResponseNode
from .utterances import question_cues, terms

Rarity = Mapping[str, float]
"""How telling a term is in general, from 0 (in every text) to 1 (in none)."""

_ANSWER = {
    "en": re.compile(
        r"(?:,\s*)?(?:specifying|clarifying|indicating|explaining|stating|providing)\b[^.]*",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"这个回复用于[^。注]*"),
}
_BRACKETS = re.compile("[(\uff08].*")


@dataclass(frozen=True, slots=True)
class NodeView:
    """What a node is about, as sets of terms.

    `own`: its text. `gap`: its purpose without the fact. `fresh`: its text without its parent's.
    `topic`: its text's terms that its parent's share. `options`, `heads`: the options of the
    task that it names, and the words they share with others. `cues`: of `QUESTION_CUES`, in the
    gap. `kinds`: whether it names an item, a skill, a scene.
    """

    node: ResponseNode
    own: frozenset[str]
    gap: frozenset[str]
    both: frozenset[str]
    fresh: frozenset[str]
    topic: frozenset[str]
    parent: frozenset[str]
    options: frozenset[int]
    heads: frozenset[str]
    cues: tuple[bool, ...]
    kinds: tuple[bool, bool, bool]


@dataclass(frozen=True, slots=True)
class TaskView:
    """A task as sets of terms. `weights`: how telling a term is among the nodes of the task."""

    task: ClarificationTask
    nodes: Mapping[str, NodeView]
    options: tuple[frozenset[str], ...]
    heads: frozenset[str]
    known: frozenset[str]
    weights: Mapping[str, float]
    rarity: Rarity

    def weight(self, words: frozenset[str]) -> float:
        """Return the sum of the weights of some terms, in an order that does not vary."""
        weights, rarity = self.weights, self.rarity
        return sum(sorted(weights.get(word) or rarity.get(word, 1.0) for word in words))

    def named(self, words: frozenset[str]) -> frozenset[int]:
        """Return the options whose telling terms are all among some terms."""
        return frozenset(
            at for at, option in enumerate(self.options) if _names(words, option, self.heads)
        )


def task_view(task: ClarificationTask, rarity: Rarity) -> TaskView:
    """Read a task. Linear in its texts."""
    lang = task.lang
    every = (*task.items, *task.skills, *task.scenes)
    options = tuple(terms(_BRACKETS.sub("", text) or text, lang) for text in every)
    heads = _shared(options)
    ends = (len(task.items), len(task.items) + len(task.skills))
    texts = {node.node: terms(node.text, lang) for node in task.responses}
    nodes: dict[str, NodeView] = {}
    for node in task.responses:
        own = texts[node.node]
        named = frozenset(at for at, option in enumerate(options) if _names(own, option, heads))
        nodes[node.node] = _node_view(node, texts, lang, options, heads, named, ends)
    known = frozenset[str]().union(
        *(view.both for view in nodes.values()), *options, terms(task.goal, lang)
    )
    weights = _weights(nodes, rarity)
    return TaskView(task, nodes, options, heads, known, weights, rarity)


def gap(purpose: str, lang: str) -> str:
    """Return the part of a purpose that names the gap, without the fact that fills it."""
    return _ANSWER[lang].sub(" ", purpose)


def _node_view(
    node: ResponseNode,
    texts: Mapping[str, frozenset[str]],
    lang: str,
    options: Sequence[frozenset[str]],
    heads: frozenset[str],
    named: frozenset[int],
    ends: tuple[int, int],
) -> NodeView:
    own = texts[node.node]
    parent = texts.get(node.parent or "", frozenset())
    about = gap(node.purpose, lang)
    lacking = terms(about, lang)
    return NodeView(
        node,
        own,
        lacking,
        own | lacking,
        own - parent,
        own & parent,
        parent,
        named,
        frozenset[str]().union(*(options[at] & heads for at in sorted(named))),
        question_cues(about or node.text, lang),
        (
            any(at < ends[0] for at in named),
            any(ends[0] <= at < ends[1] for at in named),
            any(at >= ends[1] for at in named),
        ),
    )


def _shared(options: Sequence[frozenset[str]]) -> frozenset[str]:
    """Return the terms that several options share: `mountain` of three mountains."""
    counts: dict[str, int] = {}
    for option in options:
        for term in option:
            counts[term] = counts.get(term, 0) + 1
    return frozenset(term for term, count in counts.items() if count > 1)


def _names(words: frozenset[str], option: frozenset[str], heads: frozenset[str]) -> bool:
    telling = option - heads
    return bool(option) and (telling <= words if telling else option <= words)


def _weights(nodes: Mapping[str, NodeView], rarity: Rarity) -> dict[str, float]:
    counts: dict[str, int] = {}
    for view in nodes.values():
        for term in view.both:
            counts[term] = counts.get(term, 0) + 1
    return {
        term: rarity.get(term, 1.0) * log(1 + len(nodes) / count) for term, count in counts.items()
    }
