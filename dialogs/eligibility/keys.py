"""Typed keys: the facts of a household, or of each of its members, that programs may ask for.

The table is shared by all programs, so that a fact given once serves all of them. It may
hold the size of the household, `len(hh)`, to say how that is asked; keys of its topic are then
answered with it ("Who lives with you, and how old is each of them?"). As a file it is JSON:

    {"keys": [
      {"name": "age", "kind": "int", "level": "member", "low": 0, "high": 120,
       "description": "age in years",
       "ask": "How old {is} {person}?", "ask_all": "How old is everyone in your household?",
       "prior": [[0, 17, 0.25], [18, 64, 0.6], [65, 100, 0.15]]},
      {"name": "receives_snap", "kind": "bool", "level": "member", "prior": 0.2,
       "description": "receives food stamps"},
      {"name": "housing", "kind": "choice", "level": "household",
       "values": ["rented flat", "own house", "shelter"], "description": "kind of home"}
    ]}
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast, get_args

from ...catalogs.errors import QueryError, UnreadableFile, excerpt, nearest

Kind = Literal["int", "float", "bool", "choice"]
Level = Literal["member", "household"]
KINDS: tuple[str, ...] = get_args(Kind)
LEVELS: tuple[str, ...] = get_args(Level)

Value = bool | int | float | str
"""A fact's value. The values of a choice may be text or whole numbers."""

MAX_KEYS, MAX_VALUES, MAX_FILE_BYTES = 2_000, 200, 2_000_000
MAX_MEMBERS = 20
"""Members of one household; the size of one is a whole number from 1."""

HIGHEST = 1e12
"""What a number without a `high` is at most; also the bound of what programs compute."""

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,79}")


class Slot(NamedTuple):
    """One fact that can be asked for: a key of one member, or of the household (None)."""

    member: int | None
    key: str

    def __str__(self) -> str:
        return self.key if self.member is None else f"{self.member}.{self.key}"


SIZE = Slot(None, "len(hh)")
"""How many people the household has, the applicant (member 0) included."""

Known = Mapping[Slot, Value]
"""What is known of a household."""


@dataclass(frozen=True, slots=True)
class Key:
    """One typed key.

    `low`, `high`: the bounds of a number. `values`: those of a choice, in order. `ask` asks one
    person, with `{person}` ("you", "Ann") and `{is}`, `{do}`, `{have}` in the form that fits;
    `ask_all` asks about everyone at once; without them a question is made of `description`.
    `prior` is what planning expects before anything is known: for a bool the probability of
    true, for a choice a weight per value, for a number [low, high, weight] per range.
    `topic`: keys with the same topic may be asked about in one question.
    """

    name: str
    kind: Kind
    level: Level = "member"
    description: str = ""
    values: tuple[str | int, ...] = ()
    low: float = 0.0
    high: float = HIGHEST
    ask: str = ""
    ask_all: str = ""
    topic: str = ""
    prior: tuple[tuple[Any, ...], ...] = ()

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name) and self.name != SIZE.key:
            raise _bad(self.name, "name", self.name, "write letters, digits and _")
        if self.kind not in KINDS:
            raise _bad(self.name, "kind", self.kind, f"kinds: {', '.join(KINDS)}")
        if self.level not in LEVELS:
            raise _bad(self.name, "level", self.level, f"levels: {', '.join(LEVELS)}")
        if self.kind == "choice" and not 1 <= len(self.values) <= MAX_VALUES:
            raise _bad(self.name, "values", self.values, f"list 1 to {MAX_VALUES} values")
        if not -HIGHEST <= self.low <= self.high <= HIGHEST:
            raise _bad(self.name, "low, high", (self.low, self.high), "low must not exceed high")

    def slot(self, member: int) -> Slot:
        """Return the slot of this key for a member; a household's key has one for all."""
        return Slot(member if self.level == "member" else None, self.name)

    def typed(self, raw: object) -> Value:
        """Return a value in the key's type; raise `QueryError` where it does not fit.

        `"yes"`, `"no"` and 0 or 1 are bools, `"1,200"` is a number, and the values of a
        choice are found whatever their case.
        """
        value = _TYPED[self.kind](self, raw)
        if value is None:
            raise QueryError(
                f"{excerpt(raw)} is no value of {self.name}", hint=f"give {self.expected}"
            )
        return value

    @property
    def expected(self) -> str:
        """What a value of this key is, in words."""
        if self.kind == "bool":
            return "true or false"
        if self.kind == "choice":
            return "one of " + ", ".join(map(excerpt, self.values[:12]))
        kind = "a whole number" if self.kind == "int" else "a number"
        return f"{kind} from {self.low:,.15g}" + (
            f" to {self.high:,.15g}" if self.high < HIGHEST else ""
        )

    def record(self) -> dict[str, Any]:
        """Return the key as a JSON object, without what is empty."""
        record: dict[str, Any] = {"name": self.name, "kind": self.kind, "level": self.level}
        for name in ("description", "values", "ask", "ask_all", "topic"):
            if value := getattr(self, name):
                record[name] = list(value) if name == "values" else value
        if self.kind in ("int", "float"):
            record["low"] = self.low
            record |= {"high": self.high} if self.high < HIGHEST else {}
        if self.prior:
            record["prior"] = _prior_record(self)
        return record


HOUSEHOLD_SIZE = Key(
    SIZE.key, "int", "household", "number of people in the household", low=1, high=MAX_MEMBERS
)


@dataclass(frozen=True)
class KeyTable:
    """The keys that programs share, by name, in order."""

    keys: Mapping[str, Key] = field(default_factory=dict[str, Key])

    def __iter__(self) -> Iterator[Key]:
        return iter(self.keys.values())

    def __len__(self) -> int:
        return len(self.keys)

    def __contains__(self, name: object) -> bool:
        return name in self.keys

    @classmethod
    def of(cls, keys: Iterable[Key]) -> KeyTable:
        """Return a table of keys; raise `QueryError` for a name given twice."""
        table: dict[str, Key] = {}
        for key in keys:
            if key.name in table:
                raise QueryError(f"key {excerpt(key.name)} is given twice")
            table[key.name] = key
        if len(table) > MAX_KEYS:
            raise QueryError(f"{len(table):,} keys", hint=f"give at most {MAX_KEYS:,}")
        return cls(table)

    def key(self, name: str) -> Key:
        """Return a key by name; `SIZE` is always there. Raises `QueryError`."""
        if name not in self.keys:
            if name == SIZE.key:
                return HOUSEHOLD_SIZE
            like = ", ".join(nearest(name, self.keys)) or ", ".join(list(self.keys)[:8]) or "none"
            raise QueryError(f"no key {excerpt(name)}", hint=f"keys: {like}")
        return self.keys[name]

    def merged(self, other: Iterable[Key]) -> KeyTable:
        """Return the table with keys added that it does not have yet."""
        return KeyTable.of([*self, *(key for key in other if key.name not in self.keys)])

    def typed(self, slot: Slot, raw: object) -> Value:
        """Return a slot's value in its key's type; raise `QueryError` where it does not fit."""
        return self.key(slot.key).typed(raw)

    def record(self) -> dict[str, Any]:
        """Return the table as `read_keys` reads it."""
        return {"keys": [key.record() for key in self]}


def slot_of(text: str, keys: KeyTable) -> Slot | None:
    """Return the slot that "0.age", "housing" or "len(hh)" names; None where there is none."""
    index, dot, name = text.partition(".")
    member = int(index) if dot and index.isdecimal() and len(index) < 4 else None
    try:
        key = keys.key(name if member is not None else text)
    except QueryError:
        return None
    if key.level == "member" and not 0 <= (member or 0) < MAX_MEMBERS:
        return None
    return key.slot(member or 0)


def read_keys(path: str | Path) -> KeyTable:
    """Return the key table of a JSON file; raise `UnreadableFile` or `QueryError`."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise ValueError(f"it holds more than {MAX_FILE_BYTES:,} bytes")
        record: Any = json.loads(data)
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableFile(str(path), reason, hint='write {"keys": […]}') from None
    return keys_of(record)


def keys_of(record: object) -> KeyTable:
    """Return a key table from its JSON value; raise `QueryError` where it is none."""
    listed = cast("dict[str, Any]", record).get("keys") if isinstance(record, dict) else record
    if not isinstance(listed, list):
        raise QueryError(
            f"{excerpt(cast('object', record))} is no key table", hint='write {"keys": […]}'
        )
    return KeyTable.of(key_of(key) for key in cast("list[object]", listed[: MAX_KEYS + 1]))


def key_of(record: object) -> Key:
    """Return a key from its JSON object; raise `QueryError` where it is none."""
    fields = cast("dict[str, Any]", record) if isinstance(record, dict) else {}
    name, kind = fields.get("name"), fields.get("kind")
    if not isinstance(name, str) or not isinstance(kind, str):
        raise QueryError(
            f"{excerpt(cast('object', record))} is no key", hint="write {name, kind, …}"
        )
    arguments: dict[str, Any] = {"name": name, "kind": kind}
    for field_name in ("level", "description", "ask", "ask_all", "topic"):
        if field_name in fields:
            if not isinstance(fields[field_name], str):
                raise _bad(name, field_name, fields[field_name], "write text")
            arguments[field_name] = fields[field_name]
    for field_name in ("low", "high"):
        if fields.get(field_name) is not None:
            arguments[field_name] = _finite(name, field_name, fields[field_name])
    if "values" in fields:
        arguments["values"] = _values(name, fields["values"])
    key = Key(**arguments)
    return key if fields.get("prior") is None else _with_prior(key, fields["prior"])


def _values(name: str, raw: object) -> tuple[str | int, ...]:
    listed = cast("list[object]", raw) if isinstance(raw, list) else []
    if not listed or not all(
        isinstance(value, str | int) and not isinstance(value, bool) for value in listed
    ):
        raise _bad(name, "values", cast("object", raw), "list texts or whole numbers")
    return tuple(dict.fromkeys(cast("list[str | int]", listed)))


def _finite(name: str, field_name: str, raw: object) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not abs(raw) <= HIGHEST:
        raise _bad(name, field_name, raw, f"write a number within ±{HIGHEST:,.0f}")
    return float(raw)


def _with_prior(key: Key, raw: object) -> Key:
    rows = _prior_rows(key, raw)
    if not rows or not all(_is_weight(row[-1]) for row in rows) or not any(r[-1] for r in rows):
        raise _bad(key.name, "prior", raw, "see dialogs/eligibility/keys.py")
    return replace(key, prior=rows)


def _prior_rows(key: Key, raw: object) -> tuple[tuple[Any, ...], ...]:
    if key.kind == "bool":
        share = float(raw) if isinstance(raw, int | float) and 0 <= raw <= 1 else math.nan
        return ((True, share), (False, 1 - share))
    if key.kind == "choice" and isinstance(raw, dict):
        weights = cast("dict[str, Any]", raw)
        return tuple((key.typed(value), weight) for value, weight in weights.items())
    rows = cast("list[Any]", raw) if isinstance(raw, list) else []
    if any(not isinstance(row, list) or len(cast("list[Any]", row)) != 3 for row in rows):
        return ()
    ranges = cast("list[list[Any]]", rows)
    if not all(_is_range(low, high) for low, high, _ in ranges):
        return ()
    return tuple((float(low), float(high), weight) for low, high, weight in ranges)


def _prior_record(key: Key) -> Any:
    if key.kind == "bool":
        return key.prior[0][1]
    if key.kind == "choice":
        return {str(value): weight for value, weight in key.prior}
    return [list(row) for row in key.prior]


def _is_range(low: object, high: object) -> bool:
    bounds = [
        bound for bound in (low, high) if isinstance(bound, int | float) and abs(bound) <= HIGHEST
    ]
    return len(bounds) == 2 and bounds[0] <= bounds[1]


def _is_weight(weight: object) -> bool:
    return (
        isinstance(weight, int | float) and not isinstance(weight, bool) and 0 <= weight <= HIGHEST
    )


def _bad(key: str, field_name: str, value: object, hint: str) -> QueryError:
    return QueryError(f"key {excerpt(key)}: bad {field_name} {excerpt(value)}", hint=hint)


YES = frozenset("yes y true 1 t".split())
NO = frozenset("no n false 0 f".split())


def _as_bool(key: Key, raw: object) -> Value | None:
    if isinstance(raw, bool):
        return raw
    text = str(raw).strip().casefold() if isinstance(raw, str | int) else ""
    return True if text in YES else False if text in NO else None


def _as_number(key: Key, raw: object) -> Value | None:
    if isinstance(raw, str):
        raw = _parsed_number(raw)
    if isinstance(raw, bool) or not isinstance(raw, int | float) or math.isnan(raw):
        return None
    if not key.low <= raw <= key.high:
        return None
    if key.kind == "float":
        return float(raw)
    return int(raw) if raw == int(raw) else None


def _parsed_number(text: str) -> float | int | None:
    plain = text.strip().lstrip("$€£").replace(",", "").replace("_", "")
    if not re.fullmatch(r"-?\d{1,15}(\.\d{1,15})?", plain):
        return None
    return float(plain) if "." in plain else int(plain)


def _as_choice(key: Key, raw: object) -> Value | None:
    if isinstance(raw, bool):
        return None
    for value in key.values:
        if raw == value:
            return value
    text = str(raw).strip().casefold()
    return next((value for value in key.values if str(value).casefold() == text), None)


_TYPED = {"bool": _as_bool, "int": _as_number, "float": _as_number, "choice": _as_choice}
