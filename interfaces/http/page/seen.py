"""What a list shows, for the log of somebody who is named in the address; nothing of anybody else.

The script sends it to `/v1/events`: the list once it has stood for a second, and what is opened and
put back in it. Without a script nothing is sent.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_core import to_json

from ....rendering.html import Html, tag
from .items import cards_of, item_key
from .query_string import Search
from .view_model import Outcome
from .wording import isolated, shortened

MEMBERS = ("column", "op", "value")


def seen(outcome: Outcome) -> str | None:
    """Return the list as JSON, the members of an event that it settles; None for nobody."""
    if outcome.log_key is None:
        return None
    keys: Sequence[str | None] = [item_key(card, outcome) for card in cards_of(outcome)]
    constraints = [
        {name: value for name, value in constraint.record().items() if name in MEMBERS}
        for constraint in outcome.question.query.constraints
    ]
    record = {
        "catalog": outcome.catalog,
        "user": outcome.search.user,
        "constraints": constraints,
        "shown": list(dict.fromkeys(key for key in keys if key is not None)),
    }
    return to_json(record).decode()


def logged_as(outcome: Outcome) -> Html | None:
    """Return that something is logged, for whom, and a way out; None where nothing is."""
    if outcome.log_key is None:
        return None
    return tag(
        "p",
        "Kept for ",
        isolated(shortened(outcome.search.user)),
        ": the items shown, opened, and what is put back. ",
        tag("a", "Keep nothing", href=nobody(outcome.search).address, id="keep-nothing"),
        class_="quiet logged",
    )


def nobody(search: Search) -> Search:
    """Return a search of which nothing is logged."""
    return search.for_user("")
