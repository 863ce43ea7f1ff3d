"""Look up solvers, weighters and the like by name: built-in ones, and entry points of packages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from .errors import QueryError, excerpt

Kind = TypeVar("Kind")


class Registry(Generic[Kind]):
    """Instances of subclasses of `base`, made on first use.

    `built_in` maps a name to the module (below `package`) and the class; other packages name
    their classes as entry points of `group`. `kind` is what messages call one of them.
    """

    def __init__(
        self,
        kind: str,
        group: str,
        base: type[Kind],
        package: str,
        built_in: Mapping[str, tuple[str, str]],
    ) -> None:
        self.kind = kind
        self.group = group
        self.base = base
        self._package = package
        self._built_in = dict(built_in)
        self._instances: dict[str, Kind] = {}

    def names(self) -> tuple[str, ...]:
        """Return all names, built-in ones first; nobody else can take those."""
        others = sorted(offer.name for offer in entry_points(group=self.group))
        return tuple(dict.fromkeys([*self._built_in, *others]))

    def get(self, name: str) -> Kind:
        """Return what has this name; raise `QueryError` where nothing has, or cannot load."""
        if name in tuple(self._built_in):
            return self._own(name)
        for offer in entry_points(group=self.group, name=name):
            return self._loaded(offer)
        hint = f"{self.kind}s: {', '.join(self.names())}"
        raise QueryError(f"no {self.kind} {excerpt(name)}", hint=hint)

    def _own(self, name: str) -> Kind:
        if name not in self._instances:
            module, attribute = self._built_in[name]
            built_in: Kind = getattr(import_module(f".{module}", self._package), attribute)()
            # Of two threads that make one at once, both get the first.
            self._instances.setdefault(name, built_in)
        return self._instances[name]

    def _loaded(self, offer: EntryPoint) -> Kind:
        return load_offer(offer, self.kind, self._fits, f"a class of {self.kind}s")()

    def _fits(self, offered: Any) -> bool:
        return isinstance(offered, type) and issubclass(offered, self.base)


def load_offer(offer: EntryPoint, kind: str, fits: Callable[[Any], bool], wanted: str) -> Any:
    """Return what an entry point names; raise `QueryError` if it cannot load or does not fit."""
    hint = f"repair or remove the package that offers it in {offer.group}"
    try:
        offered = offer.load()
    except (ImportError, AttributeError) as error:
        problem = f"{kind} {excerpt(offer.name)} cannot be loaded: {error}"
        raise QueryError(problem, hint=hint) from error
    if not fits(offered):
        raise QueryError(f"{excerpt(offer.name)} is not {wanted}", hint=hint)
    return offered
