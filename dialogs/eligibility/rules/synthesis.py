"""Have a model write a program from plain English (ProADA, section 3 and figures 13 to 15).

The document asks for the program first and then for each key's type and values; here one reply
holds the program and its typed keys. A program that the allow-list refuses goes back to the model
with the complaint: one to `ATTEMPTS` requests a program.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ....catalogs.errors import BadReply, QueryError, SandboxError, excerpt, one_line
from ...models.chat_model import ChatModel, Request
from ...models.prompt import load_prompt
from ...models.structured import ask_for
from ..decisions.program import Program, Programs
from ..keys import Key, KeyTable, key_of
from .outline import read_outline

ATTEMPTS = 3
"""Programs asked for before synthesis is given up; each request names the last complaint."""

MAX_REQUIREMENTS, MAX_KEYS_SHOWN = 20_000, 300


class WrittenKey(BaseModel):
    """A key as a model describes it."""

    model_config = ConfigDict(extra="ignore")

    name: str = Field(max_length=80)
    kind: str
    level: str = "member"
    description: str = Field(default="", max_length=300)
    values: list[str | int] | None = None
    ask: str = Field(default="", max_length=500)
    ask_all: str = Field(default="", max_length=500)

    def key(self) -> Key:
        """Return the key; raise `QueryError` where it is none."""
        fields: dict[str, Any] = self.model_dump(exclude_none=True)
        if self.kind != "choice":
            fields.pop("values", None)
        return key_of(fields)


class WrittenChecker(BaseModel):
    """A program and its keys as a model writes them."""

    model_config = ConfigDict(extra="ignore")

    source: str
    keys: list[WrittenKey] = []


@dataclass(frozen=True)
class Synthesised:
    """A program that passed every check, and the shared keys with those it adds."""

    program: Program
    keys: KeyTable


def synthesise(
    name: str, requirements: str, model: ChatModel, keys: KeyTable, *, episode: str = ""
) -> Synthesised:
    """Return a program that a model writes for requirements, using the keys there are.

    Raises `BadReply` where no attempt keeps to the allow-list, and `ModelError` of the model.
    """
    prompt = load_prompt("write_checker")
    complaint = ""
    for _ in range(ATTEMPTS):
        text = prompt.render(
            requirements=requirements[:MAX_REQUIREMENTS],
            keys=_described_keys(keys),
            complaint=f"\nYour last program was refused: {complaint}" if complaint else "",
        )
        request = Request.of(text, role="programmer", episode=episode)
        written = ask_for(model, request, WrittenChecker)
        try:
            return _checked(name, requirements, written, keys)
        except (SandboxError, QueryError) as error:
            complaint = one_line(str(error))[:300]
    raise BadReply(
        f"no usable program for {excerpt(name)} in {ATTEMPTS} attempts: {complaint}",
        hint="try another model, or --offline",
    )


def _checked(name: str, requirements: str, written: WrittenChecker, keys: KeyTable) -> Synthesised:
    program = Program(name, _without_fence(written.source), requirements, name, "model")
    used = set(program.keys)
    added = [key.key() for key in written.keys if key.name in used and key.name not in keys]
    table = keys.merged(added)
    program.check_keys(table)
    return Synthesised(program, table)


def _without_fence(source: str) -> str:
    """Return a source without the code fence that models like to put around one."""
    text = source.strip()
    if text.startswith("```"):
        text = text.partition("\n")[2].rpartition("```")[0]
    return text + "\n"


def _described_keys(keys: KeyTable) -> str:
    lines: list[str] = []
    for key in list(keys)[:MAX_KEYS_SHOWN]:
        values = f" {list(key.values)}" if key.values else ""
        lines.append(f"- {key.name} ({key.level}, {key.kind}{values}): {key.description}")
    return "\n".join(lines) or "none yet"


def synthesise_all(text: str, model: ChatModel, name: str = "rules") -> Programs:
    """Return a program for every section of a text, written by a model with shared keys."""
    programs: list[Program] = []
    keys = KeyTable()
    for section in read_outline(text, name):
        title, number = section.title, 2
        while any(program.name == title for program in programs):
            title, number = f"{section.title} ({number})", number + 1
        result = synthesise(title, section.text, model, keys)
        programs.append(result.program)
        keys = result.keys
    if not programs:
        raise QueryError("the text states no requirement", hint="write a heading per program")
    return Programs(tuple(programs), keys)
