"""Cut a sentence into clauses at "unless", "if", "and" and "or"; their conditions form a tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...language.numbers import OR_LESS, OR_MORE
from .conditions import Condition, condition, content_stems, income_key


@dataclass(frozen=True)
class AllOf:
    """Every part holds."""

    parts: tuple[Rule, ...]


@dataclass(frozen=True)
class AtLeast:
    """At least `count` of the parts hold; 1 is any of them."""

    parts: tuple[Rule, ...]
    count: int = 1


@dataclass(frozen=True)
class Not:
    """The part does not hold."""

    part: Rule


Rule = Condition | AllOf | AtLeast | Not


def all_of(parts: Sequence[Rule]) -> Rule:
    """Return the rule "every part holds"; parts that are such rules themselves are merged."""
    flat = [
        inner for part in parts for inner in (part.parts if isinstance(part, AllOf) else (part,))
    ]
    return flat[0] if len(flat) == 1 else AllOf(tuple(flat))


def any_of(parts: Sequence[Rule], count: int = 1) -> Rule:
    """Return the rule "at least `count` of the parts hold"."""
    return parts[0] if len(parts) == 1 else AtLeast(tuple(parts), min(count, len(parts)))


LIMITS_HERE = Condition(income_key(True), "", "income within the table's limits", True)
"""Stands where a sentence points to the table of limits."""


def with_limits(rule: Rule, limits: Rule) -> Rule:
    """Return a rule with `LIMITS_HERE` replaced by the limits of a table."""
    if rule is LIMITS_HERE:
        return limits
    if isinstance(rule, AllOf):
        return AllOf(tuple(with_limits(part, limits) for part in rule.parts))
    if isinstance(rule, AtLeast):
        return AtLeast(tuple(with_limits(part, limits) for part in rule.parts), rule.count)
    if isinstance(rule, Not):
        return Not(with_limits(rule.part, limits))
    return rule


PREFIX = re.compile(
    r"^(?:(?:and|or|also|then|but|additionally|in addition|finally)[,:]?\s+)*"
    r"(?:(?:the )?(?:applicants?|participants?|candidates?|individuals?|people|persons?|you|they"
    r"|one|households?|families|residents|anyone|everyone"
    # Whoever else a program calls its own: drivers, members. Not what belongs to them.
    r"|(?!(?:children|parents|owners|dependents|spouses|incomes?|homes?)\b)[a-z-]{3,30}(?<!s)s)\s+"
    r"(?:(?:who|that)\s+)?)?"
    r"(?:(?:must|should|shall|will|needs? to|has to|have to|are required to|is required to)\s+)"
    r"(?:also\s+|currently\s+|either\s+|all\s+|both\s+)?",
    re.IGNORECASE,
)
_VERBS = (
    r"(?:is|are|was|were|be|have|has|had|live|lives|reside|resides|own|owns|rent|rents|earn|earns"
    r"|work|works|receive|receives|hold|holds|meet|meets|attend|attends|pay|pays|do|does|can|cannot"
    r"|must|may|need|needs|get|gets|not|no|never|use|uses|plan|care|provide|serve|served|file|lost"
    r"|at least|receiving|living|working|attending|caring|renting|owning|looking|enroll\w*|under"
    r"|over|between|aged?|currently|an? \w+ (?:citizen|resident|veteran|student|parent|member))"
)
_AND = re.compile(
    rf"\s*(?:;\s*(?:and\s+)?|,\s+and\s+(?=(?:your?|{_VERBS})\b)|,\s+(?=(?:your?|{_VERBS})\b)"
    rf"|\s+and\s+(?={_VERBS}\b))\s*",
    re.I,
)
_OR = re.compile(
    rf"\s*(?:;\s*or\s+|,\s*or\s+(?={_VERBS}\b)|\s+or\s+(?={_VERBS}\b)|,\s*(?={_VERBS}\b))\s*", re.I
)
_UNLESS = re.compile(r",?\s+(?:unless|except (?:if|when))\s+", re.IGNORECASE)
_IF_FIRST = re.compile(r"^if\s+(?P<if>[^,]{3,200}),\s+(?:then\s+)?(?P<then>.{3,})$", re.IGNORECASE)
_IF_LAST = re.compile(
    r"^(?P<then>.{3,200}?),?\s+(?:if|when)\s+(?P<if>you\b.{3,200})$", re.IGNORECASE
)
_NEED = re.compile(r"^(?:you )?needs? (?=an?\b|the\b|your\b|proof\b|at least\b)", re.IGNORECASE)
_THEIRS = re.compile(
    r"^((?:your|the) [\w' -]{2,50}?) (?:must|should|needs? to|has to|have to) (be|have)\b", re.I
)
_IS = {"be": "is", "have": "has"}
MAX_PARTS = 12


def read_clause(text: str, sentence: str) -> Rule | None:
    """Return a clause, cut where it says unless, if, and, or."""
    text = PREFIX.sub("", text.strip(" ,;")).strip(" ,;")
    text = _NEED.sub("have ", text)
    text = _THEIRS.sub(lambda match: f"{match[1]} {_IS[match[2].lower()]}", text)
    text = re.sub(r"(?:[,;]\s*|\s+)(?:and|or)$", "", text.strip(" .")).strip()
    if not content_stems(text) and not re.search(r"\d", text):
        return None
    unless = _UNLESS.split(text, maxsplit=1)
    if len(unless) == 2 and all(map(_balanced, unless)):
        read = (read_clause(unless[0], sentence), read_clause(unless[1], unless[1]))
        rules = [rule for rule in read if rule is not None]
        return any_of(rules) if rules else None
    implied = _IF_FIRST.match(text) or _IF_LAST.match(text)
    if implied and _balanced(implied["if"]) and _balanced(implied["then"]):
        if_part = read_clause(implied["if"], implied["if"])
        then = read_clause(implied["then"], sentence)
        if if_part is None or then is None:
            return then
        return any_of([Not(if_part), then])
    for pattern, joined in ((_AND, all_of), (_OR, any_of)):
        parts = _split(pattern, text)
        if len(parts) > 1:
            rules = [rule for part in parts if (rule := read_clause(part, part)) is not None]
            if rules:
                return joined(rules)
    return condition(text, sentence)


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")")


_GLUE = "\ue000"
_LIMIT = re.compile(
    rf"\d[\d,.]*(?: \w+){{0,3}}? (?:or|and) (?:{OR_MORE}|{OR_LESS}|older|younger|up)\b"
    r"|\bbetween (?:the ages of |ages )?[$€£]?\d[\d,.]* and [$€£]?\d[\d,.]*",
    re.IGNORECASE,
)
"""Limits that hold an "or" of their own."""


def _split(pattern: re.Pattern[str], text: str) -> list[str]:
    """Return the parts of a clause, unless cutting it would take a comparison apart."""
    if pattern is _OR and not re.search(r"\bor\b", text):
        return [text]
    if pattern is _AND and re.search(r"\bboth\b.*\band\b", text, re.IGNORECASE):
        return [text]
    has_or = re.search(r",\s*or\s|\bor\s+" + _VERBS + r"\b", text, re.IGNORECASE)
    if pattern is _AND and has_or and not re.search(r"\band\b|;", text):
        return [text]
    glued = _LIMIT.sub(lambda match: match[0].replace(" ", _GLUE), text)
    parts = [part.replace(_GLUE, " ").strip() for part in pattern.split(glued) if part]
    parts = [part for part in parts if part]
    if not all(map(_balanced, parts)):
        return [text]
    if len(parts) > MAX_PARTS or any(
        not content_stems(part) and not re.search(r"\d", part) for part in parts
    ):
        return [text]
    return parts


_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"(])")
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|U\.S|Mr|Mrs|Dr|St|No|approx|etc|vs)\.$")


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text."""
    sentences: list[str] = []
    for part in _END.split(text):
        if sentences and _ABBREVIATED.search(sentences[-1]):
            sentences[-1] += f" {part}"
        elif part.strip():
            sentences.append(part.strip())
    return sentences
