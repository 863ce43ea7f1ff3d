"""Catalogs in which what shoppers say has a place, made of their wishes, and the answers to read.

A column holds the value that is wished and others: numbers and days around it, what others wish of
a column of that name. Cost: linear in the shoppers, some milliseconds a catalog.
"""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

from ...dialogs.language.cues import cues
from ...dialogs.language.tokens import tokens
from .labelled import NOWHERE, LabelledConstraint, LabelledSentence
from .shoppers import SaidWish, Shopper

ROWS = 60
"""Rows of a catalog."""

OTHERS = 4
"""Values of a column of texts beside the one that is wished."""

AROUND = (0.4, 2.0)
"""Numbers of a column lie between these shares of the one that is wished."""

MARKED = ("==", "!=", "in", "not in", "contains")
"""Operators whose values are texts of the catalog, where they are texts."""


def write_catalog(shopper: Shopper, path: Path, values: dict[str, list[str]], seed: int) -> None:
    """Write a CSV file with a column for each of a shopper's wishes.

    `values`: texts that are wished of columns, by the name of the column, in lower case.
    """
    draw = random.Random(f"{seed} {shopper.thing}")
    columns = {wish.column: _cells(wish, values, draw) for wish in shopper.wishes}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


def wished_texts(shoppers: Iterable[Shopper]) -> dict[str, list[str]]:
    """Return the texts that are wished, by the name of their column; "" holds all of them."""
    texts: dict[str, list[str]] = {"": []}
    for wish in (wish for shopper in shoppers for wish in shopper.wishes):
        for value in wish.value if isinstance(wish.value, list) else [wish.value]:
            if isinstance(value, str) and not _is_answer(value) and not _moment(value):
                texts.setdefault(wish.column.casefold(), []).append(value)
                texts[""].append(value)
    return texts


def shopper_sentences(shoppers: Iterable[Shopper], prefix: str) -> Iterator[LabelledSentence]:
    """Yield what shoppers answer when they are asked about a column; catalogs by their place."""
    for place, shopper in enumerate(shoppers):
        meant = {
            wish.column: LabelledConstraint(
                wish.column,
                wish.op,
                [*wish.value] if isinstance(wish.value, list) else wish.value,
                NOWHERE,
                None,
            )
            for wish in shopper.wishes
        }
        for wish in filter(_says_all, shopper.wishes):
            yield LabelledSentence(
                f"{prefix}{place}",
                wish.said,
                asked=wish.column,
                constraints=(meant[wish.column],),
                perhaps=tuple(other for name, other in meant.items() if name != wish.column),
                source="known",
            )


_SIDES = frozenset(("over", "under", "most", "least"))


def _says_all(wish: SaidWish) -> bool:
    """Return whether the words say on which side of a number a bound lies, if it is one.

    Of `60 litres` the shopper knows that it is the least, and a reader does not.
    """
    if wish.op not in ("<", "<=", ">", ">=") or not isinstance(wish.value, int | float):
        return True
    words = [word.folded for word in tokens(wish.said)]
    return any(name in _SIDES for _, _, name in cues(words)) or any(
        word in ("or", "and") and after.endswith(("er", "ore", "ess"))
        for word, after in pairwise(words)
    )


def _cells(wish: SaidWish, values: dict[str, list[str]], draw: random.Random) -> list[str]:
    given = wish.value if isinstance(wish.value, list) else [wish.value]
    first = given[0]
    if isinstance(first, bool) or (isinstance(first, str) and _is_answer(first)):
        choices = ["yes", "no"]
    elif isinstance(first, int | float):
        return [_number(first, draw) for _ in range(ROWS - 1)] + [f"{first:g}"]
    elif isinstance(first, str) and (day := _moment(first)):
        return [_moved(first, day, draw) for _ in range(ROWS - 1)] + [first]
    else:
        choices = _texts(wish, [str(value) for value in given], values, draw)
    cells = [draw.choice(choices) for _ in range(ROWS - len(choices))] + choices
    if wish.op == "contains":
        cells = ["; ".join(dict.fromkeys((cell, draw.choice(choices)))) for cell in cells]
    return draw.sample(cells, len(cells))


def _texts(
    wish: SaidWish, given: list[str], values: dict[str, list[str]], draw: random.Random
) -> list[str]:
    like = dict.fromkeys(
        [*given, *draw.sample(named := values.get(wish.column.casefold(), []), len(named))]
    )
    if len(like) < 1 + OTHERS:
        like |= dict.fromkeys(draw.sample(values[""], min(OTHERS, len(values[""]))))
    return list(like)[: len(given) + OTHERS]


def _number(wished: float, draw: random.Random) -> str:
    if wished == 0:
        return str(draw.randint(0, 20))
    share = draw.uniform(*AROUND)
    if isinstance(wished, int):
        step = 10 if wished >= 100 and wished % 10 == 0 else 1
        return str(max(0, round(wished * share / step) * step))
    return f"{wished * share:.2g}"


def _is_answer(text: str) -> bool:
    return text.casefold() in ("yes", "no")


def _moment(text: str) -> str:
    """Return "day" or "time" where a text is one, and nothing elsewhere."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return "day"
    return "time" if re.fullmatch(r"\d\d:\d\d", text) else ""


def _moved(wished: str, kind: str, draw: random.Random) -> str:
    if kind == "day":
        return (date.fromisoformat(wished) + timedelta(days=draw.randint(-40, 60))).isoformat()
    hours, minutes = map(int, wished.split(":"))
    moved = (hours * 60 + minutes + 15 * draw.randint(-12, 12)) % (24 * 60)
    return f"{moved // 60:02}:{moved % 60:02}"
