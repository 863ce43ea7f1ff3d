"""Whole conversations with people who want too much: is each wish heard, and the right one dropped?

A persona opens, answers what it is asked in its own words, adds what nobody asked about, and
waits for an offer. Nothing meets all of its wishes; without the one it would give up first
something does. Judged are the wishes the session ends with, and what its proposal relaxes.
Cost: one conversation a persona.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...catalogs.catalog import Catalog
from ...catalogs.errors import ConcedeError
from ...dialogs.conversation.session import Proposal, Session
from ..json_lines import read_records
from .column_cells import ColumnCells, read_columns
from .request_marks import paired
from .request_records import DEVELOPMENT, HELD_OUT, WRITTEN, GoldConstraint, Strict
from .wilson import Share, share
from .wishes import Stated, wishes

NO_PREFERENCE = "no preference"


class Weighed(GoldConstraint):
    """A wish that may give way, with how much it matters, from 0 to 1."""

    weight: float


class Persona(Strict):
    """One person: what is looked for (`base`), the other wishes, and words for each column.

    `gives_up` is the column of the wish that would go first.
    """

    catalog: str
    opening: str
    base: tuple[GoldConstraint, ...]
    constraints: tuple[Weighed, ...]
    answers: dict[str, str]
    gives_up: str


OpenSession = Callable[[Catalog], Session]


def open_session(catalog: Catalog) -> Session:
    """Return a session that may ask about every column."""
    return Session(catalog, max_questions=len(catalog.columns))


@dataclass(frozen=True, slots=True)
class PersonaScores:
    """`slots`: wishes of all personas that the session holds at the end; `extra`: wishes it
    holds and nobody has, over all personas; `all_slots`: personas of whom all wishes are held
    and no other; `given_up`: personas whose first wish to give up, and nothing else, gives way.
    """

    personas: int
    slots: Share
    extra: int
    all_slots: Share
    given_up: Share
    failed: int

    def record(self) -> dict[str, Any]:
        """Return the scores as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Ending:
    """How one conversation ended: wishes held, missing and extra, and the columns relaxed.

    `failed`: the session raised an error on the way.
    """

    held: int
    missing: int
    extra: int
    relaxed: frozenset[str]
    failed: bool


def held_out_personas() -> tuple[Persona, ...]:
    """Return the personas that judge a session; only their figures are to be looked at."""
    return read_personas(HELD_OUT / "personas.jsonl")


def development_personas() -> tuple[Persona, ...]:
    """Return the personas that nothing learns from, and whoever writes a reader may read."""
    return read_personas(DEVELOPMENT / "personas.jsonl")


def written_personas() -> tuple[Persona, ...]:
    """Return the personas that were written to be learned from."""
    return read_personas(WRITTEN / "personas.jsonl")


def read_personas(file: str | Path) -> tuple[Persona, ...]:
    """Read a file of personas. Raises `UnreadableFile` that names the line of what is wrong."""
    return tuple(read_records(file, Persona.model_validate))


def score_personas(
    personas: Sequence[Persona],
    begin: OpenSession = open_session,
    catalogs: Path = HELD_OUT / "catalogs",
) -> PersonaScores:
    """Hold a conversation with each persona and return the figures."""
    pairs = list(_endings(personas, begin, catalogs))
    endings = [ending for _, ending in pairs]
    held = sum(ending.held for ending in endings)
    missing = sum(ending.missing for ending in endings)
    return PersonaScores(
        len(pairs),
        share(held, held + missing),
        sum(ending.extra for ending in endings),
        share(sum(not ending.missing and not ending.extra for ending in endings), len(pairs)),
        share(
            sum(ending.relaxed == frozenset((who.gives_up,)) for who, ending in pairs), len(pairs)
        ),
        sum(ending.failed for ending in endings),
    )


def _endings(
    personas: Sequence[Persona], begin: OpenSession, catalogs: Path
) -> Iterator[tuple[Persona, Ending]]:
    for name in dict.fromkeys(persona.catalog for persona in personas):
        file = catalogs / f"{name}.csv"
        columns = read_columns(file)
        with Catalog.open(file) as catalog:
            for persona in (one for one in personas if one.catalog == name):
                yield persona, _ending(persona, begin(catalog), columns)


def _ending(persona: Persona, session: Session, columns: dict[str, ColumnCells]) -> Ending:
    relaxed, failed = frozenset[str](), False
    try:
        proposal = converse(persona, session)
        changed = (proposal.query.constraints[at].column for at in proposal.relaxed)
        relaxed = frozenset(column for column in changed if column)
    except ConcedeError:
        failed = True
    meant = [
        Stated(part.column, part.op, part.value) for part in (*persona.base, *persona.constraints)
    ]
    query = session.query
    found = [
        Stated(part.column or "", part.op, part.value) for part in (*query.base, *query.constraints)
    ]
    pairs, missing, extra = paired(wishes(meant, columns), wishes(found, columns), columns)
    return Ending(len(pairs), len(missing), len(extra), relaxed, failed)


def converse(persona: Persona, session: Session) -> Proposal:
    """Say what the persona would say, and return what is proposed in the end.

    Raises what the session raises.
    """
    session.hear(persona.opening)
    unasked = dict(persona.answers)
    while (question := session.next_question()) is not None:
        session.hear(unasked.pop(question.slot, NO_PREFERENCE))
    for column, words in unasked.items():
        session.hear(f"{column}: {words}")
    return session.propose()
