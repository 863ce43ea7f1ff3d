"""What a seeker has and may visit, as options: those that are alike stand in one group.

`West Mine` and `North Mine` share a word, 防霾面具 and 夜视面具 an ending: "the mine" may mean
either. What stands in brackets behind an option is its restriction, or a remark.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from .stems import bare, han, stems
from .task import SeekerTask

Place = Literal["items", "skills", "scenes"]
PLACES: tuple[Place, ...] = ("items", "skills", "scenes")

_BRACKET = re.compile(r"\s*[（(]([^（）()]*)[）)]?\s*[、,]?\s*$")
_BARRED = re.compile(
    r"\b(?:not?|n['’]t|cannot|require[sd]?|requiring|needs?|needed|must|only|lock(?:ed|s)?|guard"
    r"(?:ed|s)?|permits?|pass|barrier|closed|seal(?:ed)?|damaged|broken|lacks?|lacking|without|"
    r"empty|missing|prohibited|forbidden|authorized|restricted|prevent\w*|registration|won['’]t|"
    r"access|can['’]t)\b|需|必须|无法|不能|不可|不让|禁止|看守|缺|没有|损|坏|封印|结界|屏障|锁|钥匙|"
    r"许可|通行证|依赖|外人|才能|限|不对外|权限|授权",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"^(?:your |the )?current location|^near\b|^within\b|^located\b|^found\b|^can be found|^depart|"
    r"^after\b|\bbefore you can\b|\bmust first reach\b|\bcan one arrive\b|"
    r"才能(?:抵达|到达|前往)|你?(?:现在|目前|当前)的?(?:所在地|位置)|"
    r"^靠近|^在.{1,8}内$|就能看到|必经之路$|necessary path",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\b(?:two|three|four|five|six|several|different)\s+([\w-]+(?:\s+[\w-]+)?)|"
    r"(?:[两二三四五六七八九十\d]|[东西南北]{2,})[个条座扇道种]"
    r"(?:不同的)?([一-鿿]{1,4}?)(?=[^一-鿿]|$|可|只|才|分|但)",
    re.IGNORECASE,
)
_VOID = frozenset("子的了品物人者料式法中部里内家机器具）")
_CLAUSE = re.compile(r"\b(?:the|an?|and|to|in|into|on|at)\b", re.IGNORECASE)
_BEHIND = re.compile(r"\s(?:of|for|with|to|in|at|from|imbued|engraved|embellished)\s")


@dataclass(frozen=True, slots=True)
class Option:
    """A thing, an action or a place of the background. `name`: without article and brackets.

    `barred`: what the brackets say that stands in the way, or "". `inner`: what there are
    several of inside it, as the gates of a city, or "".
    """

    name: str
    place: Place
    barred: str = ""
    inner: str = ""


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Options of one list that share the words `label`."""

    label: str
    place: Place
    options: tuple[Option, ...]


def read_options(task: SeekerTask) -> tuple[Option, ...]:
    """Return the options of a task in the order of its lists."""
    found = [_option(str(text), place) for place in PLACES for text in getattr(task, place)]
    return tuple(dict.fromkeys(option for option in found if option.name))


def _option(text: str, place: Place) -> Option:
    bracket = _BRACKET.search(text)
    inside = bracket[1].strip() if bracket else ""
    name = bare(text[: bracket.start()] if bracket else text)
    several = _SEVERAL.search(inside)
    inner = next((part for part in several.groups()[::-1] if part), "") if several else ""
    barred = inside if _BARRED.search(inside) and not _REMARK.search(inside) else ""
    return Option(name, place, "" if inner and "only one" in inside else barred, inner)


def option_groups(options: Sequence[Option]) -> tuple[OptionGroup, ...]:
    """Return the groups of two options or more, the largest first in each list."""
    groups: list[OptionGroup] = []
    for place in PLACES:
        listed = [option for option in options if option.place == place]
        shared = _shared_endings(listed) if any(han(o.name) for o in listed) else _shared(listed)
        found = [
            OptionGroup(label, place, tuple(o for o in listed if o in members))
            for label, members in shared
        ]
        groups += sorted(found, key=lambda group: -len(group.options))
    return tuple(groups)


def _shared(options: Sequence[Option]) -> list[tuple[str, frozenset[Option]]]:
    """Return what English options share: stems, and stems inside a longer one (rainforest)."""
    words = {option: stems(option.name) for option in options}
    known = {word for each in words.values() for word in each if len(word) > 3}
    members: defaultdict[str, set[Option]] = defaultdict(set)
    for option, each in words.items():
        for word in dict.fromkeys(each):
            members[word].add(option)
            for tail in known:
                if word.endswith(tail):
                    members[tail].add(option)
    labels: defaultdict[frozenset[Option], list[str]] = defaultdict(list)
    for option, each in words.items():
        for word in [*each, *(tail for tail in sorted(known) if tail not in each)]:
            if option in members[word] and len(members[word]) > 1:
                labels[frozenset(members[word])].append(word)
    named = [(" ".join(dict.fromkeys(label)), who) for who, label in labels.items()]
    return [(label, who) for label, who in named if _heads(label, who)]


def _heads(label: str, options: Iterable[Option]) -> bool:
    """Return whether a label holds what half of the options are: the mine of `West Mine`."""
    listed = list(options)
    words = label.split()
    if listed[0].place == "skills":
        begins = {option.name.lower().split()[0] for option in listed}
        return len(begins) == 1 or not any(_CLAUSE.search(option.name) for option in listed)
    heads = [_head(option.name) for option in listed]
    return 2 * sum(_ends(head, words) for head in heads) >= len(heads)


def before(name: str) -> str:
    """Return a name up to its first preposition: the cloak of `cloak of the dragon`."""
    return _BEHIND.split(name)[0]


def _ends(head: str, words: Sequence[str]) -> bool:
    return any(head.endswith(word) for word in words)


def _head(name: str) -> str:
    own = [word for word in stems(before(name)) if len(word) > 1]
    return own[-1] if own else ""


def _shared_endings(options: Sequence[Option]) -> list[tuple[str, frozenset[Option]]]:
    """Return what Chinese options share: the longest ending, else the longest beginning."""
    members: defaultdict[tuple[bool, str], set[Option]] = defaultdict(set)
    for option in options:
        for length in range(1, len(option.name) + 1):
            members[True, option.name[-length:]].add(option)
            if length > 1:
                members[False, option.name[:length]].add(option)
    longest: dict[frozenset[Option], str] = {}
    for (ending, label), who in sorted(members.items(), key=lambda one: (-one[0][0], one[0][1])):
        key = frozenset(who)
        if (
            len(who) > 1
            and label not in _VOID
            and (key not in longest or (ending and len(label) > len(longest[key])))
        ):
            longest[key] = label
    return [(_whole(label), who) for who, label in longest.items()]


def _whole(label: str) -> str:
    """Return a shared ending without the last character of a colour, a direction or a king."""
    label = label.rsplit("的", 1)[-1] or label
    return (
        label[1:]
        if len(label) > 2 and label[0] in "色方王石性质型式形状属级系号者族人页"
        else label
    )
