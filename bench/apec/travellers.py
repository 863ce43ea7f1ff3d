"""Travellers from a file: what they want, what is critical to them, and their own words.

One JSON array of `{id, profile: {entry: value}, critical: [entry], request, answers: {entry:
text or [first, asked again]}}`. Without `answers` somebody else answers from the profile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ...catalogs.errors import QueryError, UnreadableFile, excerpt
from ...dialogs.elicitation.schema import Schema, Value
from ..json_lines import read_values


@dataclass(frozen=True)
class TravellerRecord:
    """A traveller. `critical`: the entries that matter most, hidden from whoever asks.

    `answers`: by askable entry, the first answer and the one given when asked again.
    """

    id: str
    profile: Mapping[str, Value]
    critical: tuple[str, ...]
    request: str
    answers: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object, as `read_travellers` reads it."""
        return {
            "id": self.id,
            "profile": dict(self.profile),
            "critical": list(self.critical),
            "request": self.request,
            **({"answers": {k: list(v) for k, v in self.answers.items()}} if self.answers else {}),
        }


def read_travellers(path: str | Path, schema: Schema) -> list[TravellerRecord]:
    """Return the travellers of a file.

    Raises `UnreadableFile` for a file that is no such array, and for a traveller with an
    unknown entry, a value that its entry cannot take, a critical entry outside the schema, or
    answers that leave out an entry that may be asked about.
    """
    travellers: list[TravellerRecord] = []
    for number, value in enumerate(read_values(path), 1):
        try:
            travellers.append(_traveller(value, schema))
        except QueryError as error:
            raise UnreadableFile(
                str(path), f"traveller {number}: {error.problem}", hint=error.hint
            ) from error
    identifiers = {traveller.id for traveller in travellers}
    if len(identifiers) < len(travellers):
        raise UnreadableFile(str(path), "two travellers have one id", hint="give each its own")
    return travellers


def _traveller(value: object, schema: Schema) -> TravellerRecord:
    record = _mapping(value, "a traveller")
    missing = [name for name in ("id", "profile", "critical", "request") if name not in record]
    if missing:
        raise QueryError(f"no {missing[0]}", hint="give id, profile, critical and request")
    critical, request = record["critical"], record["request"]
    if not isinstance(critical, list) or not isinstance(request, str):
        raise QueryError(
            "critical is no list, or request no text", hint='give "critical": […], "request": "…"'
        )
    names = [schema.find(str(name)).name for name in cast("list[object]", critical)]
    return TravellerRecord(
        str(record["id"]),
        schema.profile_of(_mapping(record["profile"], "profile")),
        tuple(dict.fromkeys(names)),
        request,
        _answers(record.get("answers"), schema),
    )


def _answers(value: object, schema: Schema) -> dict[str, tuple[str, str]]:
    if value is None:
        return {}
    given = _mapping(value, "answers")
    answers = {schema.find(name).name: _answer(name, text) for name, text in given.items()}
    left_out = [entry.name for entry in schema.askable if entry.name not in answers]
    if left_out:
        raise QueryError(
            f"{len(answers)} answers, none for {left_out[0]}",
            hint=f"give one for each of the {len(schema.askable)} entries, or no answers",
        )
    return answers


def _answer(name: str, text: object) -> tuple[str, str]:
    if isinstance(text, str):
        return text, text
    texts: list[object] = cast("list[object]", text) if isinstance(text, list) else [text]
    if len(texts) == 2 and all(isinstance(one, str) for one in texts):
        return str(texts[0]), str(texts[1])
    raise QueryError(
        f"the answer for {name} is {excerpt(str(texts))}",
        hint="give a text, or two: the first and the one when asked again",
    )


def _mapping(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise QueryError(f"{what} is {excerpt(str(value))}", hint="give a JSON object")
    return cast("dict[str, Any]", value)
