"""A provider without a language model: it walks the tree and tells only what is asked for.

Each turn: what was told is read from the dialogue, the nodes that may follow are weighed by the
matcher, and those that are asked for are told in their own words. Else the turn is of a kind
that gets a fixed sentence. Stateless; the same turns always get the same reply.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from .choosing import Mode, all_asked, candidates, place, the_one
from .features import Moment, fit
from .matcher import Matcher, shipped_matcher
from .provider_replies import ENOUGH, GREETING, SAID, in_language, joined
from .task import ROOT, ClarificationTask, ProviderReply, SpokenTurn
from .task_view import TaskView, task_view
from .telling import newly_told, normal, told_before
from .utterances import Utterance, utterance

REPEATED = 0.25
"""How well a turn must fit a told node, as `fit`, for its text to be said again."""

_NAME = re.compile(r"^\s*(?:你|玩家|you|seeker|player)\s*[:：]\s*", re.IGNORECASE)


@dataclass(frozen=True)
class OfflineProvider:
    """Tells at most one node a turn (`single`), or all that are asked for (`multi`).

    `matcher` None: the one that ships.
    """

    mode: Mode = "single"
    matcher: Matcher | None = None

    def reply(self, task: ClarificationTask, turns: Sequence[SpokenTurn]) -> ProviderReply:
        """See `Provider.reply`."""
        if not turns:
            return ProviderReply(in_language(GREETING, task.lang))
        told = frozenset(told_before(task, turns))
        if ROOT not in told:
            return ProviderReply(_text(task, ROOT), (), 1)
        matcher = self.matcher or shipped_matcher()
        view = _view(task, matcher)
        moment = moment_of(task, turns, told)
        said = utterance(bare(turns[-1].text), _lang(task))
        chosen = self._chosen(matcher.chances(view, said, moment))
        if chosen:
            told_now = {moment.candidates[at] for at in chosen}
            nodes = [node for node in task.responses if node.node in told_now]
            text = joined([node.text for node in nodes], _lang(task))
            return ProviderReply(text, tuple(node.node for node in nodes), 2)
        return _nothing_new(matcher, task, view, said, moment)

    def _chosen(self, chances: Sequence[float]) -> tuple[int, ...]:
        if self.mode == "multi":
            return all_asked(chances)
        one = the_one(chances)
        return () if one is None else (one,)


def moment_of(task: ClarificationTask, turns: Sequence[SpokenTurn], told: frozenset[str]) -> Moment:
    """Return what stands before the last turn, the seeker's."""
    heard = [turn.text for turn in turns[1:-1] if turn.speaker == "seeker"]
    answers = [at for at, turn in enumerate(turns) if at and turn.speaker == "provider"]
    last = newly_told(task, turns[: answers[-1]], turns[answers[-1]].text) if answers else ()
    before = utterance(bare(heard[-1]), _lang(task)) if len(heard) > 1 else None
    return Moment(told, frozenset(last), before, candidates(task, told))


def bare(text: str) -> str:
    """Return a turn without the speaker's name in front."""
    return _NAME.sub("", text)


def _nothing_new(
    matcher: Matcher, task: ClarificationTask, view: TaskView, said: Utterance, moment: Moment
) -> ProviderReply:
    kind = matcher.kind(view, said, moment)
    if kind == 4:
        fits = {node: fit(view, said, node) for node in sorted(moment.told - {ROOT}, key=place)}
        best = max(fits, key=fits.__getitem__, default="")
        if best and fits[best] >= REPEATED:
            return ProviderReply(_text(task, best), (), 4)
    if not moment.candidates and kind in (1, 2, 3, 6):
        return ProviderReply(_harmless(task, in_language(ENOUGH, task.lang)), (), kind)
    return ProviderReply(_harmless(task, in_language(SAID[kind], task.lang)), (), kind)


def _harmless(task: ClarificationTask, text: str) -> str:
    """Return a fixed sentence, or a dot where a node's text happens to stand in it."""
    said = normal(text)
    return "…" if any(normal(node.text) in said for node in task.responses) else text


def _text(task: ClarificationTask, node: str) -> str:
    return next(each.text for each in task.responses if each.node == node)


def _lang(task: ClarificationTask) -> str:
    return "zh" if task.lang == "zh" else "en"


@lru_cache(maxsize=256)
def _view(task: ClarificationTask, matcher: Matcher) -> TaskView:
    return task_view(task, matcher.rarity)
