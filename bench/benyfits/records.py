"""The records of the BeNYfits data, each typed and checked when it is read."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictInt, StringConstraints

from ...catalogs.errors import QueryError, excerpt

Value = bool | int | float | str
"""What a feature holds; `True` and `1` stay apart."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Kind = Literal["bool", "int", "float", "enum", "str"]
Operator = Literal["==", "!=", "<", "<=", ">", ">=", "in"]
Dataset = Literal["diverse", "representative", "user_study"]

MAX_MEMBERS = 50
"""Of one household; the published ones have up to 5."""


class Record(BaseModel):
    """What all records share: they do not change, and further fields are left aside."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class Condition(Record):
    """When a rule applies: a feature of this member or of the head compared with a value.

    `member_index` instead: the member at that place in the household.
    """

    member: Literal["this", "head"] = "this"
    member_index: int | None = None
    feature: Name | None = None
    op: Operator = "=="
    value: Value | tuple[Value, ...] | None = None


class Copy(Record):
    """A value taken from a feature of this member or of the head, times a number."""

    copy_of: Name
    member: Literal["this", "head"] = "this"
    times: int = 1


class Rule(Record):
    """One consistency rule; without `then` it only notes what the form could not express."""

    when: Condition | None = Field(default=None, alias="if")
    then: Copy | Value | None = None
    note: str = ""


def _weighted(pairs: tuple[Any, ...]) -> tuple[Any, ...]:
    if any(weight < 0 for _, weight in pairs) or not sum(weight for _, weight in pairs):
        raise ValueError("weights are not negative and not all 0")
    return pairs


Weighted = Annotated[
    tuple[tuple[Value | tuple[StrictInt, StrictInt], float], ...], AfterValidator(_weighted)
]
"""Sampling weights: pairs of a value, or of both ends of a range (included), and a weight."""


class Feature(Record):
    """One fact that a member of a household has. `text`: how profiles tell it, by value."""

    feature: Name
    type: Kind
    min: int | None = None
    values: tuple[Value, ...] = ()
    default: Value
    household_level: bool = False
    always_known_to_user_model: bool = False
    nyc_distribution: Weighted | None = None
    text: dict[str, str] = Field(default_factory=dict)
    consistency_rules: tuple[Rule, ...] = ()

    def check(self, value: Value) -> Value:
        """Return a member's value of this feature; raise `QueryError` for one of another type."""
        fits = {
            "bool": isinstance(value, bool),
            "int": isinstance(value, int) and not isinstance(value, bool),
            "float": isinstance(value, int | float) and not isinstance(value, bool),
            "enum": value in self.values,
            "str": isinstance(value, str),
        }[self.type]
        if not fits:
            raise QueryError(f"{self.feature} {excerpt(value)} is no {self.type}")
        return value


class Household(Record):
    """People who live together; member 0 asks on behalf of all.

    `members`: what is true of each, by feature.
    """

    household: Name
    dataset: Dataset
    target_programs: tuple[Name, ...]
    members: Annotated[tuple[dict[str, Value], ...], Field(min_length=1, max_length=MAX_MEMBERS)]
    profile_text: str = ""

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The programs to decide, each once.

        Eleven representative households name one program twice (246 names, 235 pairs); the
        document's Table 4 counts the names.
        """
        return tuple(dict.fromkeys(self.target_programs))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The members' names; a place in the list for who has none."""
        return tuple(
            str(member.get("name", f"person {at}")) for at, member in enumerate(self.members)
        )


class Program(Record):
    """One benefits program and its requirements in plain English.

    `features_read`: what the origin's checker looks at, where the data says so.
    """

    program: Name
    requirements_text: str
    features_read: tuple[Name, ...] = ()


class Label(Record):
    """Whether a household is eligible, by the origin's own checker.

    `read`: what that checker looked at, as member-index.feature. `target`: whether the origin
    evaluates on this pair.
    """

    household: Name
    program: Name
    eligible: bool
    target: bool
    read: tuple[str, ...] = ()
