"""Why facts were not obtained: overlooked, forgotten, or hidden in a summary (VI-F), by rule.

Of a dialogue that failed, each untold fact whose parent was told is looked at. A sentence
of the seeker mentions it where it shares with it more words that few of the task's facts have
than with any other fact that was open then.

- forgotten: a question mentions it, and it was not told for all that;
- hidden in a summary: only what is stated, summed up or put for a yes mentions it;
- overlooked: nothing mentions it.

Rough by nature: words are compared, not meanings, and a question that the provider misread
counts as forgotten.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...dialogs.information_seeking.task import ClarificationTask, SpokenTurn
from ...dialogs.information_seeking.telling import releasable, told_before
from .outcome import Outcome
from .words import content_words

CLASSES = ("overlooked", "forgotten", "hidden_in_summary")

SUMMARY = re.compile(
    r"\b(?:to (?:summari[sz]e|confirm|recap|be clear)|in summary|let me (?:confirm|summari[sz]e)"
    r"|(?:is|does) (?:that|this|it) (?:all )?(?:right|correct|sound|look)|correct\?|right\?"
    r"|am i (?:right|correct)|so,? (?:i|my plan|the plan|you))\b"
    r"|总结|确认一下|对吗|对吧|是吗[？?]|正确吗|是这样吗|我的理解是|没错吧",
    re.IGNORECASE,
)
QUESTION = re.compile(
    r"[?？]|\b(?:can|could|would) you (?:tell|explain|clarify|specify)\b|请问|能否"
)

PURPOSE_NOTE = re.compile(r"\bnote:|注：|注:", re.IGNORECASE)
PURPOSE_WORDS = {
    "en": "There are multiple in the game scenario. Jax previously mentioned, the previous "
    "responses did not specify, explain or provide. This addresses the question of, specifying, "
    "clarifying, indicating, concerns, doubts, information, method.",
    "zh": "前面Jax的任务回复没有介绍提到但是没有说明具体，游戏场景中存在多个，前面的回复没有给出，"
    "这个回复用于解答回答的疑问或者解除对的不确定性，应该去而不是其他，的位置。",
}
"""What purposes say of gaps in general."""

LEAST_WEIGHT = 1.0
"""Of shared words: one that no other fact of the task has, or several that some have."""


def failure_classes(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """Return how many facts each class holds, over the dialogues that failed."""
    counts = Counter(
        kind for outcome in outcomes if not outcome.success for _, kind in missed_facts(outcome)
    )
    return {kind: counts[kind] for kind in CLASSES}


def missed_facts(outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Yield the nodes of a dialogue that could have been told and were not, with their class."""
    told = told_before(outcome.task, outcome.turns)
    mentions = list(_mentions(outcome.task, outcome.turns))
    for node in releasable(outcome.task, told):
        if node.parent is None:
            continue
        said = [turn for turn, mentioned in mentions if mentioned == node.node]
        if any(QUESTION.search(turn) and not SUMMARY.search(turn) for turn in said):
            yield node.node, "forgotten"
        else:
            yield node.node, "hidden_in_summary" if said else "overlooked"


def _mentions(task: ClarificationTask, turns: Sequence[SpokenTurn]) -> Iterator[tuple[str, str]]:
    """Yield the sentences of the seeker with the open fact that each mentions."""
    weights = _weights(task)
    for place, turn in enumerate(turns):
        if turn.speaker == "provider":
            continue
        due = releasable(task, told_before(task, turns[:place]))
        for sentence in _sentences(turn.text):
            words = content_words(sentence, task.lang)
            shared = {
                node.node: sum(w for word, w in weights[node.node].items() if word in words)
                for node in due
            }
            best = max(shared, key=lambda node: shared[node], default=None)
            if best is not None and shared[best] >= LEAST_WEIGHT:
                yield sentence, best


def _sentences(text: str) -> list[str]:
    return re.findall(r"[^.?!。？！\n]+[.?!。？！]*", text)


def _weights(task: ClarificationTask) -> Mapping[str, Mapping[str, float]]:
    """Return for each node its words, each weighed by 1 over the nodes that have it.

    Words of the goal, of the first answer and of purposes in general say nothing of a single fact.
    """
    said_of_all = f"{task.goal} {task.responses[0].text} {PURPOSE_WORDS[task.lang]}"
    common = content_words(said_of_all, task.lang)
    words = {
        node.node: content_words(f"{node.text} {PURPOSE_NOTE.split(node.purpose)[0]}", task.lang)
        - common
        for node in task.responses
    }
    having = Counter(word for of_node in words.values() for word in of_node)
    return {node: {word: 1 / having[word] for word in sorted(words[node])} for node in words}
