"""Keys and their hashes: 256 random bits, of which a file keeps the SHA-256 alone.

So many random bits cannot be guessed, and need no slow hash, which every request would pay for.
"""

from __future__ import annotations

import secrets
from hashlib import sha256

PREFIX = "ck_"


def new_key() -> str:
    """Return a new key."""
    return PREFIX + secrets.token_urlsafe(32)


def hash_of(key: str) -> str:
    """Return what a configuration keeps of a key."""
    return "sha256:" + sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
