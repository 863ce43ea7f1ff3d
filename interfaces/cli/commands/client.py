"""`concede client`: clients of a service in other languages."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from ..options import panel_options

_written = panel_options("Client")


@click.group("client")
def client_commands() -> None:
    """Write clients of the service for other languages."""


@client_commands.command("typescript")
@_written(
    "--out", "FILE", "A .ts file, or an .mjs file, which gets its types beside it.", required=True
)
@_written(
    "--url",
    "URL",
    "A running service whose OpenAPI document is read; without it this version's own.",
)
def typescript(out: str, url: str | None) -> int:
    """Write a client in TypeScript from the service's OpenAPI document."""
    from ...client.typescript import files_of

    for path, text in files_of(_document(url), Path(out)).items():
        path.write_text(text, encoding="utf-8")
        click.echo(f"written: {path}")
    return 0


def _document(url: str | None) -> dict[str, object]:
    if url is not None:
        from ...client.calls import Call
        from ...client.sync_client import Client

        with Client(url) as client:
            return client.ask(Call("GET", "/openapi.json"))
    from ...http.app import create_app

    return create_app({}).openapi()
