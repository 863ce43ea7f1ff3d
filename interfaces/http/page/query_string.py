"""The query string of the page, parsed to a `Search` and formatted back as the address of a link.

    ?catalog=cars&is.Make=Toyota&max.MSRP=38500&weight.max.MSRP=90&must=is.Make&prefer=high.Year
    ?catalog=cars&say=a+cheap+Toyota+under+38500

A criterion is named by its kind and its column, `max.MSRP`; a column may be called anything, since
only the first dot is read. What is unknown is left out, so that any address gives a page; values
are hostile until read here, and bounded in number and length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import parse_qsl, urlencode

from ....catalogs.errors import LimitError
from ....rendering.html import UNPRINTABLE

Kind = Literal[
    "is", "not", "has", "min", "max", "over", "under", "find", "near", "reach", "open", "said"
]
"""`find` looks for words in all texts of an item; `said` is for what no filter says: its value is
in words, and no address holds it."""

Direction = Literal["low", "high"]

MAX_QUERY_BYTES = 8_192
MAX_PARAMETERS = 400
MAX_CRITERIA = 24
MAX_VALUES = 20
MAX_PREFERENCES = 8
MAX_EXTRA_COLUMNS = 20

NEUTRAL = 50
"""The weight of a criterion nobody weighed, in per cent: the engine's neutral weight."""

ONE_VALUE: tuple[Kind, ...] = (
    "has", "min", "max", "over", "under", "find", "near", "reach", "open"
)  # fmt: skip
PLACE_KINDS: tuple[Kind, ...] = ("near", "reach", "open")
"""Filters on places and hours: `place` and `hours` stand where others have a column."""

FIND = "find.words"
"""The one criterion that looks in all texts; `words` stands where others have a column."""

MUST = "must"
LONGEST_NAME = 200
MOST_SAID = 1_000
"""Characters of what a visitor says in their own words."""

LONGEST_IDENTITY = 64
"""Characters of the id of a conversation."""

LONGEST_UNDO = 3_000
"""Characters of an earlier address that a link still carries; the browser goes back without it."""

FIRST_ITEMS = 12
MOST_ITEMS = 96
POLICIES = ("least-weight", "fewest", "closest")


@dataclass(frozen=True)
class Criterion:
    """One filter: what is asked of a column, how much it matters (0 to 100), may it give way.

    `gives_way` says that the visitor chose it to give way first.
    """

    kind: Kind
    column: str
    values: tuple[str, ...]
    weight: int = NEUTRAL
    must: bool = False
    gives_way: bool = False

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
class Search:
    """All that an address says: filters, preferences, and how much to show.

    `extra_columns` are columns asked for besides those of the form; `left_out` counts criteria
    beyond the most there may be; `said` is what the visitor says in their own words, not read yet;
    `user` is whose log this goes into, nobody's where it is empty; `conversation` is the id of the
    one beside the result. The others say what to do once, and no further link says them again:
    `undo` is the address before the last correction, and `edit` names the criterion or preference
    to correct, as one on `edit_column` where that is not empty.
    """

    catalog: str = ""
    criteria: tuple[Criterion, ...] = ()
    preferences: tuple[Preference, ...] = ()
    policy: str = POLICIES[0]
    top: int = FIRST_ITEMS
    extra_columns: tuple[str, ...] = ()
    left_out: int = 0
    said: str = ""
    user: str = ""
    conversation: str = ""
    undo: str = ""
    edit: str = ""
    edit_column: str = ""

    def get(self, key: str) -> Criterion | None:
        """Return the criterion of that name."""
        return next((criterion for criterion in self.criteria if criterion.key == key), None)

    @property
    def is_unambiguous(self) -> bool:
        """Whether no two criteria have the same name, so that an address can hold them."""
        return len({criterion.key for criterion in self.criteria}) == len(self.criteria)

    def values(self, key: str) -> tuple[str, ...]:
        """Return the values of the criterion of that name; nothing where there is none."""
        criterion = self.get(key)
        return criterion.values if criterion else ()

    def without(self, key: str) -> Search:
        """Return this search less one criterion or preference."""
        return replace(
            self,
            criteria=tuple(entry for entry in self.criteria if entry.key != key),
            preferences=tuple(entry for entry in self.preferences if entry.key != key),
        )

    def put_back(self, key: str) -> Search:
        """Return this search with a criterion that may not give way any more."""
        return self._changed(key, lambda criterion: replace(criterion, must=True, gives_way=False))

    def optional(self, key: str) -> Search:
        """Return this search with a criterion that may give way again."""
        return self._changed(key, lambda criterion: replace(criterion, must=False))

    def with_value(self, key: str, value: str) -> Search:
        """Return this search with another value of a criterion."""
        return self._changed(key, lambda criterion: replace(criterion, values=(value,)))

    def undone_by(self, before: Search) -> Search:
        """Return this search with the way back to the one before; without it where it is long."""
        undo = before.settled().address
        return replace(self.settled(), undo=undo if len(undo) <= LONGEST_UNDO else "")

    def editing(self, key: str) -> Search:
        """Return this search with a criterion or preference open to be corrected."""
        return replace(self.settled(), edit=key)

    def settled(self) -> Search:
        """Return this search without what is to be done once."""
        return replace(self, said="", undo="", edit="", edit_column="")

    def finding(self, words: str) -> Search:
        """Return this search with words to look for in all texts, in place of any before."""
        kept = self.without(FIND).settled()
        found = Criterion("find", "words", (words,))
        return replace(kept, criteria=(*kept.criteria, found))

    def for_user(self, user: str) -> Search:
        """Return this search as somebody's, or nobody's."""
        return replace(self, user=user)

    def with_giving_way(self, keys: Iterable[str]) -> Search:
        """Return this search with exactly these criteria chosen to give way first."""
        chosen = set(keys)
        changed = (replace(entry, gives_way=entry.key in chosen) for entry in self.criteria)
        return replace(self, criteria=tuple(changed))

    def _changed(self, key: str, change: Callable[[Criterion], Criterion]) -> Search:
        changed = (change(entry) if entry.key == key else entry for entry in self.criteria)
        return replace(self, criteria=tuple(changed))

    @property
    def address(self) -> str:
        """The relative address of this search: its query string, less what is as usual."""
        return f"?{urlencode(list(self.parameters()))}"

    def parameters(self) -> Iterator[tuple[str, str]]:
        """Yield what the address says, name by name, with its values."""
        named = {"catalog": self.catalog, "user": self.user, "conversation": self.conversation}
        yield from ((name, value) for name, value in named.items() if value)
        for criterion in self.criteria:
            yield from ((criterion.key, value) for value in criterion.values)
        for preference in self.preferences:
            yield "prefer", preference.value
        for entry in (*self.criteria, *self.preferences):
            if entry.weight != NEUTRAL:
                yield f"weight.{entry.key}", str(entry.weight)
        yield from ((MUST, criterion.key) for criterion in self.criteria if criterion.must)
        yield from (("give", criterion.key) for criterion in self.criteria if criterion.gives_way)
        yield from (("show", column) for column in self.extra_columns)
        if self.policy != POLICIES[0]:
            yield "policy", self.policy
        if self.top != FIRST_ITEMS:
            yield "top", str(self.top)
        once = {"edit": self.edit, "edit.column": self.edit_column, "undo": self.undo}
        yield from ((name, value) for name, value in once.items() if value)


def parse_query_string(query: bytes) -> Search:
    """Return what the query string of an address says; what it does not know is left out.

    Raises `LimitError` for a query string too long to be a person's.
    """
    return search_of(decoded(query))


def search_of(parameters: Mapping[str, list[str]]) -> Search:
    """Return the search that parameters say, each name with its values in order."""
    musts, gives_way = set(parameters.get(MUST, ())), set(parameters.get("give", ()))
    criteria = [
        Criterion(
            kind,
            column,
            tuple(values),
            weight=_weight(parameters, f"{kind}.{column}"),
            must=f"{kind}.{column}" in musts,
            gives_way=f"{kind}.{column}" in gives_way,
        )
        for kind, column, values in _criteria(parameters)
    ]
    policy = last_of(parameters, "policy")
    return Search(
        catalog=last_of(parameters, "catalog"),
        criteria=tuple(criteria[:MAX_CRITERIA]),
        preferences=tuple(_preferences(parameters))[:MAX_PREFERENCES],
        policy=policy if policy in POLICIES else POLICIES[0],
        top=_whole(last_of(parameters, "top"), FIRST_ITEMS, 1, MOST_ITEMS),
        extra_columns=tuple(dict.fromkeys(parameters.get("show", ())))[:MAX_EXTRA_COLUMNS],
        left_out=max(0, len(criteria) - MAX_CRITERIA),
        said=last_of(parameters, "say")[:MOST_SAID],
        user=last_of(parameters, "user")[:LONGEST_NAME],
        conversation=last_of(parameters, "conversation")[:LONGEST_IDENTITY],
        undo=_undo(last_of(parameters, "undo")),
        edit=last_of(parameters, "edit")[:LONGEST_NAME],
        edit_column=last_of(parameters, "edit.column")[:LONGEST_NAME],
    )


def _undo(address: str) -> str:
    """Return an earlier address as this page writes it, whoever wrote it; empty for none."""
    if not address or len(address) > LONGEST_UNDO:
        return ""
    try:
        return search_of(decoded_form(address.removeprefix("?").encode())).settled().address
    except LimitError:
        return ""


def decoded(query: bytes) -> dict[str, list[str]]:
    """Return what an address says: non-empty values by name, in order, without repetitions.

    Raises `LimitError` for a query string too long to be a person's.
    """
    if len(query) > MAX_QUERY_BYTES:
        raise LimitError(
            f"the address is {len(query):,} bytes long", hint=f"{MAX_QUERY_BYTES:,} is the most"
        )
    return decoded_form(query)


def decoded_form(body: bytes) -> dict[str, list[str]]:
    """Return what a form says, as `decoded` does; raise `LimitError` for too many parts."""
    try:
        pairs = parse_qsl(body.decode("utf-8", "replace"), max_num_fields=MAX_PARAMETERS)
    except ValueError:
        raise LimitError(
            "the address has too many parts", hint=f"{MAX_PARAMETERS} is the most"
        ) from None
    parameters: dict[str, list[str]] = {}
    for name, value in pairs:
        values = parameters.setdefault(name, [])
        cleaned = UNPRINTABLE.sub("\ufffd", value).strip()
        if cleaned and cleaned not in values:
            values.append(cleaned)
    return {name: values for name, values in parameters.items() if values}


def _criteria(parameters: Mapping[str, list[str]]) -> Iterator[tuple[Kind, str, list[str]]]:
    for name, values in parameters.items():
        kind, dot, column = name.partition(".")
        if not (dot and column):
            continue
        if kind == "is" or kind == "not":
            yield kind, column, values[:MAX_VALUES]
        elif kind in ONE_VALUE and (kind != "find" or name == FIND):
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
    return _whole(last_of(parameters, f"weight.{key}"), NEUTRAL, 0, 100)


def last_of(parameters: Mapping[str, list[str]], name: str) -> str:
    """Return the last value of a name; empty where there is none."""
    return parameters.get(name, [""])[-1]


def _whole(text: str, default: int, low: int, high: int) -> int:
    """Return a whole number inside its ends, or the default for what is none."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        return default
    return min(max(int(text), low), high)
