"""Which sources stay where they are; nothing is imported to find out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

SCHEMES = ("postgres://", "postgresql://")
"""How the address of a database begins."""


def is_path(source: object) -> bool:
    """Return whether a source is the path of a file or a folder, or is meant to be."""
    return isinstance(source, str | os.PathLike)


def is_address(source: object) -> bool:
    """Return whether a source is the address of a database."""
    return isinstance(source, str) and source.casefold().startswith(SCHEMES)


def is_remote(source: object, key: object) -> bool:
    """Return whether a source stays where it is; imports nothing to find out."""
    if isinstance(source, str | os.PathLike):
        if is_address(cast("object", source)):
            return True
        try:
            return key is not None and Path(cast("str", source)).is_dir()
        except (OSError, ValueError, TypeError):
            return False
    return type(source).__module__.partition(".")[0] == "ibis"
