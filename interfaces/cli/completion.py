"""Completion in bash, zsh and fish: what a shell offers after a tab."""

from __future__ import annotations

import os
import re

import rich_click as click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    split_arg_string,
)

from ...catalogs.errors import ConcedeError

COMPLETION_VARIABLE = "_CONCEDE_COMPLETE"
"""In the environment: which shell asks for what could come next."""

BREAKS = ":="
"""Characters at which bash cuts a word although no blank stands there."""

SPECIAL = re.compile(r"[^\w@%+=:,./-]")
"""Characters that mean something to a shell."""

Items = list[CompletionItem]


class WholeWords(BashComplete):
    """Bash completion for words with blanks, colons and equals signs.

    Bash hands `sample:cars` over as three words and puts what is offered on the line as it
    stands, so words are joined before they are read, and offers are cut and quoted.
    """

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the arguments before the cursor, and the word begun there."""
        typed = os.environ["COMP_WORDS"].split("\n")[: int(os.environ["COMP_CWORD"]) + 1]
        words = _joined(typed)
        arguments = [part for word in words[1:-1] for part in split_arg_string(word)]
        self._quoted = words[-1][:1] in ("'", '"')
        self._begun = next(iter(split_arg_string(words[-1])), "")
        return arguments, self._begun

    def format_completion(self, item: CompletionItem) -> str:
        """Return one offer, less what stands on the line before bash's last break."""
        if item.type != "plain":
            return super().format_completion(item)
        standing = max((self._begun.rfind(one) for one in BREAKS), default=-1) + 1
        offer = str(item.value)[standing:]
        # Doubled, because the shell's `read` takes one backslash away.
        return "plain," + (offer if self._quoted else SPECIAL.sub(r"\\\\\g<0>", offer))


def _joined(typed: list[str]) -> list[str]:
    words: list[str] = []
    glued = False
    for word in typed:
        is_break = len(words) > 1 and bool(word) and set(word) <= set(BREAKS)
        if (is_break or glued) and words:
            words[-1] += word
        else:
            words.append(word)
        glued = is_break
    return words


add_completion_class(WholeWords, "bash")


def complete_catalog(_: click.Context, __: click.Parameter, incomplete: str) -> Items:
    """Offer the sample, or files."""
    samples = [one for one in ("sample:cars",) if incomplete and one.startswith(incomplete)]
    return [CompletionItem(one) for one in samples] or complete_file(_, __, incomplete)


def complete_file(_: click.Context, __: click.Parameter, incomplete: str) -> Items:
    """Offer files."""
    return [CompletionItem(incomplete, type="file")]


def complete_column(context: click.Context, _: click.Parameter, incomplete: str) -> Items:
    """Offer the catalog's columns; nothing if there is no readable catalog yet."""
    from .query_options import CatalogOptions, open_catalog

    given = context.params
    options = CatalogOptions(given.get("catalog"), given.get("table"), (), "table")
    try:
        names = open_catalog(options).columns
    except ConcedeError:
        return []
    folded = incomplete.casefold()
    return [CompletionItem(name) for name in names if name.casefold().startswith(folded)]


def complete_solver(_: click.Context, __: click.Parameter, incomplete: str) -> Items:
    """Offer the solvers."""
    from ...solvers.registry import solver_names

    return [CompletionItem(name) for name in solver_names() if name.startswith(incomplete)]
