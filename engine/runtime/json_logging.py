"""Logs as JSON lines, each with the id of the request it belongs to."""

from __future__ import annotations

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

LOG = logging.getLogger("concede")

request_id: ContextVar[str | None] = ContextVar("concede_request_id", default=None)
"""The request being served; set it around what belongs to that request."""

_OWN = frozenset(vars(logging.LogRecord("", 0, "", 0, "", (), None))) | {"message", "asctime"}


class JsonLines(logging.Formatter):
    """One JSON object a record: time, level, logger, message, request id, and its extras."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        identity = request_id.get()
        if identity is not None:
            line["request_id"] = identity
        line |= {key: value for key, value in vars(record).items() if key not in _OWN}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=True, default=str)


def log_json_lines(level: int | str = logging.INFO) -> logging.Handler:
    """Write everything logged under `concede` to standard error as JSON lines.

    Returns the handler, which `LOG.removeHandler` takes away again.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    LOG.addHandler(handler)
    LOG.setLevel(level)
    LOG.propagate = False
    return handler
