"""Output: tables or JSON to standard output; complaints and progress to standard error."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.console import RenderableType

One = TypeVar("One")

PATIENCE = 0.4
"""Seconds before something that runs shows that it does; what ends sooner leaves no flicker."""

UNTOUCHED: dict[str, Any] = {"redirect_stdout": False, "redirect_stderr": False}
"""What is printed meanwhile goes where it belongs, not to the console that shows progress."""

PIPE_WIDTH = 160
"""Tables written to a file or a pipe keep their columns instead of folding at 80."""


def write_json(value: object, *, indent: int | None = 2) -> None:
    """Write a value as JSON, valid under any encoding of standard output."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    text = json.dumps(value, ensure_ascii=not unicode, indent=indent, allow_nan=False)
    print(text, flush=indent is None)


def write_tables(renderable: RenderableType) -> None:
    """Write tables to standard output, as wide as the terminal."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PIPE_WIDTH
    console.print(renderable, crop=False)


def complain(message: str) -> None:
    """Write one line to standard error."""
    print(f"concede: {message}", file=sys.stderr)


def _is_watched() -> bool:
    """Return whether a person sees standard error, on a terminal that can redraw a line."""
    return sys.stderr.isatty() and os.environ.get("TERM") not in (None, "dumb", "unknown")


@contextmanager
def spinning(doing: str) -> Generator[None]:
    """Show that something long is under way, on a terminal only."""
    if not _is_watched():
        yield
        return

    def start() -> Callable[[], None]:
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner
        from rich.text import Text

        spinner = Spinner("dots", Text(f"{doing} …"))
        live = Live(spinner, console=Console(stderr=True), transient=True, **UNTOUCHED)
        live.start(refresh=True)
        return live.stop

    with _shown_if_slow(start):
        yield


def counted(things: Sequence[One], doing: str) -> Iterator[One]:
    """Yield things, with a bar that shows how many are done, on a terminal only."""
    if not _is_watched() or len(things) < 2:
        with spinning(doing):
            yield from things
        return
    from rich.console import Console
    from rich.progress import Progress

    progress = Progress(console=Console(stderr=True), transient=True, **UNTOUCHED)
    task = progress.add_task(doing, total=len(things))

    def start() -> Callable[[], None]:
        progress.start()
        return progress.stop

    with _shown_if_slow(start):
        for thing in things:
            yield thing
            progress.advance(task)


@contextmanager
def stepping(doing: str) -> Generator[Callable[[int, int], None]]:
    """Yield what is told how many steps of how many are done; a bar on a terminal only."""
    if not _is_watched():
        yield lambda done, steps: None
        return
    from rich.console import Console
    from rich.progress import Progress

    progress = Progress(console=Console(stderr=True), transient=True, **UNTOUCHED)
    task = progress.add_task(doing, total=None)

    def start() -> Callable[[], None]:
        progress.start()
        return progress.stop

    with _shown_if_slow(start):
        yield lambda done, steps: progress.update(task, completed=done, total=steps)


@contextmanager
def _shown_if_slow(start: Callable[[], Callable[[], None]]) -> Generator[None]:
    """Call `start` after a while, unless done by then, and what it returns at the end."""
    stops: list[Callable[[], None]] = []
    lock = threading.Lock()
    ended = threading.Event()

    def begin() -> None:
        with lock:
            if not ended.is_set():
                stops.append(start())

    timer = threading.Timer(PATIENCE, begin)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        with lock:
            ended.set()
            for stop in stops:
                stop()
