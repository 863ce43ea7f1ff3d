"""All stages by name, in the order in which they are started: what takes long comes first."""

from __future__ import annotations

from collections.abc import Sequence

from ....catalogs.errors import QueryError, excerpt, nearest
from ...model_roles.registry import NAMES
from ..stage import Stage
from . import apec, aware_us, benyfits, clarq, mapsat, others

STAGES: dict[str, Stage] = {
    stage.name: stage
    for part in (aware_us, mapsat, clarq, apec, benyfits, others)
    for stage in part.STAGES
}

LONGEST = (
    "clarq-seekers-apart",
    "clarq-provider-apart",
    "understand-conversations",
    "aware-us-generated",
    "aware-us-reread",
)
"""Stages to start first, so that no core waits for the last one."""


def chosen(only: Sequence[str], quick: bool) -> list[Stage]:
    """Return the stages that are wanted: named whole, or by how their names begin; all if none.

    Names of the roles on a model (`NAMES`) are stages of no run without one. Raises `QueryError`
    for a name that is nothing's.
    """
    for name in only:
        if not any(_named(known, name) for known in (*STAGES, *NAMES)):
            like = ", ".join(nearest(name, (*STAGES, *NAMES))) or ", ".join(STAGES)
            raise QueryError(f"no benchmark {excerpt(name)}", hint=f"did you mean {like}?")
    found = [
        stage
        for name, stage in STAGES.items()
        if (not only or any(_named(name, part) for part in only)) and (stage.quick or not quick)
    ]
    return sorted(found, key=lambda stage: (stage.alone, _place(stage.name)))


def _named(stage: str, part: str) -> bool:
    return stage == part or stage.startswith(f"{part}-")


def _place(name: str) -> int:
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)
