"""Settings of the service: catalogs, limits, network, secrets; as JSON for its workers."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter

from ...catalogs.configuration.config_models import KeyConfig
from ...catalogs.configuration.shop_config import ShopConfig
from ...catalogs.errors import QueryError, UnreadableFile
from ...catalogs.sources.duckdb_files import DATABASE_SUFFIXES

ADMIN_TOKEN_VARIABLE = "CONCEDE_ADMIN_TOKEN"
API_KEY_VARIABLE = "CONCEDE_API_KEY"
SHORTEST_SECRET = 8
KIB, MIB = 2**10, 2**20


@dataclass(frozen=True)
class CatalogSource:
    """Where a catalog comes from: a file, a table of it, and columns read as text.

    `key` names the column that tells rows apart for upserts; `writable` keeps what is written
    in the file, which has to be a .duckdb file; `dictionary` is a file of what people call
    columns and values; `events` is the log of what people did, kept in memory alone without it;
    `location` and `hours` name the columns of places and opening hours, `travel_times` is a file of
    measured minutes; `config` is the TOML file that says the rest, under the same name.
    """

    name: str
    source: str
    table: str | None = None
    as_text: tuple[str, ...] = ()
    key: str | None = None
    writable: bool = False
    dictionary: str | None = None
    events: str | None = None
    location: tuple[str, str] | None = None
    hours: str | None = None
    config: str | None = None
    travel_times: str | None = None

    @property
    def is_database(self) -> bool:
        """Whether it is a file that can be written to."""
        return Path(self.source).suffix.lower() in DATABASE_SUFFIXES


@dataclass(frozen=True)
class Limits:
    """What one request and all of them together may take; sizes in bytes, times in seconds.

    `stale_while_revalidate` (RFC 5861) is for how many seconds after its version was replaced a
    cached answer may be given while other questions wait; 0: never.
    """

    threads: int | None = None
    queue: int = 64
    deadline: float = 10.0
    answers: int = 64 * MIB
    stale_while_revalidate: int = 0
    body: int = 1 * MIB
    admin_body: int = 16 * MIB
    bodies: int = 256 * MIB
    head: int = 16 * KIB
    head_seconds: float = 10.0
    body_seconds: float = 10.0
    write_seconds: float = 10.0
    idle_seconds: float = 15.0
    shutdown_seconds: float = 10.0
    connections: int = 1_000
    catalogs: int = 64
    conversations: int = 1_000
    conversation_seconds: float = 1_800.0


@dataclass(frozen=True)
class Secrets:
    """The token that may change catalogs, and the key that may ask; None lets nobody, anybody.

    `keys` are those of a configuration, with what each may do.
    """

    admin_token: str | None = field(default=None, repr=False)
    api_key: str | None = field(default=None, repr=False)
    keys: tuple[KeyConfig, ...] = ()

    @property
    def may_write(self) -> bool:
        """Whether anybody may write to catalogs."""
        writes = any(key.may_write for key in self.keys)
        return writes or self.admin_token is not None


@dataclass(frozen=True)
class ServeSettings:
    """Everything `concede serve` is told, but the secrets themselves.

    `retention_days` is how long events are kept. `catalog_folder` is where catalogs may be loaded
    from at run time; None: nowhere. `model`, at `base_url`, reads texts, with `assist` only where
    the reading without it is unsure. `config` is the TOML file of catalogs and keys. `hosts` are
    further names that a server without keys may be called by; None: any name.
    """

    catalogs: tuple[CatalogSource, ...] = ()
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    retention_days: float = 365.0
    limits: Limits = field(default_factory=Limits)
    cors_origins: tuple[str, ...] = ()
    catalog_folder: str | None = None
    admin_token_file: str | None = None
    api_key_file: str | None = None
    log_level: str = "info"
    model: str | None = None
    base_url: str | None = None
    assist: bool = False
    config: str | None = None
    hosts: tuple[str, ...] | None = None

    @property
    def reads_with_model(self) -> bool:
        """Whether a model reads texts, or helps to; one set in the environment alone does not."""
        return bool(self.model or self.base_url or self.assist)

    def secrets(self) -> Secrets:
        """Return the secrets from their files, or else from the environment.

        Raises `UnreadableFile`, and `QueryError` for one that is too short to be one.
        """
        return Secrets(
            admin_token=_secret(self.admin_token_file, ADMIN_TOKEN_VARIABLE),
            api_key=_secret(self.api_key_file, API_KEY_VARIABLE),
            keys=() if self.config is None else ShopConfig.read(self.config).keys,
        )

    def keeping_writes(self, wanted: bool | None) -> ServeSettings:
        """Return settings whose catalogs keep what is written to them, or do not.

        None: where it can be kept, and anybody may write. Raises what `secrets` raises.
        """
        may_write = self.secrets().may_write
        sources = [
            replace(source, writable=may_write and source.is_database if wanted is None else wanted)
            for source in self.catalogs
        ]
        return replace(self, catalogs=tuple(sources))

    def to_json(self) -> str:
        """Return the settings as JSON text, for another process."""
        return TypeAdapter(ServeSettings).dump_json(self).decode()

    @classmethod
    def from_json(cls, text: str) -> ServeSettings:
        """Return the settings that `to_json` wrote."""
        return TypeAdapter(ServeSettings).validate_json(text)


def _secret(path: str | None, variable: str) -> str | None:
    where, text = variable, os.environ.get(variable)
    if path is not None:
        where, text = path, _read(path)
    if text is None:
        return None
    secret = text.strip()
    if len(secret) < SHORTEST_SECRET or not secret.isascii():
        hint = f"give at least {SHORTEST_SECRET} ASCII characters"
        raise QueryError(f"the secret in {where} is too short or no ASCII", hint=hint)
    return secret


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UnreadableFile(path, "not UTF-8 text") from None
    except OSError as error:
        raise UnreadableFile(path, error.strerror or str(error)) from None
