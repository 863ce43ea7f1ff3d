"""Following a publication: each write is made again, in order, on the version before it.

The same write of the same version makes the same next one, row ids and all, so that the process
that wrote it and each that follows answer alike. A base is read as a reload is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import CatalogError, UnreadableCatalog
from .mutations import deleted, upserted
from .next_snapshot import reindexed
from .publication import Publication, Replaced, Subscription, Upserted, Written, current_segment
from .reload import prewarmed
from .snapshot import Snapshot

if TYPE_CHECKING:
    from ..storage.durable_table import Store
    from .opening import OpenOptions


def followed(options: OpenOptions, folder: Path) -> tuple[Subscription, Snapshot]:
    """Return a folder's subscription, and the version that was published last.

    Raises `UnreadableCatalog` where nothing was published there, and what `catch_up` raises.
    """
    subscription = Subscription(folder)
    versions = deque(catch_up(subscription, options, None), maxlen=1)
    if not versions:
        problem = "nothing was published there"
        raise UnreadableCatalog(str(folder), problem, hint="publish to it first")
    return subscription, versions.pop()


def first_version(options: OpenOptions, source: object, table: str | None) -> Snapshot:
    """Return what a catalog that is published begins with: what was published last, if anything.

    Raises what reading a source and what `followed` and `catch_up` raise.
    """
    if options.publish_to is None or current_segment(Path(options.publish_to)) is None:
        return options.read(source, table)
    return followed(options, Path(options.publish_to))[1]


def shared(
    options: OpenOptions, source: object, table: str | None
) -> tuple[Publication | None, Subscription | None, Store | None, Snapshot]:
    """Return what a catalog begins with that is published, or follows what another publishes.

    Raises what reading a source and what `followed` and `catch_up` raise.
    """
    subscription: Subscription | None = None
    store: Store | None = None
    if options.follow is not None:
        subscription, now = followed(options, Path(options.follow))
    elif options.writable:
        store, now = options.open_store(source, table)
    else:
        now = first_version(options, source, table)
    folder = options.publish_to
    publication = None if folder is None else Publication(Path(folder), now)
    return publication, subscription, store, now


def catch_up(
    subscription: Subscription, options: OpenOptions, now: Snapshot | None
) -> Iterator[Snapshot]:
    """Yield each version that was published after one, in order; without one all there are.

    Raises `CatalogError` for a write that does not make the version it made where it was written.
    """
    for written in subscription.changes():
        is_base = isinstance(written, Replaced)
        if not is_base if now is None else written.version <= now.version:
            # A base of what is known, or writes whose base is gone.
            continue
        try:
            now = _following(now, written, options)
        except UnreadableCatalog:
            if subscription.is_current():
                raise
            # Another base has come meanwhile, and this one is gone.
            continue
        if now.version != written.version:
            problem = f"version {now.version} came of what made version {written.version}"
            raise CatalogError(problem, hint="open the catalog again")
        yield now


def _following(now: Snapshot | None, written: Written, options: OpenOptions) -> Snapshot:
    if isinstance(written, Replaced):
        copied = options.read_copy(written.path, now)
        return copied if now is None else reindexed(now, prewarmed(now, copied))
    assert now is not None
    if isinstance(written, Upserted):
        return upserted(now, written.rows, written.key, None)
    return deleted(now, written.row_ids, None)
