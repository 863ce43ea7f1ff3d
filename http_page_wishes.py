"""What a visitor wishes for, as the address of the page holds it: hostile until read here.

    ?catalog=cars&is.Make=Toyota&max.MSRP=38500&weight.max.MSRP=90&must=is.Make&prefer=high.Year

A wish is named by its kind and its column, `max.MSRP`; a column may be called anything, since
only the first dots are read. What the reader does not know it leaves out, so that any address
gives a page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args
from urllib.parse import parse_qsl, urlencode

from .catalogs.errors import LimitError
from .engine.markup import UNPRINTABLE

Kind = Literal["is", "has", "min", "max"]
Direction = Literal["low", "high"]
KINDS: tuple[str, ...] = get_args(Kind)

MAX_QUERY_BYTES = 8_192
MAX_PARAMETERS = 400
MAX_WISHES = 24
MAX_VALUES = 20
MAX_PREFERENCES = 8
MAX_SHOWN = 20

NEUTRAL = 50
"""The weight of a wish nobody weighed, in per cent: the engine's neutral weight."""

MUST = "must"
FIRST_ITEMS = 12
MOST_ITEMS = 96
POLICIES = ("least-weight", "fewest")


@dataclass(frozen=True)
class Wish:
    """One filter: what is asked of a column, how much it matters (0 to 100), may it give way.

    `gives` says that the visitor chose it to give way first.
    """

    kind: Kind
    column: str
    values: tuple[str, ...]
    weight: int = NEUTRAL
    must: bool = False
    gives: bool = False

    @property
    def key(self) -> str:
        """Its name in the address: `max.MSRP`."""
        return f"{self.kind}.{self.column}"


@dataclass(frozen=True)
class Preference:
    """Less or more of a column among whatever matches, and how much that matters."""

    column: str
    direction: Direction
    weight: int = NEUTRAL

    @property
    def key(self) -> str:
        """Its name among the weights: `prefer.MSRP`."""
        return f"prefer.{self.column}"

    @property
    def value(self) -> str:
        """Its value in the address: `low.MSRP`."""
        return f"{self.direction}.{self.column}"


@dataclass(frozen=True)
class Wishes:
    """All that an address says: filters, preferences, and how much to show.

    `shown` are columns asked for besides those of the form; `left_out` counts wishes beyond the
    most there may be.
    """

    catalog: str = ""
    wishes: tuple[Wish, ...] = ()
    preferences: tuple[Preference, ...] = ()
    policy: str = POLICIES[0]
    top: int = FIRST_ITEMS
    shown: tuple[str, ...] = ()
    left_out: int = 0

    def get(self, key: str) -> Wish | None:
        """Return the wish of that name."""
        return next((one for one in self.wishes if one.key == key), None)

    @property
    def is_unambiguous(self) -> bool:
        """Whether no two wishes have the same name, so that an address can hold them."""
        return len({one.key for one in self.wishes}) == len(self.wishes)

    def values(self, key: str) -> tuple[str, ...]:
        """Return what is wished for under a name; nothing where nothing is."""
        found = self.get(key)
        return found.values if found else ()

    def preference(self, column: str) -> Preference | None:
        """Return what is preferred of a column."""
        return next((one for one in self.preferences if one.column == column), None)

    def without(self, key: str) -> Wishes:
        """Return these wishes less one wish or preference."""
        return replace(
            self,
            wishes=tuple(one for one in self.wishes if one.key != key),
            preferences=tuple(one for one in self.preferences if one.key != key),
        )

    def put_back(self, key: str) -> Wishes:
        """Return these wishes with one that may not give way any more."""
        return self._changed(key, lambda one: replace(one, must=True, gives=False))

    def optional(self, key: str) -> Wishes:
        """Return these wishes with one that may give way again."""
        return self._changed(key, lambda one: replace(one, must=False))

    def with_value(self, key: str, value: str) -> Wishes:
        """Return these wishes with another value of one."""
        return self._changed(key, lambda one: replace(one, values=(value,)))

    def giving(self, keys: Iterable[str]) -> Wishes:
        """Return these wishes with exactly these chosen to give way first."""
        chosen = set(keys)
        changed = [replace(one, gives=one.key in chosen) for one in self.wishes]
        return replace(self, wishes=tuple(changed))

    def _changed(self, key: str, change: Callable[[Wish], Wish]) -> Wishes:
        changed = [change(one) if one.key == key else one for one in self.wishes]
        return replace(self, wishes=tuple(changed))

    @property
    def address(self) -> str:
        """The relative address of these wishes; what is as usual is left out."""
        return f"?{urlencode(list(self._parameters()))}"

    def _parameters(self) -> Iterator[tuple[str, str]]:
        if self.catalog:
            yield "catalog", self.catalog
        for one in self.wishes:
            yield from ((one.key, value) for value in one.values)
        for one in self.preferences:
            yield "prefer", one.value
        for one in (*self.wishes, *self.preferences):
            if one.weight != NEUTRAL:
                yield f"weight.{one.key}", str(one.weight)
        yield from ((MUST, one.key) for one in self.wishes if one.must)
        yield from (("give", one.key) for one in self.wishes if one.gives)
        yield from (("show", column) for column in self.shown)
        if self.policy != POLICIES[0]:
            yield "policy", self.policy
        if self.top != FIRST_ITEMS:
            yield "top", str(self.top)


def read_wishes(query: bytes) -> Wishes:
    """Return what the query string of an address says; what it does not know is left out.

    Raises `LimitError` for a query string too long to be a person's.
    """
    return wishes_of(_parameters(query))


def wishes_of(parameters: Mapping[str, list[str]]) -> Wishes:
    """Return the wishes that parameters say, each name with its values in order."""
    musts, gives = set(parameters.get(MUST, ())), set(parameters.get("give", ()))
    wishes = [
        Wish(
            kind,
            column,
            tuple(values),
            weight=_weight(parameters, f"{kind}.{column}"),
            must=f"{kind}.{column}" in musts,
            gives=f"{kind}.{column}" in gives,
        )
        for kind, column, values in _wished(parameters)
    ]
    policy = _last(parameters, "policy")
    return Wishes(
        catalog=_last(parameters, "catalog"),
        wishes=tuple(wishes[:MAX_WISHES]),
        preferences=tuple(_preferences(parameters))[:MAX_PREFERENCES],
        policy=policy if policy in POLICIES else POLICIES[0],
        top=_whole(_last(parameters, "top"), FIRST_ITEMS, 1, MOST_ITEMS),
        shown=tuple(dict.fromkeys(parameters.get("show", ())))[:MAX_SHOWN],
        left_out=max(0, len(wishes) - MAX_WISHES),
    )


def _parameters(query: bytes) -> dict[str, list[str]]:
    """Return non-empty values by name, in order, without repetitions."""
    if len(query) > MAX_QUERY_BYTES:
        raise LimitError(
            f"the address is {len(query):,} bytes long", hint=f"{MAX_QUERY_BYTES:,} is the most"
        )
    try:
        pairs = parse_qsl(query.decode("utf-8", "replace"), max_num_fields=MAX_PARAMETERS)
    except ValueError:
        raise LimitError(
            "the address has too many parts", hint=f"{MAX_PARAMETERS} is the most"
        ) from None
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        values = found.setdefault(name, [])
        cleaned = UNPRINTABLE.sub("\ufffd", value).strip()
        if cleaned and cleaned not in values:
            values.append(cleaned)
    return {name: values for name, values in found.items() if values}


def _wished(parameters: Mapping[str, list[str]]) -> Iterator[tuple[Kind, str, list[str]]]:
    for name, values in parameters.items():
        kind, dot, column = name.partition(".")
        if not (dot and column):
            continue
        if kind == "is":
            yield kind, column, values[:MAX_VALUES]
        elif kind == "has" or kind == "min" or kind == "max":
            # A text, a bound: of several the last one counts.
            yield kind, column, values[-1:]


def _preferences(parameters: Mapping[str, list[str]]) -> Iterator[Preference]:
    by_column: dict[str, Preference] = {}
    for value in parameters.get("prefer", ()):
        direction, _, column = value.partition(".")
        if column and (direction == "low" or direction == "high"):
            weight = _weight(parameters, f"prefer.{column}")
            by_column[column] = Preference(column, direction, weight)
    yield from by_column.values()


def _weight(parameters: Mapping[str, list[str]], key: str) -> int:
    return _whole(_last(parameters, f"weight.{key}"), NEUTRAL, 0, 100)


def _last(parameters: Mapping[str, list[str]], name: str) -> str:
    return parameters.get(name, [""])[-1]


def _whole(text: str, default: int, low: int, high: int) -> int:
    """Return a whole number inside its ends, or the default for what is none."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        return default
    return min(max(int(text), low), high)
