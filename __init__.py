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
    from .catalogs.errors import (
        BadConstraint,
        BadRow,
        CatalogError,
        CatalogInUse,
        Closed,
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
    from .catalogs.query.constraint import Constraint, Objective
    from .catalogs.query.limits import query_limits
    from .catalogs.query.query import Query
    from .catalogs.query.schema import ColumnOverride, ColumnProfile
    from .catalogs.query.where_clause import parse_where
    from .catalogs.versions.snapshot import Snapshot
    from .engine.answer import Answer, Item, Repair, Status
    from .engine.async_engine import AsyncRepairEngine
    from .engine.diagnosis import Check, Diagnosis
    from .engine.repair_engine import ObservedEngine, RepairEngine
    from .engine.repair_options import RepairOptions
    from .engine.runtime.observers import LoggingObserver, Observed, Observer
    from .interfaces.client.async_client import AsyncClient
    from .interfaces.client.service_errors import ServiceError
    from .interfaces.client.sync_client import Client
    from .solvers.limits import Verdict

__version__ = "0.1.0"

_MODULES = {
    "catalogs.catalog": "Catalog",
    "catalogs.errors": (
        "BadConstraint BadRow CatalogError CatalogInUse Closed ConcedeError LimitError "
        "ModelError Overloaded ParseError QueryError SandboxError UnknownColumn "
        "UnknownTable UnreadableCatalog UnreadableFile"
    ),
    "catalogs.query.constraint": "Constraint Objective",
    "catalogs.query.limits": "query_limits",
    "catalogs.query.query": "Query",
    "catalogs.query.schema": "ColumnOverride ColumnProfile",
    "catalogs.query.where_clause": "parse_where",
    "catalogs.versions.snapshot": "Snapshot",
    "engine.answer": "Answer Item Repair Status",
    "engine.async_engine": "AsyncRepairEngine",
    "engine.diagnosis": "Check Diagnosis",
    "engine.repair_engine": "ObservedEngine RepairEngine",
    "engine.repair_options": "RepairOptions",
    "engine.runtime.observers": "LoggingObserver Observed Observer",
    "interfaces.client.async_client": "AsyncClient",
    "interfaces.client.service_errors": "ServiceError",
    "interfaces.client.sync_client": "Client",
    "solvers.limits": "Verdict",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = [
    "Answer",
    "AsyncClient",
    "AsyncRepairEngine",
    "BadConstraint",
    "BadRow",
    "Catalog",
    "CatalogError",
    "CatalogInUse",
    "Check",
    "Client",
    "Closed",
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
    "ServiceError",
    "Snapshot",
    "Status",
    "UnknownColumn",
    "UnknownTable",
    "UnreadableCatalog",
    "UnreadableFile",
    "Verdict",
    "parse_where",
    "query_limits",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
