"""Objectives, leanings and waivers in words: `cheapest`, `not too far`, `any colour is fine`."""

from __future__ import annotations

from typing import Literal

from ..labelled import Direction
from .draft import Pieces, plain
from .made_catalogs import MadeColumn
from .nouns import place_of, plural, the_place
from .speaker import Meant, Speaker
from .vocabulary import Cue, cues

COUNTED = ("count",)
DIRECTIONS: dict[Direction, str] = {"min": "low", "max": "high"}
OPPOSITE: dict[Direction, Direction] = {"min": "max", "max": "min"}


_THE_BETTER = (
    "the {x} the better",
    "the {x} the better",
    "the {x}, the better",
    "{x} is better",
    "the {x} the nicer",
    "I like it {x}, the {x} the better",
)


def _direction(speaker: Speaker, column: MadeColumn) -> Direction:
    better = column.notion.better
    if better and speaker.chance(0.9):
        return "min" if better == "low" else "max"
    return speaker.one_of(("min", "max"))


def _is_clear(speaker: Speaker, column: MadeColumn, word: str) -> bool:
    """Return whether a word for low or high belongs to this column alone."""
    return not any(
        word in words
        for other in speaker.catalog.columns
        if other is not column
        for words in other.notion.adjectives.values()
    )


def _adjectives(speaker: Speaker, column: MadeColumn, key: str) -> list[str]:
    words = column.notion.adjectives[key]
    return [word for word in words if _is_clear(speaker, column, word)]


def objective(speaker: Speaker, column: MadeColumn, role: str) -> Pieces | None:
    """Return that a column should be as low or as high as possible."""
    direction = _direction(speaker, column)
    key = "lowest" if direction == "min" else "highest"
    words = _adjectives(speaker, column, key)
    mark = speaker.mark()
    than = _adjectives(speaker, column, "lower" if direction == "min" else "higher")
    than = [word.removesuffix(" than") for word in than if word.endswith(" than")]
    if than and role in ("sent", "frag", "post") and speaker.chance(0.22):
        said = [(speaker.one_of(_THE_BETTER).replace("{x}", speaker.one_of(than)), mark)]
    elif words and (role == "pre" or speaker.chance(0.6)):
        said = _superlative(speaker, column, role, direction, speaker.one_of(words), mark)
    elif role == "pre" or not column.is_number:
        return None
    else:
        said = _by_name(speaker, column, "objective", direction, mark)
    speaker.shows("objectives")
    speaker.means(Meant("objective", mark, column.name, direction=direction))
    return said


def _superlative(
    speaker: Speaker, column: MadeColumn, role: str, direction: Direction, word: str, mark: int
) -> Pieces:
    plain_words = _plain_adjectives(speaker, column, direction)
    choices = cues(f"tendencies.objective.{'sup_pre' if role == 'pre' else 'sup_sent'}")
    fitting = [cue for cue in choices if "{adj}" not in cue.template or plain_words]
    cue = speaker.cue([cue for cue in fitting if cue.flag != "@" or len(plain_words) > 0])
    adjective = speaker.one_of(plain_words) if plain_words else word
    if cue.flag == "@":
        return [(f"the {comparative(adjective)} the better", mark)]
    if "{adj}" in cue.template:
        return _marked(speaker.fill(cue, adj=adjective, sup=word), mark)
    return speaker.fill(cue, sup=[(word, mark)])


def _plain_adjectives(speaker: Speaker, column: MadeColumn, direction: Direction) -> list[str]:
    """Return one-word adjectives that can stand between `as` and `as`."""
    words = _adjectives(speaker, column, DIRECTIONS[direction])
    return [word for word in words if " " not in word and not word.endswith("ish")]


def comparative(adjective: str) -> str:
    """Return `cheaper` of `cheap`, `more affordable` of `affordable`."""
    if len(adjective) > 6 or "-" in adjective:
        return f"more {adjective}"
    if adjective.endswith("e"):
        return f"{adjective}r"
    if adjective.endswith("y"):
        return f"{adjective[:-1]}ier"
    if len(adjective) == 3 and adjective[1] in "aeiou" and adjective[2] in "gtn":
        return f"{adjective}{adjective[2]}er"
    return f"{adjective}er"


def _marked(pieces: Pieces, mark: int) -> Pieces:
    return [(text, mark) for text, _ in pieces]


def _by_name(
    speaker: Speaker, column: MadeColumn, table: str, direction: Direction, mark: int
) -> Pieces:
    """Return an objective or leaning that names its column; all its words carry the mark."""
    key = direction if table == "objective" else DIRECTIONS[direction]
    if column.kind in COUNTED and column.plan.unit:
        noun = column.plan.unit
        many = plural(noun)
        cue = speaker.cue(f"tendencies.{table}.{key}_count")
        return _marked(speaker.fill(cue, cols=many, col=noun), mark)
    cue = speaker.cue(f"tendencies.{table}.{key}")
    return _marked(speaker.fill(cue, col=speaker.called(column)), mark)


def leaning(speaker: Speaker, column: MadeColumn, role: str) -> Pieces | None:
    """Return a vague wish for low or high."""
    direction = _direction(speaker, column)
    words = _adjectives(speaker, column, DIRECTIONS[direction])
    mark = speaker.mark()
    place = place_of(column)
    if place and role != "pre" and speaker.chance(0.5):
        direction = "min"
        said = _marked(
            speaker.words("tendencies.leaning.place", place=the_place(speaker, place)), mark
        )
    elif words and (role in ("pre", "frag") or speaker.chance(0.65)):
        said = _vague(speaker, column, role, direction, words, mark)
    elif role == "pre" or not column.is_number:
        return None
    else:
        said = _by_name(speaker, column, "leaning", direction, mark)
    if said is None:
        return None
    speaker.shows("leanings")
    speaker.means(Meant("leaning", mark, column.name, direction=direction))
    return said


def _vague(
    speaker: Speaker,
    column: MadeColumn,
    role: str,
    direction: Direction,
    words: list[str],
    mark: int,
) -> Pieces | None:
    opposites = _adjectives(speaker, column, DIRECTIONS[OPPOSITE[direction]])
    opposites = [word for word in opposites if not word.startswith("not ")]
    comparison = "lower" if direction == "min" else "higher"
    than = [word for word in column.notion.adjectives[comparison] if word.endswith(" than")]
    plain_words = [word for word in words if not word.startswith(("not ", "something "))]
    if role == "pre":
        plain_words = [word for word in plain_words if len(word.split()) < 3]
    fitting = _fitting(role, bool(plain_words), bool(opposites), bool(than))
    if not fitting:
        return None
    cue = speaker.cue(fitting)
    adjective = speaker.one_of(plain_words or words)
    slots: dict[str, str | Pieces] = {
        "adj": [(adjective, mark)],
        "opp": [(speaker.one_of(opposites), mark)] if opposites else plain(""),
        "comp": [(speaker.one_of(than).removesuffix(" than"), mark)] if than else plain(""),
    }
    pieces = speaker.fill(cue, **slots)
    # `not too far` means what it says as a whole.
    return _marked(pieces, mark) if "{opp}" in cue.template else pieces


def _fitting(role: str, adjective: bool, opposite: bool, than: bool) -> list[Cue]:
    has = {"{adj}": adjective, "{opp}": opposite, "{comp}": than}
    return [
        cue
        for cue in cues(f"tendencies.leaning.{role}")
        if all(has[slot] for slot in has if slot in cue.template)
    ]


def waiver(
    speaker: Speaker,
    column: MadeColumn,
    section: Literal["waive.sent", "correct.retract"] = "waive.sent",
) -> Pieces:
    """Return that a column does not matter, or does not matter any more."""
    mark = speaker.mark()
    speaker.means(Meant("waived", mark, column.name))
    money = column.kind == "money" and speaker.alone_of_kind(column)
    choices = [cue for cue in cues(f"tendencies.{section}") if money or cue.flag != "$"]
    cue = speaker.cue(choices)
    name = speaker.called(column)
    if section == "waive.sent":
        speaker.shows("waivers")
        speaker.does("dont_care")
    else:
        speaker.shows("retraction")
        speaker.does("retract")
    if cue.flag == "$":
        return _marked(speaker.fill(cue), mark)
    others = [other for other in speaker.catalog.columns if other is not column]
    if section == "waive.sent" and others and speaker.chance(0.15):
        other, second = speaker.one_of(others), speaker.mark()
        speaker.means(Meant("waived", second, other.name))
        names: dict[str, str | Pieces] = {
            "col": [(name, mark)],
            "col2": [(speaker.called(other), second)],
        }
        speaker.used.pop()
        return speaker.words("tendencies.waive.two", **names)
    return speaker.fill(cue, col=[(name, mark)], cols=[(name, mark)])
