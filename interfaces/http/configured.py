"""Catalogs of a configuration as the service opens them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

from ...catalogs.catalog import Catalog
from ...catalogs.configuration.config_models import CatalogConfig
from ...catalogs.configuration.shop_config import ShopConfig
from ...catalogs.errors import QueryError
from .process_role import Folders
from .settings import CatalogSource


def with_config(named: Sequence[CatalogSource], path: str) -> tuple[CatalogSource, ...]:
    """Return the catalogs of a configuration, then those that only the command line names.

    One named in both is read from where the command line says. Raises `UnreadableFile`, and
    `QueryError` where there is none at all.
    """
    config = ShopConfig.read(path)
    given = {source.name: source for source in named}
    configured = [
        _source(name, said, config, given.pop(name, None)) for name, said in config.catalogs.items()
    ]
    if not configured and not given:
        raise QueryError("no catalog", hint="give --catalog FILE, or a table [catalogs.NAME]")
    return (*configured, *given.values())


def _source(
    name: str, said: CatalogConfig, config: ShopConfig, given: CatalogSource | None
) -> CatalogSource:
    keys = [said.key] if isinstance(said.key, str) else said.key or []
    told = CatalogSource(
        name,
        config.source_of(name),
        said.table,
        # Events name items by one column.
        key=keys[0] if len(keys) == 1 else None,
        config=config.path,
    )
    if given is None:
        return told
    return replace(told, source=given.source, table=given.table, key=given.key or told.key)


def open_configured(source: CatalogSource, **folders: Unpack[Folders]) -> Catalog:
    """Open a catalog as its configuration says; raises what `ShopConfig.open` raises."""
    config = ShopConfig.read(source.config or "")
    told = {"table": source.table, "key": source.key}
    more: dict[str, Any] = {name: value for name, value in told.items() if value is not None}
    more |= folders
    return config.open(source.name, source=source.source, writable=source.writable, **more)
