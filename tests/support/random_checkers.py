"""Random checkers and households, for comparing an evaluator with Python itself."""

from __future__ import annotations

from random import Random
from typing import Any

from concede.dialogs.eligibility.keys import SIZE, Key, KeyTable, Slot, Value

KEYS = KeyTable.of(
    [
        Key("age", "int", low=0, high=100),
        Key("income", "int", low=0, high=1000),
        Key("ill", "bool"),
        Key("works", "bool"),
        Key("tie", "choice", values=("self", "spouse", "child", 7)),
        Key("home", "choice", "household", values=("flat", "house", "shelter")),
        Key("owns", "bool", "household"),
        Key("rent", "float", "household", low=0, high=500),
    ]
)


class Household:
    """A household as Python sees it: `hh[i]['age']`, `hh['home']`, `len(hh)`, iteration."""

    def __init__(self, facts: dict[Slot, Value]) -> None:
        size = int(facts[SIZE])
        self.keys = {slot.key: value for slot, value in facts.items() if slot.member is None}
        self.members = [
            {slot.key: value for slot, value in facts.items() if slot.member == at}
            for at in range(size)
        ]

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, key: int | str) -> Any:
        return self.keys[key] if isinstance(key, str) else self.members[key]

    def __iter__(self) -> Any:
        return iter(self.members)


def random_facts(random: Random) -> dict[Slot, Value]:
    """Return all facts of a household of one to four."""
    size = random.randint(1, 4)
    facts: dict[Slot, Value] = {SIZE: size}
    for key in KEYS:
        members = range(size) if key.level == "member" else (None,)
        for member in members:
            facts[Slot(member, key.name)] = _value(key, random)
    return facts


def _value(key: Key, random: Random) -> Value:
    if key.kind == "bool":
        return random.random() < 0.5
    if key.kind == "choice":
        return random.choice(key.values)
    value = random.choice([0, 10, 18, 65, 100]) + random.randint(0, 2)
    return min(value, int(key.high)) if key.kind == "int" else min(value, key.high) / 2


class CheckerWriter:
    """Writes one random checker."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []

    def write(self) -> str:
        """Return the source."""
        self.lines = ["LIMITS = {1: 20, 2: 60, 3: 90, 4: 120}", "TIES = ('spouse', 'child')"]
        self.lines += ["def near(m):", f"    return {self.truth('m', 2)}", "def eligible(hh):"]
        self.lines += ["    n = 0", "    flag = False"]
        self.block(1, 3, loops=False)
        self.lines.append(f"    return {self.truth('hh[0]', 2)}")
        return "\n".join(self.lines)

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def number(self, m: str, depth: int) -> str:
        plain = [
            f"{m}['age']",
            f"{m}['income']",
            "hh['rent']",
            "n",
            str(self.random.randint(0, 99)),
        ]
        if depth <= 0:
            return self.pick(*plain)
        deeper = [
            f"({self.number(m, depth - 1)} {self.pick('+', '-', '*')} {self.number(m, depth - 1)})",
            f"sum(p['income'] for p in hh if {self.truth('p', depth - 1)})",
            f"max({self.number(m, depth - 1)}, {self.number(m, depth - 1)})",
            "min(p['age'] for p in hh)",
            "LIMITS[len(hh)]",
            "len(hh)",
            f"len([p for p in hh if {self.truth('p', depth - 1)}])",
            f"({self.number(m, depth - 1)} if {self.truth(m, depth - 1)} else 3)",
            f"abs({self.number(m, depth - 1)} - 30)",
            f"{self.number(m, depth - 1)} // 7",
        ]
        return self.pick(*plain, *deeper)

    def truth(self, m: str, depth: int) -> str:
        """Return a condition about a member."""
        inside = any(line.startswith("def eligible") for line in self.lines)
        limit = self.random.choice([5, 18, 19, 65, 101])
        plain = [
            f"{m}['ill']",
            f"{m}['age'] {self.pick('<', '<=', '>', '>=', '==', '!=')} {limit}",
            f"{m}['tie'] {self.pick('==', '!=')} {self.pick(repr('child'), repr('self'), '7')}",
            f"{m}['tie'] {self.pick('in', 'not in')} TIES",
            f"10 <= {m}['age'] < {limit}",
        ]
        if inside:
            plain += ["hh['owns']", "hh['home'] == 'flat'", "flag", f"near({m})"]
        if depth <= 0:
            return self.pick(*plain)
        deeper = [
            f"not {self.truth(m, depth - 1)}",
            f"({self.truth(m, depth - 1)} and {self.truth(m, depth - 1)})",
            f"({self.truth(m, depth - 1)} or {self.truth(m, depth - 1)})",
        ]
        if inside:
            deeper += [
                f"any({self.truth('q', depth - 1)} for q in hh)",
                f"all({self.truth('q', depth - 1)} for q in hh if {self.truth('q', depth - 1)})",
                f"{self.number(m, depth)} {self.pick('<', '>=', '==')} {self.number(m, depth)}",
                f"(len(hh) > 1 and {self.truth('hh[1]', depth - 1)})",
            ]
        return self.pick(*plain, *deeper)

    def block(self, level: int, depth: int, loops: bool) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(level, depth, loops)

    def statement(self, level: int, depth: int, in_loop: bool) -> None:
        pad = "    " * level
        m = "m" if in_loop else "hh[0]"
        choices = ["n", "flag", "return", "add"]
        if depth > 0:
            choices += ["if", "if", "for", "else"]
        if in_loop:
            choices += ["break", "continue"]
        kind = self.pick(*choices)
        if kind == "n":
            self.lines.append(f"{pad}n = {self.number(m, 2)}")
        elif kind == "add":
            self.lines.append(f"{pad}n += {self.number(m, 1)}")
        elif kind == "flag":
            self.lines.append(f"{pad}flag = {self.truth(m, 2)}")
        elif kind == "for" and not in_loop:
            self.lines.append(f"{pad}for {self.pick('m in hh', 'i, m in enumerate(hh)')}:")
            self.block(level + 1, depth - 1, loops=True)
        elif kind == "for":
            self.lines.append(f"{pad}for k in range(len(hh)):")
            self.lines.append(f"{pad}    n += hh[k]['age']")
        else:
            self.lines.append(f"{pad}if {self.truth(m, 2)}:")
            if kind in ("if", "else"):
                self.block(level + 1, depth - 1, in_loop)
            elif kind == "return":
                self.lines.append(f"{pad}    return {self.truth(m, 1)}")
            else:
                self.lines.append(f"{pad}    {kind}")
            if kind == "else":
                self.lines.append(f"{pad}else:")
                self.block(level + 1, depth - 1, in_loop)
