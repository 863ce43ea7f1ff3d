"""Scripted model: replies from a list, a function, or the rules of a script file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...catalogs.errors import NoReply, UnreadableFile, excerpt
from ...catalogs.validation_fault import first_fault
from ..transcripts.text_file import parsed, read_bytes
from .chat_model import Reply, Request

Answer = str | Reply
EVERYBODY = "*"
LONGEST_MATCHED = 20_000
"""Characters of the last message that a script's patterns are tried on, from its end."""


@dataclass(slots=True)
class Rule:
    """A reply, who gets it, after which words, and how many more times (None: for ever)."""

    reply: Reply
    role: str = EVERYBODY
    match: re.Pattern[str] | None = None
    left: int | None = 1

    def fits(self, role: str, text: str) -> bool:
        """Whether the rule has a reply left for this role and these words."""
        if self.left == 0 or self.role not in (role, EVERYBODY):
            return False
        return self.match is None or self.match.search(text) is not None

    def use(self) -> Reply:
        """Return the reply and count it."""
        if self.left is not None:
            self.left -= 1
        return self.reply


class ScriptedModel:
    """A model that replies from a list, from a function, or by the rules of a file.

    A list is used up in order, whoever asks. Rules belong to a role (or to all) and may ask
    for a pattern in the last message; the first unused rule that fits replies. The same
    requests in the same order get the same replies. Raises `NoReply` where nothing is left.
    """

    def __init__(
        self, replies: Iterable[Answer] | Callable[[Request], Answer], *, name: str = "scripted"
    ) -> None:
        self._name = name
        self._function = replies if callable(replies) else None
        rules = () if callable(replies) else replies
        self._rules = [Rule(reply=_reply(reply)) for reply in rules]
        self._lock = Lock()

    @classmethod
    def from_file(cls, path: str | Path) -> ScriptedModel:
        """Return a model for a `.json` or `.jsonl` script; raise `UnreadableFile`.

        JSON: `["reply", …]`, or `{"role": ["reply", {"match": "regex", "reply": …}, …]}` with
        the role `"*"` for everybody. JSON lines: `{"role": …, "match": …, "reply": …}`. A
        reply that is no text is written out as JSON. Optional in a rule: `times` (0: for
        ever), `top_logprobs` ({token: log-probability}), `finish_reason`.
        """
        model = cls((), name=f"script {Path(path).name}")
        model._rules = read_script(Path(path))
        return model

    @property
    def name(self) -> str:
        """The script's name."""
        return self._name

    def complete(self, request: Request) -> Reply:
        """Return the next reply of the script; raise `NoReply` where there is none."""
        if self._function is not None:
            return _reply(self._function(request))
        text = request.messages[-1].content if request.messages else ""
        with self._lock:
            for rule in self._rules:
                if rule.fits(request.role, text[-LONGEST_MATCHED:]):
                    return rule.use()
        raise NoReply(
            f"{self._name}: no further reply for role {excerpt(request.role)} to {excerpt(text)}",
            hint='add one, or let one stay with "times": 0',
        )


def _reply(answer: Answer) -> Reply:
    return Reply(answer, model="scripted") if isinstance(answer, str) else answer


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
        raise UnreadableFile(str(path), f"{excerpt(value)} is no script", hint=_HINT)
    return [
        _rule(path, rule, f"reply {at} of role {excerpt(role)}", role)
        for role, rules in cast("dict[str, Any]", value).items()
        for at, rule in enumerate(_listed(path, rules), 1)
    ]


_HINT = 'write ["reply", …] or {"role": ["reply", {"match": "regex", "reply": …}]}'


def _listed(path: Path, rules: Any) -> list[Any]:
    if not isinstance(rules, list):
        raise UnreadableFile(str(path), f"{excerpt(rules)} is no list of replies", hint=_HINT)
    return cast("list[Any]", rules)


def _rule(path: Path, value: Any, where: str, role: str = EVERYBODY) -> Rule:
    fields = {"role": role, "reply": value} if isinstance(value, str) else value
    if isinstance(fields, dict):
        fields = {"role": role, **cast("dict[str, Any]", fields)}
    try:
        written = _Written.model_validate(fields)
        match = None if written.match is None else re.compile(written.match)
    except ValidationError as error:
        reason = first_fault(error).line("rule")
    except (re.error, RecursionError, OverflowError) as error:
        reason = f"bad pattern: {error}"
    else:
        return Rule(_written_reply(written), written.role, match, written.times or None)
    raise UnreadableFile(str(path), f"{where}: {reason}", hint=_HINT)


def _written_reply(written: _Written) -> Reply:
    text = written.reply if isinstance(written.reply, str) else json.dumps(written.reply)
    ranked = sorted(written.top_logprobs.items(), key=lambda pair: (-pair[1], pair[0]))
    return Reply(text, written.finish_reason, top_logprobs=tuple(ranked), model="scripted")
