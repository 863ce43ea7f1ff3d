"""What is known of a person and of the moment before a question: a profile, a time, a place.

{"car": false, "budget": 40, "home": [40.75, -73.98],
 "ratios": {"brand": {"Ada": 0.48, "Bo": 0.2}},
 "musts": [{"column": "wheelchair", "op": "==", "value": true}],
 "likes": [{"column": "quiet", "op": "==", "value": true, "relevance": "strong"}]}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ....catalogs.errors import QueryError, excerpt
from ....catalogs.query.constraint import Constraint
from ....catalogs.validation_fault import first_fault
from ..factors import Ratio
from .events import Place, seconds_of

MOST_NAMED = 64
SEASONS = ("winter", "spring", "summer", "autumn")
SLOTS = ((5, "morning"), (11, "noon"), (14, "afternoon"), (18, "evening"), (23, "night"))
"""The hour at which each part of the day begins; before the first it is night."""


class Like(BaseModel):
    """A constraint that a profile speaks for, and how much it has to do with what is asked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    column: str | None = None
    op: str
    value: Any = None
    relevance: Literal["strong", "weak"] = "strong"

    @property
    def constraint(self) -> Constraint:
        """The constraint; raises `BadConstraint`."""
        return Constraint(column=self.column, op=self.op, value=self.value)


class Profile(BaseModel):
    """What a person said, or is known for, once and for all; any part may be missing.

    `musts` and `budget`, the most they can pay, are hard. `ratios` are shares of a person's
    choices by column and value.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    car: bool | None = None
    budget: Annotated[float, Field(ge=0)] | None = None
    home: Place | None = None
    ratios: dict[str, dict[str, Ratio]] = Field(default={}, max_length=MOST_NAMED)
    musts: tuple[Constraint, ...] = Field(default=(), max_length=MOST_NAMED)
    likes: tuple[Like, ...] = Field(default=(), max_length=MOST_NAMED)

    @field_validator("likes")
    @classmethod
    def _possible(cls, likes: tuple[Like, ...]) -> tuple[Like, ...]:
        for like in likes:
            _ = like.constraint
        return likes


def profile_of(record: object) -> Profile:
    """Return a JSON object as a profile; raise `QueryError` with one line."""
    if not isinstance(record, Mapping):
        hint = 'give {"car": …, "ratios": {column: {value: share}}, …}'
        raise QueryError(f"{excerpt(record)} is no profile", hint=hint)
    try:
        return Profile.model_validate(record)
    except ValidationError as error:
        problem = first_fault(error, 3).line()
    raise QueryError(f"profile: {problem}")


@dataclass(frozen=True)
class Context:
    """When and where a question is asked; what comes after `time` is not known yet.

    The clock of `time` is that of the place; without a zone it is taken for UTC.
    """

    time: datetime | None = None
    place: tuple[float, float] | None = None

    @classmethod
    def of(cls, time: object = None, place: object = None) -> Context:
        """Return a context; raise `QueryError` for no time, or no place on the map."""
        try:
            moment = None if time is None else moment_of(time)
        except (ValueError, OverflowError):
            problem = f"{excerpt(time)} is no time"
            hint = "give ISO 8601 text or seconds since 1970"
            raise QueryError(problem, hint=hint) from None
        return cls(moment, None if place is None else _point(place))

    @property
    def until(self) -> float:
        """The time in seconds since 1970; infinite where none was given."""
        return float("inf") if self.time is None else seconds_of(self.time.isoformat())

    def situation(self, seconds: float) -> tuple[str, str, str] | None:
        """Return part of the day, of the week, and season of another moment on the same clock."""
        if self.time is None:
            return None
        return situation_of(datetime.fromtimestamp(seconds, UTC).astimezone(self.time.tzinfo))


def situation_of(moment: datetime) -> tuple[str, str, str]:
    """Return part of the day, of the week, and the northern season."""
    slot = "night"
    for hour, name in SLOTS:
        slot = name if moment.hour >= hour else slot
    day = "weekend" if (moment - timedelta(hours=5)).weekday() >= 5 else "weekday"
    return slot, day, SEASONS[moment.month % 12 // 3]


def moment_of(value: object) -> datetime:
    """Return a moment with its zone, UTC where none is given; raise `ValueError`."""
    seconds = seconds_of(value)
    if isinstance(value, str):
        moment = datetime.fromisoformat(value)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return datetime.fromtimestamp(seconds, UTC)


def _point(place: object) -> tuple[float, float]:
    if isinstance(place, str):
        place = place.split(",")
    try:
        latitude, longitude = (float(part) for part in place)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType, reportGeneralTypeIssues] anything may come
    except (TypeError, ValueError):
        raise QueryError(f"{excerpt(place)} is no place", hint="give latitude, longitude") from None
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise QueryError(f"{excerpt(place)} is no place", hint="give latitude, longitude")
    return latitude, longitude
