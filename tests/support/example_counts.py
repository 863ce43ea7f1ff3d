"""How many examples a property is given that costs more, or needs more, than the others."""

from hypothesis import settings


def examples(count: int) -> int:
    """Return how many examples the profile gives where `ci`, with its 100, gives this many."""
    return max(1, count * settings.default.max_examples // 100)
