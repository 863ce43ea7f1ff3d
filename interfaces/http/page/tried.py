"""Every link that offers something, tried before it is offered: what gives no item is left out.

A link is tried by counting what its address would show: one `check` each, some tenths of a
millisecond at 10⁴ rows. What there was no time to try is not offered either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ....catalogs.deadline import Deadline
from ....catalogs.errors import nearest
from ....catalogs.query.constraint import Constraint
from ....catalogs.query.query import Query
from ....catalogs.versions.reader import CatalogReader
from ....engine.answer import Status
from ....engine.repair_engine import RepairEngine
from .constraints import Question, question_of
from .form_model import FormModel
from .query_string import FIND, Criterion, Search
from .view_model import Alternative, Offers, Outcome

NEAR = 0.5
"""How far bounds may move in all, as shares of their ranges, for a stretch to come before drops."""

MOST_WAYS = 8
LONGEST_MEANT = 40
MOST_SOUGHT = 3
"""Pieces of what was not understood that are looked for as words."""


@dataclass(frozen=True)
class _Trial:
    """What a link is tried with: one version of the catalog, its form, and the time left."""

    engine: RepairEngine
    catalog: CatalogReader
    form: FormModel
    until: Deadline

    def question(self, search: Search) -> Question | None:
        """Return the question of a search; None for one of which something would be left out."""
        question = question_of(search, self.form, self.catalog)
        return None if question.faults else question

    def count(self, constraints: Iterable[Constraint]) -> tuple[int, bool]:
        """Return how many items meet constraints, and whether that is exact; 0 without time."""
        if self.until.expired:
            return 0, False
        left = None if self.until.is_endless else self.until.remaining
        check = self.engine.check(Query(constraints=tuple(constraints)), deadline=left)
        return check.count, check.stopped_by is None

    def leads_somewhere(self, search: Search) -> bool:
        """Whether a search shows items, whatever of it may give way."""
        question = self.question(search)
        return question is not None and self._meets_musts(question)

    def _meets_musts(self, question: Question) -> bool:
        return self.count(each for each in question.query.constraints if each.hard)[0] > 0


def with_offers(
    outcome: Outcome,
    form: FormModel,
    catalog: CatalogReader,
    engine: RepairEngine,
    until: Deadline,
) -> Outcome:
    """Return an outcome with the links that may be offered, each tried; none after `until`."""
    trial = _Trial(engine, catalog, form, until)
    offers = Offers(
        # What is put back stays, so these two are what a visitor misses most.
        kept=frozenset(_kept(outcome, trial)),
        ways=tuple(_ways(outcome, trial)),
        meant=dict(_meant(outcome, trial)),
        sought=tuple(_sought(outcome, trial)),
    )
    return replace(outcome, offers=offers)


def _kept(outcome: Outcome, trial: _Trial) -> Iterator[str]:
    """Yield what gave way and may be put back: with it as a must there are items still."""
    for criterion in outcome.relaxed_criteria:
        if trial.leads_somewhere(outcome.search.put_back(criterion.key)):
            yield criterion.key


def _ways(outcome: Outcome, trial: _Trial) -> Iterator[Alternative]:
    """Yield the ways that lead to items, as many as are shown, those that stretch little first."""
    found = 0
    for way in sorted(outcome.alternatives, key=_sacrifice):
        tried = _tried(way, trial)
        if tried is not None:
            yield tried
            found += 1
        if found == MOST_WAYS:
            return


def _sacrifice(way: Alternative) -> tuple[bool, float, bool]:
    """Return what ways are ordered by: near stretches, then the rest, by cost; drops last."""
    near = not way.dropped and way.distance <= NEAR
    return not near, way.cost, bool(way.dropped)


def _tried(way: Alternative, trial: _Trial) -> Alternative | None:
    """Return a way with the count that its address shows; None where it shows nothing."""
    question = trial.question(way.search)
    if question is None:
        return None
    pairs = zip(question.criteria, question.query.constraints, strict=True)
    count, exact = trial.count(each for criterion, each in pairs if not criterion.gives_way)
    return replace(way, count=count, exact=exact) if count else None


def _meant(outcome: Outcome, trial: _Trial) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the values most like one that no item has, those that lead to items, by criterion."""
    if outcome.answer.status is Status.SAT_NO_RELAXATION:
        return
    for conflict in outcome.conflicts:
        if len(conflict) == 1 == len(conflict[0].values) and conflict[0].kind == "is":
            values = tuple(_spellings(conflict[0], outcome.search, trial))
            if values:
                yield conflict[0].key, values


def _spellings(criterion: Criterion, search: Search, trial: _Trial) -> Iterator[str]:
    field, value = trial.form.by_column.get(criterion.column), criterion.values[-1]
    if field is None or len(value) > LONGEST_MEANT:
        return
    # Comparing long texts takes long, and nobody mistypes them.
    known = [spelling for spelling in field.known if len(spelling) <= 2 * LONGEST_MEANT]
    for spelling in nearest(value, known):
        changed = search.with_value(criterion.key, spelling)
        if spelling != value and _is_met(changed, criterion.key, trial):
            yield spelling


def _is_met(search: Search, key: str, trial: _Trial) -> bool:
    """Whether some item meets one criterion of a search together with all that is a must."""
    return trial.leads_somewhere(search.put_back(key))


def _sought(outcome: Outcome, trial: _Trial) -> Iterator[tuple[str, Search]]:
    """Yield words that were not understood and stand in items, with the search for them."""
    heard = outcome.heard
    if heard is None or outcome.search.get(FIND) is not None:
        return
    missed = heard.not_understood or ((heard.text,) if heard.is_empty else ())
    for words in _short(missed)[:MOST_SOUGHT]:
        search = outcome.search.finding(words)
        question = trial.question(search)
        if question is not None and trial.count(question.query.constraints)[0]:
            yield words, search


def _short(texts: Sequence[str]) -> list[str]:
    return [text for text in texts if len(text) <= LONGEST_MEANT]
