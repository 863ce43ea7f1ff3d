"""Run the service with uvicorn: one process, or several workers that share a port."""

from __future__ import annotations

import atexit
import gc
import logging
import os
import socket
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fastapi import FastAPI
from uvicorn import Config, Server

from ...catalogs.catalog import Catalog
from ...catalogs.errors import ConcedeError, QueryError, excerpt
from ...engine.runtime.json_logging import LOG, log_json_lines
from .app import create_app
from .process_role import Alone
from .routes.catalogs import open_source
from .routes.metrics import FOLDER_VARIABLE
from .settings import CatalogSource, ServeSettings
from .uvicorn_protocol import TimeoutProtocol
from .warm_up import warm
from .workers.follower import Follower
from .workers.owner import Owner
from .workers.shared_folder import FOLDER_VARIABLE as WORKERS_VARIABLE
from .workers.shared_folder import SharedFolder
from .workers.supervisor import Supervisor, end_with_parent

SETTINGS_VARIABLE = "CONCEDE_SERVE"
STARTUP_FAILURE = 3
"""The exit code by which a worker says that another one would fail as well."""

SWITCH_SECONDS = 0.0005

COLLECT_AFTER = (700, 10, 10)
"""Objects, passes over the youngest, passes over the middle ones; as Python begins."""

READY_SECONDS = 300
"""How long a worker may take to read its catalogs before it counts as hung."""


def serve(settings: ServeSettings) -> int:
    """Serve until told to stop; return the exit code.

    Raises a `CatalogError` for a catalog that cannot be read, and `QueryError` for a port that
    cannot be had.
    """
    settings.secrets()
    listener = bound_socket(settings.host, settings.port)
    _log(settings)
    with listener:
        if settings.workers > 1:
            return _serve_by_workers(settings, listener)
        app = build_app(settings)
        # Who reads the announcement may connect at once.
        listener.listen()
        _announce(settings, listener)
        try:
            QuietServer(_config(settings, app)).run([listener])
        finally:
            app.state.concede.close_catalogs()
    return 0


def _serve_by_workers(settings: ServeSettings, listener: socket.socket) -> int:
    os.environ[SETTINGS_VARIABLE] = settings.to_json()
    with TemporaryDirectory(prefix="concede-workers-") as folder:
        os.environ[WORKERS_VARIABLE] = folder
        metrics = Path(folder) / "metrics"
        metrics.mkdir()
        os.environ[FOLDER_VARIABLE] = str(metrics)
        return _supervise(settings, listener, SharedFolder(Path(folder)))


def _supervise(settings: ServeSettings, listener: socket.socket, folder: SharedFolder) -> int:
    config = _config(settings, f"{__name__}:worker_app", factory=True)
    _announce(settings, listener)
    supervisor = Supervisor(config, [listener], folder)
    supervisor.run()
    codes = [process.exitcode for process in supervisor.processes]
    return STARTUP_FAILURE if STARTUP_FAILURE in codes else 0


def worker_app() -> FastAPI:
    """Return the application of a worker, set up by its parent; end the process if it cannot."""
    settings = ServeSettings.from_json(os.environ[SETTINGS_VARIABLE])
    folder = SharedFolder(Path(os.environ[WORKERS_VARIABLE]))
    end_with_parent(folder.path)
    _log(settings)
    try:
        if folder.take_ownership():
            owner = Owner(folder)
            return _app_of(settings, owner.open_all(settings, open_source), owner)
        follower = Follower(folder, open_source)
        return _app_of(settings, follower.open_all(), follower)
    except ConcedeError as error:
        print(f"concede: {error}", file=sys.stderr)
        # Not sys.exit: it would be reported as a failure to import.
        os._exit(STARTUP_FAILURE)


def build_app(settings: ServeSettings) -> FastAPI:
    """Return the application with its catalogs read, which warms up once it is started."""
    catalogs = {source.name: open_source(source) for source in settings.catalogs}
    return _app_of(settings, catalogs)


def _app_of(
    settings: ServeSettings, catalogs: Mapping[str, Catalog], role: Alone | None = None
) -> FastAPI:
    TimeoutProtocol.limits = settings.limits

    def prepare() -> None:
        for catalog in catalogs.values():
            warm(catalog)
        _tune_collector()

    # Whoever holds Python's lock gives it up soon, or answers that are ready wait to be sent.
    sys.setswitchinterval(SWITCH_SECONDS)
    return create_app(catalogs, settings, settings.secrets(), prepare, role)


def _tune_collector() -> None:
    """Have the garbage collector pass over little, so that no question waits for it.

    What is there now stays, and it need not look at it again. Questions leave nothing behind
    for it, only what caches keep: so it finds little in often (every 700 objects, 0.2 ms; all
    since the start, some milliseconds), where it would take 25 ms after 50,000.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    # At the end it may all go: DuckDB's bindings complain of what is left.
    atexit.register(gc.unfreeze)


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket that has the address and does not listen yet; raise `QueryError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise QueryError(
            f"cannot listen on {excerpt(host)} port {port}: {reason}", hint="give another --port"
        ) from None
    listener.set_inheritable(True)
    return listener


def _config(settings: ServeSettings, app: FastAPI | str, **more: Any) -> Config:
    limits = settings.limits
    return Config(
        app,
        http=TimeoutProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        workers=settings.workers,
        limit_concurrency=limits.connections,
        timeout_keep_alive=int(limits.idle_seconds),
        timeout_graceful_shutdown=int(limits.shutdown_seconds),
        timeout_worker_healthcheck=READY_SECONDS,
        **more,
    )


class QuietServer(Server):
    """A server that has ended as it should where a signal told it to."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Handle signals; those handled are not raised again at the end."""
        with super().capture_signals():
            yield
            self._captured_signals.clear()


def _log(settings: ServeSettings) -> None:
    handler = log_json_lines(settings.log_level.upper())
    uvicorn = logging.getLogger("uvicorn")
    uvicorn.addHandler(handler)
    uvicorn.setLevel(logging.WARNING)
    uvicorn.propagate = False


def _announce(settings: ServeSettings, listener: socket.socket) -> None:
    port = listener.getsockname()[1]
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    names = ", ".join(source.name for source in settings.catalogs) or "no catalog"
    print(f"serving {names} at http://{host}:{port}", flush=True)
    LOG.info("serving", extra={"host": settings.host, "port": port, "workers": settings.workers})


def named_source(
    text: str, table: str | None, as_text: tuple[str, ...], key: str | None
) -> CatalogSource:
    """Return `NAME=FILE`, or `FILE` under the name of the file, as a source."""
    name, equals, path = text.partition("=")
    if not equals or not name.replace("-", "").replace("_", "").isalnum() or Path(text).exists():
        path = text
        name = text.removeprefix("sample:").rpartition("/")[2].partition(".")[0] or "catalog"
    return CatalogSource(name, path, table, as_text, key)
