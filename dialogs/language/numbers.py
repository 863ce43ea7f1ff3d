"""English numbers: their words, what multiplies them, and phrases that set a limit.

`AT_LEAST`, `AT_MOST`: what stands before a limit that belongs to its range; `OR_MORE`,
`OR_LESS`: what stands behind `or`. They are alternatives of a pattern without a group around them.
"""

from __future__ import annotations

ONES = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
TENS = {
    word: 10 * value
    for value, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
ORDINALS = {
    word: float(value)
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(),
        start=1,
    )
}
MAGNITUDES = {
    "k": 1_000,
    "thousand": 1_000,
    "thou": 1_000,
    "grand": 1_000,
    "m": 1_000_000,
    "mil": 1_000_000,
    "mn": 1_000_000,
    "million": 1_000_000,
    "bn": 1_000_000_000,
    "billion": 1_000_000_000,
    "hundred": 100,
}

NOUGHTS = frozenset("nought naught nil nowt zilch".split())
COUNTS = {
    "pair": 2, "couple": 2, "few": 3, "dozen": 12, "hundred": 100, "thousand": 1_000,
    "grand": 1_000, "million": 1_000_000,
}  # fmt: skip
"""Nouns that count, with an article before them or a part: `a pair`, `half a dozen`."""

NOTES = {"fiver": 5, "tenner": 10}
"""Nouns for an amount of money."""

PARTS = {"half": 0.5, "quarter": 0.25, "three quarters": 0.75, "three quarter": 0.75}
DECADES = {
    "noughties": 2000, "tens": 2010, "twenties": 2020, "thirties": 1930, "forties": 1940,
    "fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990,
}  # fmt: skip
THIRDS = {"early": (0, 4), "mid": (4, 6), "late": (5, 9)}
"""The years of a decade that are early, mid and late."""

SAID: dict[str, tuple[int, str | None, str]] = {
    "today": (0, "day", "delivery"), "same day": (0, "day", "delivery"),
    "tomorrow": (1, "day", "delivery"), "tomorow": (1, "day", "delivery"),
    "tommorow": (1, "day", "delivery"), "next day": (1, "day", "delivery"),
    "this week": (7, "day", "delivery"), "the week": (7, "day", "delivery"),
    "newborn": (0, None, "age"),
    "newborns": (0, None, "age"), "new born": (0, None, "age"),
    "this year": (0, "year", "years"), "last year": (1, "year", "years"),
    "this year or last": (1, "year", "years"), "the current year": (0, "year", "years"),
}  # fmt: skip
"""Phrases that say a number of the columns about a topic, in a unit."""

AT_LEAST = r"at\s+or\s+above|at\s+least|(?:a\s+)?min(?:imum)?\b\.?(?:\s+of)?|starting\s+at"
AT_MOST = (
    r"at\s+or\s+(?:below|under)|at\s+most|up\s+to|(?:a\s+)?max(?:imum)?\b\.?(?:\s+of)?"
    r"|capped\s+at|within"
)
OR_MORE = "more|above|over|higher|better|greater|longer"
OR_LESS = "less|under|below|lower|fewer"

_WORDS = {value: word for word, value in (ONES | TENS).items()}


def in_words(whole: int) -> str:
    """Return a whole number below 100 in words."""
    if whole in _WORDS:
        return _WORDS[whole]
    return f"{_WORDS[whole - whole % 10]}-{_WORDS[whole % 10]}"
