"""The question that a node answers beside the questions that are put, as numbers.

A node's question is the part of its purpose that names it; what a question is about (its focus)
stands near its question word. What is only stated counts apart: a plan summed up names nodes
that nobody asks for. Cost: as `features`, segments × nodes set intersections.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from .task import ResponseNode
from .task_view import TaskView
from .utterances import QUESTION_CUES, Segment, Utterance, question_cues, terms

_CORE = {
    "en": re.compile(r"questions? of ([^,.]*)", re.IGNORECASE),
    "zh": re.compile(r"注意到(.*?)(?:才|。|$)"),
}
_FOCUS = {
    "en": re.compile(
        r"\b(?:which|what|where|how|who|when|whether)\b"
        r"(?: (?:type|kind|sort|one|exactly|specific|specifically|should|can|do|does|is|are|i|of"
        r"|to|the|a)\b)*((?: [\w'-]+){1,4})",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(.{0,6}(?:哪|什么|怎么|怎样|如何|多少|谁)[^，。？?]{0,7})"),
}
_WORDS = re.compile("[a-z0-9]+")
_FUNCTION = frozenset(
    "a an the of to in on at for with and or is are be do does did can could should would i you me"
    " my it its this that these those there some any from by as if which what where how who when"
    " will need use".split()
)
_SHOWN = tuple(QUESTION_CUES.index(cue) for cue in ("place", "manner", "choice"))

_FITS = (
    "core", "focus", "focus of own", "phrases", "distinct", "first", "last", "stated",
    "stated fresh",
)  # fmt: skip
NAMES = (
    *(f"{fit}{compared}" for fit in _FITS for compared in ("", " over open", " over told")),
    *(f"core {QUESTION_CUES[at]}" for at in _SHOWN),
    "segment of core", "rank of core", "alike open", "alike told",
)  # fmt: skip
"""What the columns of `question_features` are."""


@dataclass(frozen=True, slots=True)
class _Put:
    """An utterance: what it asks, and what it only states."""

    view: TaskView
    lang: str
    asking: Sequence[Segment]
    stated: frozenset[str]

    def best(self, words: frozenset[str], of: Callable[[Segment], frozenset[str]]) -> float:
        return max((_cosine(self.view, words, of(segment)) for segment in self.asking), default=0.0)

    def focus(self, segment: Segment) -> frozenset[str]:
        return _focus(segment.text, self.lang) or segment.terms


def question_features(
    view: TaskView,
    said: Utterance,
    asking: Sequence[Segment],
    told: Sequence[str],
    candidates: Sequence[str],
) -> list[list[float]]:
    """Return a row of `NAMES` for each candidate."""
    put = _Put(
        view,
        said.lang,
        asking,
        _union([segment.terms for segment in said.segments if segment not in asking]),
    )
    names = (*candidates, *told)
    counts = Counter(term for name in names for term in view.nodes[name].both)
    nodes = {node.node: node for node in view.task.responses}
    fits: dict[str, list[float]] = {}
    for name in names:
        own = frozenset(term for term in view.nodes[name].both if counts[term] == 1)
        fits[name] = _fits(put, nodes[name], own)
    cores = {name: terms(_core(nodes[name], said.lang), said.lang) for name in names}
    rows: list[list[float]] = []
    for name in candidates:
        row: list[float] = []
        for column, value in enumerate(fits[name]):
            rest = max((fits[other][column] for other in candidates if other != name), default=0.0)
            was = max((fits[other][column] for other in told), default=0.0)
            row += (value, value - rest, value - was)
        rank = sum(fits[other][0] > fits[name][0] for other in candidates)
        alike = [_most_alike(view, name, cores, others) for others in (candidates, told)]
        rows.append([*row, *_core_cues(put, nodes[name]), float(rank), *alike])
    return rows


def _fits(put: _Put, node: ResponseNode, own: frozenset[str]) -> list[float]:
    """Return how well a node fits, one number for each of `_FITS`. `own`: terms no other has."""
    view, lang, asking = put.view, put.lang, put.asking
    about = view.nodes[node.node]
    core = _core(node, lang)
    words = terms(core, lang)
    said = _phrases(node.text, lang) | _phrases(core, lang)
    return [
        put.best(words, lambda segment: segment.terms),
        put.best(_focus(core, lang) or words, put.focus),
        put.best(about.own, put.focus),
        float(max((len(said & _phrases(each.text, lang)) for each in asking), default=0)),
        max((view.weight(own & each.terms) for each in asking), default=0.0),
        _cosine(view, about.both, asking[0].terms) if asking else 0.0,
        _cosine(view, about.both, asking[-1].terms) if asking else 0.0,
        _cosine(view, about.both, put.stated),
        view.weight(about.fresh & put.stated) / (view.weight(about.fresh) or 1.0),
    ]


def _core_cues(put: _Put, node: ResponseNode) -> list[float]:
    """Return what kind of fact a node's question is about, and which segment is nearest."""
    core = _core(node, put.lang)
    words = terms(core, put.lang)
    near = [_cosine(put.view, words, segment.terms) for segment in put.asking]
    at = near.index(max(near)) if near else 0
    own = question_cues(core, put.lang)
    return [*(float(own[cue]) for cue in _SHOWN), float(at)]


def _most_alike(
    view: TaskView, name: str, cores: Mapping[str, frozenset[str]], others: Sequence[str]
) -> float:
    """Return how alike the question of a node and the nearest of others are: one may be meant."""
    alike = (_cosine(view, cores[name], cores[other]) for other in others if other != name)
    return max(alike, default=0.0)


def _cosine(view: TaskView, words: frozenset[str], said: frozenset[str]) -> float:
    sizes = (view.weight(words) or 1.0) * (view.weight(said) or 1.0)
    return view.weight(words & said) / sizes**0.5


def _union(sets: Sequence[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*sets)


@lru_cache(maxsize=4_096)
def _core(node: ResponseNode, lang: str) -> str:
    """Return the question that a node answers; its text where no purpose names one."""
    return " ".join(_CORE[lang].findall(node.purpose)) or node.purpose or node.text


@lru_cache(maxsize=4_096)
def _focus(text: str, lang: str) -> frozenset[str]:
    """Return the terms near the question words of a text."""
    return _union([terms(found, lang) for found in _FOCUS[lang].findall(text)])


@lru_cache(maxsize=4_096)
def _phrases(text: str, lang: str) -> frozenset[str]:
    """Return pairs of neighbouring content words; in Chinese, runs of four characters."""
    if lang == "zh":
        return frozenset(text[at : at + 4] for at in range(len(text) - 3))
    words = [word for word in _WORDS.findall(text.lower()) if word not in _FUNCTION]
    roots = ["".join(sorted(terms(word, lang))) for word in words]
    return frozenset(" ".join(pair) for pair in pairwise(roots))
