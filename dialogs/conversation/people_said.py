"""For how many something is said to be: `for the two of us`, `two places`, `put both down`.

Patterns of a few words: a number before places or people, people in a row behind `for`, and who is
put down for something.
"""

from __future__ import annotations

import re

from ..extraction.group_sizes import COUNTED
from ..language.numbers import ONES
from ..language.units import spelling
from .turn_encoder import Span

HEADS = frozenset(
    "person people head guest adult child children kid pupil student seat place".split()
)
"""Words for people, and for what one of them takes up."""

_TAKEN_UP = frozenset("seat place".split())

_NUMBERS = {word: number for word, number in ONES.items() if number > 1} | {"both": 2}
_NUMBER = rf"(?P<number>\d{{1,3}}|{'|'.join(_NUMBERS)})"

_OF_THEM = re.compile(
    rf"\bfor\s+(?:the\s+|all\s+|just\s+|only\s+)*{_NUMBER}\s+of\s+(?:them|us|you)\b", re.I
)
_PLACES = re.compile(rf"(?<!with ){_NUMBER}\s+(?:\w+\s+)??(?P<head>[a-z]+(?:s|ren|ople))\b", re.I)

_OWN = (
    rf"\b(?:my|our|his|her|their|your)\s+(?!(?:own|{'|'.join(ONES)})\b)[a-z'’-]+"
    r"(?:\s+(?-i:[A-Z])[\w'’-]+)?"
)
_PERSON = rf"(?:{_OWN}|\b(?:me|myself|him|himself|herself|I)\b|(?<!the )\b(?-i:[A-Z])[a-z'’-]+)"
_AND = r"(?:\s*,\s*(?:and\s+)?|\s+(?:and|plus)\s+|\s*&\s*)"
_IN_A_ROW = re.compile(
    rf"\bfor\s+(?:(?:both|just|only)\s+)*(?P<row>{_PERSON}(?:{_AND}{_PERSON})+)", re.I
)
_PUT = re.compile(
    r"\b(?:put\s+(?P<who>[^.?!]{1,60}?)\s+down|"
    r"(?:sign|book|enroll?|register)\s+(?P<whom>[^.?!]{1,60}?)\s+(?:up|in|on(?:to)?))\b",
    re.I,
)
_BOTH = re.compile(rf"\b(?:all\s+)?{_NUMBER}\b", re.I)
_ALSO = re.compile(rf"(?:,|\band\b)\s*(?:(?:and|also)\s+)*{_OWN}", re.I)


def people_said(text: str, *, per_head: bool = True) -> tuple[int, list[Span]]:
    """Return how many people something is said to be for, 0 for none, and the words for it.

    `per_head`: also where they are told one by one, `for my sister and me`, and by what they are.
    """
    if found := _OF_THEM.search(text):
        return _number(found["number"]), [found.span()]
    for found in _PLACES.finditer(text):
        if spelling(found["head"].casefold()) in (HEADS | COUNTED if per_head else _TAKEN_UP):
            return _number(found["number"]), [found.span()]
    if found := _PUT.search(text):
        return _put_down(text, found)
    row = _IN_A_ROW.search(text) if per_head else None
    people = re.findall(_PERSON, row["row"], re.I) if row else []
    if row and any(who == "I" or not who[0].isupper() for who in people):
        return len(people), [row.span()]
    return 0, []


def _put_down(text: str, found: re.Match[str]) -> tuple[int, list[Span]]:
    """Return how many people are put down: `put Lily down for it, and her brother`."""
    who = "who" if found["who"] else "whom"
    also = [*_ALSO.finditer(text, found.end())]
    both, people = _BOTH.search(found[who]), re.findall(_PERSON, found[who], re.I)
    many = (_number(both["number"]) if both else len(people)) + len(also)
    spans = [found.span(who), *(more.span() for more in also)] if many else []
    return (many if many > 1 else 0), spans


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _NUMBERS[word.casefold()]
