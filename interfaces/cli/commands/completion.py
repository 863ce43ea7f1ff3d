"""`concede completion`: the script that completes `concede` in a shell."""

from __future__ import annotations

import rich_click as click
from click.shell_completion import get_completion_class

from ..completion import COMPLETION_VARIABLE
from ..options import shell_argument


@click.command("completion")
@shell_argument
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print the script that completes `concede` in a shell, for its start-up file.

    For bash: `concede completion bash > ~/.local/share/bash-completion/completions/concede`
    """
    script = get_completion_class(shell)
    if script is not None:
        print(script(context.find_root().command, {}, "concede", COMPLETION_VARIABLE).source())
    return 0
