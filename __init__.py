"""Query repair: which constraints of an empty query should give way, and what to offer instead.

    from concede import Catalog, Constraint, Query, RepairEngine

    engine = RepairEngine(Catalog.open("cars.csv"))
    answer = engine.repair(Query(base=[…], constraints=[…]))

Names are loaded when first used: importing the package loads no solver and no database.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .catalogs.catalog import Catalog
    from .catalogs.columns import ColumnOverride, ColumnProfile
    from .catalogs.constraint import Constraint, Objective
    from .catalogs.errors import (
        BadConstraint,
        BadRow,
        CatalogError,
        CatalogInUse,
        ConcedeError,
        LimitError,
        ModelError,
        Overloaded,
        ParseError,
        QueryError,
        SandboxError,
        UnknownColumn,
        UnknownTable,
        UnreadableCatalog,
        UnreadableFile,
    )
    from .catalogs.query import Query
    from .catalogs.snapshot import Snapshot
    from .catalogs.where import parse_where
    from .engine.answer import Answer, Item, Repair, Status
    from .engine.async_engine import AsyncRepairEngine
    from .engine.diagnosis import Check, Diagnosis
    from .engine.observing import LoggingObserver, Observed, Observer
    from .engine.repair_engine import ObservedEngine, RepairEngine
    from .engine.repair_options import RepairOptions
    from .solvers.limits import Verdict

__version__ = "0.1.0"

_HOMES = {
    "Answer": "engine.answer",
    "AsyncRepairEngine": "engine.async_engine",
    "BadConstraint": "catalogs.errors",
    "BadRow": "catalogs.errors",
    "Catalog": "catalogs.catalog",
    "CatalogError": "catalogs.errors",
    "CatalogInUse": "catalogs.errors",
    "Check": "engine.diagnosis",
    "ColumnOverride": "catalogs.columns",
    "ColumnProfile": "catalogs.columns",
    "ConcedeError": "catalogs.errors",
    "Constraint": "catalogs.constraint",
    "Diagnosis": "engine.diagnosis",
    "Item": "engine.answer",
    "LimitError": "catalogs.errors",
    "LoggingObserver": "engine.observing",
    "ModelError": "catalogs.errors",
    "Objective": "catalogs.constraint",
    "Observed": "engine.observing",
    "ObservedEngine": "engine.repair_engine",
    "Observer": "engine.observing",
    "Overloaded": "catalogs.errors",
    "ParseError": "catalogs.errors",
    "Query": "catalogs.query",
    "QueryError": "catalogs.errors",
    "Repair": "engine.answer",
    "RepairEngine": "engine.repair_engine",
    "RepairOptions": "engine.repair_options",
    "SandboxError": "catalogs.errors",
    "Snapshot": "catalogs.snapshot",
    "Status": "engine.answer",
    "UnknownColumn": "catalogs.errors",
    "UnknownTable": "catalogs.errors",
    "UnreadableCatalog": "catalogs.errors",
    "UnreadableFile": "catalogs.errors",
    "Verdict": "solvers.limits",
    "parse_where": "catalogs.where",
}

__all__ = [
    "Answer",
    "AsyncRepairEngine",
    "BadConstraint",
    "BadRow",
    "Catalog",
    "CatalogError",
    "CatalogInUse",
    "Check",
    "ColumnOverride",
    "ColumnProfile",
    "ConcedeError",
    "Constraint",
    "Diagnosis",
    "Item",
    "LimitError",
    "LoggingObserver",
    "ModelError",
    "Objective",
    "Observed",
    "ObservedEngine",
    "Observer",
    "Overloaded",
    "ParseError",
    "Query",
    "QueryError",
    "Repair",
    "RepairEngine",
    "RepairOptions",
    "SandboxError",
    "Snapshot",
    "Status",
    "UnknownColumn",
    "UnknownTable",
    "UnreadableCatalog",
    "UnreadableFile",
    "Verdict",
    "parse_where",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
