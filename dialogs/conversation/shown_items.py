"""What there is of what is asked for, and what would have to give way where nothing is."""

from __future__ import annotations

from collections.abc import Sequence

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...catalogs.versions.sorted_rows import SortKey
from ..language.wording import listed, sentence
from .answers import items, listing, sorted_items
from .asked import Asked
from .changes import proposed_with
from .naming import Direction
from .negotiation import Negotiation
from .preferences import stand_together
from .sentences import wished
from .turn import Turn


def what_there_is(
    talk: Negotiation,
    about: Asked,
    ways: Sequence[tuple[str, Direction]],
    turn: Turn,
    number: int | None = None,
) -> str:
    """Return what there is, and where nothing is that is asked for, what would have to give way.

    That is nothing said just now, if anything else will do. `number`: so much of it, at most.
    """
    extra = [part.constraint for part in about.extraction.constraints]
    latest = {part.constraint.column for part in turn.taken.constraints} - {None}
    if not extra and not ways and latest:
        return listing(talk, proposed_with(talk, latest), [*about.columns, *wished(talk)], number)
    if not extra:
        return sorted_items(talk, ways[0], about, number) if ways else items(talk, about, number)
    must = [wish.model_copy(update={"hard": True}) for wish in extra]
    own = [wish.column for wish in extra if wish.column]

    def instead(known: Constraint) -> Constraint | None:
        """What is asked for in place of a wish; both may have to hold."""
        asks = (wish for wish in must if wish.column == known.column)
        return next((wish for wish in asks if not stand_together(wish, known)), None)

    # Those known keep their positions, by which they may have to stay.
    soft = [instead(wish) or wish for wish in talk.query.constraints]
    base = tuple(wish for wish in talk.query.base if instead(wish) is None)
    new = [wish for wish in must if wish not in soft]
    query = Query(base=base, constraints=(*soft, *new), objectives=talk.query.objectives)
    sort = [SortKey(name, direction == "max") for name, direction in ways]
    proposal = talk.propose_instead(query, sort)
    if proposal is None:
        return _only_without(talk, extra, [*about.columns, *own])
    return listing(talk, proposal, [*about.columns, *own, *wished(talk)], number)


def _only_without(talk: Negotiation, extra: Sequence[Constraint], columns: Sequence[str]) -> str:
    """Return that nothing has what is asked for beside what must be, and what there is without."""
    told = f"there is none with {listed(talk.wording.wishes(extra))}"
    if not talk.count(extra):
        return sentence(told)
    known = [w for w in talk.preferences.known if w not in extra]
    must = [w for w in known if w.hard or w in talk.preferences.base]
    told += f" beside {listed(talk.wording.wishes(must))}" if must else " beside the rest"
    proposal = talk.propose_instead(Query(base=tuple(extra)))
    rest = "" if proposal is None else listing(talk, proposal, [*columns, *wished(talk)])
    return f"{sentence(told)} Without that: {rest[:1].lower()}{rest[1:]}"
