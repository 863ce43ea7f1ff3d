"""Ctrl-C inside DuckDB: its client says `RuntimeError("Query interrupted")`; here it stays Ctrl-C.

DuckDB looks for signals while a statement runs and forgets which exception the handler raised.
Costs a `try` around each public method of whatever asks DuckDB.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Class = TypeVar("Class", bound=type)

INTERRUPTED = "Query interrupted"
"""All that DuckDB's client says of a signal; a statement stopped by `interrupt()` is another."""


def interruptible(call: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Have a function raise `KeyboardInterrupt` where DuckDB was interrupted by a signal."""

    @wraps(call)
    def interrupted(*args: Arguments.args, **options: Arguments.kwargs) -> Result:
        try:
            return call(*args, **options)
        except RuntimeError as error:
            if str(error) != INTERRUPTED:
                raise
            raise KeyboardInterrupt from None

    return interrupted


def interruptible_class(kind: Class) -> Class:
    """Make every public method of a class `interruptible`, class methods too."""
    for name, member in list(vars(kind).items()):
        if name.startswith("_"):
            continue
        if isinstance(member, classmethod):
            call = cast("Callable[..., Any]", member.__func__)
            setattr(kind, name, classmethod(interruptible(call)))
        elif callable(member):
            setattr(kind, name, interruptible(member))
    return kind
