"""The tree of errors.

    ConcedeError
    ├── CatalogError            a bad catalog or file                (exit code 3)
    │   ├── UnreadableCatalog   missing, empty, ragged, wrong format
    │   ├── CatalogInUse        a file that somebody else writes to
    │   ├── UnknownTable        a database without the table asked for
    │   └── UnreadableFile      any other file that cannot be read
    ├── QueryError              a bad query or option                (exit code 2)
    │   ├── BadConstraint       an operator, value or weight that cannot be
    │   ├── BadRow              a row that cannot be written
    │   ├── UnknownColumn       names the nearest columns
    │   └── ParseError          SQL text, with the position
    ├── LimitError              a limit was hit before an answer     (exit code 4)
    │   ├── Overloaded          too much is asked at once: may pass
    │   ├── Closed              an engine or a pool that was closed: will not pass
    │   └── TokensSpent         a cap on a model's tokens leaves no room for a request
    ├── ModelError              a language model failed
    │   ├── ModelUnavailable    time-out, overload, no connection: may pass
    │   ├── ModelRefused        the endpoint refuses the request
    │   ├── BadReply            a reply that is not what was asked for
    │   ├── NoReply             the script or cassette holds no reply to this
    │   └── BadPrompt           a prompt file, or values that do not fit it
    ├── AgentError              an agent at a URL, or of a program, misbehaves (exit code 4)
    └── SandboxError            a program was refused or stopped

Every error prints as one line that shows the offending value and the way out, and carries
its parts as attributes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Any, cast

SHOWN_VALUE_LENGTH = 80
LONGEST_GUESSED_NAME = 1_000


def excerpt(value: object) -> str:
    """Return a value as it appears in an error: its repr on one line, cut when long."""
    if isinstance(value, str | list | tuple):
        # Each part takes a character at least, and what is cut need not be written first.
        value = cast("Sequence[object]", value)[: SHOWN_VALUE_LENGTH + 1]
    elif isinstance(value, dict):
        value = dict(islice(cast("dict[object, object]", value).items(), SHOWN_VALUE_LENGTH + 1))
    text = one_line(repr(value))
    return text if len(text) <= SHOWN_VALUE_LENGTH else text[: SHOWN_VALUE_LENGTH - 1] + "…"


def path_excerpt(path: str) -> str:
    """Return a path as it appears in an error; of a long one the end, which names the file."""
    if len(path) + 2 <= SHOWN_VALUE_LENGTH:
        return excerpt(path)
    return excerpt("…" + path[3 - SHOWN_VALUE_LENGTH :])


def one_line(text: str) -> str:
    """Return text on one line, anything that does not print (escape codes) spelled out."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(text.split()))


def nearest(name: str, known: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """Return up to `count` known names most like `name`, ignoring case, best first."""
    if len(name) > LONGEST_GUESSED_NAME:
        return ()
    by_folded = {candidate.casefold(): candidate for candidate in known if candidate}
    folded = name.casefold()
    close = get_close_matches(folded, by_folded, n=count, cutoff=0.5)
    inside = [other for other in by_folded if _is_inside(folded, other)]
    return tuple(by_folded[key] for key in dict.fromkeys([*close, *inside]))[:count]


def _is_inside(first: str, second: str) -> bool:
    shorter, longer = sorted((first, second), key=len)
    return len(shorter) > 1 and shorter in longer


SHOWN_COLUMNS = 8


class ConcedeError(Exception):
    """Anything this package raises on purpose; `str()` of it is one line."""

    exit_code = 2

    def __init__(self, problem: str, *, hint: str = "") -> None:
        self.problem = one_line(problem)
        self.hint = one_line(hint)
        super().__init__(f"{self.problem}; {self.hint}" if self.hint else self.problem)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by parts: each class's `__init__` takes other arguments than the message."""
        return (_rebuilt, (type(self), str(self)), self.__dict__)


def _rebuilt(kind: type[ConcedeError], message: str) -> ConcedeError:
    error = kind.__new__(kind)
    Exception.__init__(error, message)
    return error


class CatalogError(ConcedeError):
    """A catalog cannot be used."""

    exit_code = 3


class UnreadableCatalog(CatalogError):
    """A source could not be read as a table."""

    def __init__(self, source: str, reason: str, *, hint: str = "") -> None:
        self.source = source
        self.reason = reason
        super().__init__(f"cannot read catalog {path_excerpt(source)}: {reason}", hint=hint)


class CatalogInUse(CatalogError):
    """A file is open for writing elsewhere: another process, or another catalog of this one."""

    def __init__(self, source: str) -> None:
        self.source = source
        hint = "close it there, or give every writer a file of its own"
        super().__init__(f"{excerpt(source)} is open elsewhere", hint=hint)


class UnknownTable(CatalogError):
    """A database file lacks the table asked for, or holds several and none was named."""

    def __init__(self, source: str, table: str | None, tables: Iterable[str]) -> None:
        self.source = source
        self.table = table
        self.tables = tuple(tables)
        listed = ", ".join(map(excerpt, self.tables)) or "none"
        problem = f"{path_excerpt(source)} has no table {excerpt(table)}"
        if table is None:
            problem = f"{path_excerpt(source)} holds {len(self.tables)} tables and none was named"
        super().__init__(problem, hint=f"its tables: {listed}")


class UnreadableFile(CatalogError):
    """A file that is not a catalog could not be read: instances, a query."""

    def __init__(self, path: str, reason: str, *, hint: str = "") -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"cannot read {path_excerpt(path)}: {reason}", hint=hint)


class QueryError(ConcedeError):
    """A query cannot be understood."""


class BadConstraint(QueryError):
    """A constraint's operator, value, weight or combination of fields is not possible."""

    def __init__(self, field: str, value: object, problem: str, *, hint: str = "") -> None:
        self.field = field
        self.value = value
        super().__init__(f"bad {field} {excerpt(value)}: {problem}", hint=hint)


class BadRow(QueryError):
    """A row that cannot be written to a catalog; `position` counts the rows of a call from 0."""

    def __init__(
        self, position: int, column: str | None, value: object, problem: str, *, hint: str = ""
    ) -> None:
        self.position = position
        self.column = column
        self.value = value
        cell = f"{excerpt(column)} is {excerpt(value)}" if column is not None else excerpt(value)
        super().__init__(f"bad row {position}: {cell}: {problem}", hint=hint)


class UnknownColumn(QueryError):
    """A column that the catalog does not have."""

    def __init__(self, name: str, columns: Iterable[str], *, hint: str = "") -> None:
        self.name = name
        self.columns = tuple(columns)
        self.nearest = nearest(name, self.columns)
        listed = ", ".join(map(excerpt, self.nearest or self.columns[:SHOWN_COLUMNS]))
        if not self.nearest and len(self.columns) > SHOWN_COLUMNS:
            listed += f" and {len(self.columns) - SHOWN_COLUMNS} more"
        lead = "did you mean" if self.nearest else "the catalog has"
        nearest_names = f"{lead} {listed}?" if self.nearest else f"{lead} {listed}"
        super().__init__(f"unknown column {excerpt(name)}", hint=hint or nearest_names)


class ParseError(QueryError):
    """SQL text that is not one boolean expression over the catalog's columns.

    `position` counts characters from 1 in `text`; 0 when the place is not known.
    """

    def __init__(self, text: str, position: int, problem: str, *, hint: str = "") -> None:
        self.text = text
        self.position = position
        where = f" at position {position}" if position else ""
        super().__init__(f"cannot parse {excerpt(text)}{where}: {problem}", hint=hint)


class LimitError(ConcedeError):
    """A limit was hit before there was anything to answer."""

    exit_code = 4


class Overloaded(LimitError):
    """More is asked at once than is answered at once: trying again may help."""


class Closed(LimitError):
    """An engine or its pool was closed: it takes no questions any more, however often asked."""


class TokensSpent(LimitError):
    """A cap on tokens leaves no room for the next request to a model.

    `most` is the cap, `left` what is left of it, `wanted` the most that the request can take.
    """

    def __init__(self, most: int, left: int, wanted: int) -> None:
        self.most = most
        self.left = left
        self.wanted = wanted
        problem = f"{left:,} of {most:,} tokens are left, and a request may take {wanted:,}"
        super().__init__(problem, hint="what was finished stays; a higher cap goes on from there")


class ModelError(ConcedeError):
    """A language model gave no usable reply."""


class ModelUnavailable(ModelError):
    """A model could not be reached, or was too busy: trying again may help.

    `status` is the HTTP status where there was one, `retry_after` the seconds asked for.
    """

    def __init__(
        self,
        problem: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        hint: str = "",
    ) -> None:
        self.status = status
        self.retry_after = retry_after
        super().__init__(problem, hint=hint)


class ModelRefused(ModelError):
    """An endpoint refuses a request as it is: bad key, unknown model, unknown field."""

    def __init__(self, problem: str, *, status: int, hint: str = "") -> None:
        self.status = status
        super().__init__(problem, hint=hint)


class BadReply(ModelError):
    """A model replied with something else than was asked for."""


class NoReply(ModelError):
    """A script or a cassette holds no reply to a request."""


class BadPrompt(ModelError):
    """A prompt file cannot be read, or was given too few or too many values."""


class AgentError(ConcedeError):
    """An agent of a dialogue cannot be reached, or answers what no agent may answer."""

    exit_code = 4


class SandboxError(ConcedeError):
    """A program was refused or stopped by the sandbox."""
