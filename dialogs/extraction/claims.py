"""What a chat model claims to have read; nothing of it is believed yet."""

from __future__ import annotations

from typing import Any, Literal, cast

from pydantic import BaseModel, Field, model_validator

Given = bool | int | float | str


class Lenient(BaseModel):
    """A part of a model's reply in which nothing stands for what is left out."""

    @model_validator(mode="before")
    @classmethod
    def _without_nothing(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        given = cast("dict[str, Any]", data)
        return {name: value for name, value in given.items() if value is not None}


class Claim(Lenient):
    """One constraint as a model gives it; nothing of it is believed yet."""

    column: str = Field(max_length=500)
    op: str = Field(max_length=20)
    value: Given | list[Given] | None = None
    quote: str = Field(default="", max_length=5_000)
    hard: bool = False


class Term(Lenient):
    """A column of a sum, and how many times it counts; a number alone for no column.

    `per`: the column that it is divided by; `whole`: as many as that takes, rounded up.
    """

    column: str = Field(default="", max_length=500)
    times: float = Field(default=1, ge=-1e6, le=1e6, allow_inf_nan=False)
    per: str = Field(default="", max_length=500)
    whole: bool = False


class ClaimOfTurn(Claim):
    """One constraint of a turn of a conversation.

    `also`: as good as what is known; `total`: the parts of the sum that is meant; `weight`: how
    much it matters; `either`: others of which one is enough in its place.
    """

    also: bool = False
    weight: float | None = Field(default=None, ge=0, le=1)
    total: list[Term] = Field(default_factory=list[Term], max_length=20)
    either: list[Claim] = Field(default_factory=list[Claim], max_length=20)

    @property
    def is_sum(self) -> bool:
        """Whether more is meant than the column itself."""
        plain = (term.times == 1 and term.column == self.column for term in self.total)
        return not all(plain) or self.packs is not None

    @property
    def packs(self) -> Term | None:
        """What has to be enough of something that is sold by the pack, if that is meant."""
        term = self.total[0] if len(self.total) == 1 else None
        return term if term is not None and term.per and term.whole else None


class Aim(BaseModel):
    """A column that a model says is wished low or high."""

    column: str = Field(max_length=500)
    direction: Literal["min", "max"]
    quote: str = Field(max_length=5_000)


class Waiver(BaseModel):
    """A column that a model says the person has no wish about."""

    column: str = Field(max_length=500)
    quote: str = Field(max_length=5_000)


class Claims(BaseModel):
    """A model's whole reply."""

    constraints: list[Claim] = Field(max_length=1_000)
    objectives: list[Aim] = Field(default_factory=list[Aim], max_length=1_000)
    leanings: list[Aim] = Field(default_factory=list[Aim], max_length=1_000)
    waived: list[Waiver] = Field(default_factory=list[Waiver], max_length=1_000)
    not_understood: list[str] = Field(default_factory=list[str], max_length=1_000)
