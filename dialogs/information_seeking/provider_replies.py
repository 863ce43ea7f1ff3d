"""What an offline provider says besides the texts of nodes. None of it tells anything."""

from __future__ import annotations

from collections.abc import Mapping

GREETING = {"en": "Hello! How can I help you?", "zh": "你好！有什么要问我的吗？"}

ENOUGH = {
    "en": "You have everything you need from me.",
    "zh": "该告诉你的我都告诉你了，信息已经足够。",
}
"""When every node was told."""

SAID = {
    1: {"en": "Yes, go ahead.", "zh": "是的，去做吧。"},
    2: {"en": "Yes, go ahead.", "zh": "是的，去做吧。"},
    3: {
        "en": "There is nothing to add on that, so leave that aside.",
        "zh": "这一点没有更多可说的，不用管它。",
    },
    4: {"en": "That was answered already.", "zh": "这个前面已经回答过了。"},
    5: {
        "en": "That has nothing to do with this. Please stay with what you came for.",
        "zh": "这和我们谈的事没有关系，请回到正题。",
    },
    6: {
        "en": "Please be more precise: what exactly is unclear to you?",
        "zh": "请问得再明确一点：到底哪一点不清楚？",
    },
}  # fmt: skip
"""By kind of turn, where nothing is told."""

_BETWEEN = {"en": " ", "zh": ""}


def joined(texts: list[str], lang: str) -> str:
    """Return texts one after the other, as they are."""
    return _BETWEEN[lang].join(texts)


def in_language(sentences: Mapping[str, str], lang: str) -> str:
    """Return the sentence in a language, English where there is none."""
    return sentences.get(lang, sentences["en"])
