"""How likely somebody has an answer to an open point: a logistic model of what is known of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from pathlib import Path

WEIGHTS: dict[str, float] = json.loads(
    Path(__file__).with_name("likelihood.json").read_text(encoding="utf-8")
)
"""Of the facts, in logits. `bench/clarq/train_seeker.py` fits them on dialogues of the offline
seeker with offline providers that have not seen the type of task, and writes the file."""

_BARS = re.compile(
    r"permit|guard|key\b|barrier|let you in|lock|seal|authori|pass\b|monster|protect|"
    r"许可|看守|守卫|钥匙|结界|屏障|封印|锁|通行证|怪|保护|授权|令牌",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:other|not|only|no|any)\b|n['’]t\b|其他|其它|不|只有|任何", re.IGNORECASE
)


def facts_of(rule: str, said: str, options: int, sentence: str, first: bool) -> frozenset[str]:
    """Return what is known of a point when it is opened, as names of weights."""
    found = {rule, f"{rule} first" if first else f"{rule} later"}
    if options:
        found.add("two" if options == 2 else "three" if options == 3 else "more than three")
    if rule in {"barred", "barred named"} and _BARS.search(said):
        found.add(f"{rule} way in")
    if rule == "group again" and _DENIES.search(sentence):
        found.add("group again denied")
    if rule in {"source", "mentioned", "mentioned twice", "person", "kind", "thing at"}:
        found.add(f"{rule} long" if len(said) > 22 else f"{rule} short")
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How a dialogue stands for a point.

    `asked`: how often it was asked in vain, `silent`: answers so far that told nothing,
    `told`: those that told something, `age`: how many of them came since it was opened.
    """

    asked: int
    silent: int
    told: int
    age: int

    def facts(self) -> tuple[str, ...]:
        """Return the circumstances as names of weights."""
        return (
            f"asked {min(self.asked, 2)}",
            f"silent {min(self.silent, 3)}",
            f"told {min(self.told, 6)}",
            f"age {min(self.age, 3)}",
        )


def likelihood(
    facts: frozenset[str], stands: Circumstances, weights: Mapping[str, float] = WEIGHTS
) -> float:
    """Return the probability that somebody has an answer."""
    names = ("bias", *sorted(facts), *stands.facts())
    return 1 / (1 + exp(-sum(weights.get(name, 0.0) for name in names)))
