"""Weighters by name: the built-in ones, and those that other packages offer.

To add a weighter, write one file with a class derived from `Weighter` (see `weighter.py`):
give it a `name` and a `judge` that yields one `Weighed` for each constraint, in order. Then

- built in: add one line to `BUILT_IN` below;
- in another package: name the class as an entry point in the group `concede.weighters`,
  under the weighter's name.

Either way `tests/contract/test_every_weighter.py` runs it.
"""

from __future__ import annotations

from ...catalogs.registry import Registry
from .weighter import Weighter

ENTRY_POINTS = "concede.weighters"
DEFAULT_WEIGHTER = "learned"

BUILT_IN = {
    "learned": ("learned", "LearnedWeighter"),
    "lexical": ("lexical", "LexicalWeighter"),
    "ensemble": ("ensemble", "EnsembleWeighter"),
    "uniform": ("given", "UniformWeighter"),
    "oracle": ("given", "OracleWeighter"),
    "scripted": ("given", "ScriptedWeighter"),
    "local": ("local_weighter", "LocalWeighter"),
    "global": ("global_weighter", "GlobalWeighter"),
    "pairwise": ("pairwise_weighter", "PairwiseWeighter"),
}

_weighters: Registry[Weighter] = Registry(
    "weighter", ENTRY_POINTS, Weighter, __name__.rpartition(".")[0], BUILT_IN
)


def weighter_names() -> tuple[str, ...]:
    """Return the names of all weighters, built-in ones first; nobody else can take those."""
    return _weighters.names()


def get_weighter(name: str) -> Weighter:
    """Return a weighter by name; raise `QueryError` for one that does not exist or load."""
    return _weighters.get(name)
