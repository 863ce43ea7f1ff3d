"""Training corpus: texts of people who want several things, some more than others, from a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

from ....catalogs.query.constraint import Constraint
from ...transcripts.transcript import Message
from .bank import (
    HELD_DOMAINS,
    HELD_FAMILIES,
    HELD_REGISTERS,
    Phrase,
    Slot,
    domains,
    frames,
    phrases,
)

Part = Literal["train", "held", "all"]

REGISTERS = ("prose", "prose", "prose", "prose", "dialogue", "dialogue", "bullets", "sms", "she")

NEUTRAL = 0.5
_SMS = tuple(
    tuple(pair.split("="))
    for pair in "please=pls|because=bc|you=u|really=rly|at least=min|would=wld|for=4|don't=dont"
    "|I'm=im|can't=cant".split("|")
)
_SHE = tuple(
    tuple(pair.split("="))
    for pair in "I'm=she's|I am=she is|I'd=she'd|I've=she's|I don't=she doesn't|I care=she cares"
    "|I want=she wants|I need=she needs|I=she|my=her|me=her|We=They|we=they".split("|")
)


@dataclass(frozen=True)
class Example:
    """What somebody said, what they want, and how much each wish matters, in [0, 1]."""

    messages: tuple[Message | dict[str, str], ...]
    constraints: tuple[Constraint | dict[str, Any], ...]
    importances: tuple[float, ...]
    domain: str
    register: str


@dataclass(frozen=True)
class Wish:
    """One slot with a value, in words, and its importance."""

    slot: Slot
    value: Any
    words: str
    topic: str
    importance: float


def examples(count: int, seed: int, part: Part = "all") -> Iterator[Example]:
    """Yield examples; `part` says whether phrases, domains and registers held out are used.

    "train" uses none of them, "held" only them, "all" everything.
    """
    maker = _Maker(random.Random(f"{seed} {part}"), part)
    for _ in range(count):
        yield maker.example()


class _Maker:
    def __init__(self, draw: random.Random, part: Part) -> None:
        self.draw = draw
        self.domains = [name for name in domains() if _is_used(name in HELD_DOMAINS, part)]
        usual = {register for register in REGISTERS if _is_used(register in HELD_REGISTERS, part)}
        self.registers = [register for register in REGISTERS if register in usual]
        self.phrases = [
            phrase
            for phrase in phrases()
            if _is_used((phrase.importance, phrase.family) in HELD_FAMILIES, part)
        ]

    def example(self) -> Example:
        draw = self.draw
        domain = draw.choice(self.domains)
        register = draw.choice(self.registers)
        wishes = self._wishes(domain)
        opening = draw.choice(domain_openings(domain)) if draw.random() < 0.5 else ""
        if register == "dialogue":
            messages = self._dialogue(wishes, opening)
        elif register == "bullets":
            messages = [_user(self._bullets(wishes))]
        else:
            text = self._prose(wishes, opening)
            if register == "sms":
                text = _replaced(text, _SMS).lower().replace(". ", draw.choice([" ", ". ", ", "]))
            elif register == "she":
                text = _replaced(text, _SHE)
            messages = [_user(text)]
        if draw.random() < 0.4:
            messages = [
                message | {"content": message["content"].replace("'", "’")} for message in messages
            ]
        # Constraints come in no order that tells anything.
        shuffled = draw.sample(wishes, len(wishes))
        return Example(
            tuple(messages),
            tuple(
                {"column": wish.slot.column, "op": wish.slot.op, "value": wish.value}
                for wish in shuffled
            ),
            tuple(wish.importance for wish in shuffled),
            domain,
            register,
        )

    def _wishes(self, domain: str) -> list[Wish]:
        draw = self.draw
        slots = draw.sample(domains()[domain], draw.choice([2, 2, 3, 3, 4, 4, 4, 5]))
        levels = sorted({phrase.importance for phrase in self.phrases})
        drawn = draw.sample(levels, min(len(slots), len(levels)))
        if draw.random() < 0.4:
            drawn[0] = draw.choice(levels)
        wishes = [self._wish(slot, level) for slot, level in zip(slots, drawn, strict=False)]
        if draw.random() < 0.35:
            # People tend to begin with what matters.
            wishes.sort(key=lambda wish: -wish.importance)
        return wishes

    def _wish(self, slot: Slot, importance: float) -> Wish:
        value = self.draw.choice(slot.values)
        written = f"{value:,}" if isinstance(value, int) and value >= 10_000 else str(value)
        if isinstance(value, int) and value >= 1_000 and self.draw.random() < 0.3:
            written = f"${value:,}" if value > 2_100 else str(value)
        words = self.draw.choice(slot.wishes).replace("{v}", written)
        return Wish(slot, value, words, self.draw.choice(slot.topics), importance)

    def _prose(self, wishes: list[Wish], opening: str) -> str:
        draw = self.draw
        pieces = [opening] if opening else []
        if draw.random() < 0.25:
            pieces.insert(0, draw.choice(frames()["opening"]))
        shape = draw.random()
        if shape < 0.08:
            pieces += self._ordered(wishes)
        elif shape < 0.3:
            pieces += self._grouped(wishes)
        elif shape < 0.42:
            pieces += self._compared(wishes)
        else:
            pieces += self._joined([self._sentence(wish) for wish in wishes])
            if shape > 0.85:
                pieces += self._comparison(wishes)
        if draw.random() < 0.3:
            pieces.append(draw.choice(frames()["closing"]))
        return " ".join(pieces)

    def _sentence(self, wish: Wish) -> str:
        """Say a wish and how much it matters, in one sentence or two."""
        draw = self.draw
        if abs(wish.importance - NEUTRAL) < 0.06 and draw.random() < 0.2:
            return self._plain(wish)
        phrase = self._phrase(wish.importance)
        if "{x}" in phrase.text:
            return self._filled(phrase.text, wish)
        if "{t}" in phrase.text:
            if draw.random() < 0.3:
                return self._filled(phrase.text, wish)
            return f"{self._plain(wish)} {self._filled(phrase.text, wish)}"
        if phrase.text.startswith(":"):
            return (
                f"{_sentence_case(wish.words)} {draw.choice(['(%s).', '- %s.', ': %s.', ', %s.'])}"
                % (phrase.text[2:])
            )
        plain = self._plain(wish)
        joint = draw.choice(["", "", " — ", ", and ", ", but " if wish.importance < 0.6 else "; "])
        if joint:
            return plain.rstrip(".!") + joint + _lowered(phrase.text)
        return f"{plain} {phrase.text}"

    def _plain(self, wish: Wish) -> str:
        return self._filled(self.draw.choice(frames()["plain"]), wish)

    def _filled(self, text: str, wish: Wish) -> str:
        topic = wish.topic if self.draw.random() < 0.25 else f"the {wish.topic}"
        filled = text.replace("{x}", wish.words).replace("any the ", "any ")
        filled = re.sub(r"\b(the|The|no|any|Any|different|my)\s+\{t\}", rf"\1 {wish.topic}", filled)
        filled = _sentence_case(filled.replace("{t}", topic))
        return filled if filled.endswith((".", "!", "?")) else filled + "."

    def _phrase(self, importance: float) -> Phrase:
        fitting = [phrase for phrase in self.phrases if phrase.importance == importance]
        families = sorted({phrase.family for phrase in fitting})
        family = self.draw.choice(families)
        return self.draw.choice([phrase for phrase in fitting if phrase.family == family])

    def _joined(self, sentences: list[str]) -> list[str]:
        """Join some neighbours into one sentence."""
        joined: list[str] = []
        for sentence in sentences:
            if joined and self.draw.random() < 0.25:
                joiner = self.draw.choice(frames()["joiner"])
                joined[-1] = joined[-1].rstrip(".!") + joiner + _lowered(sentence)
            else:
                joined.append(sentence)
        return joined

    def _ordered(self, wishes: list[Wish]) -> list[str]:
        wishes.sort(key=lambda wish: -wish.importance)
        kinds = ["ordinal_first", *["ordinal_next"] * (len(wishes) - 2), "ordinal_last"]
        return [
            self._filled(self.draw.choice(frames()[kind]), wish)
            for kind, wish in zip(kinds, wishes, strict=False)
        ]

    def _grouped(self, wishes: list[Wish]) -> list[str]:
        """Say those that matter alike together, or call the others "the rest"."""
        draw = self.draw
        # Said in one breath they matter alike.
        wishes[:] = [_levelled(wish) for wish in wishes]
        high = [wish for wish in wishes if wish.importance >= 0.8]
        low = [wish for wish in wishes if wish.importance <= 0.35]
        others = [wish for wish in wishes if wish not in high and wish not in low]
        if high and low and draw.random() < 0.4:
            graded = [self._sentence(wish) for wish in (*high, *others)]
            plain = [self._plain(wish) for wish in low]
            # "The rest" is what has been named and not graded.
            return [*self._mixed(graded, plain), draw.choice(frames()["rest_low"])]
        pieces: list[str] = []
        for group, section in ((high, "all_high"), (low, "all_low")):
            if len(group) > 1:
                listed = _listed([wish.words for wish in group])
                pieces.append(_sentence_case(draw.choice(frames()[section]).format(list=listed)))
            else:
                others += group
        return self._mixed(pieces, [self._sentence(wish) for wish in others])

    def _mixed(self, first: list[str], second: list[str]) -> list[str]:
        both = [*first, *second]
        return self.draw.sample(both, len(both))

    def _compared(self, wishes: list[Wish]) -> list[str]:
        """Name the wishes plainly, and then say only which matters more."""
        named = [
            self._plain(wish) if self.draw.random() < 0.7 else self._sentence(wish)
            for wish in wishes
        ]
        ranked = sorted(wishes, key=lambda wish: -wish.importance)
        pairs = [(a, b) for a, b in pairwise(ranked) if a.importance > b.importance]
        return [*named, *(self._compare(a, b) for a, b in self.draw.sample(pairs, len(pairs)))]

    def _comparison(self, wishes: list[Wish]) -> list[str]:
        a, b = sorted(self.draw.sample(wishes, 2), key=lambda wish: -wish.importance)
        return [self._compare(a, b)] if a.importance - b.importance > 0.2 else []

    def _compare(self, above: Wish, below: Wish) -> str:
        names = [
            wish.words if self.draw.random() < 0.4 else f"the {wish.topic}"
            for wish in (above, below)
        ]
        return _sentence_case(
            self.draw.choice(frames()["more"]).replace("{a}", names[0]).replace("{b}", names[1])
        )

    def _bullets(self, wishes: list[Wish]) -> str:
        mark = self.draw.choice(["- ", "* ", "• ", ""])
        return "\n".join(mark + self._bullet(wish) for wish in wishes)

    def _bullet(self, wish: Wish) -> str:
        notes = [
            phrase
            for phrase in self.phrases
            if phrase.importance == wish.importance and phrase.text.startswith(":")
        ]
        if not notes:
            return self._sentence(wish)
        note = self.draw.choice(notes).text[2:]
        return wish.words + self.draw.choice([" (%s)", ": %s", " - %s", ", %s"]) % note

    def _dialogue(self, wishes: list[Wish], opening: str) -> list[dict[str, str]]:
        messages = [_user(opening or "Hello.")]
        for wish in wishes:
            question = self.draw.choice(frames()["question"]).replace("{t}", wish.topic)
            messages.append({"role": "assistant", "content": question})
            messages.append(_user(self._answer(wish)))
        return messages

    def _answer(self, wish: Wish) -> str:
        if self.draw.random() < 0.5:
            return self._sentence(wish)
        follows = [
            phrase.text
            for phrase in self.phrases
            if phrase.importance == wish.importance
            and "{" not in phrase.text
            and phrase.text[0] != ":"
        ]
        if not follows:
            return self._sentence(wish)
        return f"{_sentence_case(wish.words)}. {self.draw.choice(follows)}"


def _levelled(wish: Wish) -> Wish:
    if wish.importance >= 0.8:
        return replace(wish, importance=1.0)
    return replace(wish, importance=0.12) if wish.importance <= 0.35 else wish


def domain_openings(domain: str) -> tuple[str, ...]:
    """Return first sentences that say only what kind of thing is wanted."""
    return (
        f"I'm searching among {domain}.",
        f"We're comparing {domain} at the moment.",
        f"Could you help me with {domain}?",
        f"I'd like some advice about {domain}.",
    )


def _is_used(held_out: bool, part: Part) -> bool:
    return part == "all" or held_out == (part == "held")


def _user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def _replaced(text: str, pairs: Sequence[tuple[str, ...]]) -> str:
    for old, new in pairs:
        text = re.sub(rf"\b{re.escape(old)}\b", new, text)
    return text


def _sentence_case(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lowered(text: str) -> str:
    return text if re.match(r"I\b|[A-Z]{2}", text) else text[:1].lower() + text[1:]


def _listed(words: list[str]) -> str:
    return ", ".join(words[:-1]) + " and " + words[-1]
