"""Whether a sentence speaks of an option, of a group of options, or of a thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from .options import Option, OptionGroup
from .stems import han, stems

_USING = re.compile(r"^(?:使用|发动|施放|释放|利用|召唤|制作|撰写|进行|驾驶|乘坐)(?:一[个篇把张])?")


def names(sentence: str, option: Option, groups: Sequence[OptionGroup]) -> bool:
    """Return whether a sentence names an option, in full or by what tells it from its like."""
    return _names(sentence, option.name, option.place == "scenes", _likes(option, groups))


def _likes(option: Option, groups: Sequence[OptionGroup]) -> tuple[str, ...]:
    mine = (group for group in groups if option in group.options)
    return tuple(dict.fromkeys(o.name for group in mine for o in group.options if o != option))


@lru_cache(maxsize=65536)
def _names(sentence: str, name: str, scene: bool, likes: tuple[str, ...]) -> bool:
    if han(name):
        return _names_chinese(sentence, name, likes)
    said, own = stems(sentence), stems(name)
    longer = [stems(like) for like in likes if set(own) < set(stems(like))]
    if _inside(own, said):
        return not any(_inside(other, said) for other in longer)
    alike = {word for like in likes for word in stems(like)}
    telling = [word for word in own if word not in alike]
    if not likes or not telling or not set(telling) <= set(said):
        return False
    return not scene or bool(alike & set(own) & set(said)) or len(telling) > 1


def _inside(inner: Sequence[str], outer: Sequence[str]) -> bool:
    size = len(inner)
    return any(tuple(outer[at : at + size]) == tuple(inner) for at in range(len(outer) - size + 1))


def _names_chinese(sentence: str, name: str, likes: tuple[str, ...]) -> bool:
    sentence = sentence.replace("的", "")
    core = _USING.sub("", name).replace("的", "") or name
    if core in sentence:
        return not any(name in like and like in sentence for like in likes)
    telling = core
    for like in likes:
        telling = _without_shared(telling, _USING.sub("", like).replace("的", ""))
    return bool(likes) and len(telling) > 1 and telling in sentence


def _without_shared(name: str, like: str) -> str:
    end = 0
    while end < min(len(name), len(like)) and name[-1 - end] == like[-1 - end]:
        end += 1
    name, like = name[: len(name) - end], like[: len(like) - end]
    start = 0
    while start < min(len(name), len(like)) and name[start] == like[start]:
        start += 1
    return name[start:]


def mentions(sentence: str, label: str) -> float:
    """Return how much of a group's label a sentence holds, 0 to 1; the last word counts most."""
    if han(label):
        return _mentions_chinese(sentence, label)
    words = label.split()
    said = set(stems(sentence))
    if not words or not said & set(words):
        return 0.0
    last = words[-1] in said
    return (sum(word in said for word in words) / len(words) + last) / 2


def _mentions_chinese(sentence: str, label: str) -> float:
    for length in range(len(label), 0, -1):
        if label[-length:] in sentence and (length > 1 or len(label) == 1):
            return (1.0 + length / len(label)) / 2
    for length in range(len(label) - 1, 1, -1):
        if label[:length] in sentence:
            return length / len(label) / 2
    return 0.0


def speaks_of(sentence: str, thing: str) -> bool:
    """Return whether a sentence speaks of a thing: its last word, and half of the others."""
    if han(thing):
        thing = thing.replace("的", "")
        text = sentence.replace("的", "")
        return thing in text or (len(thing) > 3 and thing[-3:] in text)
    words, said = stems(thing), set(stems(sentence))
    if not words or words[-1] not in said:
        return False
    return sum(word in said for word in words) * 2 >= len(words)


def known(thing: str, options: Sequence[Option]) -> bool:
    """Return whether a thing is one of the options, by all its words."""
    if han(thing):
        core = thing.replace("的", "")
        return any(core in o.name.replace("的", "") or o.name in thing for o in options)
    words = set(stems(thing))
    if not words:
        return True
    return any(words <= set(stems(o.name)) or set(stems(o.name)) <= words for o in options)


def overlap(one: str, other: str) -> int:
    """Return how many stems, in Chinese pairs of characters, two texts share."""
    return len(_parts(one) & _parts(other))


def _parts(text: str) -> frozenset[str]:
    if not han(text):
        return frozenset(stems(text))
    return frozenset(pair for at in range(len(text) - 1) if han(pair := text[at : at + 2]))
