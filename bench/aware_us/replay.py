"""Published runs with our parts: the engine on recorded constraints, or all parts on the dialogue.

`Replay` repairs what was parsed, with the weights given; `reread` hears the recorded questions
and answers in their order. Neither asks a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ...catalogs.catalog import Catalog
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...dialogs.conversation.roles import Question
from ...dialogs.conversation.session import Saved, Session, unsaved
from ...dialogs.extraction.linking import link
from ...dialogs.extraction.reading import asked_columns
from ...dialogs.extraction.value_index import index_of
from ...dialogs.transcripts.transcript import Transcript
from ...engine.repair_engine import RepairEngine
from ..instances import Instance
from .conversation import Components, run_dialogue, session_outcome
from .outcome import Outcome, answered_outcome, labels_of
from .published_data import RecordedMessage, RecordedRun

NO_SLOT = ""
"""The slot of a question that does not tell what it asks about."""


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

    def outcome(self, recorded: RecordedRun) -> Outcome:
        """Return how one recorded run would have ended with our engine."""
        query = self._query(recorded)
        answer = self._engine.repair(query, policy=self.policy, top=1, rank="score")
        run = recorded.run
        slots = tuple(run.slots_provided_to_agent)
        return answered_outcome(recorded.gold, slots, query, answer, None, labels_of(recorded))

    def _query(self, recorded: RecordedRun) -> Query:
        base = recorded.run.parsed_base or recorded.gold.instance.record.get("base")
        linked = [self._linked(constraint).record() for constraint in recorded.run.weighed]
        if not linked:
            return Query.model_validate({"base": base})
        return Instance({"base": base, "constraints": linked}).query(self.catalog)

    def _linked(self, constraint: Constraint) -> Constraint:
        """Return the constraint with the catalog's value nearest to the one recorded."""
        if constraint.column is None or not isinstance(constraint.value, str):
            return constraint
        if self.catalog.count([self.catalog.bind(constraint)]):
            return constraint
        column = self.catalog.schema.find(constraint.column).name
        linked = link(constraint.value, column, self._index)
        if not linked.known:
            return constraint
        return Constraint.model_validate({**constraint.record(), "value": linked.value})


def reread(components: Components, recorded: RecordedRun, save: Saved = unsaved) -> Outcome:
    """Return how a recorded dialogue ends with our extraction, weighter and engine.

    Raises `ValueError` for a run whose dialogue is withheld.
    """
    if recorded.run.dialogue is None:
        raise ValueError("a dialogue that is withheld cannot be read")
    slots = tuple(recorded.run.slots_provided_to_agent)
    opening, exchanges = _exchanges(recorded.run.dialogue)
    script = Script(components.catalog, slots, exchanges)
    session = _Scripted(
        components.catalog,
        agent=script,
        weighter=components.weighter,
        policy=components.policy,
        max_questions=len(exchanges),
        top=1,
        save=save,
    )
    opening = opening or recorded.run.base_query_sentence
    read = run_dialogue(session, script, opening, recorded.gold, slots)
    return session_outcome(session, recorded.gold, slots, labels_of(recorded), read)


@dataclass
class Script:
    """Asks and answers what was asked and answered in a recorded dialogue, in its order."""

    catalog: Catalog
    slots: Sequence[str]
    exchanges: Sequence[tuple[str, str]]
    place: int = 0
    named: list[str] = field(default_factory=list[str])

    def ask(
        self, transcript: Transcript, known: Sequence[Constraint], slots: Sequence[str]
    ) -> Question | None:
        """See `Agent.ask`: the next recorded question, whatever is known by now."""
        if self.place == len(self.exchanges):
            return None
        text = self.exchanges[self.place][0]
        self.place += 1
        slot = self._slot(text)
        self.named.append(slot)
        return Question(slot, text)

    def answer(self, question: Question, transcript: Transcript) -> str:
        """See `RolePlayer.answer`: what was answered to the question asked last."""
        return self.exchanges[self.place - 1][1]

    def _slot(self, question: str) -> str:
        """Return which slot a question is about, of equals one not asked about yet."""
        ranks = asked_columns(question, index_of(self.catalog))
        among = [slot for slot in self.slots if slot in ranks]
        rank = {slot: (ranks[slot], slot not in self.named) for slot in among}
        return max(among, key=lambda slot: rank[slot], default=NO_SLOT)


class _Scripted(Session):
    """A session in which a recorded question is asked even if its answer is known by then."""

    @property
    def open_slots(self) -> tuple[str, ...]:
        """Never empty: the script ends by itself."""
        return (NO_SLOT,)


def _exchanges(dialogue: Sequence[RecordedMessage]) -> tuple[str, list[tuple[str, str]]]:
    """Return what the person opens with, and each question with its answer."""
    opening = dialogue[0].content if dialogue and dialogue[0].role == "user" else ""
    return opening, [
        (before.content, after.content)
        for before, after in pairwise(dialogue)
        if before.role == "assistant" and after.role == "user"
    ]
