"""The conversation beside the result: what was said, quick answers, and a field for what is next.

It is one of those at `/chat`. What it understands becomes filters, and filters set by hand are told
to it with the next thing said.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ....rendering.html import Child, Html, tag
from ..request_models import LONGEST_TEXT
from .addresses import chat_address
from .form_model import FormModel
from .messages import messages_said
from .query_string import Search
from .view_model import BesideTalk, Outcome
from .wording import isolated

TITLE = "Talk it over"
GREETING = "What are you looking for? Your filters follow what you say."
LOST = "That conversation was idle for too long and is forgotten. Your filters are still here."
NO_PREFERENCE = "No preference"
SHOW_NOW = "Show me what there is"
SHOWN_MESSAGES = 30
BESIDE = "beside"
"""The name of the search that a step is taken beside, as its address says it."""

STEPS = "talk-steps"
SAY = "talk-say"


def talk_beside(outcome: Outcome, form: FormModel) -> Html:
    """Return the panel of the conversation beside a result, or of the beginning of one."""
    talk = outcome.talk or BesideTalk("")
    panel = tag(
        "details",
        tag("summary", TITLE),
        tag("p", LOST, class_="faults", role="alert") if talk.is_lost else None,
        messages_said(talk.earlier, GREETING, talk.messages),
        _quick(talk),
        _field(outcome.search, talk, form),
        _about(outcome.search, talk, form),
        id="talking",
        open=bool(talk.identity or talk.is_lost),
    )
    title = tag("h2", TITLE, class_="panel-title")
    return tag("section", title, panel, id="chat", aria_label="Conversation")


def _quick(talk: BesideTalk) -> Html | None:
    """Return the quick answers to an open question."""
    if not talk.asks:
        return None
    quick = [
        _button(tag("span", isolated(words), f" ({count:,})"), "text", words)
        for words, count in talk.choices
    ]
    quick.append(_button(NO_PREFERENCE, "text", NO_PREFERENCE))
    if talk.knows:
        quick.append(_button(SHOW_NOW, "propose", SHOW_NOW))
    return tag("div", *quick, class_="quick", role="group", aria_label="Quick answers")


def _button(words: Child, name: str, value: str) -> Html:
    return tag("button", words, type="submit", form=STEPS, name=name, value=value)


def _hidden(search: Search, talk: BesideTalk, form: FormModel) -> Iterable[Html]:
    held = {
        "conversation": talk.identity,
        "catalog": form.catalog,
        BESIDE: replace(search.settled(), conversation="").address,
    }
    return (tag("input", type="hidden", name=name, value=value) for name, value in held.items())


def _field(search: Search, talk: BesideTalk, form: FormModel) -> Html:
    words = "Your answer" if talk.asks else "In your own words"
    entry = tag("input", type="text", name="text", id="talk-text", maxlength=LONGEST_TEXT,
                required=True)  # fmt: skip
    send = tag("button", "Say", type="submit")
    line = tag("div", entry, send, class_="line")
    return tag(
        "form",
        *_hidden(search, talk, form),
        tag("label", words, for_="talk-text"),
        line,
        id=SAY,
        class_="field",
        method="post",
        action="chat",
        autocomplete="off",
    )


def _about(search: Search, talk: BesideTalk, form: FormModel) -> Html | None:
    """Return the form of the buttons, and links about the conversation as a whole."""
    if not talk.identity:
        return None
    anew = replace(search.settled(), conversation="")
    whole = chat_address(catalog=form.catalog, conversation=talk.identity)
    return tag(
        "form",
        *_hidden(search, talk, form),
        _button("Undo", "undo", "1") if talk.can_undo else None,
        tag("a", "See the items", href="#items", class_="to-items"),
        tag("a", "On a page of its own", href=whole),
        tag("a", "End it", href=anew.address, id="talk-end"),
        id=STEPS,
        method="post",
        action="chat",
    )
