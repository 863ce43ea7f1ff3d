"""`concede keys`: keys for those who may ask the service, write to it, or administer it."""

from __future__ import annotations

from datetime import datetime

import rich_click as click

from ....catalogs.configuration.scopes import SCOPES
from ....catalogs.errors import QueryError, excerpt, nearest
from ..options import panel_options

_key = panel_options("Key")


@click.group("keys")
def keys_commands() -> None:
    """Make keys for the service."""


@keys_commands.command("new")
@_key("--name", "NAME", "What the key is called, in the log.", required=True)
@_key(
    "--scopes",
    "SCOPE,SCOPE",
    f"What it may do: {', '.join(SCOPES)}; admin may do everything.",
    default="search",
)
@_key(
    "--expires",
    "YYYY-MM-DD",
    "The last day it is good for.",
    type=click.DateTime(["%Y-%m-%d"]),
)
@_key("--rate", "N/minute", "How many requests it may make: a second, minute, hour or day.")
def new(name: str, scopes: str, expires: datetime | None, rate: str | None) -> int:
    """Print a new key, and the entry of the configuration that lets it in.

    The key is printed this once; the entry holds its hash alone.
    """
    from ....catalogs.configuration.key_hashes import hash_of, new_key

    key = new_key()
    entry: dict[str, object] = {"name": name, "hash": hash_of(key), "scopes": _scopes(scopes)}
    entry |= {"expires": expires.date()} if expires else {}
    entry |= {"rate": rate} if rate else {}
    click.echo(f"# The key, shown this once:\n# {key}\n\n{_entry(entry)}", nl=False)
    return 0


def _scopes(text: str) -> list[str]:
    scopes = [scope.strip() for scope in text.split(",") if scope.strip()]
    for scope in scopes:
        if scope not in SCOPES:
            near = nearest(scope, SCOPES, 1)
            guess = f"did you mean {excerpt(near[0])}? " if near else ""
            hint = f"{guess}known: {', '.join(SCOPES)}"
            raise QueryError(f"no scope {excerpt(scope)}", hint=hint)
    return scopes


def _entry(entry: dict[str, object]) -> str:
    """Return a key as TOML; raise `QueryError` for what cannot be one."""
    from pydantic import ValidationError

    from ....catalogs.configuration.config_models import KeyConfig
    from ....catalogs.configuration.first_draft import array, text
    from ....catalogs.configuration.mistakes import first_mistake

    try:
        key = KeyConfig.model_validate(entry)
    except ValidationError as error:
        problem, hint = first_mistake(error)
        raise QueryError(f"the key: {problem}", hint=hint) from None
    lines = ["[[keys]]", f"name = {text(key.name)}", f"hash = {text(key.hash)}"]
    lines.append(f"scopes = {array(key.scopes)}")
    lines += [f"expires = {key.expires}"] if key.expires else []
    lines += [f"rate = {text(key.rate)}"] if isinstance(key.rate, str) else []
    return "\n".join(lines) + "\n"
