"""Weighters by name: the built-in ones, and those that other packages offer.

To add a weighter, write one file with a class derived from `Weighter` (see `weighter.py`):
give it a `name` and a `judge` that yields one `Weighed` for each constraint, in order. Then

- built in: add one line to `BUILT_IN` below;
- in another package: name the class as an entry point in the group `concede.weighters`,
  under the weighter's name.

Either way `tests/contract/test_every_weighter.py` runs it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from ...catalogs.errors import QueryError, shown
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


def weighter_names() -> tuple[str, ...]:
    """Return the names of all weighters, built-in ones first; nobody else can take those."""
    others = sorted(one.name for one in entry_points(group=ENTRY_POINTS))
    return tuple(dict.fromkeys([*BUILT_IN, *others]))


def get_weighter(name: str) -> Weighter:
    """Return a weighter by name; raise `QueryError` for one that does not exist or load."""
    if name in BUILT_IN:
        return _built_in(name)
    for one in entry_points(group=ENTRY_POINTS, name=name):
        return _loaded(name, one)
    way_out = f"weighters: {', '.join(weighter_names())}"
    raise QueryError(f"no weighter {shown(name)}", way_out=way_out)


@cache
def _built_in(name: str) -> Weighter:
    module, attribute = BUILT_IN[name]
    return cast("Weighter", getattr(import_module(f".{module}", __package__), attribute)())


def _loaded(name: str, offer: EntryPoint) -> Weighter:
    way_out = f"repair or remove the package that offers it in {ENTRY_POINTS}"
    try:
        found: Any = offer.load()
    except (ImportError, AttributeError) as error:
        raise QueryError(
            f"weighter {shown(name)} cannot be loaded: {error}", way_out=way_out
        ) from error
    if not (isinstance(found, type) and issubclass(found, Weighter)):
        raise QueryError(f"{shown(name)} is not a class of weighters", way_out=way_out)
    return found()
