"""Recorded constraints and weights; our engine relaxes and ranks."""

from __future__ import annotations

from ...catalogs.catalog import Catalog
from ...catalogs.constraint import Constraint
from ...catalogs.query import Query
from ...dialogs.extraction.linking import link
from ...dialogs.extraction.value_index import index_of
from ...engine.repair_engine import RepairEngine
from ..instances import Instance
from .outcome import Outcome, labels_of, proposed
from .published_data import Recorded


class Replay:
    """Repairs what published agents parsed, with the weights they gave.

    Recorded values are linked to the catalog's own first, by the rules that answers are read
    by. The `formal` runs have no weights; theirs are neutral.
    """

    def __init__(self, catalog: Catalog, policy: str) -> None:
        self.catalog = catalog
        self.policy = policy
        self._index = index_of(catalog)
        self._engine = RepairEngine(catalog)

    def outcome(self, recorded: Recorded) -> Outcome:
        """Return how one recorded run would have ended with our engine."""
        query = self._query(recorded)
        answer = self._engine.repair(query, policy=self.policy, top=1)
        run = recorded.run
        slots = tuple(run.slots_provided_to_agent)
        return proposed(recorded.gold, slots, query, answer, None, labels_of(recorded))

    def _query(self, recorded: Recorded) -> Query:
        base = recorded.run.parsed_base or recorded.gold.instance.record.get("base")
        linked = [self._linked(one).record() for one in recorded.run.weighed]
        if not linked:
            return Query.model_validate({"base": base})
        return Instance({"base": base, "constraints": linked}).query(self.catalog)

    def _linked(self, one: Constraint) -> Constraint:
        """Return the constraint with the catalog's value nearest to the one recorded."""
        if one.column is None or not isinstance(one.value, str) or self._is_held(one):
            return one
        column = self.catalog.schema.find(one.column).name
        found = link(one.value, column, self.catalog, self._index)
        if not found.known:
            return one
        return Constraint.model_validate({**one.record(), "value": found.value})

    def _is_held(self, one: Constraint) -> bool:
        return bool(self.catalog.count([self.catalog.bind(one)]))
