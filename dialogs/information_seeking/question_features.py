"""The question that a node answers beside the questions that are put, as numbers.

A node's question is the part of its purpose that names it; what a question is about (its focus)
stands near its question word. What is only stated counts apart: a plan summed up names nodes
that nobody asks for. Cost: as `features`, segments × nodes set intersections.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
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
_SENTENCES = {"en": re.compile(r"(?<=[.!?;])\s+"), "zh": re.compile(r"(?<=[。！？；])")}
_WORDS = re.compile("[a-z0-9]+")
_FUNCTION = frozenset(
    "a an the of to in on at for with and or is are be do does did can could should would i you me"
    " my it its this that these those there some any from by as if which what where how who when"
    " will need use".split()
)
_KINDS = tuple(
    QUESTION_CUES.index(cue) for cue in ("place", "choice", "manner", "person", "time", "amount")
)
"""The question cues that say what kind of fact is asked for."""
_SHOWN = tuple(QUESTION_CUES.index(cue) for cue in ("place", "manner", "choice"))

_FITS = (
    "core", "focus", "focus of own", "anchor", "phrases", "distinct", "first", "last", "stated",
    "stated fresh", "new",
)  # fmt: skip
NAMES = (
    *(f"{fit}{compared}" for fit in _FITS for compared in ("", " over open", " over told")),
    "kinds agree", "kinds clash", *(f"core {QUESTION_CUES[at]}" for at in _SHOWN),
    "segment of core", "rank of core",
)  # fmt: skip
"""What the columns of `question_features` are."""


@dataclass(frozen=True, slots=True)
class _Put:
    """An utterance: what it asks, what it only states, what the answer before brought in."""

    view: TaskView
    lang: str
    asking: Sequence[Segment]
    stated: frozenset[str]
    new: frozenset[str]

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
    last: Sequence[str],
) -> list[list[float]]:
    """Return a row of `NAMES` for each candidate. `last`: the nodes told in the turn before."""
    put = _Put(
        view,
        said.lang,
        asking,
        _union([segment.terms for segment in said.segments if segment not in asking]),
        _union([view.nodes[name].fresh for name in last]) & said.terms,
    )
    names = (*candidates, *told)
    counts = Counter(term for name in names for term in view.nodes[name].both)
    nodes = {node.node: node for node in view.task.responses}
    fits: dict[str, list[float]] = {}
    for name in names:
        own = frozenset(term for term in view.nodes[name].both if counts[term] == 1)
        fits[name] = _fits(put, nodes[name], nodes.get(nodes[name].parent or ""), own)
    rows: list[list[float]] = []
    for name in candidates:
        row: list[float] = []
        for column, value in enumerate(fits[name]):
            rest = max((fits[other][column] for other in candidates if other != name), default=0.0)
            was = max((fits[other][column] for other in told), default=0.0)
            row += (value, value - rest, value - was)
        rank = sum(fits[other][0] > fits[name][0] for other in candidates)
        rows.append([*row, *_kinds(put, nodes[name]), float(rank)])
    return rows


def _fits(
    put: _Put, node: ResponseNode, parent: ResponseNode | None, own: frozenset[str]
) -> list[float]:
    """Return how well a node fits, one number for each of `_FITS`. `own`: terms no other has."""
    view, lang, asking = put.view, put.lang, put.asking
    about = view.nodes[node.node]
    core = _core(node, lang)
    words = terms(core, lang)
    said = _phrases(node.text, lang) | _phrases(core, lang)
    parts = _sentences(parent.text, lang) if parent else ()
    anchor = max(parts, key=lambda part: view.weight(part & about.both), default=frozenset[str]())
    return [
        put.best(words, lambda segment: segment.terms),
        put.best(_focus(core, lang) or words, put.focus),
        put.best(about.own, put.focus),
        put.best(anchor, lambda segment: segment.terms),
        float(max((len(said & _phrases(each.text, lang)) for each in asking), default=0)),
        max((view.weight(own & each.terms) for each in asking), default=0.0),
        _cosine(view, about.both, asking[0].terms) if asking else 0.0,
        _cosine(view, about.both, asking[-1].terms) if asking else 0.0,
        _cosine(view, about.both, put.stated),
        view.weight(about.fresh & put.stated) / (view.weight(about.fresh) or 1.0),
        view.weight(about.both & put.new),
    ]


def _kinds(put: _Put, node: ResponseNode) -> list[float]:
    """Return whether the kind of fact asked for is the node's, and which segment is nearest."""
    core = _core(node, put.lang)
    words = terms(core, put.lang)
    near = [_cosine(put.view, words, segment.terms) for segment in put.asking]
    at = near.index(max(near)) if near else 0
    asked = put.asking[at].cues if near else (False,) * len(QUESTION_CUES)
    own = question_cues(core, put.lang)
    agree = sum(asked[kind] and own[kind] for kind in _KINDS)
    both = any(asked[kind] for kind in _KINDS) and any(own[kind] for kind in _KINDS)
    shown = (float(own[cue]) for cue in _SHOWN)
    return [float(agree), float(both and not agree), *shown, float(at)]


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


@lru_cache(maxsize=4_096)
def _sentences(text: str, lang: str) -> tuple[frozenset[str], ...]:
    return tuple(terms(part, lang) for part in _SENTENCES[lang].split(text) if part.strip())
