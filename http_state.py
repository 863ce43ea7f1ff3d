"""What the service holds while it runs: catalogs by name, their engines, and the pool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from starlette.requests import Request

from .catalogs.catalog import Catalog
from .catalogs.errors import Overloaded, nearest, shown
from .engine.async_engine import AsyncRepairEngine
from .engine.bounded_pool import BoundedPool
from .engine.observing import Observer
from .engine.repair_engine import RepairEngine
from .http_conversations import Conversations
from .http_problems import HttpProblem
from .http_settings import Secrets, ServeSettings

WRITES_NICE = 10
"""A tenth of the weight of a question, where they compete: beside a swap of 10⁶ rows on one core
questions took 0.1 to 0.8 s in the middle, 3 to 6 s where both weighed the same."""


@dataclass(frozen=True)
class Served:
    """One catalog and the engine that answers from it."""

    name: str
    catalog: Catalog
    engine: AsyncRepairEngine


def _uncounted(operation: str, how: str) -> None:
    return None


class ServerState:
    """Catalogs by name; the first is asked where none is named.

    `observer` is told of questions that engines answer, `reused` of the operations of those
    that were answered before, and of how they are right (`same`, `renewed` or `late`).

    Raises nothing where a catalog is replaced while it is asked: what has begun ends on the
    catalog it began with.
    """

    def __init__(
        self,
        catalogs: Mapping[str, Catalog],
        settings: ServeSettings,
        secrets: Secrets,
        observer: Observer | None = None,
        reused: Callable[[str, str], None] = _uncounted,
    ) -> None:
        from .http_answers import AnswerCache

        self.reused = reused
        self.answers = AnswerCache(settings.limits.answers)
        self.settings = settings
        self.secrets = secrets
        self.observer = observer
        self.ready = False
        self.held_bodies = 0
        limits = settings.limits
        self._open_pools()
        self.conversations = Conversations(limits.conversations, limits.conversation_seconds)
        self._served: dict[str, Served] = {}
        for name, catalog in catalogs.items():
            self.add(name, catalog)

    def _open_pools(self) -> None:
        limits = self.settings.limits
        self.pool = BoundedPool(limits.threads, limits.queue)
        # Writes take turns anyway, and must not take the threads of questions, nor their time.
        self.writes = BoundedPool(1, limits.queue, nice=WRITES_NICE)

    def begin(self) -> None:
        """Take questions, also after `close`."""
        if self.pool.closed:
            self._open_pools()
            for served in self._served.values():
                self.add(served.name, served.catalog)
        self.ready = True

    @property
    def names(self) -> tuple[str, ...]:
        """The catalogs' names, the default first."""
        return tuple(self._served)

    @property
    def several_workers(self) -> bool:
        """Whether other processes answer the same port, each with catalogs of its own."""
        return self.settings.workers > 1

    def served(self, name: str) -> Served | None:
        """Return the catalog of exactly this name, if there is one."""
        return self._served.get(name)

    def find(self, name: str | None = None) -> Served:
        """Return a catalog by name, the first for None; raise a 404 `HttpProblem`."""
        served = self._served
        if name is None and served:
            return next(iter(served.values()))
        if name is None or name not in served:
            near = nearest(name or "", served) or tuple(served)[:8]
            listed = ", ".join(map(shown, near)) or "none"
            problem = f"no catalog {shown(name)}" if name is not None else "no catalog is loaded"
            raise HttpProblem(404, "unknown-catalog", problem, hint=f"loaded: {listed}")
        return served[name]

    def add(self, name: str, catalog: Catalog) -> Served:
        """Serve a catalog under a name from now on, instead of what it named before."""
        # One thread a question: many are asked at once, and each request makes its own query.
        engine = AsyncRepairEngine(
            RepairEngine(catalog, threads=1),
            pool=self.pool,
            observer=self.observer,
            name=name,
        )
        made = Served(name, catalog, engine)
        # Replaced whole: readers on other threads never see it change.
        self._served = {**self._served, name: made}
        return made

    def hold_body(self, size: int) -> None:
        """Count bytes of a body that is being read; raise `Overloaded` for too many together.

        Whoever reads takes them off `held_bodies` again, refused or not.
        """
        self.held_bodies += size
        if self.held_bodies > self.settings.limits.bodies:
            raise Overloaded("too many bodies are being read", hint="send it again in a moment")

    def close(self) -> None:
        """Take no more questions and writes, and wait for those taken."""
        self.ready = False
        self.pool.close()
        self.writes.close()

    def close_catalogs(self) -> None:
        """Close the files that catalogs are kept in; they can be asked still."""
        for served in self._served.values():
            served.catalog.close()

    def remove(self, name: str) -> None:
        """Serve the catalog no longer."""
        self._served = {key: one for key, one in self._served.items() if key != name}


def state_of(request: Request) -> ServerState:
    """Return the state of the application that a request came to."""
    return cast("ServerState", request.app.state.concede)
