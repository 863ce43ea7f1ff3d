"""A column's name in a sentence: what it is called, its unit, and whether a value completes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ...catalogs.query.schema import name_words
from .grades import grades
from .units import CURRENCY_SIGNS, CURRENCY_WORDS, UNITS, column_unit, unit_kinds

_WRITTEN = r"(?:[A-Z]{2,5}|(?<![A-Za-z])[a-z][A-Z][a-z]?)(?![a-z])"
"""Words of a column's name whose capitals are theirs: `RAM`, `kW`, `mAh`."""

_OPEN = frozenset("to in from by at on with of for".split())
"""Last words of a name that a value completes: `suited to tango`, `made in Italy`."""

_STATES = frozenset("ok okay available possible friendly suitable ready indoors outdoors".split())
"""Last words of a name that say what something is, as those in -ed do: `kids ok`, `furnished`."""

_VERBS = frozenset("needs allows includes accepts requires suits takes comes likes gets".split())
"""First words of a name that say what something does: `needs a garden`."""

_SAYS_HOW = re.compile(r"\w{3,}ed|\w{4,}[ai]ble")
"""Words that mostly say what something is: `furnished`, `accessible`."""

_SAYS_WHAT = re.compile(
    r"\w*(?:ic|green|proof|less|vegan)|[\w ]+[ -](?:free|friendly|proof|resistant|tolerant)"
)
"""Names of one thing that something is: `electric`, `evergreen`, `gluten free`."""

_PEOPLE = frozenset("people persons guests pax".split())
"""What a column counts where its name has it in brackets: `Capacity (people)`."""

_WATTS = {"w": "W", "kw": "kW", "watt": "watts", "kilowatt": "kilowatts"}
"""Units of power that a name has beside what they measure; `horsepower` names it."""

_RATE = re.compile(r"(?i)\b(km/h|m/s)$|\((km/h|m/s)\)$")
_OF_MOST = re.compile(r"(?i)\bout[ _]of[ _](\d+)\)?$")


@dataclass(frozen=True, slots=True)
class Header:
    """What a column is called, without its unit; `unit` as written after a number, or before it."""

    label: str
    unit: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the name is none by itself, as a value completes it: `suited to`."""
        words = self.label.split()
        return len(words) > 1 and words[-1] in _OPEN

    @property
    def stem(self) -> str:
        """The name without the word that leads to a value: `available` of `available from`."""
        return self.label.rpartition(" ")[0] if self.is_open else self.label

    @property
    def holding(self) -> str:
        """What stands between the name and an entry of a list: `with `, but `goes with lamb`."""
        return "" if self.is_open else "with "

    @property
    def refused(self) -> str:
        """The name before a value that it has not: `not made in`, `opens not at`."""
        verb, _, last = self.label.rpartition(" ")
        return f"{verb} not {last}" if verb.endswith("s") else f"not {self.label}"

    def answered(self, yes: bool) -> str:
        """Return the name of something that an item has or has not: `no lift`, `kids not ok`."""
        words = self.label.split() or [self.label]
        between = {"is": "is not", "has": "has no", "can": "cannot"}.get(words[0])
        if between is not None and len(words) > 1:
            return self.label if yes else " ".join([between, *words[1:]])
        if len(words) > 1 and words[0] in _VERBS:
            return self.label if yes else " ".join(["does not", words[0][:-1], *words[1:]])
        if _SAYS_WHAT.fullmatch(self.label) or (words[1:2] == ["for"] and (words[0],) in grades()):
            return self.label if yes else f"not {self.label}"
        is_state = words[-1] in _STATES or _SAYS_HOW.fullmatch(words[-1]) is not None
        if is_state:
            return self.label if yes else " ".join([*words[:-1], "not", words[-1]])
        return self.label if yes else f"no {self.label}"


@lru_cache(maxsize=4_096)
def header_of(column: str, is_text: bool = False) -> Header:
    """Return a column's name and unit for a sentence; what holds no numbers has no unit."""
    label, unit = (column, "") if is_text else _parted(column)
    shouted = {part.casefold(): part for part in re.findall(_WRITTEN, label)}
    words = [shouted.get(word, word) for word in name_words(label)]
    own = (word.casefold() for word in re.findall(r"[^\W\d_]+['’][^\W\d_]+", label))
    text = " ".join(words)
    for word in own:
        text = text.replace(re.sub("['’]", " ", word), word)
    return Header(text or column, "°C" if unit == "c" else unit)


def _parted(column: str) -> tuple[str, str]:
    """Return a column's name without its unit, and the unit; "" for none.

    What is called by its unit (horsepower) keeps it in its name.
    """
    words = name_words(column)
    sign = next((sign for sign in CURRENCY_SIGNS if sign in column), "")
    if sign and "money" in unit_kinds(column):
        return column, sign
    if len(words) < 2:
        return column, ""
    if rate := _RATE.search(column):
        return column[: rate.start()], (rate[1] or rate[2]).lower()
    if most := _OF_MOST.search(column):
        return column[: most.start()], f"out of {most[1]}"
    last = _last_written(column)
    if words[-1] in CURRENCY_WORDS:
        is_code = len(words[-1]) == 3
        return column[: -len(last)], words[-1].upper() if is_code else words[-1]
    if words[-1] in _PEOPLE and column.rstrip().endswith(")"):
        return column.rpartition("(")[0], words[-1]
    unit = _unit_written(column, words[-1])
    return (column[: column.rindex(last)], unit) if unit else (column, "")


def _last_written(column: str) -> str:
    """Return the last word of a name as it is written, with what stands behind it."""
    last = name_words(column)[-1]
    return column[column.casefold().rindex(last) :]


def _unit_written(column: str, last: str) -> str:
    unit = column_unit(column)
    if unit is None or not last.startswith(unit):
        return ""
    kind, _ = UNITS[unit]
    if kind == "power" and unit not in _WATTS:
        return ""
    if kind == "bytes":
        return last.upper()
    if unit in _WATTS:
        return _WATTS[unit]
    written = {found.casefold(): found for found in re.findall(_WRITTEN, column)}
    mixed = written.get(last, "")
    return last if mixed.isupper() else mixed or last
