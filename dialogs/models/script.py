"""Script files: which reply goes to which role and to which words."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...catalogs.errors import UnreadableFile, shown
from ..text_file import parsed, read_bytes
from .chat_model import Reply

EVERYBODY = "*"


@dataclass(slots=True)
class Rule:
    """A reply, who gets it, after which words, and how many more times (None: for ever)."""

    reply: Reply
    role: str = EVERYBODY
    match: re.Pattern[str] | None = None
    left: int | None = 1

    def fits(self, role: str, said: str) -> bool:
        """Whether the rule has a reply left for this role and these words."""
        if self.left == 0 or self.role not in (role, EVERYBODY):
            return False
        return self.match is None or self.match.search(said) is not None

    def use(self) -> Reply:
        """Return the reply and count it."""
        if self.left is not None:
            self.left -= 1
        return self.reply


class _Written(BaseModel):
    model_config = ConfigDict(extra="forbid")

    role: str = EVERYBODY
    match: str | None = Field(default=None, max_length=2_000)
    reply: Any
    times: int = Field(default=1, ge=0)
    top_logprobs: dict[str, float] = {}
    finish_reason: str = "stop"


def read_script(path: Path) -> list[Rule]:
    """Return a script's rules in the order they are tried; raise `UnreadableFile`."""
    text = read_bytes(path)
    if path.suffix == ".jsonl":
        lines = [(at, line) for at, line in enumerate(text.split(b"\n"), 1) if line.strip()]
        return [_rule(path, parsed(path, line, at), f"line {at}") for at, line in lines]
    value = parsed(path, text)
    value = {EVERYBODY: cast("list[Any]", value)} if isinstance(value, list) else value
    if not isinstance(value, dict):
        raise UnreadableFile(str(path), f"{shown(value)} is no script", hint=_WAY_OUT)
    return [
        _rule(path, rule, f"reply {at} of role {shown(role)}", role)
        for role, rules in cast("dict[str, Any]", value).items()
        for at, rule in enumerate(_listed(path, rules), 1)
    ]


_WAY_OUT = 'write ["reply", …] or {"role": ["reply", {"match": "regex", "reply": …}]}'


def _listed(path: Path, rules: Any) -> list[Any]:
    if not isinstance(rules, list):
        raise UnreadableFile(str(path), f"{shown(rules)} is no list of replies", hint=_WAY_OUT)
    return cast("list[Any]", rules)


def _rule(path: Path, given: Any, where: str, role: str = EVERYBODY) -> Rule:
    fields = {"role": role, "reply": given} if isinstance(given, str) else given
    if isinstance(fields, dict):
        fields = {"role": role, **cast("dict[str, Any]", fields)}
    try:
        written = _Written.model_validate(fields)
        match = None if written.match is None else re.compile(written.match)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        reason = f"{'.'.join(map(str, first['loc'])) or 'rule'}: {first['msg']}"
    except (re.error, RecursionError, OverflowError) as error:
        reason = f"bad pattern: {error}"
    else:
        return Rule(_reply(written), written.role, match, written.times or None)
    raise UnreadableFile(str(path), f"{where}: {reason}", hint=_WAY_OUT)


def _reply(written: _Written) -> Reply:
    text = written.reply if isinstance(written.reply, str) else json.dumps(written.reply)
    ranked = sorted(written.top_logprobs.items(), key=lambda pair: (-pair[1], pair[0]))
    return Reply(text, written.finish_reason, top_logprobs=tuple(ranked), model="scripted")
