"""A conversation as HTML: what was said, the field and the buttons for what comes next, the offer.

Every button belongs to one form, which names the conversation; what it does is its name and value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ....catalogs.query.constraint import Constraint
from ....catalogs.query.query import Query
from ....dialogs.conversation.item_answers import known_by
from ....dialogs.conversation.proposal import Proposal
from ....dialogs.conversation.roles import Choice
from ....dialogs.conversation.session import Session
from ....dialogs.transcripts.transcript import Message
from ....engine.answer import Item, Status
from ....rendering.html import Child, Html, document, join, tag
from ..request_models import LONGEST_TEXT
from .addresses import chat_address
from .constraints import Question
from .form_model import FormModel
from .heard import criteria_of, filters_of, preferences_of
from .items import Card, cards, title
from .layout import head, header
from .messages import messages_said
from .query_string import Criterion, Search
from .result import conflict_words
from .view_model import Outcome
from .wording import (
    bold_phrase,
    bound_words,
    isolated,
    label,
    visually_hidden,
)

GREETING = "What are you looking for?"
SHOW_NOW = "Show me what there is"
NO_PREFERENCE = "No preference"
ANYTHING_ELSE = "Anything else?"

SHOWN_MESSAGES = 100
SHOWN_CONFLICTS = 2
STEPS = "steps"
"""The form that all buttons belong to."""

MOST_IN_ADDRESS = 4_000
"""Characters of an address that is still linked."""


@dataclass(frozen=True)
class Talk:
    """A conversation under its id, over the catalog of a name."""

    identity: str
    catalog: str
    session: Session


def new_page(form: FormModel, catalogs: Sequence[str], *, text: str = "", note: str = "") -> Html:
    """Return the beginning of a conversation; `note` says why it begins anew, if it does."""
    talk = tag(
        "section",
        tag("p", note, class_="faults", role="alert") if note else None,
        _said([]),
        _field({"catalog": form.catalog}, "In your own words", text),
        class_="talk",
        aria_label="Conversation",
    )
    return _framed(form, catalogs, talk)


def chat_page(talk: Talk, form: FormModel, catalogs: Sequence[str]) -> Html:
    """Return a conversation: on one side what is said, on the other what came of it."""
    session = talk.session
    return _framed(
        form,
        catalogs,
        tag(
            "section",
            _said(session.messages),
            _answer(talk),
            _about_talk(talk),
            class_="talk",
            aria_label="Conversation",
        ),
        tag(
            "section",
            _understood(talk),
            _offer(talk, form),
            class_="found",
            aria_label="What came of it",
        ),
    )


def _framed(form: FormModel, catalogs: Sequence[str], *parts: Html) -> Html:
    search = tag("a", "Search with filters", href=f"./{Search(form.catalog).address}")
    body = tag("body", header(form, catalogs, search), tag("main", *parts, id="talk"))
    return document(head(f"{label(form.catalog)} – A conversation", script=False), body)


def _said(messages: Sequence[Message]) -> Html:
    """Return the last messages."""
    shown = messages[-SHOWN_MESSAGES:]
    earlier = len(messages) - len(shown)
    return messages_said(earlier, GREETING, [(message.role, message.content) for message in shown])


def _field(hidden: dict[str, str], words: str, text: str = "") -> Html:
    box = tag("input", type="text", name="text", id="text", value=text, maxlength=LONGEST_TEXT,
              required=True, autofocus=True)  # fmt: skip
    send = tag("button", "Say", type="submit", class_="primary")
    line = tag("div", box, send, class_="line")
    return tag("form", *_hidden(hidden), tag("label", words, for_="text"), line, class_="field say",
               method="post", action="chat", autocomplete="off")  # fmt: skip


def _hidden(values: dict[str, str]) -> Iterable[Html]:
    return (tag("input", type="hidden", name=name, value=held) for name, held in values.items())


def _button(words: Child, name: str, value: str, class_: str | None = None) -> Html:
    return tag("button", words, type="submit", form=STEPS, name=name, value=value, class_=class_)


def _answer(talk: Talk) -> Html:
    """Return the quick answers to an open question, and the field."""
    question = talk.session.question
    quick: list[Html] = []
    if question is not None:
        quick = [_choice(choice) for choice in question.choices]
        quick.append(_button(NO_PREFERENCE, "text", NO_PREFERENCE))
        if talk.session.preferences.known:
            quick.append(_button(SHOW_NOW, "propose", SHOW_NOW))
    hidden = {"conversation": talk.identity, "catalog": talk.catalog}
    answers = tag("div", *quick, class_="quick", role="group", aria_label="Quick answers")
    words = ANYTHING_ELSE if talk.session.accepted is not None else "Your answer"
    return join(answers if quick else None, _field(hidden, words))


def _choice(choice: Choice) -> Html:
    words = tag("span", isolated(choice.text), f" ({choice.count:,})")
    return _button(words, "text", choice.text)


def _about_talk(talk: Talk) -> Html:
    """Return the form of the buttons, with those that are about the conversation as a whole."""
    hidden = {"conversation": talk.identity, "catalog": talk.catalog}
    again = tag("a", "Begin anew", href=chat_address(catalog=talk.catalog))
    undo = _button("Undo", "undo", "1") if talk.session.can_undo else None
    return tag("form", *_hidden(hidden), undo, again, id=STEPS, method="post", action="chat")


def _understood(talk: Talk) -> Html | None:
    """Return what is understood, a chip each with a way to drop it, and the search for it."""
    session = talk.session
    known = [
        _chip(session.wording.wish(wish), place, "must" if wish.hard else "kept", session)
        for place, wish in enumerate(session.preferences.known)
    ]
    aims = [
        _chip(f"{'lower' if goal.direction == 'min' else 'higher'} "
              f"{session.wording.label(goal.column)}", place, "preference", session)
        for place, goal in enumerate(session.preferences.objectives, len(known))
    ]  # fmt: skip
    if not (known or aims):
        return None
    return tag(
        "section",
        tag("h2", "Understood so far"),
        tag("ul", *known, *aims, class_="chips"),
        _to_search(talk),
        class_="heard",
    )


def _chip(words: str, place: int, state: str, session: Session) -> Html:
    remove = join(tag("span", "×", aria_hidden="true"), visually_hidden("Forget ", words))
    return tag(
        "li",
        tag("span", isolated(words), class_="words"),
        tag("span", "must", class_="mark") if state == "must" else None,
        None if session.accepted else _button(remove, "forget", str(place), "remove"),
        class_=f"chip {state}",
    )


def _to_search(talk: Talk) -> Html | None:
    """Return a link to the search page for all that is understood, and what it leaves out."""
    query, catalog = talk.session.query, talk.session.catalog
    base = [wish.model_copy(update={"hard": True}) for wish in query.base]
    criteria, without = filters_of([*base, *query.constraints], catalog)
    search = Search(talk.catalog, criteria, preferences_of(query.objectives))
    if len(search.address) > MOST_IN_ADDRESS:
        return None
    left = f" No filter there says: {'; '.join(without)}." if without else None
    link = tag("a", "Search for it with filters", href=f"./{search.address}")
    return tag("p", link, left, class_="quiet")


def _offer(talk: Talk, form: FormModel) -> Html | None:
    """Return what is offered: what gives way for it, and the items as the search shows them."""
    session, proposal = talk.session, talk.session.proposal
    taken = join(tag("h2", "Taken"), _basket(talk, form)) if session.basket else None
    taken = join(taken, _shortlist(session)) if session.shortlist else taken
    if proposal is None or session.accepted is not None:
        return taken and tag("section", taken, id="outcome")

    def take(place: int) -> Html:
        name = title(Card.of_item(proposal.answer.items[place]), form)
        return _button(join("Take it", visually_hidden(": ", name)), "accept", str(place))

    outcome = _outcome(talk, proposal)
    heading = tag("h2", "Offered" if proposal.is_offer else "Closest items")
    shown = proposal.is_offer or proposal.answer.near_misses
    items = join(heading, cards(outcome, form, take)) if shown else None
    return tag("section", taken, _gives_way(outcome, form), items, id="outcome")


def _shortlist(session: Session) -> Html:
    """Return what is kept in mind, by name, with what is wished of it."""
    wishes = [wish.column for wish in session.preferences.known if wish.column]
    items = (session.wording.item(item.row, wishes) for item in session.shortlist)
    names = (tag("li", isolated(text)) for text in items)
    return join(tag("h2", "Kept in mind"), tag("ul", *names, class_="shortlist"))


def _basket(talk: Talk, form: FormModel) -> Html:
    """Return what is taken; what is not shown now answered other wishes, which are not told."""
    session, anything = talk.session, Query()
    known = Query(base=tuple(known_by(session.basket[-1].row)))
    proposal = session.proposal or Proposal(known, session.repaired(known, 1))
    shown = {item.row_id: item for item in proposal.answer.items if session.proposal}
    here = tuple(shown[i.row_id] for i in session.basket if i.row_id in shown)
    bare = {"meets": (), "misses": (), "contributions": ()}
    before = (i.model_copy(update=bare) for i in session.basket if i.row_id not in shown)
    parts = ((proposal, here), (replace(proposal, query=anything), tuple(before)))
    several = [
        f"{number:,} × {session.wording.names(item.row)}"
        for item, number in zip(session.basket, session.taken_numbers, strict=True)
        if number > 1
    ]
    told = tag("p", isolated("; ".join(several)), class_="quiet") if several else None
    return join(told, *(_cards_of(talk, asked, items, form) for asked, items in parts if items))


def _cards_of(talk: Talk, asked: Proposal, items: tuple[Item, ...], form: FormModel) -> Html:
    answer = asked.answer.model_copy(update={"items": items})
    return cards(_outcome(talk, replace(asked, answer=answer)), form)


def _outcome(talk: Talk, proposal: Proposal) -> Outcome:
    """Return a proposal as the search page takes an answer: each wish as a criterion."""
    criteria = tuple(_criterion(wish, talk.session) for wish in proposal.query.constraints)
    question = Question(proposal.query, criteria, {})
    search = Search(talk.catalog, top=talk.session.top)
    return Outcome(search, question, proposal.answer, proposal.answer)


def _criterion(wish: Constraint, session: Session) -> Criterion:
    found = list(criteria_of(wish, session.catalog))
    if len(found) == 1:
        return found[0]
    return Criterion("said", wish.column or "", (session.wording.condition(wish),))


def _gives_way(outcome: Outcome, form: FormModel) -> Html | None:
    """Return why not everything fits, and what gives way, each with a way to keep it."""
    answer = outcome.answer
    if answer.status is Status.SAT_NO_RELAXATION:
        return None
    conflicts = [conflict for conflict in outcome.conflicts if conflict][:SHOWN_CONFLICTS]
    moved = {change.position: change.to for change in answer.repairs[0].changes} if (
        outcome.is_relaxed and answer.repairs
    ) else {}  # fmt: skip
    kept = [
        tag(
            "span",
            tag("del", bold_phrase(outcome.question.criteria[place], form)),
            tag("span", " → ", bound_words(to, form)) if to is not None else None,
            " ",
            _button("Must not give way", "refuse", str(place), "button"),
            class_="pair",
        )
        for place, to in sorted(moved.items())
    ]
    return tag(
        "section",
        tag("h2", "Nothing fits all of it" if outcome.answer.status is not Status.UNKNOWN else
            "Not all items could be read in time", id="notice"),
        *(tag("p", conflict_words(conflict, form)) for conflict in conflicts),
        tag("p", "So this gives way: ", *kept, class_="gave-way") if kept else None,
        class_="notice",
        aria_labelledby="notice",
    )  # fmt: skip
