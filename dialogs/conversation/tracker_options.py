"""What may become of each column after a turn, and the features by which it is decided.

An option keeps what is held, drops it, or takes a value: said by the person, said by the assistant
right before, offered earlier, or one of a short list that may have been meant in other words.
Features name no column and no value of a catalog; words of a column's name and description are
crossed with the words around a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..language.numbers import ONES, TENS
from .tracked_columns import PLAIN, TrackedColumn
from .turn_reading import Turn
from .value_spans import Mention

FEW = 9
"""Values of a closed column that are options without being named."""

RECENT = 3
"""Values that were offered before the last turn and may still be accepted, for each column."""

_NUMBERS = {word: str(value) for word, value in (ONES | TENS).items()}
_SUITED: Mapping[str, frozenset[str]] = {
    "date": frozenset({"date", "unknown"}),
    "time": frozenset({"time", "unknown"}),
    "amount": frozenset({"number", "unknown"}),
    "number": frozenset({"number", "unknown"}),
    "name": frozenset({"text", "unknown"}),
    "value": frozenset(),
}


@dataclass(frozen=True, slots=True)
class Option:
    """A value for a column (None: nothing), where the person said it, and its features."""

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
    match = mention.matches.get(number)
    if match is not None:
        spelled, whole = match
        return (spelled if column.closed else mention.text), "W" if whole else "P"
    if column.kind not in _SUITED[mention.kind]:
        return None
    value = mention.text
    plain = _NUMBERS.get(value.lower(), value)
    if column.closed:
        return (plain, "W") if plain in column.values else None
    return value, "W" if plain in column.values else "-"


def column_options(exchange: Exchange) -> Iterator[tuple[int, list[Option]]]:
    """Yield each column that may be wished with its options; the first keeps what is held."""
    frame = _Frame.of(exchange)
    for number, column in enumerate(exchange.columns):
        if column.wished:
            yield number, _Options(frame, number, column).all()


def _bin(chance: float) -> str:
    return "0" if chance < 0.1 else "1" if chance < 0.5 else "2" if chance < 0.9 else "3"


@dataclass(slots=True)
class _Frame:
    """What is the same for all columns of one turn."""

    exchange: Exchange
    yes: str
    no: str
    talk: str
    doing: str
    user_fits: Mapping[int, Sequence[tuple[int, str, str]]]
    last_fits: Mapping[int, Sequence[tuple[int, str, str]]]

    @classmethod
    def of(cls, exchange: Exchange) -> _Frame:
        user, last = exchange.user.acts, exchange.assistant.acts
        accepted = _bin(max(user.get("AFFIRM", 0.0), 0.0)) + _bin(user.get("SELECT", 0.0))
        refused = _bin(user.get("NEGATE", 0.0)) + _bin(user.get("REQUEST_ALTS", 0.0))
        talk = _bin(user.get("INFORM", 0.0)) + _bin(user.get("REQUEST", 0.0))
        doing = "".join(
            _bin(last.get(act, 0.0)) for act in ("OFFER", "CONFIRM", "REQUEST", "NOTIFY_SUCCESS")
        )
        fits = [
            _fits(turn.mentions, exchange.columns) for turn in (exchange.user, exchange.assistant)
        ]
        return cls(exchange, accepted, refused, talk, doing, *fits)


def _fits(
    mentions: Sequence[Mention], columns: Sequence[TrackedColumn]
) -> dict[int, list[tuple[int, str, str]]]:
    found: dict[int, list[tuple[int, str, str]]] = {}
    for place, mention in enumerate(mentions):
        for number, column in enumerate(columns):
            fit = fitting(mention, number, column)
            if fit is not None:
                found.setdefault(number, []).append((place, *fit))
    return found


@dataclass(slots=True)
class _Options:
    frame: _Frame
    number: int
    column: TrackedColumn

    def all(self) -> list[Option]:
        frame = self.frame
        said = list(self._said("U", frame.exchange.user, frame.user_fits))
        told = list(self._said("A", frame.exchange.assistant, frame.last_fits))
        known = {option.value for option in told}
        earlier = list(self._earlier(known))
        meant = list(self._unnamed({option.value for option in said}))
        keep = self._common("K", self._held())
        keep += [f"K said{min(len(said), 3)} told{min(len(told), 2)} {self._has()}"]
        gone = [Option(None, self._common("D", None))] if self._held() is not None else []
        return [Option(self._held(), keep), *gone, *said, *told, *earlier, *meant]

    def _earlier(self, known: set[str | None]) -> Iterator[Option]:
        """Yield values that the assistant named before its last turn, the latest first."""
        frame, column = self.frame, self.column
        named = self.frame.exchange.offered.get(self.number, ())
        for age, (value, how) in enumerate(named):
            if value in known:
                continue
            tag = f"H{how}"
            features = self._common("H", value)
            features += self._common(tag, value)
            features.append(f"H age{age} of{len(named)} {how}")
            features.append(f"H age{age} known{min(len(known), 2)} {how} {frame.yes}")
            features += [f"{tag} own {word}" for word in column.words]
            yield Option(value, features)

    def _held(self) -> str | None:
        return self.frame.exchange.held.get(self.number)

    def _has(self) -> str:
        return "held" if self._held() is not None else "free"

    def _asked(self) -> str:
        asked = self.frame.exchange.assistant.asked
        if not asked:
            return "-"
        chance = asked[self.number]
        return _bin(chance) + ("b" if chance == max(asked) else "o")

    def _common(self, source: str, value: str | None) -> list[str]:
        """Features of an option that do not depend on where in a text it stands."""
        frame, column = self.frame, self.column
        held = self._held()
        state = "free" if held is None else "same" if held == value else "held"
        kind = f"{column.kind}{column.closed}"
        features = [
            source,
            f"{source} {state}",
            f"{source} {kind} {state}",
            f"{source} {column.role} {state}",
            f"{source} {column.use} {state}",
            f"{source} yes {frame.yes} {column.use} {frame.doing} {state}",
            f"{source} yes {frame.yes} {column.use} {state}",
            f"{source} no {frame.no} {column.use} {state}",
            f"{source} asked {self._asked()} {state}",
            f"{source} asked {self._asked()} {frame.yes} {frame.no}",
            f"{source} yes {frame.yes} {frame.doing} {state}",
            f"{source} no {frame.no} {frame.doing} {state}",
            f"{source} yes {frame.yes} {column.role} {state}",
            f"{source} yes {frame.yes} {column.role} {frame.doing}",
            f"{source} no {frame.no} {column.role} {state}",
            f"{source} talk {frame.talk} {state}",
            f"{source} yes {frame.yes} no {frame.no} talk {frame.talk}",
        ]
        features += [f"{source} own {word}" for word in column.words[: column.named]]
        if value is not None and source not in "KD":
            others = [n for n, v in frame.exchange.held.items() if v == value and n != self.number]
            features.append(f"{source} elsewhere {bool(others)} {state}")
        return features

    def _said(
        self, source: str, turn: Turn, fits: Mapping[int, Sequence[tuple[int, str, str]]]
    ) -> Iterator[Option]:
        own = fits.get(self.number, ())
        for rank, (place, value, match) in enumerate(own):
            mention = turn.mentions[place]
            features = self._common(source, value)
            features += self._matched(source, mention, place, match, fits, rank, len(own))
            features += self._around(source, turn, mention)
            yield Option(value, features, (mention.start, mention.end) if source == "U" else None)

    def _matched(
        self,
        source: str,
        mention: Mention,
        place: int,
        match: str,
        fits: Mapping[int, Sequence[tuple[int, str, str]]],
        rank: int,
        count: int,
    ) -> list[str]:
        columns, column = self.frame.exchange.columns, self.column
        rivals = {
            n: m
            for n, found in fits.items()
            for p, _, m in found
            if p == place and n != self.number
        }
        better = sum(m == "W" and match != "W" for m in rivals.values())
        even = sum(m == match for n, m in rivals.items() if columns[n].wished)
        told = sum(m == "W" for n, m in rivals.items() if not columns[n].wished)
        tag = f"{source}{mention.kind}{match}"
        kind = f"{column.kind}{column.closed}"
        asked = self.frame.exchange.assistant.asked
        rival = max((asked[n] for n in rivals), default=0.0) if asked else 0.0
        alike = [n for n, c in enumerate(columns) if c.kind == column.kind and c.wished]
        size = min(len(mention.text.split()), 5)
        nest = self._nest(mention, fits, source)
        features = [
            tag,
            f"{tag} {kind}",
            f"{tag} {column.role}",
            f"{tag} {self._asked()} {_bin(rival)}",
            f"{tag} {kind} {self._asked()} {_bin(rival)} {self._has()}",
            f"{tag} better{min(better, 2)} even{min(even, 3)}",
            f"{tag} told{min(told, 2)} {self._has()}",
            f"{tag} {kind} rank{min(rank, 3)} of{min(count, 4)}",
            f"{tag} rank{min(rank, 3)} of{min(count, 4)}"
            f" column{alike.index(self.number)} of{len(alike)}",
            f"{tag} size{size} capital{mention.text[:1].isupper()}",
            f"{tag} size{size} first{mention.start == 0}",
            f"{tag} {nest}",
            f"{tag} {nest} comma{',' in mention.text} end{mention.text[-2:].isupper()}",
            f"{tag} has {sum(n in self.frame.exchange.held for n in rivals) > 0} {self._has()}",
        ]
        features += [f"{tag} own {word}" for word in column.words]
        return features

    def _nest(
        self, mention: Mention, fits: Mapping[int, Sequence[tuple[int, str, str]]], source: str
    ) -> str:
        """Return whether other fitting mentions hold this one, or it holds them."""
        turn = self.frame.exchange.user if source == "U" else self.frame.exchange.assistant
        others = [
            (turn.mentions[p], m)
            for p, _, m in fits.get(self.number, ())
            if turn.mentions[p] is not mention
        ]
        outer = {
            f"{o.kind}{m}" for o, m in others if o.start <= mention.start and mention.end <= o.end
        }
        inner = {
            f"{o.kind}{m}" for o, m in others if mention.start <= o.start and o.end <= mention.end
        }
        return f"in {sorted(outer)} holds {sorted(inner)}"

    def _around(self, source: str, turn: Turn, mention: Mention) -> list[str]:
        """Features of the words beside a mention, crossed with the column's own words."""
        words, starts = turn.words, turn.starts
        at = next((n for n, start in enumerate(starts) if start >= mention.start), len(words))
        after = next((n for n, start in enumerate(starts) if start >= mention.end), len(words))
        padded = ["^", "^", "^", *words[:at]]
        left1, left2, left3 = padded[-1], padded[-2], padded[-3]
        right = words[after] if after < len(words) else "$"
        right2 = words[after + 1] if after + 1 < len(words) else "$"
        tag, column = f"{source}{mention.kind}", self.column
        contexts = (
            f"<{left1}",
            f"<<{left2}",
            f"<{left2} {left1}",
            f"<{left3} {left2} {left1}",
            f">{right}",
            f">>{right2}",
            f"{left1} {right}",
        )
        features = [f"{tag} {context}" for context in contexts]
        features += [f"{tag} {context} {column.kind}{column.closed}" for context in contexts]
        crossed = (*contexts[:3], contexts[4], contexts[5], f"<<<{left3}")
        features += [f"{source} {context}|{own}" for context in crossed for own in column.words]
        named = set(column.words[: column.named])
        sides: dict[str, int] = {}
        for n, word in enumerate(words):
            for own in column.named_by(word):
                distance = at - n if n < at else n - after + 1
                side = ("<" if n < at else ">") + ("named" if own in named else "told")
                sides[side] = min(distance, sides.get(side, 9))
        for side, distance in sides.items():
            features.append(f"{tag} {side} {min(distance, 5)}")
            features.append(f"{source} {side} {min(distance, 5)} {column.kind}{column.closed}")
        features.append(f"{tag} {sorted(sides)}")
        return features

    def _unnamed(self, said: set[str | None]) -> Iterator[Option]:
        """Yield the values of a short list that no span names."""
        column, user = self.column, self.frame.exchange.user
        if column.kind == "truth":
            yield from self._truths()
            return
        if not column.closed or len(column.values) > FEW:
            return
        words = dict.fromkeys(word for word in user.words if word not in _FUNCTION)
        for value in column.values:
            if value in said:
                continue
            parts = value.lower().split()
            features = self._common("I", value)
            features.append(f"I {column.kind} few{len(column.values)}")
            features += [f"I {word}={part}" for word in words for part in parts]
            features += [f"I {self._asked()} {word}={part}" for word in words for part in parts]
            yield Option(value, features)

    def _truths(self) -> Iterator[Option]:
        """Yield both truths where a side says the column's words, or was asked for them."""
        column, exchange = self.column, self.frame.exchange
        said, told = self._naming(exchange.user), self._naming(exchange.assistant)
        asked = exchange.assistant.asked
        if not (said or told) and not (asked and asked[self.number] > 0.1):
            return
        for value in ("True", "False"):
            spelled = next((v for v in column.values if v.lower() == value.lower()), value)
            features = self._common(f"T{value}", spelled)
            for side, turn, hits in (("U", exchange.user, said), ("A", exchange.assistant, told)):
                named = min(3, len({own for n in hits for own in column.named_by(turn.words[n])}))
                tag = f"T{value} {side} hits{min(len(hits), 3)} named{named}"
                tag += f" of{min(column.named, 3)}"
                features += [
                    tag,
                    f"{tag} {self._asked()} {self.frame.talk}",
                    f"{tag} {self.frame.yes} {self.frame.no} {self.frame.doing}",
                    f"{tag} ?{'?' in turn.text} {self.frame.talk}",
                ]
                padded = ("^", "^", "^", *turn.words, "$", "$")
                near = {w: None for n in hits for w in (*padded[n : n + 3], *padded[n + 4 : n + 6])}
                features += [f"T{value} {side} near {word}" for word in near]
                features += [f"T{value} {side} near {word} {self.frame.yes[0]}" for word in near]
            features += [
                f"T{value} {self._asked()[:1]} word {word}"
                for word in dict.fromkeys(exchange.user.words)
            ]
            yield Option(spelled, features)

    def _naming(self, turn: Turn) -> list[int]:
        return [n for n, word in enumerate(turn.words) if self.column.named_by(word)]


_FUNCTION = PLAIN - frozenset("me my we us our all any no not only many".split())
