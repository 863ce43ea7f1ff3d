"""Read the comparison in a clause, a number with its limits, and turn a negated clause around."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...language import numbers
from ...language.numbers import MAGNITUDES, ONES, OR_LESS, OR_MORE

NUMBER_WORDS = {word: str(value) for word, value in ONES.items() if value <= 12}
_NUMBER = r"(?P<{name}>\d[\d,]*(?:\.\d+)?)\s*(?P<{name}_scale>k\b|thousand\b|million\b|m\b)?"
_MONEY = r"(?:\$|€|£|usd\s*|eur\s*)?\s*"


def _number(name: str) -> str:
    return _MONEY + _NUMBER.format(name=name)


AT_MOST = (
    rf"(?:{numbers.AT_MOST}|equal to or (?:less|lower) than|less than or equal to|no more than"
    r"|not (?:be )?more than|not (?:to )?exceed(?:ing)?|does not exceed|do not exceed|cannot exceed"
    r"|not (?:be )?(?:over|above|higher than|greater than|older than)"
    r"|no (?:higher|greater|older) than|up to and including|limited to)"
)
AT_LEAST = (
    rf"(?:{numbers.AT_LEAST}|equal to or (?:more|greater|higher) than"
    r"|(?:more|greater) than or equal to|no less than|no fewer than|no younger than"
    r"|not (?:be )?(?:less than|fewer than|lower than|younger than|below|under))"
)
BELOW = r"(?:below|under|less than|fewer than|lower than|younger than|beneath)"
ABOVE = (
    r"(?:above|over|more than|greater than|higher than|older than|exceed(?:s|ing)?|in excess of)"
)

_AFTER_LEAST = (
    r"(?:\s*(?:years?|yrs?)(?:\s+(?:old|of age))?)?\s*(?:or|and|&)\s*"
    rf"(?:{OR_MORE}|older|up(?!\s+to))\b"
)
_AFTER_MOST = (
    r"(?:\s*(?:years?|yrs?)(?:\s+(?:old|of age))?)?\s*(?:or|and|&)\s*"
    rf"(?:{OR_LESS}|younger)\b"
)

_PATTERNS: tuple[tuple[str, str], ...] = (
    (
        "between",
        rf"(?:between|from)\s+(?:the\s+)?(?:ages?\s+(?:of\s+)?)?{_number('low')}(?:\s*years?)?"
        rf"\s*(?:and|to|through|-|–|—)\s*{_number('high')}",
    ),
    (
        "between",
        rf"{_number('low')}\s*(?:-|–|—|to|through)\s*{_number('high')}"
        r"(?=\s*(?:years?|yrs?|months?|weeks?|hours?|days?|people|persons|members|$|[,.;)]|and\b"
        r"|or\b))",
    ),
    (">=", rf"{_number('low')}(?P<inner>(?:\s+[a-z][a-z'-]*){{0,3}}?){_AFTER_LEAST}"),
    ("<=", rf"{_number('high')}(?P<inner>(?:\s+[a-z][a-z'-]*){{0,4}}?){_AFTER_MOST}"),
    (">=", rf"{_number('low')}\s*\+"),
    ("<=", rf"{AT_MOST}\s+(?:the\s+)?(?:ages?\s+(?:of\s+)?)?{_number('high')}"),
    (">=", rf"{AT_LEAST}\s+(?:the\s+)?(?:ages?\s+(?:of\s+)?)?{_number('low')}"),
    ("<", rf"{BELOW}\s+(?:the\s+)?(?:ages?\s+(?:of\s+)?)?{_number('high')}"),
    (">", rf"{ABOVE}\s+(?:the\s+)?(?:ages?\s+(?:of\s+)?)?{_number('low')}"),
    ("<", rf"<\s*{_number('high')}"),
    (">", rf">\s*{_number('low')}"),
)
_COMPILED = tuple((op, re.compile(text, re.IGNORECASE)) for op, text in _PATTERNS)

_NO_QUANTITY = re.compile(
    r"\b(?:section|form|title|chapter|covid|route|line|step|phase|rule|act|part|schedule|tier"
    r"|class|level|article|since|before|after|as of|by|until|in|during)\s*[-#§]?\s*$",
    re.IGNORECASE,
)
_NO_UNIT = re.compile(
    r"\s*(?:%|percent|per cent|st\b|nd\b|rd\b|th\b|/\d|-?(?:month|year|day)-)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A quantity and its limits. `start`, `end`: the characters of the clause that say so."""

    low: float | None
    high: float | None
    low_strict: bool
    high_strict: bool
    start: int
    end: int

    def code(self, quantity: str, factor: float = 1) -> str:
        """Return the comparison of an expression, as Python; limits are times a factor."""
        low = None if self.low is None else number_text(self.low * factor)
        high = None if self.high is None else number_text(self.high * factor)
        below = "<" if self.high_strict else "<="
        if low is None:
            return f"{quantity} {below} {high}"
        if high is None:
            return f"{quantity} {'>' if self.low_strict else '>='} {low}"
        return f"{low} {'<' if self.low_strict else '<='} {quantity} {below} {high}"


def number_text(number: float) -> str:
    """Return a number as Python writes it, whole numbers without a point."""
    return str(int(number)) if number == int(number) else repr(number)


def comparison(clause: str) -> Comparison | None:
    """Return the comparison of a clause; None where it compares nothing, or more than one thing."""
    text = with_digits(clause)
    result = _first_comparison(text)
    if result is None:
        return None
    rest = text[: result.start] + " " * (result.end - result.start) + text[result.end :]
    return None if _first_comparison(rest) is not None else result


def _first_comparison(text: str) -> Comparison | None:
    for op, pattern in _COMPILED:
        for match in pattern.finditer(text):
            if _NO_UNIT.match(text, match.end("high" if "high" in pattern.groupindex else "low")):
                continue
            if op not in (">=", "<=", "between") and _NO_QUANTITY.search(text[: match.start()]):
                continue
            result = _limits_of(op, match)
            if result is not None:
                return result
    return None


def _limits_of(op: str, match: re.Match[str]) -> Comparison | None:
    groups = match.groupdict()
    low = _amount(groups, "low")
    high = _amount(groups, "high")
    if low is not None and high is not None and low > high:
        return None
    if max(abs(low or 0), abs(high or 0)) > 1e11:
        return None
    return Comparison(low, high, op == ">", op == "<", match.start(), match.end())


def _amount(groups: dict[str, str | None], name: str) -> float | None:
    text = groups.get(name)
    if not text:
        return None
    return float(text.replace(",", "")) * MAGNITUDES.get(
        (groups.get(f"{name}_scale") or "").lower(), 1
    )


_WORDS = re.compile(rf"\b({'|'.join(NUMBER_WORDS)})\b(?=\s+(?:or (?:more|fewer|less)\b|\w+))", re.I)


def with_digits(clause: str, *, counts: bool = False) -> str:
    """Return a clause with its small number words as digits of the same width.

    "one of" is a number only where `counts`. Blanks keep every other character in its place.
    """

    def digits(match: re.Match[str]) -> str:
        if not counts and clause[match.end() : match.end() + 3].lower() == " of":
            return match[0]
        return NUMBER_WORDS[match[0].lower()].ljust(len(match[0]))

    return _WORDS.sub(digits, clause)


_NEGATORS = tuple(
    (re.compile(negated, re.IGNORECASE), affirmed)
    for negated, affirmed in (
        (r"\b(?:do|does|did) not (?:currently |already )?", ""),
        (r"\b(?:don't|doesn't|didn't) ", ""),
        (r"\b(must|may|can|should|will) not (?:be\b|already be\b|currently be\b)", "are"),
        (r"\b(?:must|may|can|should|will) not ", ""),
        (r"\b(?:cannot|can't|won't|mustn't) be\b", "are"),
        (r"\b(?:cannot|can't|won't|mustn't) ", ""),
        (r"\b(are|is|was|were|be|been|have|has|had) not\b", r"\1"),
        (r"\b(are|is|was|were|have|has|had)n't\b", r"\1"),
        (r"\b(have|has|had) never\b", r"\1 ever"),
        (r"\b(have|has|had|own|owns|receive|receives) no (?:other )?", r"\1 any "),
        (r"\bnever ", "ever "),
        (r"^not ", ""),
        (r"^no ", "any "),
        (r"^without ", "have "),
    )
)
_ANY = re.compile(r"\b(?:not|never|cannot|without|no)\b|n't\b|^no\b", re.IGNORECASE)
_NO_NEGATION = re.compile(r"\bnot only\b|\bwhether or not\b|\bnot-for-profit\b|\bno matter\b", re.I)


def affirmative(clause: str) -> tuple[str, bool]:
    """Return a clause without its negation, and whether it had one.

    A clause with several negations, or one that is only part of a name, stays as it is.
    """
    text = clause.strip()
    negations = _ANY.findall(text)
    if _NO_NEGATION.search(text) or len(negations) != 1 or not _is_main(text):
        return text, False
    for pattern, replacement in _NEGATORS:
        if pattern.search(text):
            return " ".join(pattern.sub(replacement, text, count=1).split()), True
    return text, False


_SUBORDINATE = re.compile(r"\b(?:who|that|which|because|while|so|such as|whose|where)\b", re.I)
MAIN_WORDS = 6


def _is_main(text: str) -> bool:
    """Return whether the negation belongs to the clause itself, not to one inside it."""
    place = _ANY.search(text)
    if place is None:
        return False
    before = text[: place.start()]
    return len(before.split()) <= MAIN_WORDS and not _SUBORDINATE.search(before)
