"""Attributes made at their first reading, without a lock.

That of `functools.cached_property` in Python 3.11 is one for all objects of a class: while one
question makes its arrays, every other waits to begin with its own (it went in 3.12).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

Made = TypeVar("Made")


class lazy(Generic[Made]):
    """A method whose result is kept as an attribute.

    Two threads may make it at once; both then see the one that came first.
    """

    def __init__(self, make: Callable[[Any], Made]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any]) -> Made: ...
    def __get__(self, instance: object | None, owner: type[Any]) -> Self | Made:
        # Only called for what is not there yet.
        if instance is None:
            return self
        return instance.__dict__.setdefault(self._name, self._make(instance))

    if TYPE_CHECKING:
        # Without one an attribute may be set.
        def __set__(self, instance: object, value: Made) -> None: ...
