"""What a key may do: ask, write rows, or everything."""

from __future__ import annotations

from typing import Literal

Scope = Literal["search", "write", "admin"]
SCOPES: tuple[Scope, ...] = ("search", "write", "admin")
