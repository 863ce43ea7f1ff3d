"""OpenTelemetry spans, made through its API once the application has set up a tracer provider.

Before that, and without the package, a span costs a look into `sys.modules`; nothing is imported.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Protocol

SCOPE = "concede"


class Mark(Protocol):
    """Sets attributes of a span, named `concede.…`; None is left out."""

    def __call__(self, **attributes: object) -> None: ...


def _unmarked(**attributes: object) -> None:
    return None


_UNTRACED = nullcontext(_unmarked)


def span(name: str, **attributes: object) -> AbstractContextManager[Mark]:
    """Return a context for one span, which ends with it and records what is raised in it."""
    api: Any = sys.modules.get("opentelemetry.trace")
    # While another thread is still importing it, it is not all there yet.
    if not hasattr(api, "get_tracer_provider") or not hasattr(api, "ProxyTracerProvider"):
        return _UNTRACED
    provider = api.get_tracer_provider()
    # Web frameworks import the API whether or not anybody traces.
    if isinstance(provider, api.ProxyTracerProvider | api.NoOpTracerProvider):
        return _UNTRACED
    return _span(provider.get_tracer(SCOPE), name, attributes)


@contextmanager
def _span(tracer: Any, name: str, attributes: dict[str, object]) -> Generator[Mark]:
    with tracer.start_as_current_span(name) as current:

        def mark(**more: object) -> None:
            for key, value in more.items():
                if value is not None:
                    current.set_attribute(f"{SCOPE}.{key}", value)

        mark(**attributes)
        yield mark
