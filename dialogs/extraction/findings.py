"""Findings: what a message states of one column, before statements about it are merged."""

from __future__ import annotations

from dataclasses import dataclass

from ...catalogs.query.constraint import Scalar
from ..transcripts.transcript import Span
from .value_index import Entry


@dataclass(frozen=True, slots=True)
class ValueFinding:
    """One or several values of a column that are wanted or unwanted; `ranked` best first.

    `together` says that any of the ranked values will do: `SUV` of `2dr SUV` and `4dr SUV`;
    `continues`, that it goes on a list begun by the finding before; `conceded`, that it is a
    second choice where there is a first.
    """

    column: str
    ranked: tuple[tuple[Entry, float], ...]
    wanted: bool
    together: bool
    continues: bool
    evidence: Span
    conceded: bool = False


@dataclass(frozen=True, slots=True)
class BoundFinding:
    """A comparison of an ordered or yes-no column with a value (two values for `between`)."""

    column: str
    op: str
    value: Scalar | tuple[Scalar, Scalar]
    score: float
    evidence: Span
    said: str
    others: tuple[tuple[str, float], ...] = ()
    approximate: bool = False


Finding = ValueFinding | BoundFinding
