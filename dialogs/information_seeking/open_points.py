"""What is open in a free-text task: which of several, how past a restriction, where from, how.

The answers are read one after the other. Each sentence opens points: a word that several
options of the background share, an option with a restriction in brackets, a thing that the
background does not hold, an action that no skill covers. A later sentence closes those that
it settles. What the background alone leaves open is added with less weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from .matching import known, mentions, names, overlap, speaks_of
from .options import Option, OptionGroup, before, option_groups, read_options
from .said import Said, clauses, read_answers, sentences, told_part
from .stems import han, stem, stems
from .task import SeekerTask, SpokenTurn
from .wording import form, which

OpenKind = Literal["options", "restriction", "source", "kind", "how", "unused"]


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """Something that nobody has said yet.

    `said`: the words that leave it open. `options`: what it may be, by name, or (). `asked`:
    how often this was asked so far. `likely`: from 0 to 1, how likely somebody has an answer.
    """

    kind: OpenKind
    said: str
    options: tuple[str, ...]
    question: str
    likely: float
    asked: int = 0


@dataclass(slots=True)
class _Point:
    """An open point while the answers are read. `source`: which rule opened it."""

    point: OpenPoint
    source: str
    sentence: str = ""
    group: OptionGroup | None = None
    thing: str = ""
    closed: bool = False


LIKELY = {
    "group": 0.9,
    "group again": 0.5,
    "thing at": 0.85,
    "barred named": 0.85,
    "barred": 0.45,
    "inner": 0.8,
    "person": 0.75,
    "kind": 0.6,
    "kind of": 0.6,
    "source": 0.6,
    "mentioned": 0.2,
    "mentioned twice": 0.35,
    "goal": 0.31,
    "how": 0.31,
    "unmentioned": 0.5,
    "left": 0.4,
}
ASKED = 0.45


def open_points(task: SeekerTask, turns: Sequence[SpokenTurn] = ()) -> tuple[OpenPoint, ...]:
    """Return what is open after `turns`, the likeliest to have an answer first.

    The provider's first turn, a greeting, is passed over. Without an answer the goal is read
    as one. Cost: answers × sentences × options of the background.
    """
    reading = _Reading(task)
    answers = [turn.text for turn in turns if turn.speaker == "provider"][1:]
    asked = [turn.text for turn in turns if turn.speaker == "seeker"]
    for at, answer in enumerate(answers or [task.goal]):
        reading.hear(answer, asked[at] if at < len(asked) else "", at)
    return reading.result()


@dataclass(slots=True)
class _Reading:
    """What has been heard so far."""

    task: SeekerTask
    options: tuple[Option, ...] = ()
    groups: tuple[OptionGroup, ...] = ()
    points: dict[str, _Point] = field(default_factory=dict[str, _Point])
    heard: list[str] = field(default_factory=list[str])
    silent: int = 0

    def __post_init__(self) -> None:
        self.options = read_options(self.task)
        self.groups = option_groups(self.options)

    @property
    def lang(self) -> str:
        return "zh" if self.task.lang == "zh" else "en"

    def hear(self, answer: str, question: str, turn: int) -> None:
        """Close what an answer settles, then open what it leaves open."""
        asked = [one for one in self.points.values() if one.point.question in question]
        answer = told_part(self.lang, answer) if turn else answer
        new = bool(answer) and answer not in self.heard
        settled = self._close(answer, asked) if new else []
        for one in asked:
            if len(asked) == 1 or not settled:
                one.point = replace(one.point, asked=one.point.asked + 1)
        if not new:
            self.silent += bool(turn)
            return
        self.heard.append(answer)
        said = read_answers(self.lang, [answer])
        for sentence in sentences(self.lang, answer):
            self._open(sentence, [s for s in said if s.sentence == sentence], turn)
        self._add_background()

    # What an answer settles

    def _close(self, answer: str, asked: list[_Point]) -> list[_Point]:
        """Close the points that an answer speaks to; if it speaks to none, the one just asked."""
        settled: list[_Point] = []
        for sentence in sentences(self.lang, answer):
            named = [o for o in self.options if names(sentence, o, self.groups)]
            for one in self.points.values():
                if not one.closed and self._settles(sentence, named, one, one in asked):
                    settled.append(one)
        if not settled and asked:
            settled = [max(asked, key=lambda one: overlap(answer, one.point.question))]
        for one in settled:
            one.closed = True
        return settled

    def _settles(self, sentence: str, named: list[Option], one: _Point, asked: bool) -> bool:
        if one.group is not None:
            hit = any(option in one.group.options for option in named)
            if one.thing:
                return hit and (asked or speaks_of(sentence, one.thing))
            return hit and (asked or not self._for_a_thing(sentence, one.group))
        if one.thing:
            place = any(option.place == "scenes" for option in named)
            return speaks_of(sentence, one.thing) and (asked or place)
        return asked and overlap(sentence, one.point.said) > 0

    def _for_a_thing(self, sentence: str, group: OptionGroup) -> bool:
        """Return whether a sentence answers for a thing that was to be had at the group."""
        return any(
            one.group == group and one.thing and speaks_of(sentence, one.thing)
            for one in self.points.values()
        )

    # What a sentence opens

    def _open(self, sentence: str, said: list[Said], turn: int) -> None:
        named = [o for o in self.options if names(sentence, o, self.groups)]
        groups = self._mentioned(sentence, named)
        places = [group for group in groups if group.place == "scenes"]
        at = min(places, key=self._resolved, default=None)
        things = [s for s in said if s.kind == "thing" and self._unknown(s.text)]
        wanted = [s for s in things if s.wanted and not s.vague and not self._is_goal(s.text)]
        for group in groups:
            if group != at or not wanted:
                self._add_group(group, sentence)
        for thing in things:
            self._add_thing(thing, at, named, turn)
        for one in said:
            if one.kind == "action" and turn > 0:
                self._add(f"how {one.text}", "how", "how", one.text, self._form("how", action=one.text))
        for option in self.options:
            meant = [group for group in groups if option in group.options]
            if option in named or any(self._same_bar(group) for group in meant):
                self._add_barred(option, "barred named")

    def _resolved(self, group: OptionGroup) -> bool:
        return any(p.group == group and p.closed for p in self.points.values())

    def _mentioned(self, sentence: str, named: list[Option]) -> list[OptionGroup]:
        hit = {
            group: how
            for group in self.groups
            if not any(option in group.options for option in named)
            and (how := mentions(sentence, group.label)) >= 0.5
        }
        return [g for g in hit if not any(_instead(g, other, hit) for other in hit)]

    def _unknown(self, thing: str) -> bool:
        return not known(thing, self.options) and not self._is_label(thing)

    def _is_label(self, thing: str) -> bool:
        if han(thing):
            return any(mentions(thing, g.label) >= 0.5 and len(thing) < len(g.label) + 3 for g in self.groups)
        last = stems(thing)[-1:]
        return any(last and last[0] == group.label.split()[-1] for group in self.groups)

    def _add_group(self, group: OptionGroup, sentence: str) -> None:
        key = f"group {group.label} {group.place}"
        old = self.points.get(key)
        if old is not None and not old.closed:
            if old.source == "unmentioned":
                old.source, old.point = "group", replace(old.point, likely=LIKELY["group"])
            return
        source = "group"
        if key in self.points or any(p.group == group for p in self.points.values()):
            key, source = f"{key} {sentence}", "group again"
        shown = self._shown(group, sentence)
        question = which(self.lang, group.place, shown, [o.name for o in group.options])
        if source == "group again":
            question = self._form("about", clause=self._clause(sentence, group), question=question)
        self._add(key, source, "options", self._shown(group), question, group=group, sentence=sentence)

    def _clause(self, sentence: str, group: OptionGroup) -> str:
        """Return the part of a sentence that speaks of a group, without what is far from it."""
        parts = clauses(sentence)
        return max(parts, key=lambda part: mentions(part, group.label))

    def _add_thing(self, said: Said, at: OptionGroup | None, named: list[Option], turn: int) -> None:
        thing = said.text
        key = f"thing {' '.join(stems(thing)) if not han(thing) else thing}"
        if any(p.thing and (speaks_of(p.thing, thing) or speaks_of(thing, p.thing)) for p in self.points.values()):
            return
        if any(speaks_of(told, thing) for told in self.heard[:-1]):
            return
        options: Sequence[str] = ()
        if at is not None and said.wanted and not said.vague and not self._is_goal(thing):
            options = [o.name for o in at.options]
            question = self._form("thing at", options=options, label=self._shown(at, said.sentence), thing=thing)
            self._add(key, "thing at", "options", thing, question, group=at, thing=thing, sentence=said.sentence)
            return
        if any(option.place == "scenes" for option in named):
            return
        twice = said.sentence.lower().count(thing.lower()) + sum(
            thing.lower() in other.lower() for other in sentences(self.lang, self.heard[-1])
        )
        rare = "mentioned twice" if twice > 2 else "mentioned"
        source, kind = ("source", "source") if said.wanted else (rare, "source")
        like = self._like(thing) if said.vague else []
        if like:
            question = self._form("kind of", thing=thing, options=like)
            self._add(key, "kind of", "options", thing, question, thing=thing, options=like)
            return
        if said.vague:
            source, kind = "kind", "kind"
        elif self._is_goal(thing):
            source = "goal"
        elif self._is_person(thing):
            source = "person"
        name = {"mentioned": "source", "mentioned twice": "what", "goal": "person"}.get(source, source)
        self._add(key, source, kind, thing, self._form(name, thing=thing), thing=thing, sentence=said.sentence)

    def _like(self, thing: str) -> list[str]:
        """Return the options, if several, that hold what a thing is: the saw of a `bow saw`."""
        for size in (2, 1) if han(thing) else (1,):
            last = thing[-size:] if han(thing) else (stems(thing) or ("",))[-1]
            ours = [o.name for o in self.options if o.place != "scenes"]
            held = [name for name in ours if last and self._holds(name, last)]
            if 1 < len(held) < 7:
                return held
        return []

    def _holds(self, name: str, last: str) -> bool:
        return last in name if han(last) else last in stems(name)

    def _is_goal(self, thing: str) -> bool:
        return speaks_of(self.task.goal, thing)

    def _is_person(self, thing: str) -> bool:
        return not han(thing) and any(word[0].isupper() for word in thing.split())

    def _add_barred(self, option: Option, source: str) -> None:
        name = self._shared_name(option)
        if option.inner:
            question = self._form("inner", inner=option.inner, name=option.name)
            self._add(f"inner {option.name}", "inner", "options", option.inner, question)
        if option.barred and option.place == "scenes":
            question = self._form("enter", name=name, barred=option.barred)
            self._add_bar(option.barred, source, option.barred, question)
        elif option.barred:
            self._add_missing(option, source)

    def _add_missing(self, option: Option, source: str) -> None:
        """Ask for each thing that an action requires and that the seeker does not have."""
        things = [s.text for s in read_answers(self.lang, [option.barred]) if s.kind == "thing" and s.wanted]
        for thing in things:
            if not any(o.place == "items" and (speaks_of(o.name, thing) or known(thing, [o])) for o in self.options):
                question = self._form("needed", thing=thing, name=option.name)
                self._add_bar(thing, source, thing, question)
        if not things:
            question = self._form("overcome", name=option.name, barred=option.barred)
            self._add_bar(option.barred, source, option.barred, question)

    def _add_bar(self, key: str, source: str, said: str, question: str) -> None:
        key = f"barred {key}"
        old = self.points.get(key)
        if old is not None and old.source != source == "barred named":
            old.source, old.point = source, replace(old.point, likely=LIKELY[source])
        self._add(key, source, "restriction", said, question)

    def _same_bar(self, group: OptionGroup) -> bool:
        return len({option.barred for option in group.options}) == 1

    def _shared_name(self, option: Option) -> str:
        for group in self.groups:
            alike = [o for o in group.options if o.barred == option.barred]
            if option in group.options and len(alike) > 1:
                return ("the " if self.lang == "en" else "") + self._shown(group)
        return option.name

    def _shown_chinese(self, group: OptionGroup, sentence: str) -> str:
        label = group.label
        if not all(option.name.endswith(label) for option in group.options):
            return {"items": "物品", "skills": "技能", "scenes": "地方"}[group.place]
        ends = {option.name[-2:] for option in group.options if len(label) == 1}
        return min((end for end in ends if end in sentence), default=label)

    def _shown(self, group: OptionGroup, sentence: str = "") -> str:
        if han(group.label) or not group.label:
            return self._shown_chinese(group, sentence)
        keys, shown = group.label.split(), list[str]()
        for word in reversed(before(group.options[0].name).split()):
            if stem(word) not in keys:
                break
            shown.append(word.lower())
        return " ".join(reversed(shown)) or keys[-1]

    def _form(self, way: str, /, *, options: Sequence[str] = (), **values: str) -> str:
        return form(self.lang, way, options=options, **values)

    def _add(
        self,
        key: str,
        source: str,
        kind: OpenKind,
        said: str,
        question: str,
        *,
        group: OptionGroup | None = None,
        thing: str = "",
        sentence: str = "",
        options: Sequence[str] = (),
    ) -> None:
        if key not in self.points:
            options = tuple(o.name for o in group.options) if group else tuple(options)
            point = OpenPoint(kind, said, options, question, LIKELY[source])
            self.points[key] = _Point(point, source, sentence, group, thing)

    # What is left

    def result(self) -> tuple[OpenPoint, ...]:
        """Return the open points, those of the background that nobody spoke of included."""
        found = [one.point for one in self.points.values() if not one.closed and one.point.asked < 2]
        weighed = [self._weighed(point) for point in found]
        return tuple(sorted(weighed, key=lambda point: -point.likely))

    def _weighed(self, point: OpenPoint) -> OpenPoint:
        return replace(point, likely=point.likely * ASKED**point.asked)

    def _add_background(self) -> None:
        told = [s for answer in self.heard for s in sentences(self.lang, answer)]
        named = [o for o in self.options if any(names(s, o, self.groups) for s in told)]
        for group in self.groups:
            inside = any(set(group.options) < set(other.options) for other in self.groups)
            if inside or any(o in named for o in group.options):
                continue
            if any(p.group == group for p in self.points.values()):
                continue
            question = which(self.lang, group.place, self._shown(group), [o.name for o in group.options])
            key = f"group {group.label} {group.place}"
            self._add(key, "unmentioned", "options", self._shown(group), question, group=group)
        for option in self.options:
            self._add_barred(option, "barred")
        self._add_left(named)

    def _add_left(self, named: list[Option]) -> None:
        grouped = [o for group in self.groups for o in group.options]
        for place, way in (("items", "left"), ("skills", "left"), ("scenes", "left scenes")):
            mine = [o for o in self.options if o.place == place]
            left = [o.name for o in mine if o not in grouped and o not in named]
            if len(left) > 1:
                self._add(f"left {place}", "left", "unused", "", self._form(way, options=left))


def _instead(group: OptionGroup, other: OptionGroup, hit: dict[OptionGroup, float]) -> bool:
    """Return whether `other` is what is spoken of where both groups share a word."""
    mine, its = set(group.options), set(other.options)
    if its < mine:
        return hit[other] == 1.0 and len(other.label) > len(group.label)
    return mine < its and not (hit[group] == 1.0 and len(group.label) > len(other.label))
