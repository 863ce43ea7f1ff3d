"""Conversations in the format of Schema-Guided Dialogue, the services they are about, and catalogs.

A folder holds `dialogues.jsonl.gz`, `schema.json` and `catalogs/SERVICE.csv.gz`. Labels (the acts
and states of `frames`) are kept apart from the texts: a reader that is measured is handed texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from ...catalogs.catalog import Catalog
from ...catalogs.errors import UnreadableFile
from ...catalogs.validation_fault import first_fault
from ...dialogs.conversation.tracked_turns import ColumnUse
from ..json_lines import read_records
from ..text_files import naming

DONT_CARE = "dontcare"
"""The published value of a slot that may be anything."""


class Frame(BaseModel):
    """The labels of one service in one turn; `state` and `requested` only where a user speaks."""

    service: str = ""
    acts: list[tuple[Any, ...]] = Field(default_factory=list[tuple[Any, ...]])
    state: dict[str, list[str]] | None = None
    requested: list[str] | None = None

    def act_names(self) -> frozenset[str]:
        """Return what is done in the turn."""
        return frozenset(str(act[0]) for act in self.acts if act)


class Turn(BaseModel):
    """What one side said; `frames` are its labels, empty where they are withheld."""

    speaker: Literal["U", "S"]
    text: str
    frames: list[Frame] = Field(default_factory=list[Frame])

    @property
    def labels(self) -> Frame | None:
        """The labels of a turn about one service; None where they are withheld."""
        return self.frames[0] if self.frames else None

    def wished(self, known: frozenset[str]) -> dict[str, list[str]]:
        """Return the labelled state over the known columns, without what may be anything."""
        state = (self.labels.state if self.labels else None) or {}
        return {k: v for k, v in state.items() if k in known and v != [DONT_CARE]}


class Dialogue(BaseModel):
    """One conversation about one or more services."""

    id: str
    services: list[str]
    turns: list[Turn]


class Slot(BaseModel):
    """A slot of a service, which is a column of its catalog."""

    name: str
    description: str = ""
    is_categorical: bool = False
    possible_values: list[str] = Field(default_factory=list[str])


class Intent(BaseModel):
    """What a service does, and the slots that it takes."""

    name: str = ""
    is_transactional: bool = False
    required_slots: list[str] = Field(default_factory=list[str])
    optional_slots: dict[str, str] = Field(default_factory=dict[str, str])


class Service(BaseModel):
    """One service: its slots and what can be done with it."""

    service_name: str
    description: str = ""
    slots: list[Slot]
    intents: list[Intent] = Field(default_factory=list[Intent])

    def columns(self) -> Mapping[str, ColumnUse]:
        """Return what the schema says of each column."""
        return {
            slot.name: ColumnUse(
                slot.description,
                slot.is_categorical,
                self._uses(slot.name) if self.intents else None,
            )
            for slot in self.slots
        }

    def _uses(self, slot: str) -> tuple[str, ...]:
        uses: set[str] = set()
        for intent in self.intents:
            kind = "act" if intent.is_transactional else "find"
            if slot in intent.required_slots:
                uses.add(f"{kind}!")
            elif slot in intent.optional_slots:
                uses.add(f"{kind}?")
        return tuple(sorted(uses))


def read_dialogues(folder: Path) -> Iterator[Dialogue]:
    """Yield the conversations about one service; raises `UnreadableFile` that names the line."""
    for dialogue in read_records(folder / "dialogues.jsonl.gz", Dialogue.model_validate):
        if len(dialogue.services) == 1:
            yield dialogue


def read_services(folder: Path) -> Mapping[str, Service]:
    """Return the services of a schema by name; raises `UnreadableFile`."""
    path = folder / "schema.json"
    with naming(path):
        text = path.read_bytes()
    try:
        services = TypeAdapter(list[Service]).validate_python(json.loads(text))
    except ValidationError as error:
        raise UnreadableFile(str(path), first_fault(error, 4).line()) from None
    except ValueError as error:
        raise UnreadableFile(str(path), f"not JSON: {error}") from None
    return {service.service_name: service for service in services}


def open_catalog(folder: Path, service: str) -> Catalog:
    """Open the catalog of a service; raises `UnreadableFile` where there is none."""
    path = folder / "catalogs" / f"{service}.csv.gz"
    with naming(path):
        path.stat()
    return Catalog.open(path)
