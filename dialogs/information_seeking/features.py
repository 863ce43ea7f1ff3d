"""How well an utterance asks for each node that may be told, as numbers.

A node is compared through several views (its words, the gap it fills, its parent's words, the
options it names) with the segments that ask and with the whole utterance, and each comparison
with those of the other nodes, told and open. Cost: segments × nodes × views set intersections.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .question_features import NAMES as QUESTION_NAMES
from .question_features import question_features
from .task import ROOT
from .task_view import NodeView, TaskView
from .utterances import CUES, QUESTION_CUES, Segment, Utterance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VIEWS = ("own", "gap", "both", "fresh", "topic", "parent")
_LOCAL = ("best share", "best cosine", "whole")
_COMPARED = ("", " over open", " over told")


@dataclass(frozen=True, slots=True)
class Moment:
    """What stands before an utterance.

    `told`: every node told. `last`: those told in the turn before. `before`: the seeker's turn
    before, None for the first. `candidates`: the nodes that may be told, in order.
    """

    told: frozenset[str]
    last: frozenset[str]
    before: Utterance | None
    candidates: tuple[str, ...]


NAMES = (
    *(f"{view} {local}{compared}" for view in VIEWS for local in _LOCAL for compared in _COMPARED),
    *(f"asked {cue}" for cue in QUESTION_CUES),
    *(f"fits {cue}" for cue in QUESTION_CUES),
    "asks place of scene", "asks choice of item", "asks manner of skill",
    "item", "skill", "scene",
    "own options named", "options named", "heads named", "share of heads", "options of one head",
    "best segment", "segments that ask", "is first best",
    "place", "places after", "told", "depth", "parent told last", "parent is root",
    "asked before", "has purpose",
    "segment lead", "segment lead of words", "segments led", "first segment led",
    "leads of open before", "first led of others",
    *QUESTION_NAMES,
    *(f"cue {cue}" for cue in CUES),
    "terms", "share known", "known terms", "asking segments", "share asking", "best told",
    "best open", "chinese", "echo told", "same as before",
)  # fmt: skip
"""What the columns of `node_features` are."""

TURN_NAMES = (
    *NAMES[NAMES.index(f"cue {CUES[0]}") :],
    *(f"asks {cue}" for cue in QUESTION_CUES),
    "asks",
)
"""What `turn_features` are."""


def node_features(view: TaskView, said: Utterance, moment: Moment) -> NDArray[np.float64]:
    """Return float64[candidates, len(NAMES)]."""
    import numpy as np

    asking = tuple(segment for segment in said.segments if segment.asks) or said.segments
    weights = [view.weight(segment.terms) for segment in asking]
    whole = view.weight(said.terms)
    others = [name for name in moment.told if name != ROOT]
    rows = {
        name: _local(view, view.nodes[name], asking, weights, said.terms, whole)
        for name in (*moment.candidates, *sorted(others))
    }
    best_told = max((rows[name][1][7] for name in others), default=0.0)
    best_open = max((rows[name][1][7] for name in moment.candidates), default=0.0)
    general = _general(view, said, moment, asking, best_told, best_open)
    leads = _leads(view, asking, moment, sorted(others))
    asked = question_features(view, said, asking, sorted(others), moment.candidates)
    found: list[list[float]] = []
    for at, name in enumerate(moment.candidates):
        at_segment, own = rows[name]
        row: list[float] = []
        for column, value in enumerate(own):
            rest = [rows[other][1][column] for other in moment.candidates if other != name]
            was = [rows[other][1][column] for other in others]
            row += (value, value - max(rest, default=0.0), value - max(was, default=0.0))
        segment = asking[at_segment] if asking else None
        row += _of_segment(view, view.nodes[name], segment, said)
        led = leads[name]
        row += _of_place(view, name, at, at_segment, len(asking), moment, own[7] >= best_open)
        row += led
        row.append(min((leads[o][3] for o in moment.candidates if o != name), default=9.0))
        found.append(row + asked[at] + general)
    return np.array(found, dtype=np.float64).reshape(len(found), len(NAMES))


def turn_features(view: TaskView, said: Utterance, moment: Moment) -> NDArray[np.float64]:
    """Return float64[len(TURN_NAMES)]: what the turn shows whichever node it asks for."""
    import numpy as np

    asking = tuple(segment for segment in said.segments if segment.asks) or said.segments
    told = max((fit(view, said, name) for name in sorted(moment.told - {ROOT})), default=0.0)
    due = max((fit(view, said, name) for name in moment.candidates), default=0.0)
    asked = [any(segment.cues[at] for segment in asking) for at in range(len(QUESTION_CUES))]
    asks = any(segment.asks for segment in said.segments)
    general = _general(view, said, moment, asking, told, due)
    return np.array([*general, *asked, asks], dtype=np.float64)


def fit(view: TaskView, said: Utterance, name: str) -> float:
    """Return the best cosine of a segment that asks with what a node is about."""
    words = view.nodes[name].both
    total = view.weight(words) or 1.0
    asking = [each.terms for each in said.segments if each.asks] or [said.terms]
    return max(
        view.weight(words & each) / (total * (view.weight(each) or 1.0)) ** 0.5 for each in asking
    )


def _local(
    view: TaskView,
    node: NodeView,
    asking: Sequence[Segment],
    weights: Sequence[float],
    every: frozenset[str],
    whole: float,
) -> tuple[int, list[float]]:
    """Return the segment that fits a node best, and how well each view fits."""
    found: list[float] = []
    chosen = 0
    for name in VIEWS:
        words: frozenset[str] = getattr(node, name)
        total = view.weight(words) or 1.0
        best_share = best_cosine = 0.0
        for at, segment in enumerate(asking):
            shared = view.weight(words & segment.terms)
            cosine = shared / (total * weights[at]) ** 0.5 if weights[at] else 0.0
            best_share = max(best_share, shared / (weights[at] or 1.0))
            if cosine > best_cosine:
                best_cosine = cosine
                if name == "both":
                    chosen = at
        found += (best_share, best_cosine, view.weight(words & every) / total)
    return chosen, found


def _leads(
    view: TaskView, asking: Sequence[Segment], moment: Moment, others: Sequence[str]
) -> dict[str, list[float]]:
    """Return by how much a node leads all others in its best segment, and where it leads."""
    names = (*moment.candidates, *others)
    best: dict[str, list[float]] = {name: [-1.0, -1.0, 0.0, 9.0, 0.0] for name in names}
    for at, segment in enumerate(asking):
        scores: dict[str, tuple[float, float]] = {}
        for name in names:
            node = view.nodes[name]
            total = view.weight(node.both) or 1.0
            own = view.weight(node.own) or 1.0
            scores[name] = (
                view.weight(node.both & segment.terms) / total**0.5,
                view.weight(node.own & segment.terms) / own**0.5,
            )
        for name in moment.candidates:
            row = best[name]
            for column in (0, 1):
                rest = max((scores[o][column] for o in names if o != name), default=0.0)
                lead = scores[name][column] - rest
                row[column] = max(row[column], lead)
                if column == 0 and lead > 0:
                    row[2] += 1
                    row[3] = min(row[3], float(at))
    before = 0.0
    for name in moment.candidates:
        best[name][4] = before
        before = max(before, best[name][0])
    return best


def _of_segment(
    view: TaskView, node: NodeView, segment: Segment | None, said: Utterance
) -> list[float]:
    words = segment.terms if segment else frozenset[str]()
    cues = segment.cues if segment else (False,) * len(QUESTION_CUES)
    named = view.named(words)
    asked = dict(zip(QUESTION_CUES, cues, strict=True))
    of_node = dict(zip(QUESTION_CUES, node.cues, strict=True))
    item, skill, scene = node.kinds
    same_head = [at for at in named if view.options[at] & node.heads]
    return [
        *map(float, cues),
        *(float(asked[cue] and of_node[cue]) for cue in QUESTION_CUES),
        float(asked["place"] and scene),
        float(asked["choice"] and item),
        float(asked["manner"] and skill),
        *map(float, (item, skill, scene)),
        float(bool(named & node.options)),
        float(len(named)),
        float(bool(node.heads & words)),
        len(node.heads & words) / (len(node.heads) or 1),
        float(len(same_head)),
    ]


def _of_place(
    view: TaskView,
    name: str,
    at: int,
    at_segment: int,
    segments: int,
    moment: Moment,
    is_best: bool,
) -> list[float]:
    node = view.nodes[name]
    before = moment.before.terms if moment.before else frozenset[str]()
    words = node.both
    total = view.weight(words) or 1.0
    return [
        float(at_segment),
        float(segments),
        float(is_best),
        float(at),
        float(len(moment.candidates) - at - 1),
        float(len(moment.told)),
        float(name.count(".")),
        float(node.node.parent in moment.last),
        float(node.node.parent == ROOT),
        view.weight(words & before) / total,
        float(bool(node.gap)),
    ]


def _general(
    view: TaskView,
    said: Utterance,
    moment: Moment,
    asking: Sequence[Segment],
    best_told: float,
    best_open: float,
) -> list[float]:
    known = said.terms & view.known
    spoken = view.weight(said.terms) or 1.0
    told = frozenset[str]().union(*(view.nodes[name].own for name in sorted(moment.told)))
    before = moment.before.terms if moment.before else frozenset[str]()
    return [
        *map(float, said.cues),
        float(min(len(said.terms), 80)),
        view.weight(known) / spoken,
        view.weight(known),
        float(len(asking)),
        sum(len(segment.terms) for segment in asking) / (len(said.terms) or 1),
        best_told,
        best_open,
        float(said.lang == "zh"),
        view.weight(said.terms & told) / spoken,
        view.weight(said.terms & before) / spoken,
    ]
