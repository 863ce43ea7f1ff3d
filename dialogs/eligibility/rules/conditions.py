"""Read one clause as a condition: the key it needs, and the test of it in Python.

An age, an income, a size or another number with a limit becomes a typed comparison; anything else
a yes or no. Cost: some twenty patterns a clause.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..keys import SIZE, Key
from .comparisons import Comparison, affirmative, comparison

LONGEST_NAME = 60

_OTHERS = re.compile(
    r"\b(?:child|children|kids?|son|daughter|infant|toddler|baby|spouse|partner|husband|wife"
    r"|parents?|guardian|dependents?|someone|anyone|members?|person in|relative|grandchild\w*"
    r"|owners?|student|pets?|vehicle|car|home|house|building|property|business|company)\b",
    re.IGNORECASE,
)
_AGE = re.compile(
    r"\b(?:age[ds]?|years? old|years? of age|older|younger|yrs? old|adults? (?:over|under))\b", re.I
)
_BARE_AGE = re.compile(
    r"^(?:be|are|is|you are|you're|applicants? (?:is|are|must be))?\s*(?:currently )?"
    r"(?:over|under|at least|between|above|below)?\s*[\d,]+(?:\s*(?:-|–|to|and)\s*\d+)?"
    r"(?:\s*(?:or|and) (?:over|under|above|below|up))?\s*(?:years?)?$",
    re.I,
)
_INCOME = re.compile(r"\b(?:incomes?|earn(?:s|ed|ings?)?|make[s]?\b(?=.*\$)|salary|wages)\b", re.I)
_TOGETHER = re.compile(r"\b(?:household|family|families|combined|joint(?:ly)?)\b", re.I)
_NO_PLAIN_INCOME = re.compile(r"\b(?:investment|rental|interest|net|taxable|unearned)\b", re.I)
_MONEY = re.compile(r"[$€£]|\b(?:dollars?|usd|euros?)\b", re.I)
_PERIODS: tuple[tuple[re.Pattern[str], float], ...] = (
    (re.compile(r"\b(?:month|monthly)\b", re.I), 12),
    (re.compile(r"\b(?:week|weekly)\b", re.I), 52),
)
_SIZE = re.compile(
    r"\b(?:household|family) (?:size|of|with|has|consists of)\b|\bpeople in (?:your"
    r"|the) household\b",
    re.I,
)
_SIZE_UNIT = re.compile(
    r"\b(?:people|persons?|members?|individuals)\b|household size|family size", re.I
)
_PLACE = re.compile(
    r"^(?:(?:you )?(?:must |should |currently |to )*(?:live|lives|living|reside|resides|residing)"
    r"|(?:you )?(?:be |are |is )?(?:an? )?(?:\w+ )?residents?)\s+(?:in|of|within)\s+(?P<place>.+)$",
    re.I,
)
_QUESTION = re.compile(
    r"^(?:are|is|do|does|have|has|did|was|were|can|could|will) (?:you|your|the|any|some"
    r"|he|she|they)\b",
    re.IGNORECASE,
)

AGE = Key("age", "int", "household", "your age in years", low=0, high=130, ask="How old are you?")


@dataclass(frozen=True)
class Condition:
    """A test. `typed`: it compares a quantity; otherwise its sentence became a yes or no."""

    key: Key
    code: str
    text: str
    typed: bool


def condition_of_item(lead: str, item: str) -> Condition:
    """Return the yes or no of a list's item that says nothing without the words above the list."""
    question = lead.strip(" :?.")
    positive = item.strip(" .;,?")
    key = Key(
        name_of(content_words(positive) or ("item",)),
        "bool",
        "household",
        f"{question}: {positive}",
        ask=question_of(f"{question}: {positive}"),
    )
    return Condition(key, _read(key), f"{question}: {positive}", False)


def condition(clause: str, sentence: str) -> Condition:
    """Return what a clause asks for. `sentence` is how it was written."""
    positive, negated = affirmative(clause)
    key_and_code = _typed(clause)
    if key_and_code is None:
        return _yes_no(positive, sentence, negated=negated)
    key, code = key_and_code
    # "not more than" is a limit of its own; "do not own more than" denies one.
    if negated and _is_same(comparison(clause), comparison(positive)):
        key, code = _typed(positive) or key_and_code
        code = f"not ({code})"
    return Condition(key, code, sentence, True)


def _is_same(first: Comparison | None, second: Comparison | None) -> bool:
    """Return whether a clause and its affirmative compare with the same limits."""
    if first is None or second is None:
        return False
    return (first.low, first.high, first.low_strict, first.high_strict) == (
        second.low,
        second.high,
        second.low_strict,
        second.high_strict,
    )


def _typed(clause: str) -> tuple[Key, str] | None:
    limits = comparison(clause)
    if limits is None:
        return None
    key_and_code = _age(clause, limits) or _size(clause, limits)
    return key_and_code or _income(clause, limits) or _quantity(clause, limits)


def _read(key: Key) -> str:
    return "len(hh)" if key.name == SIZE.key else f'hh["{key.name}"]'


_AGE_WORDS = frozenset(
    "age aged ages year years old older younger adult adults yr yrs individual individuals "
    "currently"
    " inclusive turn time application applying apply birthday reached attained".split()
)
_INCOME_WORDS = frozenset(
    "income incomes household family combined total annual annually yearly year gross month monthly"
    " week weekly earn earns earning earned earnings make makes making salary wages amount limit"
    " before tax taxes dollar dollars usd euro euros sources source joint jointly adjusted all"
    " calendar last previous current single people persons member members everyone whole".split()
)


def _only(words: frozenset[str], rest: str) -> bool:
    """Return whether what a clause says beside its comparison adds no other condition."""
    return all(word in words for word in content_words(rest))


def _age(clause: str, limits: Comparison) -> tuple[Key, str] | None:
    if _OTHERS.search(clause) or _MONEY.search(clause) or _INCOME.search(clause):
        return None
    rest = clause[: limits.start] + " " + clause[limits.end :]
    is_age = _AGE.search(clause) or _BARE_AGE.match(clause.strip(" .?"))
    if not is_age or re.search(r"\b(?:hours?|months?|weeks?|days?|credits?)\b", rest, re.I):
        return None
    if (limits.high or limits.low or 0) > 130 or not _only(_AGE_WORDS, rest):
        return None
    return AGE, limits.code(_read(AGE))


def _size(clause: str, limits: Comparison) -> tuple[Key, str] | None:
    if not _SIZE.search(clause) or _MONEY.search(clause) or not _SIZE_UNIT.search(clause):
        return None
    return Key(SIZE.key, "int", "household", "number of people in the household", low=1, high=20), (
        limits.code("len(hh)")
    )


def income_key(together: bool) -> Key:
    """Return the key of a yearly income, of the person or of the household."""
    whose = "your household's" if together else "your"
    name = "household_income" if together else "income"
    return Key(
        name,
        "float",
        "household",
        f"{whose} yearly income",
        topic="income",
        ask=f"What is {whose} total income in a year?",
    )


def _income(clause: str, limits: Comparison) -> tuple[Key, str] | None:
    amount = limits.high if limits.high is not None else limits.low
    is_money = _MONEY.search(clause) or (amount or 0) >= 1_000
    if not _INCOME.search(clause) or not is_money or _NO_PLAIN_INCOME.search(clause):
        return None
    if not _only(_INCOME_WORDS, clause[: limits.start] + " " + clause[limits.end :]):
        return None
    factor = next((factor for pattern, factor in _PERIODS if pattern.search(clause)), 1)
    key = income_key(bool(_TOGETHER.search(clause)))
    return key, limits.code(_read(key), factor)


_STOP = frozenset(
    """a an and the of or to in for on at by with your you must should need needs be is are was were
    have has had do does did it its that this these those following least most more than less fewer
    over under above below up per each any some older younger higher lower greater maximum minimum
    no not from currently can will able i we they applicant applicants person people's if been being
    exceed exceeds exceeding between equal who their his her our my every""".split()
)
_WORD = re.compile(r"[a-z][a-z0-9'-]*")


def content_words(text: str) -> tuple[str, ...]:
    """Return the words of a clause that carry its meaning, as they are written."""
    words = [word.replace("'s", "").strip("'-") for word in _WORD.findall(text.lower())]
    return tuple(dict.fromkeys(word for word in words if word and word not in _STOP))


def content_stems(text: str) -> tuple[str, ...]:
    """Return the words of a clause that carry its meaning without plurals: equal for equals."""
    return tuple(dict.fromkeys(map(_stem, content_words(text))))


def _stem(word: str) -> str:
    if word in _STOP or len(word) < 4 or word.endswith(("ss", "us", "is")):
        return word
    return word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")


def name_of(words: tuple[str, ...], fallback: str = "fact") -> str:
    """Return a key's name made of words."""
    name = "_".join(re.sub(r"[^a-z0-9]+", "_", word).strip("_") for word in words)
    name = re.sub("_+", "_", name)[:LONGEST_NAME].rstrip("_")
    return name if name and name[0].isalpha() else f"{fallback}_{name}".rstrip("_")


_COUNTED = re.compile(
    r"\s*(?<![a-z])((?:consecutive |full |working )?(?:hours|days|weeks|months|years|semesters"
    r"|credits|points|employees|children|dependents|people|units|acres|miles|shifts|visits)(?: "
    r"(?:per|a|each) \w+)?)\b",
    re.IGNORECASE,
)


def _quantity(clause: str, limits: Comparison) -> tuple[Key, str] | None:
    """Return the comparison of any other number: hours, months, a score, savings."""
    rest = f"{clause[: limits.start]} … {clause[limits.end :]}"
    words = content_words(rest)
    # An age or an income with something else beside it is asked about as a whole.
    if not words or len(words) > 6 or _AGE.search(clause) or _INCOME.search(clause):
        return None
    unit = _COUNTED.match(clause[limits.end :])
    if _OTHERS.search(clause) and not unit and not _MONEY.search(clause):
        return None
    limit = limits.high if limits.high is not None else limits.low
    is_year = not _MONEY.search(clause) and 1900 <= (limit or 0) <= 2100
    if is_year:
        return None
    money = bool(_MONEY.search(clause[max(0, limits.start - 2) : limits.end + 12]))
    whole = (limit or 0) == int(limit or 0) and not money
    unit = unit or _COUNTED.search(clause)
    how_many = f"How many {unit[1].lower()}?" if unit else "What is your figure?"
    rule = clause.strip(" .")
    key = Key(
        name_of(words, "number"),
        "int"
        if whole and not re.search(r"\b(?:gpa|average|rate|score)\b", clause, re.I)
        else "float",
        "household",
        " ".join(rest.replace("…", " ").split()).strip(" .:;,") or clause,
        ask=f"{'How much?' if money else how_many} The rule: “{rule}”.",
    )
    return key, limits.code(_read(key))


def _yes_no(positive: str, sentence: str, *, negated: bool) -> Condition:
    place = _PLACE.match(positive.strip(" .?"))
    if place and len(place["place"].split()) <= 6 and not re.search(r"\d", place["place"]):
        where = place["place"].strip(" .,;?")
        key = Key(
            name_of(("live_in", *content_words(where))),
            "bool",
            "household",
            f"you live in {where}",
            ask=f"Do you live in {where}?",
        )
    else:
        words = content_words(positive) or ("rule",)
        key = Key(
            name_of(words), "bool", "household", positive.strip(" .?"), ask=question_of(positive)
        )
    code = f"not {_read(key)}" if negated else _read(key)
    return Condition(key, code, sentence, False)


_PAST = (
    r"(?:received|served|worked|lived|graduated|completed|earned|paid|filed|owned|applied|lost|been"
    r"|had|bought|sold|left|taken|won|passed|finished|held|moved|used|attended|missed|made|given)"
)
_VERB = (
    r"(?:have|own|live|rent|pay|receive|work|earn|hold|attend|get|need|use|want|file|serve|plan"
    r"|care|reside|meet|provide|know|speak|take|study|owe|belong|participate|volunteer|drive|run"
    r"|support)"
)
_FINITE = r"(?:is|are|has|have|lives?|was|were|can|must|owns?|needs?|works?|receives?|gets?)"
_OFTEN = r"(?:ever |already |previously )?"
_ASKED = tuple(
    (re.compile(stated, re.IGNORECASE), asked)
    for stated, asked in (
        (r"^you (?:are|'re)\b|^you're\b", "Are you"),
        (r"^you were\b", "Were you"),
        (rf"^(?:you )?(?:have|has) (?={_OFTEN}{_PAST}\b)", "Have you "),
        (rf"^(?:you )?(?:have|has) (?={_OFTEN}\w{{3,}}ed\b)", "Have you "),
        (rf"^(?:you )?(?=(?:ever )?(?:{_PAST})\b(?! (?:by|from)\b))", "Have you "),
        (r"^you (can|could|will)\b", r"\1 you"),
        (r"^(?:be|are|being)\b", "Are you"),
        (
            r"^(?:you )?(?=(?:currently |already )?\w{3,}ed (?:in|to|with|by|for|at|as|from"
            r"|under)\b)",
            "Are you ",
        ),
        (r"^you\b", "Do you"),
        (r"^your ((?:[\w'-]+ ){1,4}?)(is|are) ", r"\2 your \1"),
        (r"^your ((?:[\w'-]+ ){1,4}?)has ", r"Does your \1have "),
        (r"^(?:you )?(?=(?:currently |already |not )?\w{2,}ing\b)", "Are you "),
        (rf"^(?={_VERB}\b)", "Do you "),
        (rf"^(?=an? \w+)(?!.*\b{_FINITE}\b)", "Are you "),
    )
)


def question_of(clause: str) -> str:
    """Return a clause as a question with yes or no for an answer."""
    text = clause.strip(" .;,")
    if _QUESTION.match(text):
        return text[:1].upper() + text[1:].rstrip("?") + "?"
    text = text.rstrip("?")
    for pattern, start in _ASKED:
        if pattern.search(text):
            question = pattern.sub(start, _lowered(text), count=1)
            return question[:1].upper() + question[1:] + "?"
    return f"Is this true for you: {text}?"


def _lowered(text: str) -> str:
    """Return a clause for the middle of a sentence; names and abbreviations stay as they are."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
