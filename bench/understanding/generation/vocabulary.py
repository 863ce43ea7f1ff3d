"""The words of the generator: notions, domains and cue phrases, read once from the TOML files.

A cue phrase is apart (one in ten, by a checksum of its words) or not, so that phrases that are
kept for calibration are the same in every run.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast
from zlib import crc32

_FOLDER = Path(__file__).parent

APART_OF = 10
"""One cue phrase of so many is kept apart."""

_FLAG = re.compile(r"\s(<=|>=|><|<|>|!|\$|@\w*)$")


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase with slots, what it means beside its words (`flag`), and whether it is apart."""

    section: str
    template: str
    flag: str = ""

    @property
    def apart(self) -> bool:
        """Whether only sentences that are apart may use it."""
        return crc32(self.template.encode()) % APART_OF == 0

    @property
    def name(self) -> str:
        """What it is called among a sentence's cues."""
        return f"{self.section}: {self.template}"


@dataclass(frozen=True, slots=True)
class Notion:
    """What a column can be about, with the words for it; see notions.toml."""

    key: str
    kind: str
    said: tuple[str, ...]
    heads: tuple[str, ...]
    better: str = ""
    prep: str = ""
    range: str = ""
    values: str = ""
    units: tuple[str, ...] = ()
    per: tuple[str, ...] = ()
    adjectives: dict[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])
    cues: dict[str, tuple[Cue, ...]] = field(default_factory=dict[str, "tuple[Cue, ...]"])
    asks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ColumnPlan:
    """A column of a domain: its notion, headers, values or range, and the words for yes."""

    notion: Notion
    heads: tuple[str, ...]
    said: tuple[str, ...]
    values: tuple[str, ...] = ()
    span: tuple[float, float, float] | None = None
    unit: str = ""
    ranked: bool = False
    """Whether the values stand in an order, the best first."""
    forms: dict[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])


@dataclass(frozen=True, slots=True)
class Domain:
    """A kind of things people look for."""

    key: str
    items: tuple[str, ...]
    plans: tuple[ColumnPlan, ...]
    apart: bool = False


ADJECTIVES = ("low", "high", "lowest", "highest", "lower", "higher")
CUE_FIELDS = ("measure", "tells", "pre", "post")


@cache
def cues(section: str) -> tuple[Cue, ...]:
    """Return the cue phrases of a section, `file.table.key`, in the order of the file."""
    file, table, key = section.split(".")
    text = cast("str", _read(file)[table][key])
    # Connectors begin or end with blanks that count.
    lines = [line for line in text.split("\n") if line.strip() or table == "link"]
    return tuple(_cue(section, line) for line in lines if line)


@cache
def sections() -> tuple[str, ...]:
    """Return the names of all sections of cue phrases."""
    return tuple(
        f"{file}.{table}.{key}"
        for file in ("bounds", "values", "tendencies", "framing")
        for table, keys in _read(file).items()
        for key in keys
    )


@cache
def notions() -> dict[str, Notion]:
    """Return all notions by their key."""
    return {key: _notion(key, given) for key, given in _read("notions").items()}


@cache
def domains() -> tuple[Domain, ...]:
    """Return all domains, in the order of the file."""
    return tuple(_domain(key, given) for key, given in _read("domains").items())


@cache
def _read(file: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((_FOLDER / f"{file}.toml").read_text(encoding="utf-8"))


def _cue(section: str, line: str) -> Cue:
    flagged = _FLAG.search(line)
    if flagged is None:
        return Cue(section, line)
    return Cue(section, line[: flagged.start()], flagged[1])


def _parts(text: str, separator: str = "|") -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(separator) if part.strip())


def _notion(key: str, given: dict[str, str]) -> Notion:
    lists = {
        name: _parts(given.get(name, "")) for name in ("said", "heads", "units", "per", "asks")
    }
    return Notion(
        key,
        given["kind"],
        better=given.get("better", ""),
        prep=given.get("prep", ""),
        range=given.get("range", ""),
        values=given.get("values", ""),
        adjectives={name: _parts(given.get(name, "")) for name in ADJECTIVES},
        cues={
            name: tuple(_cue(f"{key}.{name}", part) for part in _parts(given.get(name, "")))
            for name in CUE_FIELDS
        },
        **lists,
    )


def _domain(key: str, given: dict[str, Any]) -> Domain:
    plans = tuple(_plan(line) for line in given["columns"].strip().splitlines())
    return Domain(key, _parts(given["items"]), plans, bool(given.get("apart")))


def _plan(line: str) -> ColumnPlan:
    head, _, spec = line.partition(":")
    key, _, heads = head.partition("=")
    notion = notions()[key.strip()]
    given = _parts(heads)
    said = given[:1] if given else ()
    # A column with a name of its own is called by it; the notion's words serve beside.
    words = tuple(dict.fromkeys((*said, *notion.said)))
    if notion.key in ("count", "category", "yes", "contact", "person"):
        words = given[:2] or notion.said
    columns = ColumnPlan(notion, given or notion.heads, words)
    return _specified(columns, spec.strip() or notion.values or notion.range)


def _specified(plan: ColumnPlan, spec: str) -> ColumnPlan:
    kind = plan.notion.kind
    values: tuple[str, ...] = ()
    span, unit = None, ""
    forms: dict[str, tuple[str, ...]] = {}
    ranged = re.match(r"(-?[\d.]+?)\.\.([\d.]+)(?:/([\d.]+))?\s*(.*)$", spec)
    if kind in ("yesno", "present"):
        forms = _forms(spec, plan.heads[0])
    elif ranged:
        span, unit = (float(ranged[1]), float(ranged[2]), float(ranged[3] or 1)), ranged[4]
    else:
        values = _parts(spec, ">" if " > " in spec else ";")
    ranked = " > " in spec
    return ColumnPlan(plan.notion, plan.heads, plan.said, values, span, unit, ranked, forms)


def _forms(spec: str, head: str) -> dict[str, tuple[str, ...]]:
    """Return the ways to say a yes-no column: `n a balcony; adj furnished; anti unfurnished`."""
    forms: dict[str, list[str]] = {}
    for part in _parts(spec, ";"):
        how, _, words = part.partition(" ")
        if how in ("n", "adj", "verb", "anti"):
            forms.setdefault(how, []).append(words)
        else:
            forms.setdefault("n", []).append(part)
    return {how: tuple(words) for how, words in forms.items()} or {"n": (head,)}
