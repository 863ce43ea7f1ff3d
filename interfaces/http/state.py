"""State of the running service: catalogs by name, their engines, thread pools, and caches."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from starlette.requests import Request

from ...catalogs.catalog import Catalog
from ...catalogs.errors import excerpt, nearest
from ...catalogs.vectors import kernel_use
from ...catalogs.vectors.kernel_use import KERNELS
from ...catalogs.versions.copies import check_copied
from ...dialogs.conversation.session import Session
from ...dialogs.weighters.evidence.behaviour import Behaviour
from ...engine.async_engine import AsyncRepairEngine
from ...engine.repair_engine import RepairEngine
from ...engine.runtime.json_logging import LOG
from ...engine.runtime.observers import Observer
from ...engine.runtime.thread_pool import BoundedPool
from .access import Access
from .behaviours import open_behaviours
from .body_reader import BodyReader
from .problem_details import HttpProblem
from .process_role import Alone
from .readers import open_reader
from .response_cache import ResponseCache
from .session_store import SessionStore
from .settings import Secrets, ServeSettings

SWAPS_NICE = 10
"""A tenth of the weight of a question, where they compete: beside a swap of 10⁶ rows on one core
questions took 0.1 to 0.8 s in the middle, 3 to 6 s where both weighed the same."""


@dataclass(frozen=True)
class ServedCatalog:
    """A catalog under the name it is served by, the engine that answers from it, and what is
    known of people's behaviour on it."""

    name: str
    catalog: Catalog
    engine: AsyncRepairEngine
    behaviour: Behaviour | None = None

    @property
    def known_behaviour(self) -> Behaviour:
        """What is known of people; raise a 409 `HttpProblem` where nothing can be."""
        if self.behaviour is None:
            problem = f"no events on {self.name}: nothing tells its items apart"
            hint = "start it with --key COLUMN"
            raise HttpProblem(409, "no-events", problem, hint=hint)
        return self.behaviour


@dataclass(frozen=True)
class Conversation:
    """A dialog, and the catalog it is about."""

    session: Session
    served: ServedCatalog


def _uncounted(operation: str, how: str) -> None:
    return None


class ServerState:
    """Catalogs by name; the first is asked where none is named.

    `observer` sees each question that an engine answers; `on_cached` is called for each that the
    cache answers, with its operation and `same` or `stale`. `reader` reads texts.

    Requests in flight finish on the catalog they began with, also where it is replaced.
    """

    def __init__(
        self,
        catalogs: Mapping[str, Catalog],
        settings: ServeSettings,
        secrets: Secrets,
        observer: Observer | None = None,
        on_cached: Callable[[str, str], None] = _uncounted,
        role: Alone | None = None,
    ) -> None:
        self.role = role or Alone()
        self.on_cached = on_cached
        self.responses = ResponseCache(settings.limits.answers)
        self.settings = settings
        self.secrets = secrets
        self.access = Access(secrets, rates=self.role.rates)
        self.observer = observer
        self.ready = False
        self.reader = open_reader(settings)
        limits = settings.limits
        self.bodies = BodyReader(limits.body, limits.body_seconds, limits.bodies, limits.queue)
        self._open_pools()
        self.conversations = SessionStore[Conversation](
            limits.conversations, limits.conversation_seconds
        )
        is_owner = self.role.owner_socket is None
        self.behaviours = open_behaviours(catalogs, settings) if is_owner else {}
        self._served: dict[str, ServedCatalog] = {}
        for name, catalog in catalogs.items():
            self.add(name, catalog)

    def _open_pools(self) -> None:
        limits = self.settings.limits
        self.pool = BoundedPool(limits.threads, limits.queue)
        # Writes take turns anyway, and must not take the threads of questions. Those of rows take
        # milliseconds, and weigh as much as a question: with less they would starve beside many.
        self.writes = BoundedPool(1, limits.queue)
        self.swaps = BoundedPool(1, limits.queue, nice=SWAPS_NICE)

    def begin(self, prepare: Callable[[], None] | None = None) -> None:
        """Take questions, also after `close`; be ready once everything is prepared."""
        if self.pool.closed:
            self._open_pools()
            self.bodies.open()
            for served in self._served.values():
                self.add(served.name, served.catalog)
        if prepare is None and not self._needs_kernels():
            self.ready = True
            return
        pool, work = self.pool, prepare or KERNELS.load

        def get_ready() -> None:
            try:
                work()
            except Exception:
                # It answers all the same, more slowly.
                LOG.exception("the warm-up failed")
            self.ready = self.pool is pool and not pool.closed

        threading.Thread(target=get_ready, name="concede-warm-up", daemon=True).start()

    def _needs_kernels(self) -> bool:
        rows = max((served.catalog.row_count for served in self._served.values()), default=0)
        return rows > kernel_use.KERNEL_ROWS and not KERNELS.are_loaded

    @property
    def names(self) -> tuple[str, ...]:
        """The catalogs' names, the default first."""
        return tuple(self._served)

    @property
    def several_workers(self) -> bool:
        """Whether other processes answer at the same port."""
        return self.settings.workers > 1

    def is_served(self, served: ServedCatalog) -> bool:
        """Whether the name still stands for this very catalog."""
        return self._served.get(served.name) is served

    def find(self, name: str | None = None) -> ServedCatalog:
        """Return a catalog by name, the first for None; raise a 404 `HttpProblem`."""
        served = self._served
        if name is None and served:
            return next(iter(served.values()))
        if name is None or name not in served:
            near = nearest(name or "", served) or tuple(served)[:8]
            listed = ", ".join(map(excerpt, near)) or "none"
            problem = f"no catalog {excerpt(name)}" if name is not None else "no catalog is loaded"
            raise HttpProblem(404, "unknown-catalog", problem, hint=f"loaded: {listed}")
        return served[name]

    def add(self, name: str, catalog: Catalog) -> ServedCatalog:
        """Serve a catalog under a name from now on, instead of what it named before.

        Raises `CatalogError` for one whose rows stay in their database.
        """
        check_copied(catalog)
        # One thread a question: many are asked at once, and each request makes its own query.
        engine = AsyncRepairEngine(
            RepairEngine(catalog, threads=1), pool=self.pool, observer=self.observer, name=name
        )
        behaviour = self.behaviours.get(name)
        if behaviour is not None and behaviour.catalog is not catalog:
            behaviour = None
        served = ServedCatalog(name, catalog, engine, behaviour)
        # Replaced whole: readers on other threads never see it change.
        self._served = {**self._served, name: served}
        self.responses.forget(name)
        return served

    def remove(self, name: str) -> None:
        """Serve the catalog no longer."""
        self._served = {key: served for key, served in self._served.items() if key != name}
        self.responses.forget(name)

    def close(self) -> None:
        """Take no more questions and writes, and wait for those taken."""
        self.ready = False
        self.pool.close()
        self.writes.close()
        self.swaps.close()
        self.bodies.close()

    def close_catalogs(self) -> None:
        """Close the files that catalogs and events are kept in; they can be asked still."""
        for behaviour in self.behaviours.values():
            behaviour.close()
        for served in self._served.values():
            served.catalog.close()


def state_of(request: Request) -> ServerState:
    """Return the state of the application that a request came to."""
    return cast("ServerState", request.app.state.concede)
