"""The command line: `concede repair`, `concede diagnose`, `concede catalog info` and the others.

Exit codes: 0 answered, 1 no repair exists, 2 usage or a bad query, 3 a bad catalog or file,
4 a limit was hit before an answer, or an agent at a URL failed. Results go to standard output,
progress and errors to standard error; whenever the exit code is not 0, one line there says why.

To add a command, write a file in `commands/` and a line in `COMMANDS`.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import Any, cast

import rich_click as click

from ...catalogs.errors import ConcedeError, one_line
from ...catalogs.keyboard_interrupt import interruptible
from ...catalogs.vectors.kernel_use import KERNELS
from .command_group import CommandGroup
from .completion import COMPLETION_VARIABLE
from .options import version_option
from .output import complain

COMMANDS = {
    "repair": (".commands.repair", "repair"),
    "diagnose": (".commands.diagnose", "diagnose"),
    "histogram": (".commands.histogram", "histogram"),
    "extract": (".commands.extract", "extract"),
    "clarify": (".commands.clarify", "clarify"),
    "weigh": (".commands.weigh", "weigh"),
    "chat": (".commands.chat", "chat"),
    "elicit": (".commands.elicit", "elicit"),
    "decide": (".commands.decide", "decide"),
    "warm": (".commands.warm", "warm"),
    "serve": (".commands.serve", "serve"),
    "mcp": (".commands.mcp", "mcp"),
    "sandbox": (".commands.sandbox", "sandbox"),
    "catalog": (".commands.catalog", "catalog_commands"),
    "keys": (".commands.keys", "keys_commands"),
    "client": (".commands.client", "client_commands"),
    "bench": (".commands.bench.group", "bench_commands"),
    "train": (".commands.train.group", "train_commands"),
    "completion": (".commands.completion", "completion"),
}
"""A command's name, and the module and attribute it is loaded from; in the order of help."""


@click.group(
    cls=CommandGroup,
    package=__package__,
    built_in=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@version_option
def cli() -> None:
    """Find out why a query returns nothing, what should give way, and what to offer instead."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    # Start-up makes many objects and hardly any garbage: look for it less often.
    gc.set_threshold(50_000)
    for stream in (sys.stdout, sys.stderr):
        # A file name need not be valid text, and a terminal need not know every character.
        cast("Any", stream).reconfigure(errors="backslashreplace")
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code, errors printed as one line."""
    KERNELS.tell = complain
    try:
        code = _command(arguments)
        sys.stdout.flush()
    except ConcedeError as error:
        return _fail(str(error), error.exit_code)
    except SystemExit as ended:
        # After the help that answers a bare `concede`.
        return ended.code if isinstance(ended.code, int) else 2
    except click.ClickException as error:
        return _fail(one_line(error.format_message()), 2)
    except (click.Abort, KeyboardInterrupt):
        return _fail("stopped", 130)
    except BrokenPipeError:
        # The reader has what it wanted.
        _discard_output()
        return 0
    except OSError as error:
        _discard_output()
        return _fail(f"cannot write the answer: {error.strerror or error}", 3)
    return code if isinstance(code, int) else 0


@interruptible
def _command(arguments: Sequence[str] | None) -> object:
    return cli.main(
        args=None if arguments is None else list(arguments),
        prog_name="concede",
        complete_var=COMPLETION_VARIABLE,
        standalone_mode=False,
    )


def _discard_output() -> None:
    """Keep Python from trying once more, and complaining, when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> int:
    complain(message)
    return code
