"""A model that says what it was told to: for tests, demonstrations and dry runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Lock

from ...catalogs.errors import NoReply, shown
from .chat_model import Reply, Request
from .script import Rule, read_script

Answer = str | Reply
LONGEST_MATCHED = 20_000
"""Characters of the last message that a script's patterns are tried on, from its end."""


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
        said = request.messages[-1].content if request.messages else ""
        with self._lock:
            for rule in self._rules:
                if rule.fits(request.role, said[-LONGEST_MATCHED:]):
                    return rule.use()
        raise NoReply(
            f"{self._name}: no further reply for role {shown(request.role)} to {shown(said)}",
            hint='add one, or let one stay with "times": 0',
        )


def _reply(answer: Answer) -> Reply:
    return Reply(answer, model="scripted") if isinstance(answer, str) else answer
