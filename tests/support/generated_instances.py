"""What is wrong with a generated record, judged by the `brute` solver alone."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from concede import Catalog
from concede.bench.instances import Instance
from concede.catalogs.query.query import Query
from concede.engine.answer import Answer, Status
from concede.engine.bound_query import bind
from concede.engine.diagnosis import Diagnosis, diagnose
from concede.engine.explained_answer import explain
from concede.engine.offers import rank
from concede.engine.relaxation import relax
from concede.engine.repair_context import mask
from concede.engine.repair_options import RepairOptions
from concede.solvers.limits import Budget, Verdict
from concede.solvers.registry import get_solver

Record = dict[str, Any]
CONSTRAINT = ("column", "op", "value")


def complaints(catalog: Catalog, record: Record) -> list[str]:
    """Return what a record claims and the catalog does not bear out; it is read as JSON first."""
    read = json.loads(json.dumps(record, allow_nan=False))
    query = Instance(read).query(catalog)
    diagnosis, answer = judged(catalog, query)
    size = len(query.constraints)
    unique = "unique_repair_constraint" in read
    weights = [weighted["weight"] for weighted in read["constraint_weights"]]
    softest = weights.index(min(weights))
    gold = picked(read["constraint_weights"][softest])
    single = [repair for repair in diagnosis.repairs if len(repair) == 1]
    everything = frozenset(range(size))
    checks = {
        "infeasible": diagnosis.verdict is Verdict.UNSAT,
        "rows of the slice": diagnosis.base_rows == read["meta"]["U_size"],
        "drop-one counts": list(diagnosis.drop_one_counts) == read["meta"]["drop_counts"],
        "tightness": sum(read["meta"]["drop_counts"]) == read["meta"]["tight_score"],
        "which can give way": single == [frozenset({softest})]
        if unique
        else diagnosis.conflicts == (everything,) and len(single) == size,
        "different columns": len({constraint.column for constraint in query.constraints}) == size,
        "weights": abs(sum(weights) - 1) < 1e-9 and weights.count(min(weights)) == 1,
        "gold relaxation": picked(read["chosen_relaxation"]) == gold,
        "repaired": answer.status is Status.SAT_AFTER_RELAXATION
        and [picked(constraint.record()) for constraint in answer.relaxed] == [gold],
        "gold item": answer.items[0].model_dump(mode="json")["row"] == read["recommended_car"],
        "constraints agree": [picked(weighted) for weighted in read["constraint_weights"]]
        == read["additional_constraints"],
        "persona": len(read["persona"]) > 20,
    }
    return [name for name, holds in checks.items() if not holds]


def judged(catalog: Catalog, query: Query) -> tuple[Diagnosis, Answer]:
    """Return the diagnosis and the repair of one constraint, after one look at every row."""
    options = RepairOptions(policy="single", rank="score", top=1, deadline=None)
    context = mask(bind(catalog, query), get_solver("brute"), Budget(deadline=None))
    diagnosis = diagnose(context)
    relaxation = relax(context, diagnosis, options)
    ranking = rank(context, diagnosis, relaxation, options)
    return diagnosis, explain(context, diagnosis, relaxation, ranking, options.policy, 0.0)


def picked(constraint: Record) -> Record:
    """Return column, operator and value of a constraint."""
    return {key: constraint[key] for key in CONSTRAINT}


def leaks(records: Sequence[Record]) -> list[Record]:
    """Return the base slices that stand in more than one part, in order."""
    parts: defaultdict[str, set[object]] = defaultdict(set)
    for record in records:
        parts[_base(record)].add(record.get("split"))
    return [json.loads(base) for base, splits in sorted(parts.items()) if len(splits) > 1]


def duplicates(records: Sequence[Record]) -> list[tuple[int, int]]:
    """Return positions of records that ask the same as an earlier one: `(earlier, later)`.

    The same is the same base and the same constraints in any order, whatever their weights.
    """
    seen: dict[tuple[str, frozenset[str]], int] = {}
    pairs: list[tuple[int, int]] = []
    for position, record in enumerate(records):
        constraints = frozenset(_written(each) for each in record["additional_constraints"])
        earlier = seen.setdefault((_base(record), constraints), position)
        if earlier != position:
            pairs.append((earlier, position))
    return pairs


def _base(record: Record) -> str:
    return _written(record["base"])


def _written(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
