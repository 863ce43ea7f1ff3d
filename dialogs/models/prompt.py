"""Prompts as files: a small front matter, a body with {{variables}}, and a hash.

    ---
    name: ask_for_slot
    version: 1
    variables: slot, dialogue
    ---
    Ask for {{slot}} in one short question. So far: {{dialogue}}

The hash is of the whole file with line ends as \\n, so that a transcript can say which words a
model was given.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

from ...catalogs.errors import BadPrompt, excerpt, nearest

PACKAGE = __name__.rpartition(".")[0]
NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
VARIABLE = re.compile(r"\{\{(\w+)\}\}")
FRONT_MATTER = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)
FIELDS = ("name", "version", "variables")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt's words. `sha256` (64 hexadecimal digits) changes with any of them."""

    name: str
    version: int
    variables: tuple[str, ...]
    text: str
    sha256: str

    def render(self, /, **values: object) -> str:
        """Return the text with every variable replaced by its value, once.

        A value is never searched for variables. Raises `BadPrompt` unless exactly the
        declared variables are given.
        """
        missing = [name for name in self.variables if name not in values]
        extra = [name for name in values if name not in self.variables]
        if missing or extra:
            problems = [f"{excerpt(missing[0])} is missing"] if missing else []
            problems += [f"{excerpt(extra[0])} is none of its variables"] if extra else []
            raise BadPrompt(
                f"prompt {excerpt(self.name)}: {' and '.join(problems)}",
                hint=f"give {', '.join(self.variables) or 'no values'}",
            )
        return VARIABLE.sub(lambda match: str(values[match[1]]), self.text)

    def record(self) -> dict[str, object]:
        """Return what a transcript keeps of a prompt."""
        return {"name": self.name, "version": self.version, "sha256": self.sha256}


def prompt_names() -> tuple[str, ...]:
    """Return the names of the prompts that ship, in alphabetical order."""
    entries = (files(PACKAGE) / "prompts").iterdir()
    return tuple(
        sorted(entry.name.removesuffix(".md") for entry in entries if entry.name.endswith(".md"))
    )


@cache
def load_prompt(name: str) -> Prompt:
    """Return a prompt that ships; raise `BadPrompt` for one that does not, or is malformed."""
    if not NAME.fullmatch(name) or name not in prompt_names():
        like = ", ".join(nearest(name, prompt_names()) or prompt_names())
        raise BadPrompt(f"no prompt {excerpt(name)}", hint=f"prompts: {like}")
    file = files(PACKAGE) / "prompts" / f"{name}.md"
    prompt = read_prompt(file.read_text(encoding="utf-8"))
    if prompt.name != name:
        raise BadPrompt(f"prompt file {name}.md calls itself {excerpt(prompt.name)}")
    return prompt


def read_prompt(file: str) -> Prompt:
    """Return the prompt that a file's text holds; raise `BadPrompt` for a malformed one."""
    file = file.replace("\r\n", "\n")
    front = FRONT_MATTER.match(file)
    if not front:
        raise BadPrompt("a prompt file without front matter", hint="begin with ---, name, …")
    fields = _fields(front[1])
    text = file[front.end() :].strip("\n")
    variables = tuple(fields["variables"].replace(",", " ").split())
    used = tuple(dict.fromkeys(VARIABLE.findall(text)))
    if set(used) != set(variables) or len(set(variables)) != len(variables):
        name = excerpt(fields["name"])
        raise BadPrompt(f"prompt {name} declares {excerpt(variables)} and uses {excerpt(used)}")
    if not NAME.fullmatch(fields["name"]) or not re.fullmatch("[1-9][0-9]{0,5}", fields["version"]):
        raise BadPrompt(
            f"prompt {excerpt(fields['name'])}, version {excerpt(fields['version'])}",
            hint="a name is lower_case, a version a whole number from 1",
        )
    digest = sha256(file.encode()).hexdigest()
    return Prompt(fields["name"], int(fields["version"]), variables, text, digest)


def _fields(front: str) -> Mapping[str, str]:
    fields: dict[str, str] = {}
    for line in front.split("\n"):
        name, colon, value = line.partition(":")
        if name.strip() not in FIELDS or not colon or name.strip() in fields:
            raise BadPrompt(f"bad line {excerpt(line)} in a front matter", hint=_HINT)
        fields[name.strip()] = value.strip()
    if missing := [name for name in FIELDS if name not in fields]:
        raise BadPrompt(f"a front matter without {missing[0]}", hint=_HINT)
    return fields


_HINT = f"write each of {', '.join(FIELDS)} once"
