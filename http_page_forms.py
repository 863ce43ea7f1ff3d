"""The forms of the catalogs served, kept: a profile reads every row, and a page is asked often."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from threading import Lock
from weakref import ReferenceType, ref

from .catalogs.catalog import Catalog
from .http_page_form import FormModel, form_model
from .http_state import Served

STALE_AFTER = 30.0
"""Seconds for which a form may suggest values that a newer version of its catalog lacks."""


@dataclass(frozen=True)
class _Kept:
    form: FormModel
    # Weak, so that a version nobody asks any more is not kept for the sake of its form.
    catalog: ReferenceType[Catalog]
    made: float


class Forms:
    """Forms by the catalog's name; safe across threads, one of which makes a form anew.

    A catalog whose columns have changed gets a new form at once; one whose rows have changed
    gets one after a while, and until then the suggestions of the version before.
    """

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self._making = Lock()

    def of(self, served: Served) -> FormModel:
        """Return the form of a catalog."""
        kept = self._kept.get(served.name)
        if kept is not None and _serves(kept, served.catalog):
            return _as_of(kept.form, served.catalog)
        usable = kept is not None and kept.form.columns == tuple(served.catalog.columns)
        # Whoever can go on with the form before does not wait for the new one.
        if not self._making.acquire(blocking=not usable) and kept is not None:
            return _as_of(kept.form, served.catalog)
        try:
            return self._made(served)
        finally:
            self._making.release()

    def _made(self, served: Served) -> FormModel:
        kept = self._kept.get(served.name)
        if kept is not None and _serves(kept, served.catalog):
            # Another thread has made it meanwhile.
            return _as_of(kept.form, served.catalog)
        form = form_model(served.catalog, served.name)
        self._kept = {**self._kept, served.name: _Kept(form, ref(served.catalog), time.monotonic())}
        return form


def _serves(kept: _Kept, catalog: Catalog) -> bool:
    if kept.catalog() is catalog and kept.form.version == catalog.version:
        return True
    same_columns = kept.form.columns == tuple(catalog.columns)
    return same_columns and time.monotonic() - kept.made < STALE_AFTER


def _as_of(form: FormModel, catalog: Catalog) -> FormModel:
    """Return the form with the count of rows that the catalog has now."""
    if form.version == catalog.version and form.rows == catalog.row_count:
        return form
    return replace(form, version=catalog.version, rows=catalog.row_count)
