"""What a seeker knows before it asks: options in groups, and how a sentence speaks of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from .matching import known, mentions, names, speaks_of
from .options import Option, OptionGroup, before, option_groups, read_options
from .stems import han, stem, stems
from .task import SeekerTask
from .wording import Lang, written

MENTIONED = 0.5
"""How much of a group's label a sentence must hold to speak of the group."""

MOST_ALIKE = 6
"""Options that one word may leave open outside a group."""

_PLACE_NAMES = {"items": "物品", "skills": "技能", "scenes": "地方"}


@dataclass(frozen=True, slots=True)
class Background:
    """A task's options and their groups."""

    task: SeekerTask
    options: tuple[Option, ...] = field(init=False)
    groups: tuple[OptionGroup, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", read_options(self.task))
        object.__setattr__(self, "groups", option_groups(self.options))

    @property
    def lang(self) -> Lang:
        """The language that the seeker speaks."""
        return written(self.task.lang)

    def named(self, sentence: str) -> list[Option]:
        """Return the options that a sentence names."""
        return [option for option in self.options if names(sentence, option, self.groups)]

    def mentioned(self, sentence: str, named: list[Option]) -> list[OptionGroup]:
        """Return the groups that a sentence speaks of without naming one of their options."""
        hit = {
            group: how
            for group in self.groups
            if not any(option in group.options for option in named)
            and (how := mentions(sentence, group.label)) >= MENTIONED
        }
        return [g for g in hit if not any(_instead(g, other, hit) for other in hit)]

    def inside(self, group: OptionGroup) -> bool:
        """Return whether a larger group holds all options of this one."""
        return any(set(group.options) < set(other.options) for other in self.groups)

    def unknown(self, thing: str) -> bool:
        """Return whether a thing is neither an option nor what a group is called."""
        return not known(thing, self.options) and not self._is_label(thing)

    def _is_label(self, thing: str) -> bool:
        if han(thing):
            near = [group for group in self.groups if len(thing) < len(group.label) + 3]
            return any(mentions(thing, group.label) >= MENTIONED for group in near)
        last = stems(thing)[-1:]
        return any(last and last[0] == group.label.split()[-1] for group in self.groups)

    def is_goal(self, thing: str) -> bool:
        """Return whether a thing is part of the goal."""
        return speaks_of(self.task.goal, thing)

    def has(self, thing: str) -> bool:
        """Return whether a thing is among the items."""
        items = [option for option in self.options if option.place == "items"]
        return any(speaks_of(item.name, thing) or known(thing, [item]) for item in items)

    def alike(self, thing: str) -> list[str]:
        """Return the items and skills, if several, that hold a thing's last word."""
        ours = [option.name for option in self.options if option.place != "scenes"]
        for last in _lasts(thing):
            held = [name for name in ours if (last in name if han(last) else last in stems(name))]
            if 1 < len(held) <= MOST_ALIKE:
                return held
        return []

    def shown(self, group: OptionGroup, sentence: str = "") -> str:
        """Return what a group is called, in the words of its options."""
        if han(group.options[0].name):
            return _shown_chinese(group, sentence)
        keys, shown = group.label.split(), list[str]()
        for word in reversed(before(group.options[0].name).split()):
            if stem(word) not in keys:
                break
            shown.append(word.lower())
        return " ".join(reversed(shown)) or keys[-1]

    def shared_name(self, option: Option) -> str:
        """Return what options that are barred alike are called together."""
        for group in self.groups:
            barred_alike = [o for o in group.options if o.barred == option.barred]
            if option in group.options and len(barred_alike) > 1:
                return ("the " if self.lang == "en" else "") + self.shown(group)
        return option.name


def _lasts(thing: str) -> list[str]:
    """Return the ends by which a thing is compared: two characters, one, or the last stem."""
    return [thing[-2:], thing[-1:]] if han(thing) else list(stems(thing)[-1:])


def _shown_chinese(group: OptionGroup, sentence: str) -> str:
    label = group.label
    if not all(option.name.endswith(label) for option in group.options):
        return _PLACE_NAMES[group.place]
    ends = sorted({option.name[-2:] for option in group.options if len(label) == 1})
    return next((end for end in ends if end in sentence), label)


def _instead(group: OptionGroup, other: OptionGroup, hit: dict[OptionGroup, float]) -> bool:
    """Return whether `other` is what is spoken of where both groups share a word."""
    mine, its = set(group.options), set(other.options)
    if its < mine:
        return hit[other] == 1.0 and len(other.label) > len(group.label)
    return mine < its and not (hit[group] == 1.0 and len(group.label) > len(other.label))
