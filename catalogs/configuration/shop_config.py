"""A shop's configuration: catalogs, columns and keys as one TOML file says them.

    config = ShopConfig.read("shop.toml")
    catalog = config.open("shop")

The file is read whole and checked strictly before anything is opened; a message names the file, the
table and the key, and the nearest one there is.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ..catalog import Catalog
from ..errors import BadConstraint, ConcedeError, UnknownColumn, UnreadableFile, excerpt, nearest
from ..query.dictionary import ColumnWords
from ..query.presentation import Presentation
from .config_models import CatalogConfig, ColumnConfig, ConfigFile, KeyConfig
from .mistakes import first_mistake, place_of_column

MAX_FILE = 10 * 2**20


@dataclass(frozen=True)
class ShopConfig:
    """What a file says: catalogs by name, the first the default, and keys.

    Sources are relative to the folder of the file.
    """

    path: str
    catalogs: dict[str, CatalogConfig]
    keys: tuple[KeyConfig, ...]

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> ShopConfig:
        """Return what a TOML file says; raise `UnreadableFile` with the place of the mistake."""
        place = os.fspath(path)
        try:
            file = ConfigFile.model_validate(_parsed(place))
        except ValidationError as error:
            problem, hint = first_mistake(error)
            raise UnreadableFile(place, problem, hint=hint) from None
        names = [key.name for key in file.keys]
        for name in names:
            if names.count(name) > 1:
                raise UnreadableFile(place, f"[[keys]] two are called {excerpt(name)}")
        return cls(place, file.catalogs, tuple(file.keys))

    def catalog(self, name: str | None = None) -> tuple[str, CatalogConfig]:
        """Return a catalog's name and what is said of it, the first's for None.

        Raises `UnreadableFile` where there is none of that name.
        """
        if name is None and self.catalogs:
            return next(iter(self.catalogs.items()))
        if name is None or name not in self.catalogs:
            known = nearest(name or "", self.catalogs) or tuple(self.catalogs)[:8]
            problem = f"no table [catalogs.{name}]" if name else "it has no table [catalogs.NAME]"
            raise UnreadableFile(self.path, problem, hint=f"there: {', '.join(known) or 'none'}")
        return name, self.catalogs[name]

    def source_of(self, name: str | None = None) -> str:
        """Return where a catalog is read from: a path, or a sample's name."""
        source = self.catalog(name)[1].source
        return source if source.startswith("sample:") else self._beside(source)

    def options_of(self, name: str | None = None) -> dict[str, Any]:
        """Return what is said of a catalog as options of `Catalog.open`."""
        said = self.catalog(name)[1]
        times = said.travel_times
        return {**options_of(said), "travel_times": self._beside(times) if times else None}

    def _beside(self, file: str) -> str:
        """Return where a file lies that is named from the folder of the configuration."""
        return str(Path(self.path).parent / file)

    def open(self, name: str | None = None, *, source: str | None = None, **more: Any) -> Catalog:
        """Open a catalog as the file says, the first for None; from another source if given.

        `more` are further options of `Catalog.open`. Raises what that raises; for a column that
        the source has not, and for what cannot be, `UnreadableFile` with the table and the key.
        """
        name, said = self.catalog(name)
        try:
            options: dict[str, Any] = {**self.options_of(name), "name": name, **more}
            catalog = Catalog.open(source or self.source_of(name), **options)
            _check_rank(catalog)
        except UnknownColumn as error:
            place = place_of_column(name, said, error.name)
            raise self._misplaced(place, error) from None
        except BadConstraint as error:
            place = place_of_column(name, said, str(error.value), error.field)
            raise self._misplaced(place, error) from None
        return catalog

    def _misplaced(self, place: str, error: ConcedeError) -> UnreadableFile:
        return UnreadableFile(self.path, f"{place} {error.problem}", hint=error.hint)


def _check_rank(catalog: Catalog) -> None:
    """Raise `BadConstraint` for a column to rank by of which nobody can say what is better."""
    for column in catalog.presentation.ranked:
        profile = catalog.profile(column)
        if profile.desirable is None or profile.kind not in ("numeric", "date"):
            catalog.close()
            problem = "which way is better is unknown"
            raise BadConstraint("rank", column, problem, hint='say better = "low" or "high" of it')


def options_of(said: CatalogConfig) -> dict[str, Any]:
    """Return what is said of a catalog, but for files, as options of `Catalog.open`."""
    return {
        "table": said.table,
        "key": said.key,
        "columns": {name: _override(column) for name, column in said.columns.items()},
        "dictionary": {name: _words(column) for name, column in said.columns.items()},
        "hidden": tuple(said.hidden),
        "location": (said.location[0], said.location[1]) if said.location else None,
        "hours": said.hours,
        "presentation": Presentation(
            title=said.titles,
            price=said.price,
            image=said.image,
            link=said.link,
            rank=said.ranks,
            folds_case=said.fold_case,
        ),
    }


def _override(column: ColumnConfig) -> dict[str, Any]:
    told = {"kind": column.kind, "desirable": column.better, "nulls": tuple(column.nulls)}
    return {name: value for name, value in told.items() if value}


def _words(column: ColumnConfig) -> ColumnWords:
    own, of_values = column.words
    return ColumnWords(label=column.label, unit=column.unit, synonyms=own, values=of_values)


def _parsed(path: str) -> dict[str, Any]:
    try:
        if os.path.getsize(path) > MAX_FILE:
            raise UnreadableFile(path, f"longer than {MAX_FILE:,} bytes")
        with Path(path).open("rb") as file:
            return tomllib.load(file)
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        hint = "" if isinstance(error, OSError) else "is it TOML?"
        raise UnreadableFile(path, reason, hint=hint) from None
