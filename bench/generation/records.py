"""Hits of the enumeration as queries with weights, and as JSON objects of the published shape.

A record has sentences and the gold item: what the engine ranks first once the gold constraint is
dropped. That dropping it leaves rows, and how many, the search has found already, so of a repair
only the ranking is left to do; `RepairEngine` under the policy `single` gives the same item.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pydantic import ConfigDict, TypeAdapter

from ...catalogs.catalog import Catalog
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...catalogs.versions.reader import CatalogReader
from ...dialogs.conversation.simulators import OfflinePersonaWriter, phrase_of
from ...engine.bound_query import bind
from ...engine.repair_context import row_ranker
from ...solvers.enumeration.candidates import Hits
from ...solvers.enumeration.search import Sought
from ..instances import BASE_COLUMNS
from .balanced_sampling import base_key, seed_of
from .settings import Setting
from .slices import Slice


@dataclass(frozen=True)
class TightQuery:
    """A query that no row meets, and what is known of it.

    `drop_counts[j]` rows remain when constraint j alone is dropped; their sum is the
    `tightness` (AWARE-US, section 2.3). With `sought` "MUS-k" the constraints are one minimal
    conflict, so each can be dropped; with "unique-repair" only the one at `unique_repair` can,
    and the conflicts are smaller than the query.
    """

    query: Query
    sought: Sought
    drop_counts: tuple[int, ...]

    @property
    def tightness(self) -> int:
        """The sum of the drop-one counts."""
        return sum(self.drop_counts)

    @property
    def unique_repair(self) -> int | None:
        """The position of the one constraint whose dropping leaves rows; None for a MUS."""
        return len(self.drop_counts) - 1 if self.sought == "unique-repair" else None


def tight_queries(part: Slice, hits: Hits, sought: Sought) -> Iterator[TightQuery]:
    """Yield the queries of hits among a slice's candidates, in the order of the hits.

    The base constraints define the slice, the members of a hit are the additional ones.
    """
    members_of_hits = cast("list[list[int]]", hits.members.tolist())
    remaining = cast("list[list[int]]", hits.drop_counts.tolist())
    for members, drop_counts in zip(members_of_hits, remaining, strict=True):
        constraints = tuple(part.constraints[member] for member in members)
        query = Query(base=part.base, constraints=constraints)
        yield TightQuery(query, sought, tuple(drop_counts))


CLAUSES: dict[tuple[str, str], str] = {
    ("Model", "=="): "is a {}",
    ("Vehicle Size", "=="): "is {} size",
    ("Engine Fuel Type", "=="): "runs on {}",
    ("Year", ">="): "is from {} or newer",
    ("city mpg", ">="): "gets at least {} city MPG",
    ("highway MPG", ">="): "gets at least {} highway MPG",
    ("MSRP", "<="): "has MSRP at most ${:,}",
}
"""How published sentences say a constraint, by column and operator."""

LOWERED = "Vehicle Size"


def base_sentence(base: Sequence[Constraint]) -> str:
    """Return `base_query_sentence`; a published base reads back (`instances.base_of_sentence`)."""
    if not _is_published(base):
        wanted = " and ".join(map(phrase_of, base))
        return f"I am looking for something with {wanted}."
    make, style, transmission, wheels = (constraint.value for constraint in base)
    return f"I am looking for a {make} {style} with a {transmission} transmission and {wheels}."


def full_sentence(base: Sequence[Constraint], constraints: Sequence[Constraint]) -> str:
    """Return `full_query_sentence`: the base, then what else is asked."""
    published = _is_published(base)
    said = [
        _clause(constraint) if published else phrase_of(constraint) for constraint in constraints
    ]
    return f"{', '.join([base_sentence(base).removesuffix('.'), *said])}."


def _is_published(base: Sequence[Constraint]) -> bool:
    return tuple(constraint.column for constraint in base) == BASE_COLUMNS


def _clause(constraint: Constraint) -> str:
    template = CLAUSES.get((constraint.column or "", constraint.op))
    if template is None:
        return f"has {phrase_of(constraint)}"
    value = constraint.value
    return template.format(str(value).lower() if constraint.column == LOWERED else value)


EVEN = (0.2, 1.0)
"""Section 2.4: each weight uniform between these, then all divided by their sum."""

SMALL, LARGE = (0.01, 0.14), (0.35, 1.0)
"""Where one repair is unique (Algorithm 2, AssignWeightsWithUniqueLowest) the paper names no
ranges. In the 41 published S1 instances the unique repair has 0.0053 to 0.0785 of the sum, 0.036
on average, and the others 0.166 to 0.523, the heaviest at most 2.55 times the lightest of the
three. Weights drawn from these ranges and divided by their sum are like that."""


def drawn_weights(size: int, unique: int | None, dice: random.Random) -> list[float]:
    """Return `size` weights that sum to 1; the one at `unique`, if any, is the lowest by far."""
    ranges = [EVEN] * size
    if unique is not None:
        ranges = [SMALL if position == unique else LARGE for position in range(size)]
    weights = [dice.uniform(*ends) for ends in ranges]
    total = sum(weights)
    return [weight / total for weight in weights]


RELAXATION_POLICY = "relax_lowest_weight_constraint"
"""The one policy of the published instances."""

Record = dict[str, Any]


@dataclass(frozen=True)
class Draft:
    """A weighted query that no row meets, before anything is recommended."""

    setting: Setting
    query: Query
    slice_rows: int
    drop_counts: tuple[int, ...]
    softest: int


def draft(setting: Setting, part: Slice, tight: TightQuery, seed: int) -> Draft:
    """Return the query with oracle weights; they depend on the seed and the query alone."""
    texts = [
        constraint.model_dump_json(exclude_unset=True) for constraint in tight.query.constraints
    ]
    dice = random.Random(seed_of(seed, "weights", base_key(part), texts))
    weights = drawn_weights(setting.size, tight.unique_repair, dice)
    weighed = [
        constraint.model_copy(update={"weight": weight})
        for constraint, weight in zip(tight.query.constraints, weights, strict=True)
    ]
    softest = min(range(setting.size), key=weights.__getitem__)
    query = tight.query.replace(weighed)
    return Draft(setting, query, len(part.rows), tight.drop_counts, softest)


def record_of(catalog: Catalog, draft: Draft, number: int, seed: int) -> Record:
    """Return the record of a draft, the `number`th; the seed chooses the persona's words."""
    query, softest = draft.query, draft.softest
    item = gold_item(catalog, query, softest, draft.drop_counts[softest])
    bare = [_without_weight(constraint) for constraint in query.constraints]
    persona = OfflinePersonaWriter(seed).write(query, softest=softest)
    return {
        "id": f"{draft.setting.name}-{number:04}",
        "setting": draft.setting.name,
        "base": {each.column: each.record()["value"] for each in query.base},
        "base_query_sentence": base_sentence(query.base),
        "full_query_sentence": full_sentence(query.base, query.constraints),
        "additional_constraints": bare,
        **_weighed(draft, bare),
        "recommended_car": item,
        "meta": {
            "U_size": draft.slice_rows,
            "tight_score": sum(draft.drop_counts),
            "drop_counts": list(draft.drop_counts),
        },
        "persona": persona,
    }


def _weighed(draft: Draft, bare: Sequence[Record]) -> Record:
    """Return weights and relaxation; the two published shapes differ in more than one key."""
    weights = [constraint.record() for constraint in draft.query.constraints]
    relaxed = {"relaxation_policy": RELAXATION_POLICY}
    if not draft.setting.is_unique:
        return {
            "constraint_weights": weights,
            **relaxed,
            "chosen_relaxation": weights[draft.softest],
        }
    marked = [
        each | {"is_unique_repair": position == draft.softest}
        for position, each in enumerate(weights)
    ]
    return {
        "constraint_weights": marked,
        "unique_repair_constraint": bare[draft.softest],
        **relaxed,
        "chosen_relaxation": bare[draft.softest],
    }


def _without_weight(constraint: Constraint) -> Record:
    return {key: value for key, value in constraint.record().items() if key != "weight"}


_ROW = TypeAdapter(dict[str, Any], config=ConfigDict(ser_json_bytes="base64"))


def gold_item(catalog: CatalogReader, query: Query, softest: int, count: int) -> dict[str, Any]:
    """Return the best of the `count` rows that meet all but the constraint at `softest`.

    As JSON can hold it: dates are ISO text, what is infinite is null. AWARE-US, section 2.4.
    """
    rows = row_ranker(bind(catalog, query))
    best = rows.rank(frozenset((softest,)), count, 1)
    (row,) = catalog.fetch(rows.row_ids(best.places))
    return _finite(_ROW.dump_python(row, mode="json"))


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, Any]", value)
        return {str(key): _finite(value) for key, value in fields.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in cast("Sequence[Any]", value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value
