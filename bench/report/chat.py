"""A conversation as a chat: what was understood marked where it was said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...catalogs.constraint import Constraint, words
from ...engine.grid import cut
from ...engine.markup import Child, Html, tag
from .told import Told

MOST_MESSAGES = 60
MOST_CHARACTERS = 2_000
LONGEST_WISH = 80

SPEAKERS = {"user": "Person", "assistant": "Agent"}


def chat(told: Told) -> Html:
    """Return the messages in their order; of very long ones, the beginning."""
    if not told.messages:
        return tag("p", "The dialogue is withheld, or none was held.", class_="quiet")
    new = _first_heard(told)
    shown = [_message(at, told, new) for at in range(min(len(told.messages), MOST_MESSAGES))]
    rest = len(told.messages) - len(shown)
    more = tag("li", f"… and {rest:,} more messages", class_="quiet") if rest else None
    return tag("ol", *shown, more, class_="chat")


def _message(at: int, told: Told, new: Mapping[int, Sequence[Constraint]]) -> Html:
    role, content = told.messages[at]
    quoted = [reading for found in told.understood.values() for reading in found]
    spans = [reading.quote for reading in quoted if reading.quote and reading.quote.message == at]
    body = _marked(content, [(span.start, span.end) for span in spans])
    return tag(
        "li",
        tag("span", SPEAKERS.get(role, cut(role)), class_="who"),
        tag("p", *body, dir="auto"),
        _chips(new.get(at, ())),
        class_=f"said {role if role in SPEAKERS else 'other'}",
    )


def _first_heard(told: Told) -> dict[int, list[Constraint]]:
    """Return what was understood from each message and from none before it."""
    known: set[str] = set()
    found: dict[int, list[Constraint]] = {}
    for at, heard in sorted(told.understood.items()):
        for reading in heard:
            if words(reading.constraint) not in known:
                known.add(words(reading.constraint))
                found.setdefault(at, []).append(reading.constraint)
    return found


def _chips(heard: Sequence[Constraint]) -> Html | None:
    if not heard:
        return None
    chips = [tag("li", tag("bdi", cut(words(constraint), LONGEST_WISH))) for constraint in heard]
    return tag("ul", *chips, class_="read", aria_label="Understood")


def _marked(content: str, spans: Iterable[tuple[int, int]]) -> Iterator[Child]:
    """Yield the text with what was understood marked; spans outside it are left out."""
    shown = content[:MOST_CHARACTERS]
    place = 0
    for start, end in sorted(spans):
        begin, stop = max(start, place), min(end, len(shown))
        if begin < stop:
            yield shown[place:begin]
            yield tag("mark", shown[begin:stop])
            place = stop
    yield shown[place:]
    if len(content) > len(shown):
        rest = len(content) - len(shown)
        yield tag("span", f" … {rest:,} more characters", class_="quiet")
