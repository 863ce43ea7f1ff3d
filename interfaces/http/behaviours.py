"""What is known of people's behaviour, for each catalog that has a key to name its items by."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...engine.runtime.json_logging import LOG
from .settings import ServeSettings

if TYPE_CHECKING:
    from ...catalogs.catalog import Catalog
    from ...catalogs.query.query import Query
    from ...dialogs.weighters.evidence.behaviour import Behaviour
    from ...dialogs.weighters.evidence.implicit_factors import ImplicitFactor
    from ...dialogs.weighters.weighter import Weighter
    from ...engine.answer import Answer
    from .request_models import RepairRequest


def open_behaviours(
    catalogs: Mapping[str, Catalog], settings: ServeSettings
) -> dict[str, Behaviour]:
    """Return the logs of the catalogs that have a key; kept where they have a file for events.

    Raises `UnreadableFile` for a log that cannot be read, and `UnknownColumn` for a key.
    """
    from ...dialogs.weighters.evidence.behaviour import Behaviour
    from ...dialogs.weighters.evidence.store import Retention

    behaviours: dict[str, Behaviour] = {}
    retention = Retention(days=settings.retention_days)
    try:
        for source in settings.catalogs:
            if source.key is not None and source.name in catalogs:
                behaviours[source.name] = Behaviour.open(
                    catalogs[source.name], source.key, source.events, retention
                )
    except BaseException:
        for behaviour in behaviours.values():
            behaviour.close()
        raise
    return behaviours


def weighed_for(query: Query, behaviour: Behaviour, user: str) -> Query:
    """Return a query whose constraints without a weight have those of a person's behaviour."""
    from ...catalogs.query.query import Query
    from ...dialogs.weighters.evidence.weighter import EvidenceWeighter

    known = behaviour.knows(user)
    if behaviour.has_expired:
        learn_beside(behaviour)
    if not known:
        return query
    weighing = EvidenceWeighter(behaviour, user).weigh("", query.constraints)
    constraints = tuple(
        weighed if given.weight is None and not given.hard else given
        for given, weighed in zip(query.constraints, weighing.constraints, strict=True)
    )
    return Query(base=query.base, constraints=constraints, objectives=query.objectives)


def implicit_factors_for(
    query: Query, behaviour: Behaviour, body: RepairRequest
) -> tuple[Query, list[ImplicitFactor]]:
    """Return a query that also asks for what is not said, and what that is."""
    from ...dialogs.weighters.evidence.circumstances import Context, profile_of
    from ...dialogs.weighters.evidence.implicit_repair import with_factors

    profile = None if body.profile is None else profile_of(body.profile)
    context = Context.of(body.time, body.place)
    asked = (*query.base, *query.constraints)
    factors = behaviour.implicit(body.user, profile, context, asked)
    return with_factors(behaviour.catalog, query, factors)


def reasoned(answer: Answer, factors: Sequence[ImplicitFactor]) -> Answer:
    """Return an answer that names the factors in its query."""
    from ...dialogs.weighters.evidence.implicit_repair import with_reasons

    return with_reasons(answer, factors)


def weighter_for(behaviour: Behaviour | None, user: str | None) -> Weighter:
    """Return what weighs a person's wishes: words, and beside them what the person did."""
    from ...dialogs.weighters.evidence.weighter import beside_words
    from ...dialogs.weighters.weighter import DEFAULT_WEIGHTER, get_weighter

    words = get_weighter(DEFAULT_WEIGHTER)
    return words if behaviour is None else beside_words(behaviour, user, words)


def learn_beside(behaviour: Behaviour) -> None:
    """Learn from everybody's events in a thread of its own, where enough has changed."""

    def learn() -> None:
        try:
            while behaviour.is_due:
                behaviour.learn()
        except Exception:
            # What was learned before goes on to hold.
            LOG.exception("learning from events failed")

    if behaviour.is_due and not behaviour.is_learning:
        threading.Thread(target=learn, name="concede-learning", daemon=True).start()
