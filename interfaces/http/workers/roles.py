"""What a process is among those that answer: the only one, the owner, or a follower."""

from __future__ import annotations


class Alone:
    """The only process: it holds everything, and nobody follows it."""

    def hurry(self) -> None:
        """Take in what was written elsewhere now; somebody waits for it."""
