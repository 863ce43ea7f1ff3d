"""Write programs from a text's rules without a model: the same checkers that a model writes.

A program per section; keys that ask for the same become one. Costs one pass over the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from ....catalogs.errors import QueryError, one_line
from ..decisions.program import Program, Programs
from ..keys import SIZE, Key, KeyTable
from .clauses import AllOf, AtLeast, Not, Rule
from .comparisons import number_text
from .conditions import Condition, content_stems
from .logic import read_section
from .outline import LimitTable, Section, read_outline

SIZE_KEY = Key(
    SIZE.key,
    "int",
    "household",
    "number of people in the household",
    low=1,
    high=20,
    ask="How many people live in your household, yourself included?",
)


@dataclass
class RuleBook:
    """Programs of a text, what each of their lines was read as, and what was passed over."""

    programs: Programs
    typed: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    yes_no: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    passed_over: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


def read_rules(text: str, name: str = "rules") -> RuleBook:
    """Return the programs that a text describes, one a heading, read without a model.

    Raises `QueryError` for a text in which nothing is required.
    """
    book = RuleBook(Programs(()))
    writer = _Writer()
    programs: list[Program] = []
    for section in read_outline(text, PurePath(name).stem or "rules"):
        reading = read_section(section)
        title = _unused_title(section.title, {program.name for program in programs})
        if reading.rule is None:
            continue
        programs.append(writer.program(title, section, reading.rule))
        book.typed[title] = _texts(reading.rule, typed=True)
        book.yes_no[title] = _texts(reading.rule, typed=False)
        book.passed_over[title] = reading.passed_over
    if not programs:
        raise QueryError(
            "the text states no requirement",
            hint="write a heading per program and its requirements as a list below it",
        )
    book.programs = Programs(tuple(programs), KeyTable.of(writer.keys.values()))
    return book


def _unused_title(title: str, used: set[str]) -> str:
    name = one_line(title)[:120] or "rules"
    candidate, number = name, 2
    while candidate in used:
        candidate, number = f"{name} ({number})", number + 1
    return candidate


def _conditions(rule: Rule) -> Iterator[Condition]:
    if isinstance(rule, Condition):
        yield rule
    elif isinstance(rule, Not):
        yield from _conditions(rule.part)
    else:
        for part in rule.parts:
            yield from _conditions(part)


def _texts(rule: Rule, *, typed: bool) -> tuple[str, ...]:
    texts = (condition.text for condition in _conditions(rule) if condition.typed is typed)
    return tuple(dict.fromkeys(texts))


class _Writer:
    """Writes sources; keys that ask for the same are one."""

    def __init__(self) -> None:
        self.keys: dict[str, Key] = {}
        self.by_words: dict[tuple[str, frozenset[str]], str] = {}

    def program(self, name: str, section: Section, rule: Rule) -> Program:
        """Return the program of one section."""
        tables = [condition for condition in _conditions(rule) if isinstance(condition, LimitTable)]
        lines = [f'"""{_quoted(name)}"""']
        if tables:
            lines += _table(tables[0])
        lines += ["", "", "def eligible(hh):"]
        parts = rule.parts if isinstance(rule, AllOf) else (rule,)
        for part in parts:
            lines += [f"    # {_comment(part)}", *self._test(part)]
        lines.append("    return True")
        return Program(name, "\n".join(lines) + "\n", section.text, name, "text")

    def _test(self, rule: Rule) -> list[str]:
        if isinstance(rule, Not):
            return [*_spread("if", self._lines(rule.part)), "        return False"]
        if isinstance(rule, Condition) and (code := self._code(rule)).startswith("not "):
            return [f"    if {code.removeprefix('not ')}:", "        return False"]
        body = self._lines(rule)
        if len(body) == 1:
            return [f"    if not ({body[0]}):", "        return False"]
        return [*_spread("if not", body), "        return False"]

    def _lines(self, rule: Rule) -> list[str]:
        """Return an expression over lines, each with its sentence beside it."""
        if isinstance(rule, Condition):
            return [self._code(rule)]
        if isinstance(rule, AtLeast) and rule.count == 1:
            lines: list[str] = []
            for place, part in enumerate(rule.parts):
                start = "or " if place else ""
                lines.append(f"{start}{self._expression(part)}  # {_comment(part)}")
            return lines
        return [self._expression(rule)]

    def _expression(self, rule: Rule) -> str:
        if isinstance(rule, Condition):
            return self._code(rule)
        if isinstance(rule, Not):
            return f"not ({self._expression(rule.part)})"
        parts = [self._expression(part) for part in rule.parts]
        if isinstance(rule, AllOf):
            return f"({' and '.join(parts)})"
        if rule.count == 1:
            return f"({' or '.join(parts)})"
        return f"sum([{', '.join(f'1 if {part} else 0' for part in parts)}]) >= {rule.count}"

    def _code(self, condition: Condition) -> str:
        if isinstance(condition, LimitTable):
            self.keys[SIZE.key] = SIZE_KEY
            return f'hh["{self._key(condition.key)}"] <= limit(len(hh))'
        if condition.key.name == SIZE.key:
            self.keys[SIZE.key] = SIZE_KEY
            return condition.code
        name = self._key(condition.key)
        return condition.code.replace(f'hh["{condition.key.name}"]', f'hh["{name}"]')

    def _key(self, key: Key) -> str:
        """Return the name under which a key is kept: equal words are one key, others two."""
        words = (key.kind, frozenset(content_stems(key.description)) or frozenset((key.name,)))
        if words in self.by_words:
            return self.by_words[words]
        if key.kind in ("int", "float"):
            # Numbers may be compared as whole ones here and as others there.
            other = ("float" if key.kind == "int" else "int", words[1])
            if other in self.by_words:
                return self.by_words[other]
        name, number = key.name, 2
        while name in self.keys:
            name, number = f"{key.name[:50]}_{number}", number + 1
        self.keys[name] = replace(key, name=name)
        self.by_words[words] = name
        return name


def _spread(start: str, lines: list[str]) -> list[str]:
    if len(lines) == 1:
        return [f"    {start} {lines[0]}:"]
    return [f"    {start} (", *(f"        {line}" for line in lines), "    ):"]


def _table(table: LimitTable) -> list[str]:
    first, last = table.limits[0][0], table.limits[-1][0]
    lines = ["LIMITS = {"]
    lines += [f"    {size}: {number_text(amount * table.factor)}," for size, amount in table.limits]
    each = number_text(table.each * table.factor)
    lines += ["}", "", "", "def limit(size):"]
    known = f"LIMITS[max({first}, min(size, {last}))]"
    lines.append(f"    return {known} + {each} * max(0, size - {last})")
    return lines


def _comment(rule: Rule) -> str:
    """Return a rule's sentences on one line."""
    if isinstance(rule, Condition):
        return one_line(rule.text)[:300]
    if isinstance(rule, Not):
        return f"not: {_comment(rule.part)}"[:400]
    texts = list(dict.fromkeys(one_line(condition.text) for condition in _conditions(rule)))
    if isinstance(rule, AllOf):
        return "; ".join(texts)[:400]
    count = "one" if rule.count == 1 else str(rule.count)
    return f"at least {count} of: {'; '.join(texts)}"[:400]


def _quoted(text: str) -> str:
    """Return text that ends no docstring."""
    return text.replace("\\", "/").replace('"', "'")
