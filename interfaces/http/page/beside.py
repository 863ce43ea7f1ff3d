"""A step of the conversation beside a search: it is told the filters, and sets them.

The conversation is one of those that the JSON routes and `/chat` keep, under the same ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from starlette.responses import Response

from ....catalogs.errors import ConcedeError
from ....catalogs.query.constraint import Constraint
from ....catalogs.versions.snapshot import Snapshot
from ....dialogs.conversation.session import Session
from .. import conversation_steps as steps
from ..conversation_steps import ChatRequest, Members, StoredConversation
from ..problem_details import HttpProblem
from ..state import ServedCatalog, ServerState
from .constraints import Question, question_of
from .form_model import FormCache
from .heard import filtered_wishes, preferences_of
from .query_string import Criterion, Search
from .responses import redirect
from .talk_beside import SHOWN_MESSAGES
from .view_model import BesideTalk

Step = Callable[[Session], Members]


@dataclass(frozen=True)
class _Beside:
    """A search that a step is taken beside, and its question on the catalog as it is now."""

    search: Search
    question: Question
    catalog: Snapshot


def talk_of(search: Search, served: ServedCatalog, state: ServerState) -> StoredConversation | None:
    """Return the conversation beside a search; None where there is none about its catalog."""
    if not search.conversation:
        return None
    try:
        stored = state.conversations.find(search.conversation)
    except HttpProblem:
        return None
    return stored if stored.value.served is served else None


def shown_talk(stored: StoredConversation) -> BesideTalk:
    """Return all that is shown of a conversation; call it under its lock."""
    session, question = stored.value.session, stored.value.session.question
    shown = session.messages[-SHOWN_MESSAGES:]
    return BesideTalk(
        stored.identity,
        tuple((message.role, message.content) for message in shown),
        len(session.messages) - len(shown),
        tuple((choice.text, choice.count) for choice in question.choices) if question else (),
        asks=question is not None,
        knows=bool(session.preferences.known),
        can_undo=session.can_undo,
    )


async def step_beside(
    state: ServerState, forms: FormCache, search: Search, identity: str, step: Step
) -> Response:
    """Take a step of a conversation, a new one where there is none; lead to the search after it.

    Raises what the step raises, a 409 `HttpProblem` while another step is being taken.
    """
    served = state.find(search.catalog or None)
    stored = talk_of(replace(search, conversation=identity), served, state)
    begins = stored is None
    if stored is None:
        body = ChatRequest.model_validate({"catalog": served.name})
        stored = await steps.begin(state, body, lambda stored, said: stored)
    stored.check_free()
    beside = list[_Beside]()

    def both(session: Session) -> Members:
        catalog = served.catalog.snapshot()
        question = question_of(search, forms.get(served.name, catalog), catalog)
        beside.append(_Beside(search, question, catalog))
        _tell(session, beside[0])
        return step(session)

    def address(stored: StoredConversation, said: Members) -> str:
        after = _searched(stored.value.session, beside[0])
        return replace(after, conversation=stored.identity).address

    try:
        return redirect(f"./{await steps.advance(state, stored, both, address)}#chat")
    except ConcedeError:
        if begins:
            # Nobody was told its id.
            state.conversations.end(stored.identity)
        raise


def _tell(session: Session, beside: _Beside) -> None:
    """Let a conversation know the filters: wishes that they say stay, others go, new ones come."""
    by_key = {criterion.key: criterion for criterion in beside.search.criteria}
    known = filtered_wishes(session.preferences.known, beside.catalog)
    kept = [(wish, criteria) for wish, criteria in known if _is_said(criteria, by_key)]
    said = {criterion.key for _, criteria in kept for criterion in criteria}
    base = [
        wish
        for wish, criteria in kept
        if wish in session.preferences.base and all(by_key[each.key].must for each in criteria)
    ]
    soft = [_weighed(wish, criteria, by_key) for wish, criteria in kept if wish not in base]
    fresh = [
        constraint for criterion, constraint in _told(beside.question) if criterion.key not in said
    ]
    session.adopt(base, [*soft, *fresh], beside.question.query.objectives)


def _is_said(criteria: Sequence[Criterion], by_key: dict[str, Criterion]) -> bool:
    """Whether filters say a wish still; one that no filter says is nobody's to take away here."""
    return all(each.key in by_key and by_key[each.key].values == each.values for each in criteria)


def _weighed(
    wish: Constraint, criteria: Sequence[Criterion], by_key: dict[str, Criterion]
) -> Constraint:
    """Return a wish as hard and as heavy as its filters are by now."""
    if not criteria:
        return wish
    now = [by_key[criterion.key] for criterion in criteria]
    hard, weight = all(each.must for each in now), max(each.weight for each in now)
    changed: dict[str, object] = {} if hard == wish.hard else {"hard": hard}
    if weight != max(each.weight for each in criteria):
        changed["weight"] = weight / 100
    return wish.model_copy(update=changed) if changed else wish


def _told(question: Question) -> Iterator[tuple[Criterion, Constraint]]:
    """Yield the filters that a conversation can know: words to find stay with the search."""
    for criterion, constraint in zip(question.criteria, question.query.constraints, strict=True):
        if constraint.op != "sql":
            yield criterion, constraint


def _searched(session: Session, beside: _Beside) -> Search:
    """Return the search for what a conversation knows, and for what it was not told."""
    query = session.query
    base = [wish.model_copy(update={"hard": True}) for wish in query.base]
    wishes = filtered_wishes([*base, *query.constraints], beside.catalog)
    known = [criterion for _, criteria in wishes for criterion in criteria]
    told = {criterion.key for criterion, _ in _told(beside.question)}
    by_key = {criterion.key: criterion for criterion in known}
    # In the order they stood in, those that came up last.
    order = [
        by_key.pop(old.key, None if old.key in told else old) for old in beside.search.criteria
    ]
    criteria = [criterion for criterion in order if criterion is not None]
    return replace(
        beside.search.settled(),
        criteria=(*criteria, *by_key.values()),
        preferences=preferences_of(query.objectives),
    )
