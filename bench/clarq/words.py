"""Content words of a text in English or Chinese: rough stems, pairs of characters."""

from __future__ import annotations

import re

WORD = re.compile(r"[a-z0-9]+")
CHINESE = re.compile(r"[\u3400-\u9fff]+")

STOP_WORDS = frozenset(
    "a about all also an and any are as at be been but by can could did do does first for from "
    "get go had has have help how i if in into is it its jax just know like may me more my need "
    "needs no not of off on once one only or other our out please provide should so some specific "
    "still tell than thank thanks that the their them then there these they this those to "
    "understand use using very want was we were what when where which while who why will with "
    "would you your".split()
)
STOP_PAIRS = frozenset(
    "你可 可以 需要 我需 应该 该去 我应 你应 的话 就可 然后 这个 那个 什么 怎么 如何 请问 谢谢 "
    "谢你 你的 我的 没有 是否 还是 或者 以及 因为 所以 任务 完成 成任 务的 具体 知道 告诉 诉我 "
    "能告".split()
)


def content_words(text: str, lang: str) -> frozenset[str]:
    """Return a text's words without those that every text has; of Chinese, pairs of characters."""
    lowered = text.lower()
    words = {_stem(word) for word in WORD.findall(lowered) if word not in STOP_WORDS}
    if lang == "zh":
        runs = CHINESE.findall(lowered)
        words |= {run[at : at + 2] for run in runs for at in range(len(run) - 1)} - STOP_PAIRS
    return frozenset(words)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word
