"""The forms of the catalogs served, kept: a profile reads every row, and a page is asked often."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from threading import Lock
from weakref import ReferenceType, ref

from .catalogs.columns import Schema
from .catalogs.snapshot import Snapshot
from .http_page_form import FormModel, form_model

STALE_AFTER = 30.0
"""Seconds for which a form may suggest values that a newer version of its catalog lacks."""


@dataclass(frozen=True)
class _Kept:
    form: FormModel
    schema: Schema
    # Weak, so that a version nobody asks any more is not kept for the sake of its form.
    catalog: ReferenceType[Snapshot]
    made: float


class Forms:
    """Forms by the catalog's name; safe across threads, one of which makes a form anew.

    A catalog whose columns have changed gets a new form at once; one whose rows have changed
    gets one after a while, and until then the suggestions of the version before.
    """

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self._making = Lock()

    def of(self, name: str, catalog: Snapshot) -> FormModel:
        """Return the form of a version of the catalog of that name."""
        kept = self._kept.get(name)
        if kept is not None and _serves(kept, catalog):
            return _as_of(kept.form, catalog)
        usable = kept is not None and kept.schema == catalog.schema
        # Whoever can go on with the form before does not wait for the new one.
        if not self._making.acquire(blocking=not usable) and kept is not None:
            return _as_of(kept.form, catalog)
        try:
            return self._made(name, catalog)
        finally:
            self._making.release()

    def _made(self, name: str, catalog: Snapshot) -> FormModel:
        kept = self._kept.get(name)
        if kept is not None and _serves(kept, catalog):
            # Another thread has made it meanwhile.
            return _as_of(kept.form, catalog)
        form = form_model(catalog, name)
        self._kept = {
            **self._kept,
            name: _Kept(form, catalog.schema, ref(catalog), time.monotonic()),
        }
        return form


def _serves(kept: _Kept, catalog: Snapshot) -> bool:
    if kept.catalog() is catalog:
        return True
    return kept.schema == catalog.schema and time.monotonic() - kept.made < STALE_AFTER


def _as_of(form: FormModel, catalog: Snapshot) -> FormModel:
    """Return the form with the count of rows that the catalog has now."""
    if form.version == catalog.version and form.rows == catalog.row_count:
        return form
    return replace(form, version=catalog.version, rows=catalog.row_count)
