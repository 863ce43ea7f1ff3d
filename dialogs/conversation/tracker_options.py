"""What may become of each column after a turn, and the features by which it is decided.

An option keeps what is held, drops it, or takes a value: said by the person, said by the assistant
right before, or named earlier. Features are crossings of facts (`CROSSINGS`), how surely a value is
meant among them. They name no column and no value of a catalog.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import floor

from .tracked_turns import Candidate, TrackedColumn, Turn

CROSSINGS = (
    # Source, tag, state, kind, role; yes, no, other acts, the yes itself, ending; asked; counts.
    "gks grs guys gyds gnds gyrd gnrs gts gynt mtys mys gats mf gqs gwv ga gas gaq"
    # Gain, lead, best, rank, count, size, rivals, nearest word, surest of all.
    " mk mG mkG mGL mGB mkGs mGa mGu mGN mkic micp mzC mRc pG gB gV gVs mA1"
    # Words before (3 2 1) and after (4 5), beside the column's own.
    " l1 l2 l21 l321 l4 lk321 lk4 l1o l21o l5o l1O l4O j jG kj"
).split()
"""Facts whose values together are one feature, given where an option has all of them; `o` is each
word of the column's name, `O` also of its description."""

_YES, _NO = ("affirm", "affirm select"), ("negate", "ask_more")
_TOLD = ("inform", "inform intent", "correct")


@dataclass(frozen=True, slots=True)
class Option:
    """A value for a column (None: nothing), its features, and where the person said it."""

    value: str | None
    features: list[str]
    span: tuple[int, int] | None = None


@dataclass(slots=True)
class Exchange:
    """What a decision looks at: the person's turn, the assistant's before it, what was held.

    `offered` are values named before the assistant's turn, by column, each with how.
    """

    user: Turn
    assistant: Turn
    held: Mapping[str, str]
    offered: Mapping[str, Sequence[tuple[str, str]]]
    columns: Mapping[str, TrackedColumn]


def column_options(exchange: Exchange) -> Iterator[tuple[TrackedColumn, list[Option]]]:
    """Yield each column that may be wished with its options; the first keeps what is held."""
    frame = _Frame(exchange)
    for column in exchange.columns.values():
        if column.wished:
            yield column, list(_Options(frame, column).all())


def offer(turn: Turn, offered: dict[str, list[tuple[str, str]]], most: int) -> None:
    """Keep what a turn of the assistant names, when it is no longer the last, newest first."""
    for one in turn.candidates:
        if one.kind in ("value", "number", "date") and one.gain > LIKELY:
            others = [pair for pair in offered.get(one.column, ()) if pair[0] != one.value]
            how = f"{_step(one.gain)}{'?' in turn.text}"
            offered[one.column] = [(one.value, how), *others][:most]


LIKELY = -3.0
"""Log-odds from which a value that the assistant named may be taken up later."""


def _step(gain: float) -> str:
    return str(min(4, max(-4, floor(max(gain, -9.0) / 1.5))))


def _bin(chance: float) -> str:
    return "0" if chance < 0.1 else "1" if chance < 0.5 else "2" if chance < 0.9 else "3"


class _Frame:
    """What is the same for all columns of one turn."""

    def __init__(self, exchange: Exchange) -> None:
        user, told = exchange.user, exchange.assistant
        self.exchange = exchange
        chances = {f"{act} {act.topic}".strip(): act.confidence for act in user.acts.acts}

        def bins(names: Sequence[str]) -> str:
            return "".join(_bin(chances.get(name, 0.0)) for name in names)

        self.facts = {
            "y": max(bins(_YES)),
            "n": bins(_NO),
            "t": max(bins(_TOLD)),
            "u": bins((*_YES, "affirm intent")),
            "d": str("?" in told.text),
        }
        pairs = pairwise(("^", *told.words, "$"))
        self.talk = [f"K {self.facts['y']} {one} {other}" for one, other in pairs]
        self.own = {"U": _by_column(user), "A": _by_column(told)}
        self.at: dict[str, dict[object, list[Candidate]]] = {
            source: defaultdict(list) for source in "UA"
        }
        for source, turn in (("U", user), ("A", told)):
            for one in turn.candidates:
                self.at[source][one.span].append(one)


def _by_column(turn: Turn) -> Mapping[str, Sequence[Candidate]]:
    """Return the candidates of each column, the surest first, each value of a span once."""
    found: defaultdict[str, dict[object, Candidate]] = defaultdict(dict)
    for one in sorted(turn.candidates, key=lambda one: -one.gain):
        found[one.column].setdefault((one.value, one.span), one)
    return {column: list(own.values()) for column, own in found.items()}


@dataclass(slots=True)
class _Options:
    frame: _Frame
    column: TrackedColumn
    facts: dict[str, str] = field(default_factory=dict[str, str])

    def all(self) -> Iterator[Option]:
        exchange, name = self.frame.exchange, self.column.name
        asked = exchange.user.asked
        said, told = (self.frame.own[source].get(name, ()) for source in "UA")
        sure = [min(sum(one.gain > 0 for one in own), 2) for own in (said, told)]
        self.facts = self.frame.facts | {
            "k": f"{self.column.kind}{self.column.closed}",
            "r": self.column.role,
            "f": str("find" in self.column.role),
            "a": _bin(asked.get(name, 0.0)) + str(bool(asked)),
            "q": str(sure),
        }
        best = {"V": _step(max((one.gain for one in said), default=-9.0))}
        held = exchange.held.get(name)
        yield self._option(held, "K", best, self.frame.talk)
        if held is not None:
            yield self._option(None, "D", best)
        for source, own in (("U", said), ("A", told)):
            for rank, one in enumerate(own):
                more = self._facts(source, own, rank)
                span = one.span if source == "U" else None
                how = "" if one.kind == "open" else one.how
                yield self._option(one.value, f"{source}{one.kind}{how}", more, (), span)
        yield from self._earlier({one.value for one in told})

    def _option(
        self,
        value: str | None,
        tag: str,
        more: Mapping[str, str],
        extra: Sequence[str] = (),
        span: tuple[int, int] | None = None,
    ) -> Option:
        now = self.frame.exchange.held.get(self.column.name)
        state = "free" if now is None else "same" if now == value else "held"
        facts = self.facts | {"g": tag[0], "m": tag, "s": state, **more}
        column, features = self.column, list(extra)
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

    def _facts(self, source: str, own: Sequence[Candidate], rank: int) -> dict[str, str]:
        """Return how surely a candidate is meant, beside other columns and candidates."""
        one = own[rank]
        beside = self.frame.at[source][one.span] if one.span else ()
        rivals = [other for other in beside if other.column != one.column]
        uses = self.column.role.split(",")
        return {
            "G": _step(one.gain),
            "L": _step(one.lead),
            "B": f"{one.lead >= 0}{one.polarity}",
            "i": str(min(rank, 3)),
            "c": str(min(len(own), 4)),
            "z": str(min(len(one.value.split()), 5)),
            "C": str(one.value[:1].isupper()),
            "R": str(min(len(rivals), 3)),
            "N": str(min(sum(other.gain > one.gain for other in rivals), 2)),
            "p": one.how,
            "l": f"{source}{one.kind}",
            "j": one.near,
            "A": source + next((use for use in uses if use.startswith("act")), "-"),
            **dict(zip("12345", one.around, strict=True)),
        }

    def _earlier(self, known: set[str]) -> Iterator[Option]:
        """Yield values that the assistant named before its last turn, the latest first."""
        named = self.frame.exchange.offered.get(self.column.name, ())
        for age, (value, how) in enumerate(named):
            if value not in known:
                more = {"v": f"{age}of{len(named)} {min(len(known), 2)}", "w": how}
                yield self._option(value, f"H{how}", more)
