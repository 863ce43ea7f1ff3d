"""A group of commands from a table, each file loaded when its command is used or listed.

So a command costs only its own file at start-up, and a new one is a file and a line. Commands of
other packages, named in an entry point group, come after the built-in ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import rich_click as click

from ...catalogs.registry import load_offer


class CommandGroup(click.RichGroup):
    """Commands by name, in the order of `built_in`, which says the module and the attribute.

    Modules are named from `package`. `offers` is the entry point group in which other packages
    name click commands; built-in names are not given away.
    """

    def __init__(
        self,
        *arguments: Any,
        package: str,
        built_in: Mapping[str, tuple[str, str]],
        offers: str | None = None,
        **attributes: Any,
    ) -> None:
        super().__init__(*arguments, **attributes)
        self._package = package
        self._built_in = dict(built_in)
        self._offers = offers

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order in which help shows them."""
        offered = sorted(offer.name for offer in self._offered())
        return list(dict.fromkeys([*self._built_in, *offered]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None for an unknown name; raise `QueryError` if it cannot load."""
        if cmd_name in self._built_in:
            module, attribute = self._built_in[cmd_name]
            command: click.Command = getattr(import_module(module, self._package), attribute)
            return command
        for offer in self._offered():
            if offer.name == cmd_name:
                return load_offer(offer, "command", _is_command, "a click command")
        return None

    def _offered(self) -> Iterable[EntryPoint]:
        return entry_points(group=self._offers) if self._offers else ()


def _is_command(offered: object) -> bool:
    return isinstance(offered, click.Command)
