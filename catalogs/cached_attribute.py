"""Attributes computed at their first reading and kept, without a lock.

`functools.cached_property` of Python 3.11 holds one lock for all objects of a class: while one
question computes its arrays, every other waits to begin with its own (the lock went in 3.12).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class cached_attribute(Generic[Value]):
    """A method whose result is kept as an attribute.

    Two threads may compute it at once; both then see the value that came first.
    """

    def __init__(self, make: Callable[[Any], Value]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any]) -> Value: ...
    def __get__(self, instance: object | None, owner: type[Any]) -> Self | Value:
        # Only called for what is not there yet.
        if instance is None:
            return self
        return instance.__dict__.setdefault(self._name, self._make(instance))

    if TYPE_CHECKING:
        # Without one an attribute may be set.
        def __set__(self, instance: object, value: Value) -> None: ...
