"""Which instances a model may be measured on: none that it was trained on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..apec.travellers import TravellerRecord
from ..aware_us.gold import Gold
from .apec_rows import traveller_fingerprint
from .guard import check_unseen
from .instance_rows import fingerprint_of
from .run_folder import TRAINED, read_trained_on

LOCAL = "hf:"


def check_model(spec: str | None, measured: Iterable[Gold | TravellerRecord]) -> None:
    """Raise `QueryError` where a model (`hf:DIR`) was trained on what it is measured on.

    Told by the words of instances and the wishes of travellers, not by their ids. A model of
    another kind, or a folder that says nothing of its training, is let pass.
    """
    if not spec or not spec.startswith(LOCAL):
        return
    folder = Path(spec.removeprefix(LOCAL))
    if not (folder / TRAINED).is_file():
        return
    pairs = [(asked.id, _fingerprint(asked)) for asked in measured]
    check_unseen(frozenset(read_trained_on(folder).fingerprints), pairs)


def _fingerprint(asked: Gold | TravellerRecord) -> str:
    return fingerprint_of(asked) if isinstance(asked, Gold) else traveller_fingerprint(asked)
