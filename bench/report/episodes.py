"""Episodes of the page, by instance: which are selected, and their HTML, folded.

Wrong episodes are selected first, every kind of episode in turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from typing import Any, cast

from ...catalogs.query.constraint import Constraint
from ...rendering.html import Child, Html, join, tag
from ...rendering.terminal_table import cut
from ..aware_us.failures import failure
from ..aware_us.gold import Gold
from ..aware_us.rows import ALL
from .chat import chat
from .episode_events import conflicts_of, read_events
from .findings import findings, listed, wish
from .leaderboard import Kind, kind_of, method_of
from .sources import RecordedEpisode
from .wording import counted

DEFAULT_EPISODES = 200


@dataclass(frozen=True)
class Task:
    """One instance with the episodes on it that are shown."""

    gold: Gold
    episodes: Sequence[RecordedEpisode]


@dataclass(frozen=True)
class Selection:
    """What is shown of all there is, by instance."""

    tasks: Sequence[Task]
    shown: int
    shown_wrong: int
    all: int
    all_wrong: int


def is_wrong(episode: RecordedEpisode) -> bool:
    """Whether the gold relaxation, or the item, was missed."""
    return failure(episode.outcome) is not None


def select(episodes: Sequence[RecordedEpisode], most: int = DEFAULT_EPISODES) -> Selection:
    """Return at most so many episodes: wrong ones first, every kind and setting in turn."""
    wrong = [episode for episode in episodes if is_wrong(episode)]
    right = [episode for episode in episodes if not is_wrong(episode)]
    chosen = list(islice(chain(_in_turn(wrong), _in_turn(right)), most))
    shown_wrong = min(len(wrong), most)
    return Selection(_tasks(chosen), len(chosen), shown_wrong, len(episodes), len(wrong))


def _in_turn(episodes: Iterable[RecordedEpisode]) -> Iterator[RecordedEpisode]:
    kinds: dict[Kind, list[RecordedEpisode]] = {}
    for episode in episodes:
        kind = kind_of(episode.source, episode.outcome.labels)
        kinds.setdefault((*kind, episode.outcome.labels.get("setting", ALL)), []).append(episode)
    for group in zip_longest(*kinds.values()):
        yield from (episode for episode in group if episode is not None)


def _tasks(episodes: Iterable[RecordedEpisode]) -> list[Task]:
    """Return the episodes by instance; records that differ are instances of their own."""
    groups: dict[tuple[str, str], list[RecordedEpisode]] = {}
    for episode in episodes:
        record = episode.episode.header.get("instance")
        groups.setdefault((episode.outcome.gold.id, json.dumps(record, sort_keys=True)), []).append(
            episode
        )
    return [
        Task(group[0].outcome.gold, sorted(group, key=_place))
        for _, group in sorted(groups.items())
    ]


def _place(episode: RecordedEpisode) -> tuple[bool | str, ...]:
    kind = kind_of(episode.source, episode.outcome.labels)
    return (not is_wrong(episode), *kind, str(episode.episode.header.get("episode")))


LONGEST_TEXT = 3_000


def instances(selection: Selection, names: Mapping[Kind, str], colour: Mapping[str, int]) -> Html:
    """Return every instance shown, and a line on what is not."""
    tasks = [_task(task, names, colour) for task in selection.tasks]
    return join(tag("p", _shown(selection), id="shown"), tag("div", *tasks, id="instances"))


def _shown(selection: Selection) -> str:
    text = f"{counted(selection.all, 'episode')}, {selection.all_wrong:,} of them wrong"
    if selection.shown == selection.all:
        return f"All {text}."
    left = selection.all - selection.shown
    return (
        f"{selection.shown:,} of {text}: wrong ones first, of every kind in turn. Left out: "
        f"{left:,}, of which {selection.all_wrong - selection.shown_wrong:,} wrong; "
        "--episodes N shows more."
    )


def _task(task: Task, names: Mapping[Kind, str], colour: Mapping[str, int]) -> Html:
    wrong = sum(map(is_wrong, task.episodes))
    gold = task.gold
    opening = cut(gold.opening or "", 110)
    summary = tag(
        "summary",
        tag("b", tag("bdi", cut(gold.id, 40))),
        " ",
        tag("span", opening, class_="opening", dir="auto"),
        " ",
        tag("span", f"{wrong:,} wrong of {len(task.episodes):,}", class_="tally"),
    )
    episodes = [_episode(episode, names, colour) for episode in task.episodes]
    return tag("details", summary, _meant(gold), *episodes, class_="instance")


def _meant(gold: Gold) -> Html:
    """Return what the instance asks, who is behind it, and why nothing matches."""
    return tag(
        "div",
        tag("h4", "The task"),
        tag("p", cut(gold.opening, LONGEST_TEXT), dir="auto") if gold.opening else None,
        tag("p", "Base, which is not to give way: ", *_base(gold)),
        tag("h5", "Persona"),
        tag("blockquote", cut(gold.persona, LONGEST_TEXT), dir="auto")
        if gold.persona
        else tag("p", "Withheld, or none.", class_="quiet"),
        *_conflicts(gold),
        class_="task",
    )


def _base(gold: Gold) -> Iterator[Child]:
    base = gold.instance.record.get("base")
    if not isinstance(base, Mapping) or not base:
        yield "as the sentence says." if gold.opening else "none."
        return
    fields = cast("Mapping[str, Any]", base).items()
    yield from listed(tag("bdi", cut(f"{name} = {value}")) for name, value in list(fields)[:12])


def _conflicts(gold: Gold) -> Iterator[Child]:
    places = conflicts_of(gold.instance.record, len(gold.constraints))
    if not places:
        return
    yield tag("h5", "Why nothing matches")
    conflicts = ([gold.constraints[at] for at in conflict] for conflict in places[:12])
    yield tag("ul", *(tag("li", _conflict(conflict)) for conflict in conflicts))


def _conflict(wishes: Sequence[Constraint]) -> Html:
    if len(wishes) == 1:
        return join("Nothing meets ", wish(wishes[0]), ".")
    *some, last = map(wish, wishes)
    how = "both" if len(wishes) == 2 else "all of"
    return join(f"Nothing meets {how} ", *listed(some), " and ", last, ".")


def _episode(
    episode: RecordedEpisode, names: Mapping[Kind, str], colour: Mapping[str, int]
) -> Html:
    kind = kind_of(episode.source, episode.outcome.labels)
    events = read_events(episode.episode)
    reason = episode.episode.termination or "cut off"
    return tag(
        "details",
        _summary(episode, names[kind], colour[method_of(kind)]),
        tag("div", chat(events), findings(episode.outcome, events, reason), class_="inside"),
        class_="episode",
        data_setting=episode.outcome.labels.get("setting", ALL),
        data_method=method_of(kind),
        data_verdict="wrong" if is_wrong(episode) else "right",
    )


def _summary(episode: RecordedEpisode, name: str, number: int) -> Html:
    reason = failure(episode.outcome)
    verdict = "wrong" if reason else "right"
    seed = episode.episode.header.get("seed")
    return tag(
        "summary",
        tag("span", "✗ wrong" if reason else "✓ right", class_=f"verdict {verdict}"),
        " ",
        tag("span", class_=f"swatch method-{number}", aria_hidden="true"),
        tag("span", cut(name, 80), class_="name"),
        tag("span", f" · seed {seed}", class_="quiet") if isinstance(seed, int) else None,
        tag("span", f" · {cut(reason.reasons[-1], 120)}", class_="quiet")
        if reason and reason.reasons
        else None,
    )
