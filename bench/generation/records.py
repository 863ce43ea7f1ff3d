"""One instance as a JSON object of the published shape, and `base` and `meta` besides."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...catalogs.catalog import Catalog
from ...catalogs.constraint import Constraint
from ...catalogs.query import Query
from ...dialogs.offline_persona_writer import OfflinePersonaWriter
from ..slices import Slice
from ..tight_queries import TightQuery
from .gold import gold_item
from .sentences import base_sentence, full_sentence
from .settings import Setting
from .spreading import base_key, seed_of
from .weights import drawn_weights

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
    asked = [one.model_dump_json(exclude_unset=True) for one in tight.query.constraints]
    dice = random.Random(seed_of(seed, "weights", base_key(part), asked))
    weights = drawn_weights(setting.size, tight.unique_repair, dice)
    weighed = [
        one.model_copy(update={"weight": weight})
        for one, weight in zip(tight.query.constraints, weights, strict=True)
    ]
    softest = min(range(setting.size), key=weights.__getitem__)
    query = tight.query.replace(weighed)
    return Draft(setting, query, len(part.rows), tight.drop_counts, softest)


def record_of(catalog: Catalog, one: Draft, number: int, seed: int) -> Record:
    """Return the record of a draft, the `number`th; the seed chooses the persona's words."""
    query, softest = one.query, one.softest
    item = gold_item(catalog, query, softest, one.drop_counts[softest])
    bare = [_without_weight(constraint) for constraint in query.constraints]
    persona = OfflinePersonaWriter(seed).write(query, softest=softest)
    return {
        "id": f"{one.setting.name}-{number:04}",
        "setting": one.setting.name,
        "base": {each.column: each.record()["value"] for each in query.base},
        "base_query_sentence": base_sentence(query.base),
        "full_query_sentence": full_sentence(query.base, query.constraints),
        "additional_constraints": bare,
        **_weighed(one, bare),
        "recommended_car": item,
        "meta": {
            "U_size": one.slice_rows,
            "tight_score": sum(one.drop_counts),
            "drop_counts": list(one.drop_counts),
        },
        "persona": persona,
    }


def _weighed(one: Draft, bare: Sequence[Record]) -> Record:
    """Return weights and relaxation; the two published shapes differ in more than one key."""
    weights = [constraint.record() for constraint in one.query.constraints]
    relaxed = {"relaxation_policy": RELAXATION_POLICY}
    if not one.setting.is_unique:
        return {
            "constraint_weights": weights,
            **relaxed,
            "chosen_relaxation": weights[one.softest],
        }
    marked = [
        each | {"is_unique_repair": position == one.softest}
        for position, each in enumerate(weights)
    ]
    return {
        "constraint_weights": marked,
        "unique_repair_constraint": bare[one.softest],
        **relaxed,
        "chosen_relaxation": bare[one.softest],
    }


def _without_weight(constraint: Constraint) -> Record:
    return {key: value for key, value in constraint.record().items() if key != "weight"}
