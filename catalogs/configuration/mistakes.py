"""What is wrong with a configuration: the table, the key, the value, the nearest known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from ..errors import excerpt, nearest
from .config_models import CatalogConfig, ColumnConfig, ConfigFile, KeyConfig
from .scopes import SCOPES


def first_mistake(error: ValidationError) -> tuple[str, str]:
    """Return the first of pydantic's complaints as a problem and a hint."""
    errors = error.errors(include_url=False)
    # A key that is misspelt is missing as well, which is not the mistake.
    first = next((each for each in errors if each["type"] == "extra_forbidden"), errors[0])
    table, key, model = _place(first["loc"])
    where = f"{table} {key}".strip()
    if first["type"] == "extra_forbidden":
        known = [*model.model_fields]
        near = nearest(key, known, 1)
        hint = f"did you mean {excerpt(near[0])}?" if near else f"keys: {', '.join(known)}"
        return f"{table} has no key {excerpt(key)}".strip(), hint
    if first["type"] == "missing":
        return f"{where} is missing", "give it"
    if first["type"] == "literal_error":
        return f"{where} cannot be {excerpt(first['input'])}", _choices(model, key, first["input"])
    told = first["msg"].removeprefix("Value error, ")
    if first["type"] == "string_pattern_mismatch":
        told = "is not as it has to be"
        hint = "concede keys new writes one" if key == "hash" else "letters, digits, . _ -"
        return f"{where} {excerpt(first['input'])} {told}", hint
    return f"{where} {excerpt(first['input'])}: {told[:1].lower()}{told[1:]}", ""


def _choices(model: type[BaseModel], key: str, given: object) -> str:
    if key == "scopes":
        known: Sequence[str] = SCOPES
    else:
        known = [text for text in _literals(model.model_fields[key].annotation) if text]
    near = nearest(str(given), known, 1)
    guess = f"did you mean {excerpt(near[0])}? " if near else ""
    return f"{guess}known: {', '.join(known)}"


def _literals(annotation: Any) -> list[str]:
    """Return the texts that an annotation allows, those of its alternatives included."""
    texts: list[str] = []
    for part in get_args(annotation):
        texts += [part] if isinstance(part, str) else _literals(part)
    return texts


def _place(loc: tuple[int | str, ...]) -> tuple[str, str, type[BaseModel]]:
    """Return the table and the key of a complaint, and the model of the table."""
    parts = [str(part) for part in loc]
    if parts[:1] == ["keys"] and len(parts) > 1:
        return f"[[keys]] number {int(parts[1]) + 1}:", "".join(parts[2:3]), KeyConfig
    if parts[:1] == ["catalogs"] and len(parts) > 1:
        table, rest = f"catalogs.{_named(parts[1])}", parts[2:]
        if rest[:1] == ["columns"] and len(rest) > 1:
            return f"[{table}.columns.{_named(rest[1])}]", "".join(rest[2:3]), ColumnConfig
        return f"[{table}]", "".join(rest[:1]), CatalogConfig
    return "", "".join(parts[:1]), ConfigFile


def _named(name: str) -> str:
    """Return a name as it stands in a table's head."""
    plain = name.replace("-", "").replace("_", "")
    return name if plain.isascii() and plain.isalnum() else excerpt(name).replace("'", '"')


ROLES = ("key", "title", "price", "image", "link", "hidden", "rank", "location", "hours")


def place_of_column(name: str, said: CatalogConfig, column: str, role: str = "") -> str:
    """Return the table and the key that name a column; the key `role` where it does."""
    table = f"[catalogs.{_named(name)}"
    if role in ROLES:
        return f"{table}] {role}:"
    if column in said.columns:
        return f"{table}.columns.{_named(column)}]"
    for key in ROLES:
        told: Any = getattr(said, key)
        if column == told or (isinstance(told, list) and column in told):
            return f"{table}] {key}:"
    return f"{table}]"
