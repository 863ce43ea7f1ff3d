"""What shoppers ask: a fixed set of different questions, of five kinds, drawn from a seed.

feasible: three wishes that many items of a category meet. conflict: four wishes that hardly any
item of a brand meets. tight: six or seven wishes that about one item in 10⁷ meets, of a brand, of
a category or of all items alike. weighted, where: the same with weights and an objective, and as
SQL text.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .synthetic_items import CODED, text_of

Wish = tuple[str, str, Any]
"""Column, operator (`==`, `<=`, `>=`, `in`, `between`) and value, as JSON writes it."""

KINDS = ("feasible", "conflict", "tight", "weighted", "where")


@dataclass(frozen=True)
class Question:
    """One question: its kind, what is fixed, what may give way, and the body that asks it."""

    kind: str
    base: tuple[Wish, ...]
    wishes: tuple[Wish, ...]
    weights: tuple[float, ...]
    body: bytes


def questions(count: int, seed: int) -> list[Question]:
    """Return so many questions, the kinds in turn."""
    dice = random.Random(seed)
    return [_question(KINDS[place % len(KINDS)], dice) for place in range(count)]


def _question(kind: str, dice: random.Random) -> Question:
    base, wishes = _MADE[kind](dice)
    weighed = kind == "weighted"
    weights = [round(dice.uniform(0.1, 1.0), 2) if weighed else None for _ in wishes]
    body: dict[str, Any] = {"base": [_record(constraint) for constraint in base], "top": 5}
    if kind == "where":
        body["where"] = " AND ".join(_sql(wish) for wish in wishes)
    else:
        body["constraints"] = [
            _record(wish) | ({} if weight is None else {"weight": weight})
            for wish, weight in zip(wishes, weights, strict=True)
        ]
    if weighed:
        body["objectives"] = [{"column": "price", "direction": "min", "weight": 0.4}]
    known = tuple(0.5 if weight is None else weight for weight in weights)
    return Question(kind, tuple(base), tuple(wishes), known, json.dumps(body).encode())


def _record(wish: Wish) -> dict[str, Any]:
    column, op, value = wish
    return {"column": column, "op": op, "value": value}


def _sql(wish: Wish) -> str:
    column, op, value = wish
    if op == "in":
        return f"{column} IN ({', '.join(map(_literal, value))})"
    if op == "between":
        return f"{column} BETWEEN {value[0]} AND {value[1]}"
    return f"{column} {'=' if op == '==' else op} {_literal(value)}"


def _literal(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def _code(column: str, dice: random.Random) -> Wish:
    return (column, "==", text_of(column, dice.randrange(CODED[column])))


def _feasible(dice: random.Random) -> tuple[list[Wish], list[Wish]]:
    wishes: list[Wish] = [
        ("price", "<=", dice.randrange(1_500, 4_000, 100)),
        ("rating", ">=", dice.choice([2.0, 2.5, 3.0, 3.5])),
        ("year", ">=", dice.randrange(2008, 2018)),
    ]
    return [_code("category", dice)], wishes


def _conflict(dice: random.Random) -> tuple[list[Wish], list[Wish]]:
    wishes: list[Wish] = [
        ("price", "<=", dice.randrange(55, 80, 5)),
        ("rating", ">=", dice.choice([4.7, 4.8, 4.9])),
        ("weight", "<=", dice.choice([0.6, 0.7, 0.8])),
        ("stock", ">=", dice.randrange(10, 60, 10)),
    ]
    return [_code("brand", dice)], wishes


def _tight(dice: random.Random) -> tuple[list[Wish], list[Wish]]:
    low = dice.randrange(50, 58)
    colours = sorted(dice.sample(range(CODED["colour"]), 2))
    wishes: list[Wish] = [
        _code("category", dice),
        ("price", "<=", dice.randrange(100, 400, 50)),
        ("rating", ">=", dice.choice([4.6, 4.7, 4.8, 4.9])),
        ("year", ">=", dice.randrange(2021, 2025)),
        ("weight", "<=", dice.choice([0.6, 0.65, 0.7, 0.75])),
        ("warranty", "between", [low, low + 3]),
        ("colour", "in", [text_of("colour", colour) for colour in colours]),
    ]
    base = dice.choice(("brand", "category", ""))
    if base == "category":
        # Settled here, so no wish.
        return [wishes[0]], wishes[1:]
    return ([_code(base, dice)] if base else []), wishes


_MADE: Mapping[str, Callable[[random.Random], tuple[list[Wish], list[Wish]]]] = {
    "feasible": _feasible,
    "conflict": _conflict,
    "tight": _tight,
    "weighted": _tight,
    "where": _tight,
}
