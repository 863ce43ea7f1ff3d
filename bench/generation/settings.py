"""The settings of AWARE-US by name: the number of constraints, and which of them can give way."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...catalogs.errors import QueryError, excerpt
from ...solvers.enumeration.search import SIZES, Sought

NAMES: dict[str, str] = {"unique:4": "S1", "mus:4": "S2", "mus:2": "S3"}
"""The published settings (AWARE-US, section 2.6) among those there are."""

KNOWN = "S1, S2, S3, mus:2, mus:3, mus:4 or unique:4"


@dataclass(frozen=True)
class Setting:
    """What an instance's constraints are to one another; `name` is S1, S2, S3 or `mus:3`."""

    name: str
    sought: Sought

    @property
    def size(self) -> int:
        """The number of additional constraints."""
        return SIZES[self.sought]

    @property
    def is_unique(self) -> bool:
        """Whether one constraint alone can give way; else any one of them can."""
        return self.sought == "unique-repair"


def setting_named(name: str) -> Setting:
    """Return a setting by its name in AWARE-US, or as `mus:K` or `unique:K`.

    `mus:K`: no row meets all K, and dropping any one leaves rows (section 2.2). `unique:4`:
    dropping one certain constraint leaves rows, dropping another alone does not (Algorithm 2).
    Raises `QueryError` for anything else.
    """
    written = name.strip().casefold()
    by_name = {short.casefold(): long for long, short in NAMES.items()}
    match = re.fullmatch(r"(mus|unique):(\d{1,3})", by_name.get(written, written), re.ASCII)
    if match is None:
        raise QueryError(f"no setting {excerpt(name)}", hint=f"settings: {KNOWN}")
    kind, size = match[1], int(match[2])
    if kind == "unique" and size != 4:
        problem = f"no search for {size} constraints with a unique repair"
        raise QueryError(problem, hint="ask for unique:4")
    if kind == "unique":
        return Setting(NAMES["unique:4"], "unique-repair")
    sought: dict[int, Sought] = {2: "MUS-2", 3: "MUS-3", 4: "MUS-4"}
    if size not in sought:
        raise QueryError(f"conflicts of {size}", hint="ask for mus:2, mus:3 or mus:4")
    return Setting(NAMES.get(f"mus:{size}", f"mus:{size}"), sought[size])
