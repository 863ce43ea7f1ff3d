"""The questions of a seeker: brief, plain, and explicit about what is open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .options import Place

Lang = Literal["en", "zh"]
GOODBYE = {"en": "Thank you, goodbye!", "zh": "谢谢，再见！"}
ASK_HOW = {"en": "How do I complete this task: {goal}?", "zh": "我该怎么完成任务：{goal}？"}

_WHICH = {
    "en": {
        "scenes": "Which {label} should I go to, {options}?",
        "items": "Which {label} should I use, {options}?",
        "skills": "Which skill should I use: {options}?",
    },
    "zh": {
        "scenes": "我应该去哪个{label}，{options}？",
        "items": "我应该使用哪个{label}，{options}？",
        "skills": "我应该使用哪个技能，{options}？",
    },
}
STILL = {"en": "I am still unsure about this.", "zh": "我还是不确定。"}
"""Put before questions that were asked before."""

_FORMS = {
    "en": {
        "thing at": "At which {label} can I get {thing}, {options}?",
        "inner": "Which of the {inner} of {name} should I take?",
        "enter": 'How do I get into {name}? It says "{barred}".',
        "overcome": 'About {name}: it says "{barred}". How do I deal with that?',
        "source": "Where and how can I get {thing}?",
        "what": "What or where exactly is the {thing}?",
        "needed": 'Where can I get {thing}, which "{name}" needs?',
        "person": "Where can I find {thing}?",
        "kind": "Which {thing} exactly do I need?",
        "kind of": "Which {thing} do I need: {options}?",
        "how": "How do I {action}?",
        "about": 'About "{clause}": {question}',
        "left": "Which of these should I use, and what for: {options}?",
        "left scenes": "Which of these places should I go to, {options}?",
    },
    "zh": {
        "thing at": "在哪个{label}可以得到{thing}，{options}？",
        "inner": "{name}的哪个{inner}可以走？",
        "enter": "我怎么才能进入{name}？那里{barred}。",
        "overcome": "{name}（{barred}），这个问题怎么解决？",
        "source": "在哪里、怎么才能得到{thing}？",
        "what": "{thing}具体是什么、在哪里？",
        "needed": "在哪里可以得到“{name}”需要的{thing}？",
        "person": "在哪里可以找到{thing}？",
        "kind": "具体需要哪种{thing}？",
        "kind of": "需要哪一个{thing}：{options}？",
        "how": "我该怎么{action}？",
        "about": "关于“{clause}”：{question}",
        "left": "我应该使用哪一个，用来做什么：{options}？",
        "left scenes": "我应该去哪个地方：{options}？",
    },
}


def written(lang: str) -> Lang:
    """Return the language that a seeker of a task speaks: English unless it is Chinese."""
    return "zh" if lang == "zh" else "en"


def listed(lang: str, options: Sequence[str], last: Literal["or", "and"] = "or") -> str:
    """Return options as a list that ends in "or", or in "and"."""
    if len(options) < 2:
        return "".join(options)
    between = {"or": "还是", "and": "和"}[last] if lang == "zh" else f" {last} "
    return ("、" if lang == "zh" else ", ").join(options[:-1]) + between + options[-1]


def which(lang: str, place: Place, label: str, options: Sequence[str]) -> str:
    """Return the question which one of several options is meant."""
    return _WHICH[lang][place].format(label=label, options=listed(lang, options))


def form(lang: str, way: str, /, *, options: Sequence[str] = (), **values: str) -> str:
    """Return a question by the name of its form."""
    said = listed(lang, options) if options else ""
    return _FORMS[lang][way].format(options=said, **values)
