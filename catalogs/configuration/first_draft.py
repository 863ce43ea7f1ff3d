"""The first draft of a configuration: what the data shows, as TOML for a person to correct.

The same rows give the same bytes. What is guessed stands as it would be taken; what only could be
said stands behind a `#`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..query.column_roles import key_column, link_column, picture_column, title_columns
from ..query.constraint import spoken
from ..query.schema import ColumnProfile

if TYPE_CHECKING:
    from ..catalog import Catalog

SHOWN_VALUES = 4
SUSPECTS = frozenset(("na", "n/a", "-", "–", "none", "null", "unknown", "tbc", "tba", "tbd", "?",
                      "missing", "nan", "nil"))  # fmt: skip
"""Cells of text that may well stand for no value."""

NO_NULLS: Mapping[str, Sequence[str]] = {}

HEAD = """\
# {source}: {rows:,} rows, {columns} columns. A draft to correct: what stands here was guessed from
# the data, what stands behind a # could be said. docs/configuration.md says what each key means.
"""


def draft_of(source: str, table: str | None = None, called: str | None = None) -> str:
    """Return the draft of a file: read twice where cells stand for no value, once without them.

    It stands there as it is `called`.

    Raises what `Catalog.open` raises.
    """
    from ..catalog import Catalog

    catalog = Catalog.open(source, table=table)
    nulls = suspected(catalog.profiles())
    if nulls:
        told = {name: {"nulls": texts} for name, texts in nulls.items()}
        catalog = Catalog.open(source, table=table, columns=told)
    return first_draft(catalog, called or source, table, nulls)


def suspected(profiles: Iterable[ColumnProfile]) -> dict[str, tuple[str, ...]]:
    """Return the values by column that may well stand for no value."""
    found = {
        profile.name: tuple(
            sorted(str(value) for value in profile.values if str(value).casefold() in SUSPECTS)
        )
        for profile in profiles
        if profile.kind in ("categorical", "text")
    }
    return {name: texts for name, texts in found.items() if texts}


def first_draft(
    catalog: Catalog,
    source: str,
    table: str | None = None,
    nulls: Mapping[str, Sequence[str]] = NO_NULLS,
) -> str:
    """Return a configuration of one catalog, as TOML; `source` is written as it is given.

    `nulls` are the cells, by column, that were read as NULL.
    """
    profiles = catalog.profiles()
    lines = [
        HEAD.format(source=comment(source), rows=catalog.row_count, columns=len(profiles)),
        f"[catalogs.{_name(catalog.name)}]",
        f"source = {text(source)}",
        *([f"table = {text(table)}"] if table else []),
        *_roles(catalog, profiles),
        "",
    ]
    for profile in profiles:
        lines += [*_column(catalog, profile, nulls.get(profile.name, ())), ""]
    lines += ["# A key for each who may ask; `concede keys new` writes one.", "# [[keys]]", ""]
    return "\n".join(lines)


def _roles(catalog: Catalog, profiles: Sequence[ColumnProfile]) -> Iterator[str]:
    singles = {
        "key": key_column(profiles),
        "price": catalog.cost_column,
        "image": picture_column(profiles),
        "link": link_column(profiles),
    }
    yield _line("key", singles.pop("key"), "tells items apart")
    yield f"title = {array(title_columns(profiles))}"
    for name, column in singles.items():
        yield _line(name, column, "a column")
    yield "hidden = []"
    better = [each.name for each in profiles if each.desirable]
    yield f"# rank = {array(better)}"
    yield "# fold_case = true"


def _line(key: str, column: str | None, meaning: str) -> str:
    return f'# {key} = ""  # {meaning}' if column is None else f"{key} = {text(column)}"


def _column(catalog: Catalog, profile: ColumnProfile, nulls: Sequence[str]) -> Iterator[str]:
    yield f"[catalogs.{_name(catalog.name)}.columns.{_name(profile.name)}]  # {_held(profile)}"
    yield f"label = {text(profile.name.replace('_', ' ').strip() or profile.name)}"
    yield f"unit = {text(profile.unit)}" if profile.unit else '# unit = ""'
    yield f"# kind = {text(profile.kind)}"
    yield f"nulls = {array(nulls)}" if nulls else '# nulls = ["NA"]'
    if profile.kind in ("numeric", "date"):
        better = profile.desirable
        yield f"better = {text(better)}" if better else '# better = "low"'
    yield "synonyms = []"


def _held(profile: ColumnProfile) -> str:
    """Return what a column holds, on one line."""
    nulls = f", {profile.nulls:,} NULL" if profile.nulls else ""
    if profile.minimum is not None and profile.kind in ("numeric", "date"):
        ends = f"{spoken(profile.minimum, profile.name)} to {spoken(profile.maximum, profile.name)}"
        return comment(f"{profile.kind}, {ends}{nulls}")
    shown = [comment(str(value)) for value in profile.values[:SHOWN_VALUES]]
    more = ", …" if profile.distinct > len(shown) else ""
    listed = f": {', '.join(shown)}{more}" if shown else ""
    return comment(f"{profile.kind}, {profile.distinct:,} values{nulls}{listed}")


def comment(words: str) -> str:
    """Return words as they may stand in a comment: on one line, without what does not print."""
    plain = "".join(letter if letter.isprintable() else " " for letter in words)
    return plain if len(plain) <= 200 else f"{plain[:199]}…"


def text(value: str) -> str:
    """Return a text as TOML writes it."""
    escaped = json.dumps(value.encode("utf-8", "replace").decode(), ensure_ascii=False)
    return escaped.replace("\x7f", "\\u007f")


def array(values: Sequence[str]) -> str:
    """Return texts as an array."""
    return f"[{', '.join(map(text, values))}]"


def _name(name: str) -> str:
    """Return a name as it stands in the head of a table."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else text(name)
