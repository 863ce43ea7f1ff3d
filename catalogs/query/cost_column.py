"""Which column says what an item costs, guessed by the names and units of columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .schema import Column, name_words

_COSTS = ("msrp", "price", "cost", "fare", "rent", "prc")
"""Words for what an item costs, the surest first."""

_BESIDE = frozenset(
    "deposit dep depo excess exc upfront join joining setup admin registration booking callout "
    "discount tax tip budget balance cap value saving savings interest heart "
    "cleaning service delivery dlv shipping cancellation min minimum limit lim allowance".split()
)
"""Words of money that is paid beside it, or only perhaps."""

_EARNED = frozenset(
    "wage wages salary stipend pay pocket income earnings bonus prize grant revenue profit".split()
)
"""Words of money that nobody wants to be little."""

_SIGNS = "£€$¥₹"
_CODES = frozenset("gbp usd eur chf jpy inr cad aud".split())
_PERIODS = frozenset(
    "hour hourly hr h ph day daily night nightly week weekly month monthly session lesson".split()
)


def guess_cost_column(columns: Iterable[Column]) -> str | None:
    """Return the numeric column that says what an item costs; None where no name tells.

    One called like a price, else one of money, else a rate per hour or day, else a fee.
    """
    numeric = [column for column in columns if column.family == "numeric"]
    words = {column.name: name_words(column.name) for column in numeric}
    apart = _BESIDE | _EARNED
    own = [column for column in numeric if apart.isdisjoint(words[column.name])]

    def called(among: Iterable[Column], *wanted: str) -> Iterator[str]:
        names = [column.name for column in among]
        return (name for word in wanted for name in names if word in words[name])

    ranked = [
        *called(own, *_COSTS),
        *(column.name for column in own if _is_money(column, words[column.name])),
        *(name for name in called(own, "rate") if not _PERIODS.isdisjoint(words[name])),
        *called(numeric, *_COSTS, "fee"),
    ]
    return next(iter(ranked), None)


def _is_money(column: Column, words: Iterable[str]) -> bool:
    """Return whether a column holds money, by its name or by the unit of its cells."""
    signs = any(sign in f"{column.name} {column.unit}" for sign in _SIGNS)
    return signs or column.unit.casefold() in _CODES or not _CODES.isdisjoint(words)
