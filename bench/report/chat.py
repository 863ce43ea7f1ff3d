"""A conversation as HTML messages, with the words marked that constraints were read from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...catalogs.query.constraint import Constraint, words
from ...rendering.html import Child, Html, tag
from ...rendering.terminal_table import cut
from .episode_events import EpisodeEvents

MOST_MESSAGES = 60
MOST_CHARACTERS = 2_000
LONGEST_WISH = 80

SPEAKERS = {"user": "Person", "assistant": "Agent"}


def chat(events: EpisodeEvents) -> Html:
    """Return the messages in their order; of very long ones, the beginning."""
    if not events.messages:
        return tag("p", "The dialogue is withheld, or none was held.", class_="quiet")
    new = _first_understood(events)
    messages = [_message(at, events, new) for at in range(min(len(events.messages), MOST_MESSAGES))]
    rest = len(events.messages) - len(messages)
    more = tag("li", f"… and {rest:,} more messages", class_="quiet") if rest else None
    return tag("ol", *messages, more, class_="chat")


def _message(at: int, events: EpisodeEvents, new: Mapping[int, Sequence[Constraint]]) -> Html:
    role, content = events.messages[at]
    quoted = [reading for readings in events.understood.values() for reading in readings]
    spans = [reading.quote for reading in quoted if reading.quote and reading.quote.message == at]
    body = _marked(content, [(span.start, span.end) for span in spans])
    return tag(
        "li",
        tag("span", SPEAKERS.get(role, cut(role)), class_="who"),
        tag("p", *body, dir="auto"),
        _chips(new.get(at, ())),
        class_=f"said {role if role in SPEAKERS else 'other'}",
    )


def _first_understood(events: EpisodeEvents) -> dict[int, list[Constraint]]:
    """Return what was understood from each message and from none before it."""
    known: set[str] = set()
    new: dict[int, list[Constraint]] = {}
    for at, readings in sorted(events.understood.items()):
        for reading in readings:
            if words(reading.constraint) not in known:
                known.add(words(reading.constraint))
                new.setdefault(at, []).append(reading.constraint)
    return new


def _chips(readings: Sequence[Constraint]) -> Html | None:
    if not readings:
        return None
    chips = [tag("li", tag("bdi", cut(words(constraint), LONGEST_WISH))) for constraint in readings]
    return tag("ul", *chips, class_="read", aria_label="Understood")


def _marked(content: str, spans: Iterable[tuple[int, int]]) -> Iterator[Child]:
    """Yield the text with what was understood marked; spans outside it are left out."""
    text = content[:MOST_CHARACTERS]
    place = 0
    for start, end in sorted(spans):
        begin, stop = max(start, place), min(end, len(text))
        if begin < stop:
            yield text[place:begin]
            yield tag("mark", text[begin:stop])
            place = stop
    yield text[place:]
    if len(content) > len(text):
        rest = len(content) - len(text)
        yield tag("span", f" … {rest:,} more characters", class_="quiet")
