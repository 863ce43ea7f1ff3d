"""A benchmark whose roles a model plays: its episodes, how one is held, and the figures of some.

Episodes are held one by one, so that a run can end after any of them and still has figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...dialogs.models.chat_model import ChatModel, Request


@dataclass(frozen=True)
class ModelFigure:
    """A figure beside a column of a printed table, with its 95 % interval where it has one.

    In the unit that is printed; None where nothing could be computed.
    """

    column: str
    value: float | None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, column: str, value: Any, ends: Any = None, scale: float = 1.0) -> ModelFigure:
        """Return a figure times a scale; `ends` are low and high of its interval, or None."""
        low, high = ends or (None, None)
        return cls(column, *(None if each is None else round(each * scale, 4)
                             for each in (value, low, high)))  # fmt: skip


@dataclass(frozen=True)
class ModelBenchmark:
    """What is run on a model.

    `document` and `table` say beside what its figures stand, `roles` which parts the model
    plays. `episodes` are by name, in the order in which they are held. `stand_in` replies as a
    model might, without one: for estimates and tests. `comparable` says whether printed figures
    are of the same measure on the same tasks; `reason` why not, or with what in mind.
    """

    name: str
    document: str
    table: str
    roles: str
    episodes: Mapping[str, Any]
    hold: Callable[[ChatModel, Any], Any]
    figures: Callable[[Sequence[Any]], Sequence[ModelFigure]]
    stand_in: Callable[[Request], str]
    command: str
    comparable: bool = False
    reason: str = ""
