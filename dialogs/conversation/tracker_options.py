"""What may become of each column after a turn, and the features by which it is decided.

An option keeps what is held, drops it, or takes a value: said by the person, said by the assistant
right before, named earlier, or one of a short list that may have been meant in other words.
Features are crossings of facts (`CROSSINGS`). They name no column and no value of a catalog: the
words of a column's name and description are crossed with the words around a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..language.numbers import ONES, TENS
from .tracked_columns import PLAIN, TrackedColumn
from .turn_reading import Turn
from .value_spans import Mention

FEW = 9
"""Values of a closed column that are options without being named."""

CROSSINGS = (
    # Source, tag, state, kind, role, use, found; yes, no, talk, doing, asked; elsewhere, counts.
    "gks grs guys gyds gnds gyrd gnrs gts gynt mtyds mys gats mf gde gqs gwv"
    # Rival asked, better and even fits, only told, rank, count, place; size, nesting, rivals held.
    " mk mr mO mkaRs mB mkic micp mzC mNM mhs gp gC gB"
    # Words before (3 2 1) and after (4 5), near words of the column.
    " l1 l2 l21 l321 l4 lk321 lk4 g1O g21O g5O g1o g5o g4 g5 lx gjk"
    # Truths: the column's words said by the person (b) and by the assistant (L), questions.
    " gb gba gbyn gbQ gL"
).split()
"""Facts whose values together are one feature, given where an option has all of them; `o` is each
word of the column's name, `O` also of its description."""

_NUMBERS = {word: str(value) for word, value in (ONES | TENS).items()}
_SUITED = {"date": "date", "time": "time", "amount": "number", "number": "number", "name": "text"}
"""The kind of column that a kind of mention suits, beside columns of unknown kind."""

_FUNCTION = PLAIN - frozenset("me my we us our all any no not only many".split())
Fits = Mapping[int, Sequence[tuple[int, str, str]]]
"""By column: positions of mentions, the value that each gives, and how well it fits."""


@dataclass(frozen=True, slots=True)
class Option:
    """A value for a column (None: nothing), its features, and where the person said it."""

    value: str | None
    features: list[str]
    span: tuple[int, int] | None = None


@dataclass(slots=True)
class Exchange:
    """What a decision looks at: the person's turn, the assistant's before it, what was held."""

    user: Turn
    assistant: Turn
    held: Mapping[int, str]
    offered: Mapping[int, Sequence[tuple[str, str]]]
    columns: Sequence[TrackedColumn]


def fitting(mention: Mention, number: int, column: TrackedColumn) -> tuple[str, str] | None:
    """Return the value that a mention gives a column and how well it fits; None where it cannot."""
    if match := mention.matches.get(number):
        return (match[0] if column.closed else mention.text), "W" if match[1] else "P"
    if mention.kind not in _SUITED or column.kind not in (_SUITED[mention.kind], "unknown"):
        return None
    plain = _NUMBERS.get(mention.text.lower(), mention.text)
    whole = plain in column.values
    if column.closed:
        return (plain, "W") if whole else None
    return mention.text, "W" if whole else "-"


def column_options(exchange: Exchange) -> Iterator[tuple[int, list[Option]]]:
    """Yield each column that may be wished with its options; the first keeps what is held."""
    frame = _Frame(exchange)
    for number, column in enumerate(exchange.columns):
        if column.wished:
            yield number, _Options(frame, number, column).all()


def _bin(chance: float) -> str:
    return "0" if chance < 0.1 else "1" if chance < 0.5 else "2" if chance < 0.9 else "3"


def _bins(acts: Mapping[str, float], names: str) -> str:
    return "".join(_bin(acts.get(name, 0.0)) for name in names.split())


class _Frame:
    """What is the same for all columns of one turn."""

    def __init__(self, exchange: Exchange) -> None:
        user, last = exchange.user, exchange.assistant
        self.exchange = exchange
        self.facts = {
            "y": _bins(user.acts, "AFFIRM SELECT"),
            "n": _bins(user.acts, "NEGATE REQUEST_ALTS"),
            "t": _bins(user.acts, "INFORM REQUEST"),
            "d": _bins(last.acts, "OFFER CONFIRM REQUEST NOTIFY_SUCCESS"),
        }
        self.fits = {
            "U": _fits(user.mentions, exchange.columns),
            "A": _fits(last.mentions, exchange.columns),
        }


def _fits(mentions: Sequence[Mention], columns: Sequence[TrackedColumn]) -> Fits:
    found: dict[int, list[tuple[int, str, str]]] = {}
    for place, mention in enumerate(mentions):
        for number, column in enumerate(columns):
            if fit := fitting(mention, number, column):
                found.setdefault(number, []).append((place, *fit))
    return found


@dataclass(slots=True)
class _Options:
    frame: _Frame
    number: int
    column: TrackedColumn
    facts: dict[str, str] = field(default_factory=dict[str, str])

    def all(self) -> list[Option]:
        exchange, column = self.frame.exchange, self.column
        asked = exchange.assistant.asked
        chance = asked[self.number] if asked else 0.0
        self.facts = self.frame.facts | {
            "k": f"{column.kind}{column.closed}",
            "r": column.role,
            "u": next((use for use in column.role.split(",") if use.startswith("act")), "-"),
            "f": str("find" in column.role),
            "a": _bin(chance) + str(bool(asked) and chance == max(asked)),
        }
        held = exchange.held.get(self.number)
        said = list(self._said("U", exchange.user))
        told = list(self._said("A", exchange.assistant))
        count = {"q": f"{min(len(said), 3)}{min(len(told), 2)}"}
        kept = [self._option(held, "K", count)]
        if held is not None:
            kept.append(self._option(None, "D", count))
        earlier = self._earlier({option.value for option in told})
        return [*kept, *said, *told, *earlier, *self._unnamed({option.value for option in said})]

    def _option(
        self,
        value: str | None,
        tag: str,
        more: Mapping[str, str],
        extra: Sequence[str] = (),
        span: tuple[int, int] | None = None,
    ) -> Option:
        held = self.frame.exchange.held
        now = held.get(self.number)
        facts = self.facts | {
            "g": tag[0],
            "m": tag,
            "s": "free" if now is None else "same" if now == value else "held",
            "e": str(any(v == value for n, v in held.items() if n != self.number)),
            **more,
        }
        column, features = self.column, [f"{tag[0]} {one}" for one in extra]
        for crossing in CROSSINGS:
            try:
                crossed = " ".join([crossing, *map(facts.__getitem__, crossing.rstrip("oO"))])
            except KeyError:
                continue
            if crossing[-1] in "oO":
                words = column.words if crossing[-1] == "O" else column.words[: column.named]
                features += [f"{crossed} {word}" for word in words]
            else:
                features.append(crossed)
        return Option(value, features, span)

    def _said(self, source: str, turn: Turn) -> Iterator[Option]:
        """Yield the values that a turn names."""
        fits = self.frame.fits[source]
        own = fits.get(self.number, ())
        for rank, (place, value, match) in enumerate(own):
            mention = turn.mentions[place]
            more = self._fit_facts(fits, turn, place, match, rank) | self._near(turn, mention)
            more["l"] = f"{source}{mention.kind}"
            span = (mention.start, mention.end) if source == "U" else None
            yield self._option(value, f"{source}{mention.kind}{match}", more, (), span)

    def _fit_facts(
        self, fits: Fits, turn: Turn, place: int, match: str, rank: int
    ) -> dict[str, str]:
        """Return how a mention fits the column beside other columns and other mentions."""
        exchange, column, mention = self.frame.exchange, self.column, turn.mentions[place]
        columns, asked, own = exchange.columns, exchange.assistant.asked, fits[self.number]
        rivals = {n: m for n, found in fits.items() for p, _, m in found if p == place}
        del rivals[self.number]
        better = sum(m == "W" and match != "W" for m in rivals.values())
        even = sum(m == match for n, m in rivals.items() if columns[n].wished)
        alike = [n for n, c in enumerate(columns) if c.kind == column.kind and c.wished]
        beside = [(turn.mentions[p], m) for p, _, m in own if p != place]
        outer = {f"{o.kind}{m}" for o, m in beside if o.holds(mention)}
        inner = {f"{o.kind}{m}" for o, m in beside if mention.holds(o)}
        return {
            "R": _bin(max((asked[n] for n in rivals), default=0.0) if asked else 0.0),
            "B": f"{min(better, 2)}{min(even, 3)}",
            "i": str(min(rank, 3)),
            "c": str(min(len(own), 4)),
            "p": f"{alike.index(self.number)}of{len(alike)}",
            "z": str(min(len(mention.text.split()), 5)),
            "C": str(mention.text[:1].isupper()),
            "N": f"{sorted(outer)}{sorted(inner)}",
            "M": f"{',' in mention.text}{mention.text[-2:].isupper()}",
            "h": str(any(n in exchange.held for n in rivals)),
        }

    def _near(self, turn: Turn, mention: Mention) -> dict[str, str]:
        """Return the words beside a mention, and how near the column's own words stand."""
        words, starts = turn.words, turn.starts
        at = next((n for n, start in enumerate(starts) if start >= mention.start), len(words))
        after = next((n for n, start in enumerate(starts) if start >= mention.end), len(words))
        before, behind = ["^", "^", "^", *words[:at]], [*words[after:], "$", "$"]
        named, sides = self.column.words[: self.column.named], dict[str, int]()
        for n, word in enumerate(words):
            for own in self.column.named_by(word):
                side = ("<" if n < at else ">") + ("named" if own in named else "told")
                distance = at - n if n < at else n - after + 1
                sides[side] = min(distance, 5, sides.get(side, 5))
        nearest = min(sides.items(), key=lambda pair: pair[1], default=("", 0))
        around = dict(zip("12345", (*before[:-4:-1], *behind[:2]), strict=True))
        return around | {"x": str(sorted(sides)), "j": f"{nearest[0]}{nearest[1]}"}

    def _earlier(self, known: set[str | None]) -> Iterator[Option]:
        """Yield values that the assistant named before its last turn, the latest first."""
        named = self.frame.exchange.offered.get(self.number, ())
        for age, (value, how) in enumerate(named):
            if value not in known:
                more = {"v": f"{age}of{len(named)} {min(len(known), 2)}", "w": how}
                yield self._option(value, f"H{how}", more)

    def _unnamed(self, said: set[str | None]) -> Iterator[Option]:
        """Yield the values of a short list that no span names."""
        column, user = self.column, self.frame.exchange.user
        if column.kind == "truth":
            yield from self._truths()
        elif column.closed and len(column.values) <= FEW:
            words = dict.fromkeys(word for word in user.words if word not in _FUNCTION)
            for value in column.values:
                if value not in said:
                    parts = value.lower().split()
                    pairs = [f"{word}={part}" for word in words for part in parts]
                    yield self._option(value, "I", {}, pairs)

    def _truths(self) -> Iterator[Option]:
        """Yield both truths where a side says the column's words, or was asked for them."""
        column, exchange = self.column, self.frame.exchange
        more, near = dict[str, str](), list[str]()
        for fact, turn in (("b", exchange.user), ("L", exchange.assistant)):
            hits = [n for n, word in enumerate(turn.words) if column.named_by(word)]
            own = {own for n in hits for own in column.named_by(turn.words[n])}
            more[fact] = f"{min(len(hits), 3)}{min(len(own), 3)}of{min(column.named, 3)}"
            padded = ("^", "^", "^", *turn.words, "$", "$")
            beside = [(*padded[n : n + 3], *padded[n + 4 : n + 6]) for n in hits]
            near += [f"{fact}{word}" for five in beside for word in five]
        if not near and self.facts["a"][0] == "0":
            return
        more["Q"] = str("?" in exchange.user.text) + self.facts["t"]
        near += [f"{self.facts['a'][0]}{word}" for word in exchange.user.words]
        near += [f"{self.facts['y']}{one}" for one in near if one[0] == "L"]
        for value, spellings in (("True", ("true", "yes")), ("False", ("false", "no"))):
            spelled = next((v for v in column.values if v.lower() in spellings), value)
            yield self._option(spelled, value, more, list(dict.fromkeys(near)))
