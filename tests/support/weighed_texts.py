"""Hand-written texts with how much each wish matters, and how well weights agree with that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

OPERATORS = ("==", ">=", "<=")
ROLES = {"U": "user", "A": "assistant"}


@dataclass(frozen=True)
class WeighedText:
    """Messages, constraints as records, and the true importances in their order."""

    messages: tuple[dict[str, str], ...]
    constraints: tuple[dict[str, Any], ...]
    importances: tuple[float, ...]


def read_texts(path: Path) -> list[WeighedText]:
    """The texts of a file: blocks of `U:` and `A:` messages and `C:` constraints."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    return [text for text in map(_text, blocks) if text.messages]


def _text(block: str) -> WeighedText:
    messages: list[dict[str, str]] = []
    wishes: list[tuple[dict[str, Any], float]] = []
    for line in block.splitlines():
        if line[:1] in ROLES and line[1:2] == ":":
            messages.append({"role": ROLES[line[0]], "content": line[2:].strip()})
        elif line.startswith("C:"):
            wishes.append(_wish(line[2:].split()))
    return WeighedText(
        tuple(messages), tuple(wish for wish, _ in wishes), tuple(weight for _, weight in wishes)
    )


def _wish(words: list[str]) -> tuple[dict[str, Any], float]:
    at = next(place for place, word in enumerate(words) if word in OPERATORS)
    column, op = " ".join(words[:at]), words[at]
    record = {"column": column, "op": op, "value": _value(" ".join(words[at + 1 : -1]))}
    return record, float(words[-1])


def _value(text: str) -> bool | float | int | str:
    if text == "true":
        return True
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def pair_scores(weights: Sequence[float], importances: Sequence[float]) -> list[float]:
    """1 for each pair ordered rightly, 0 for wrongly, ½ for equal weights."""
    scores: list[float] = []
    for i, j in combinations(range(len(weights)), 2):
        if importances[i] != importances[j]:
            product = (weights[i] - weights[j]) * (importances[i] - importances[j])
            scores.append(0.5 if abs(product) < 1e-12 else float(product > 0))
    return scores


def lowest_score(
    weights: Sequence[float], importances: Sequence[float], among: Iterable[int] | None = None
) -> float:
    """How likely a lowest weight, ties drawn, is on a constraint of the lowest importance."""
    places = range(len(weights)) if among is None else tuple(among)
    least = min(weights[place] for place in places)
    picked = [place for place in places if weights[place] <= least + 1e-9]
    lowest = min(importances[place] for place in places)
    return sum(importances[place] == lowest for place in picked) / len(picked)
