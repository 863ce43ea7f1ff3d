"""One wish as a piece of a request: before the thing, after it, as a sentence, or as a fragment.

Every function returns the words, or None where the wish cannot be put in that place.
"""

from __future__ import annotations

from typing import Literal

from .amounts import number_words
from .bounds_said import bare, bound, compared, drawn_side, drawn_value, flagged
from .draft import Pieces, plain
from .made_catalogs import MadeColumn
from .nouns import place_of, plural, the_place
from .speaker import Meant, Speaker
from .tendencies_said import leaning, objective, waiver
from .values_said import (
    WORDY,
    correction,
    marked_value,
    one_value,
    picked,
    refused,
    wanted,
)
from .vocabulary import Cue

NAMELESS = ("count", "score")
"""Kinds of numbers that do not say by themselves which column they are of."""

Role = Literal["pre", "post", "sent", "frag"]


def clause(speaker: Speaker, column: MadeColumn, role: Role) -> Pieces | None:
    """Return a wish about a column in a place of a request."""
    draw = speaker.random.random()
    if column.kind not in (*WORDY, "yesno", "present"):
        if draw < 0.16 and role != "frag":
            return objective(speaker, column, role)
        if draw < 0.3:
            return leaning(speaker, column, role)
    if draw > 0.91 and role == "sent":
        return waiver(speaker, column)
    if column.kind in WORDY:
        return _words_clause(speaker, column, role)
    if column.kind == "yesno":
        return yes_no(speaker, column, role)
    if column.kind == "present":
        return _present(speaker, column, role)
    return _amount(speaker, column, role)


def _words_clause(speaker: Speaker, column: MadeColumn, role: Role) -> Pieces | None:
    draw = speaker.random.random()
    if column.plan.ranked and role != "pre" and draw < 0.6:
        return graded(speaker, column, role)
    if draw < 0.26 and role != "pre":
        return refusal(speaker, column, role)
    if draw < 0.34 and role == "sent" and column.kind != "list" and len(column.values) > 3:
        wrong, right = picked(speaker, column, 2)
        return correction(speaker, column, wrong, right, "tendencies.correct.late")
    return wish(speaker, column, role, correct=0.34 <= draw < 0.43 and role != "pre")


def is_clear(speaker: Speaker, column: MadeColumn) -> bool:
    """Return whether a value of the column means this column alone."""
    shared = speaker.catalog.shared
    return not any(str(value).casefold() in shared for value in column.values)


def wish(
    speaker: Speaker, column: MadeColumn, role: Role, *, correct: bool = False
) -> Pieces | None:
    """Return a wanted value in a place of a request."""
    own = column.notion.cues
    slots: dict[str, str | Pieces] = {"col": speaker.called(column), "n": _thing(speaker)}
    if role == "pre":
        if not own["pre"] or not is_clear(speaker, column):
            return None
        value = picked(speaker, column, 1)[0]
        mark = speaker.mark()
        op = "contains" if column.kind == "list" else "=="
        speaker.means(Meant("constraint", mark, column.name, op, value))
        return marked_value(speaker, column, value, mark)
    if column.kind == "list":
        return speaker.words(f"values.part.{role}", v=wanted(speaker, column), **slots)
    value = wanted(speaker, column, correct=correct and len(column.values) > 1)
    section = own["tells" if role == "sent" else "post"]
    if role != "frag" and section and speaker.chance(0.6):
        return speaker.words(section, v=value, **slots)
    cue = speaker.cue(f"values.want.{role}")
    if "{col}" not in cue.template and not is_clear(speaker, column):
        return speaker.words(section, v=value, **slots) if section else _named(column, value)
    return speaker.fill(cue, v=value, **slots)


def _named(column: MadeColumn, value: Pieces) -> Pieces:
    return [*plain(f"{column.said[0]} "), *value]


def _thing(speaker: Speaker) -> str:
    return speaker.one_of(speaker.catalog.domain.items)


BEHIND = 0.12
"""How often a refusal says so behind the value: `oak won't do`."""


def refusal(speaker: Speaker, column: MadeColumn, role: Role) -> Pieces | None:
    """Return one or two unwanted values in a place of a request."""
    value = picked(speaker, column, 2)
    slots: dict[str, str | Pieces] = {"col": speaker.called(column)}
    if column.kind == "list":
        section = {"frag": "values.refuse.frag"}.get(role, f"values.part.refuse_{role}")
        said = refused(speaker, column, value[0])
        return speaker.words(section, v=said, pv=said, **slots)
    if role == "sent" and len(value) == 2 and speaker.chance(0.25):
        return (taken_back if speaker.chance(0.25) else neither)(speaker, column, value)
    if speaker.chance(0.12) and len(value) == 2:
        mark = speaker.mark()
        speaker.shows("negation")
        speaker.means(Meant("constraint", mark, column.name, "not in", [*value]))
        x, y = (marked_value(speaker, column, one, mark) for one in value)
        said = [*x, (speaker.one_of((" or ", " and ", ", ", " nor ")), mark), *y]
    else:
        said = refused(speaker, column, value[0])
    if role == "sent" and speaker.chance(BEHIND):
        return speaker.words("values.refuse.behind", v=said)
    placed = [*plain(f"{column.notion.prep} "), *said] if column.notion.prep else said
    return speaker.words(f"values.refuse.{role}", v=said, pv=placed, **slots)


def neither(speaker: Speaker, column: MadeColumn, values: list[str]) -> Pieces:
    """Return two unwanted values in one phrase, which make one list."""
    mark = speaker.mark()
    speaker.shows("negation")
    speaker.means(Meant("constraint", mark, column.name, "not in", [*values]))
    x, y = (marked_value(speaker, column, value, mark) for value in values)
    return speaker.words("values.refuse.neither", x=x, y=y)


def taken_back(speaker: Speaker, column: MadeColumn, values: list[str]) -> Pieces:
    """Return a refusal taken back for another: `not red, no, red is fine, but not blue`."""
    speaker.shows("negation", "correction")
    speaker.does("correct")
    slip, again = speaker.mark(), speaker.mark()
    speaker.means(Meant("corrected", slip, column.name))
    cue = speaker.cue("values.refuse.back")
    slots: dict[str, str | Pieces] = {
        "x": marked_value(speaker, column, values[0], slip),
        "x2": marked_value(speaker, column, values[0], again),
        "y": one_value(speaker, column, values[1], "!="),
    }
    if "{x2}" in cue.template:
        speaker.means(Meant("corrected", again, column.name))
    return speaker.fill(cue, **slots)


def graded(speaker: Speaker, column: MadeColumn, role: Role) -> Pieces:
    """Return a bound on labels in an order: `B or better`."""
    speaker.shows("bounds", "grades")
    ranks = [value for value in column.plan.values if value in column.values]
    at = speaker.random.randrange(len(ranks))
    side = "lower" if speaker.chance(0.85) else "upper"
    allowed = ranks[: at + 1] if side == "lower" else ranks[at:]
    mark = speaker.mark()
    if len(allowed) == 1:
        speaker.means(Meant("constraint", mark, column.name, "==", allowed[0]))
    else:
        speaker.means(Meant("constraint", mark, column.name, "in", [*allowed]))
    name = speaker.called(column)
    said = speaker.words(f"bounds.grade.{side}", v=[(ranks[at], mark)])
    cue = speaker.cue(f"bounds.attach.{role}")
    if "{col}" not in cue.template:
        cue = _naming(speaker, role)
    return speaker.fill(cue, b=said, col=name)


GLUED = {
    "bedroom": ("bed", "bedroom", "bed", "br", "bdr", "bedroomed"),
    "door": ("door", "doors"),
    "star": ("star", "stars", "*"),
    "gear": ("gear", "speed"),
    "seat": ("seater", "seat", "seats"),
    "player": ("player", "players"),
    "bathroom": ("bath", "bathroom"),
}
"""What stands glued to a count, for the unit of the column."""


def glued(speaker: Speaker, column: MadeColumn) -> Pieces | None:
    """Return a count before its thing: `2 bed`, `3br`, `four-seater`, `5-door`."""
    unit = column.plan.unit or ("seat" if column.notion.key == "seats" else "")
    if not unit or column.kind != "count":
        return None
    number = int(float(drawn_value(speaker, column)))
    speaker.shows("exact numbers", "glued counts")
    mark = speaker.mark()
    speaker.means(Meant("constraint", mark, column.name, "==", number))
    said = number_words(number) if speaker.voice or speaker.chance(0.3) else str(number)
    word = speaker.one_of(GLUED.get(unit, (unit,)))
    link = speaker.one_of(("-", " ", " ", "")) if said.isdigit() else speaker.one_of(("-", " "))
    return [(said, mark), (f"{link}{word}", 0)]


def _amount(speaker: Speaker, column: MadeColumn, role: Role) -> Pieces | None:
    if role == "pre":
        return glued(speaker, column)
    if role == "frag" and speaker.chance(0.3):
        said = glued(speaker, column)
        if said is not None:
            return said
    own = column.notion.cues
    alone = speaker.alone_of_kind(column) or column.notion.key in TELLING
    name = speaker.called(column)
    if column.plan.unit and column.kind == "count":
        return _counted(speaker, column, role)
    if alone and role != "frag" and speaker.chance(0.2):
        comparison = compared(speaker, column)
        if comparison is not None:
            return comparison
    cues = own["measure" if role == "post" else "tells"]
    place = place_of(column)
    if place and role != "frag" and speaker.chance(0.5):
        return _from_place(speaker, column, place)
    if alone and cues and role != "frag" and speaker.chance(0.65):
        cue = speaker.cue(cues)
        if cue.flag:
            return flagged(speaker, column, cue, col=name)
        return speaker.fill(cue, b=_with_rate(speaker, column, bound(speaker, column)), col=name)
    if role == "frag" and alone and column.kind not in NAMELESS and speaker.chance(0.5):
        return bound(speaker, column)
    if role == "frag" and speaker.chance(0.25):
        return [*plain(f"{name}{speaker.one_of((' ', ': ', '='))}"), *bare(speaker, column)]
    cue = speaker.cue(f"bounds.attach.{role}")
    side = drawn_side(speaker, column)
    if "{col}" not in cue.template and not (alone and column.kind in ("money", "year")):
        cue = _naming(speaker, role)
    return speaker.fill(cue, b=bound(speaker, column, side), col=name)


TELLING = frozenset("opens closes expiry available posted opening closing departs arrives".split())
"""Notions of dates and times whose own words tell which of two columns is meant."""


def _from_place(speaker: Speaker, column: MadeColumn, place: str) -> Pieces:
    """Return a bound on a distance that names the place: `within 500 m of the lake`."""
    cue = speaker.cue("bounds.attach.place")
    said = the_place(speaker, place)
    if cue.flag:
        return flagged(speaker, column, cue, place=said)
    return speaker.fill(cue, b=bound(speaker, column), place=said)


def _naming(speaker: Speaker, role: Role) -> Cue:
    """Return a way to tie a bound to a column that names the column."""
    speaker.used.pop()
    while "{col}" not in (cue := speaker.cue(f"bounds.attach.{role}")).template:
        speaker.used.pop()
    return cue


def _with_rate(speaker: Speaker, column: MadeColumn, said: Pieces) -> Pieces:
    """Return an amount with what it is paid for: `a month`."""
    rates = [*column.notion.per, *_RATES.get(_rate(column), ())]
    if rates and speaker.chance(0.45):
        return [*said, *plain(f" {speaker.one_of(rates)}")]
    return said


_RATES = {
    "person": ("a head", "per head", "each", "per person", "pp", "a person", "p.p."),
    "day": ("a day", "per day", "daily"),
    "month": ("a month", "per month", "monthly"),
    "hour": ("an hour", "per hour", "hourly"),
    "night": ("a night", "per night"),
    "each": ("each", "apiece", "a piece"),
}
"""What an amount of money is paid for, as people say it."""


def _rate(column: MadeColumn) -> str:
    """Return what a price is paid for by its header: `night` of `price per night`."""
    if column.kind != "money":
        return ""
    words = " ".join(column.said).split()
    return next((word for word in words if word in _RATES), "")


def _counted(speaker: Speaker, column: MadeColumn, role: Role) -> Pieces:
    """Return a count with its unit: `at least 3 bedrooms`."""
    unit = column.plan.unit
    words = unit if unit.endswith("s") else plural(unit)
    section = "bounds.attach.frag" if role == "frag" else f"bounds.attach.count_{role}"
    said = bound(speaker, column)
    if role == "frag":
        return [*said, *plain(f" {words}")]
    return speaker.words(section, b=said, unit=words)


def yes_no(speaker: Speaker, column: MadeColumn, role: Role) -> Pieces | None:
    """Return a feature that is wanted, unwanted or not needed."""
    forms = column.plan.forms
    how = speaker.one_of(list(forms))
    words = speaker.one_of(forms[how])
    draw = speaker.random.random()
    if how != "verb" and speaker.chance(0.1) and " " not in words.partition(" ")[2]:
        return _prefixed(speaker, column, role, how, words)
    if how == "anti":
        return _adjective(speaker, column, role, words, wanted=False, stated=True)
    if how == "verb":
        return _verb(speaker, column, role, words)
    if draw < 0.16 and role == "sent":
        return unneeded(speaker, column, how, words)
    wants = draw < 0.7
    if how == "adj":
        return _adjective(speaker, column, role, words, wanted=wants, stated=wants)
    if role == "pre":
        return None
    section = f"values.yes.n_{role}" if wants else f"values.yes.n_refuse_{role}"
    return speaker.words(
        section, **noun_phrase(speaker, words, _yes(speaker, column, wanted=wants))
    )


def _prefixed(
    speaker: Speaker, column: MadeColumn, role: Role, how: str, words: str
) -> Pieces | None:
    """Return an unwanted feature by a prefix or suffix: `non-refundable`, `garage-free`."""
    word = words.removeprefix("a ").removeprefix("an ")
    if how == "anti" or " " in word:
        return _adjective(speaker, column, role, words, wanted=how != "anti", stated=True)
    if how == "adj":
        glued = (f"non{word}", f"un{word}") if word.isalpha() else ()
        forms = (f"non-{word}", f"non {word}", *glued)
    else:
        forms = (f"{word}-free", f"{word} free", f"no-{word}")
    return _adjective(speaker, column, role, speaker.one_of(forms), wanted=False, stated=True)


def noun_phrase(speaker: Speaker, words: str, mark: int) -> dict[str, str | Pieces]:
    """Return a noun phrase with and without its article, the noun under a mark."""
    article, _, noun = words.partition(" ")
    if article not in ("a", "an"):
        article, noun = "", words
    said: Pieces = [(noun, mark)]
    with_article = [*plain(f"{article} "), *said] if article else said
    return {"np": with_article, "bare": said}


def _yes(speaker: Speaker, column: MadeColumn, *, wanted: bool) -> int:
    speaker.shows("yes and no")
    if not wanted:
        speaker.shows("negation")
    mark = speaker.mark()
    value = column.yes if wanted else column.no
    speaker.means(Meant("constraint", mark, column.name, "==", value))
    return mark


def _adjective(
    speaker: Speaker, column: MadeColumn, role: Role, words: str, *, wanted: bool, stated: bool
) -> Pieces:
    """Return a feature as an adjective; `stated`, as it is, and not by a negation of it."""
    mark = _yes(speaker, column, wanted=wanted)
    said: Pieces = [(words, mark)]
    if role == "pre":
        return said if stated else [*plain("not "), *said]
    return speaker.words(f"values.yes.adj_{'' if stated else 'refuse_'}{role}", v=said)


def _verb(speaker: Speaker, column: MadeColumn, role: Role, words: str) -> Pieces | None:
    if role not in ("post", "sent"):
        return None
    said: Pieces = [(words, _yes(speaker, column, wanted=True))]
    return speaker.words(f"values.yes.verb_{role}", v=said)


def unneeded(speaker: Speaker, column: MadeColumn, how: str, words: str) -> Pieces:
    """Return that a feature does not matter."""
    mark = speaker.mark()
    speaker.shows("waivers")
    speaker.means(Meant("waived", mark, column.name))
    if how == "adj":
        return speaker.words("values.yes.adj_waive", v=[(words, mark)])
    return speaker.words("values.yes.n_waive", **noun_phrase(speaker, words, mark))


def _present(speaker: Speaker, column: MadeColumn, role: Role) -> Pieces | None:
    if role not in ("post", "sent"):
        return None
    present = speaker.chance(0.8)
    speaker.shows("presence")
    mark = speaker.mark()
    speaker.means(Meant("constraint", mark, column.name, "is not null" if present else "is null"))
    words = column.plan.forms["n"][0]
    section = f"values.present.{'' if present else 'absent_'}{role}"
    return speaker.words(section, **noun_phrase(speaker, words, mark))
