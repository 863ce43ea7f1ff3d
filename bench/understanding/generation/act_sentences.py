"""Sentences for dialogue acts that corpora of bookings lack, expanded from written templates.

`act_templates.txt` has blocks: a line `== acts @ what was said before`, then a template a line.
In a template `[a|b|]` is one of them, `{v}` a value, `{c}` a column, `{n}` a number. Each is
expanded a few times, in a seeded order; some ten microseconds a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

BEFORE: dict[str, tuple[str, ...]] = {
    "start": ("",),
    "question": (
        "What is the most you would accept for the {c}?",
        "Which {c} would you like: {v}, {v} or {v}?",
        "What {c} do you need, at least or at most?",
        "Is {c} something you want, something to avoid, or neither?",
        "Should it have {c}?",
        "What {c} do you have in mind? There are {v} ({n}) and {v} ({n}).",
        "How much would you like to spend at most?",
        "What is the least you need for the {c}?",
        "{c} goes from {n} to {n}. What would you pay at most?",
        "{c} goes from {n} to {n}. What is the least you need?",
        "{c} goes from {n} to {n}. What do you need, at least or at most?",
        "{c} goes from {n} to {n}. From when, or until when?",
        "Which {c} would you like: {v} ({n}), {v} ({n}), {v} ({n}) or one of {n} others?",
        "Do you want {c}, or is it all the same?",
    ),
    "offer": (
        "{n} of them fit all you asked. The first is {v}, {c} {n}. Shall I take it?",
        "Nothing fits all of it. If the {c} may go up to {n}, there is {v}. Would that do?",
        "How about {v} at {n}? Would you like it?",
        "I found {n}: {v}, {v} and {v}.",
        "There is a {v} in {v}. Do you like that?",
        "{v} fits all you asked: {c} {v}, {c} {n}.",
        "{n} fit all of it; the first: {v}, {c} {n}. Shall it be that one?",
        "Nothing fits all of it. If {c} {v} is given up, there are {n}. Would that do?",
        "The next one: {v}, {c} {n}. Shall it be that one?",
        "What fits all you asked: 1. {v}, {c} {n}; 2. {v}, {c} {n}.",
    ),
    "which": (
        "What must stay: the {c} or the {c}?",
        "Shall the {c} of at most {n} stay as it is?",
        "Must {c} stay at most {n}, or is it something else about this one?",
        "Which must stay: {c} at most {n} or {c} {v}?",
        "Does the {c} have to stay, or is it something else that you do not like?",
    ),
    "told": (
        "Noted: {c} {v}. {n} fit.",
        "Understood so far: {c} at most {n}; {c} {v}.",
        "{v} now, no longer {v}.",
        "There are {n} of them.",
        "I did not understand that. Understood so far: nothing yet.",
        "Noted: {c} at most {n}. {n} fit.",
        "No matter, {c} stays open. Understood so far: {c} {v}.",
        "Taken: {v}, {c} {n}.",
        "It has {c} {n}.",
        "The last step is taken back. Understood so far: {c} {v}.",
        "That was all there is. Which of it could be different?",
        "You are welcome.",
        "All of it is forgotten. What are you looking for?",
    ),
}
"""What the assistant may have said right before, by kind."""

BEFORE["any"] = tuple(text for texts in BEFORE.values() for text in texts)
BEFORE["after"] = (*BEFORE["offer"], *BEFORE["which"], *BEFORE["told"])

_CHOICE = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class Written:
    """A sentence with `{v}`, `{c}`, `{n}` still in it, its acts, and what was said before.

    `template` numbers the template it was expanded from.
    """

    acts: tuple[str, ...]
    before: str
    text: str
    template: int


def written(seed: int, each: int) -> Iterator[Written]:
    """Yield `each` expansions of every template with its acts, the same for the same seed."""
    dice = Random(seed)
    acts: tuple[str, ...] = ()
    befores: tuple[str, ...] = ()
    for number, line in enumerate(_lines()):
        if line.startswith("== "):
            names, _, kinds = line[3:].partition(" @ ")
            acts = () if names == "-" else tuple(names.split())
            befores = tuple(kinds.split())
            continue
        for _ in range(each):
            before = dice.choice(BEFORE[dice.choice(befores)])
            yield Written(acts, before, expanded(line, dice), number)


def _lines() -> list[str]:
    table = Path(__file__).with_name("act_templates.txt").read_text(encoding="utf-8")
    return table.splitlines()


def expanded(line: str, dice: Random) -> str:
    """Return one of the sentences that a template stands for."""
    while match := _CHOICE.search(line):
        line = line[: match.start()] + dice.choice(match[1].split("|")) + line[match.end() :]
    line = " ".join(line.split())
    if dice.random() < 0.3:
        line = line.rstrip(".!?")
    return line.lower() if dice.random() < 0.4 else line[:1].upper() + line[1:]
