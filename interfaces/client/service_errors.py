"""What a service answers instead of an answer, as the error that the library would have raised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...catalogs import errors
from ...catalogs.errors import ConcedeError, excerpt

PREFIX = "urn:concede:problem:"


class ServiceError(ConcedeError):
    """A service refuses a request, or cannot be reached.

    `status` is the HTTP status, 0 where there was no answer; `kind` ends the problem's type
    (`admin-off`, `version-not-reached`, …), `unreachable` without one; `members` is the problem.
    """

    exit_code = 4

    def __init__(self, status: int, kind: str, problem: str, *, hint: str = "") -> None:
        self.status = status
        self.kind = kind
        self.members: dict[str, Any] = {}
        super().__init__(problem, hint=hint)


def unreachable(url: str, error: Exception) -> ServiceError:
    """Return the error of a service that gave no answer."""
    what = str(error) or type(error).__name__
    problem = f"no answer from {excerpt(url)}: {what}"
    return ServiceError(0, "unreachable", problem, hint="see that it runs, and where")


def error_of(status: int, problem: Mapping[str, Any]) -> ConcedeError:
    """Return a problem as an error with the server's text: the library's kind where it has one.

    Every error carries `status`, `kind` and `members`; one of the library's carries its parts
    (`UnknownColumn.nearest`), too.
    """
    kind = str(problem.get("type", "")).removeprefix(PREFIX)
    hint, detail = str(problem.get("hint", "")), str(problem.get("detail", ""))
    text = detail.removesuffix(f"; {hint}") if hint else detail
    error = ServiceError(status, kind or "unknown", text or f"status {status}", hint=hint)
    error.members = dict(problem)
    known = getattr(errors, "".join(map(str.capitalize, kind.split("-"))), None)
    if not (isinstance(known, type) and issubclass(known, ConcedeError)):
        return error
    made = known.__new__(known)
    Exception.__init__(made, str(error))
    parts = {name: value for name, value in problem.items() if name.isidentifier()}
    made.__dict__.update(parts | error.__dict__)
    return made
