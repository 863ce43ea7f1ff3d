"""Columns of text that hold something else: amounts with units, yes and no, lists, blanks around.

`£9,000`, `1,200 km`, `16GB` and `45 min` become numbers with a unit, `y` and `n` truths,
`20 Mar 2027` a day, and `wifi; pool` or `wifi, pool` a list. A look at the first rows proposes how
a column is read, in Python; one pass over all rows tests every proposal, in DuckDB, and what some
cell does not fit stays text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from ..query.binding import TRUTHS
from ..query.predicate import literal, quoted
from ..query.schema import ColumnOverride
from .file_reader import Source
from .null_cells import without_nulls

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SAMPLE_ROWS = 2_000
"""The first rows, from which a reading is proposed."""

BLANKS = " \t\r\n\u00a0"
_WIDE_BLANKS = "e' \\t\\r\\n' || chr(160)"
"""Blanks other than spaces, in SQL; looked for where the first rows have some."""

MISSING = ("", "-", "–", "—", "n/a", "na", "none", "null", "unknown", "tbc", "tba", "tbd", "?")
"""Cells that stand for no value among amounts and truths."""

_NUMBER = r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_CURRENCY = r"[£$€¥₹]|GBP|USD|EUR|CHF|JPY|INR|CAD|AUD"
_PERIOD = (
    r"(?: ?(?:/|per |a |p/?)? ?"
    r"(?:month|week|day|night|year|hour|person|mo|pcm|pw|pa|p\.a\.|pp))?"
)
_UNIT = (
    r"(?i:km/h|kph|mph|mpg|rpm|km|cm|mm|mi|miles?|ft|feet|in|inch|inches|m²|m2|sqm|sq ?ft|sq ?m|m"
    r"|kg|mg|g|lbs?|oz|st|ml|cl|litres?|liters?|l|cc|[kmgt]b|kwh|wh|mah|kw|w|v|hp|bhp|ps|nm"
    r"|[kmg]?hz|dba?|mp|megapixels?|px|h|hrs?|hours?|mins?|minutes?|s|secs?|seconds?|days?|weeks?"
    r"|months?|mths?|years?|yrs?|nights?|people|persons?|guests?|seats?|rooms?|beds?|bedrooms?"
    r"|doors?|pieces?|pcs|pages?|stars?|points?|kcal|°c|°f|°|%|\"|″|/ ?5|/ ?10|/ ?100)"
)

_SCALES: tuple[Mapping[str, float], ...] = (
    {"kb": 1 / 1024, "mb": 1.0, "gb": 1024.0, "tb": 1024.0**2},
    {"mg": 1e-3, "g": 1.0, "kg": 1e3},
    {"mm": 1.0, "cm": 10.0, "m": 1e3, "km": 1e6},
    {"ml": 1.0, "cl": 10.0, "l": 1e3},
    {"w": 1.0, "kw": 1e3},
    {"wh": 1.0, "kwh": 1e3},
    {"hz": 1.0, "khz": 1e3, "mhz": 1e6, "ghz": 1e9},
)
"""Units that are one quantity, each in one of them."""

_MONTH = (
    r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\.?"
)
_DAY_FIRST = rf"(?i)^(\d{{1,2}})(?:st|nd|rd|th)?[ -]{_MONTH},?[ -]([1-9]\d{{3}})$"
_MONTH_FIRST = rf"(?i)^{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?,? ([1-9]\d{{3}})$"
"""Days with the month in letters: `20 Mar 2027`, `3rd-March-2027`, `March 3, 2027`."""

PARTS_REPEATED = 3
"""How often each part of a list with commas occurs on average, so that it is no sentence."""

_PART = r"[^\s\d,()\[\]{}\"'][^\s,()\[\]{}\"']*(?: [^\s,()\[\]{}\"']+){0,3}"
"""A part of such a list: up to four words, without brackets, quotes and a number in front."""

_MINUTES = r"(?:(\d+(?:\.\d+)?) ?(?:h|hrs?|hours?))?[ ,]*(?:(\d+) ?(?:m|mins?|minutes?))?"


@dataclass(frozen=True)
class CellType:
    """How a column of text is read.

    `expression` is SQL over the trimmed text, which gives NULL for a cell that stands for no
    value; `fits` is the condition that a cell can be read so.
    """

    expression: str
    fits: str
    sql_type: str
    unit: str = ""


@dataclass(frozen=True)
class _Look:
    """The first cells of a column of text, and the cell without the blanks around it, in SQL."""

    name: str
    cells: Sequence[str]
    nulls: Sequence[str] = ()

    @property
    def trimmed(self) -> str:
        is_wide = any(cell.strip(" ") != cell.strip(BLANKS) for cell in self.cells)
        return f"trim({quoted(self.name)}{f', {_WIDE_BLANKS}' if is_wide else ''})"

    @property
    def text(self) -> str:
        return without_nulls(f"nullif({self.trimmed}, '')", self.nulls)

    def proposal(self) -> CellType | None:
        """Return how the column can be read, by these cells; None where it is text."""
        told = [cell.strip(BLANKS) for cell in self.cells]
        told = [cell for cell in told if cell.casefold() not in MISSING and cell not in self.nulls]
        if not told:
            return None
        if {cell.casefold() for cell in told} <= TRUTHS.keys():
            one_side = len({TRUTHS[cell.casefold()] for cell in told}) == 1
            return None if one_side else _truths(self.text)
        for read in (_money, _quantity, _duration, _day, _list, _comma_list):
            if (found := read(self.text, told)) is not None:
                return found
        return None


def typed_cells(
    connection: DuckDBPyConnection,
    source: Source,
    types: Mapping[str, str],
    overrides: Mapping[str, ColumnOverride],
    *,
    looked_at: str,
) -> Source:
    """Return the source with cells of text read as what they are.

    `looked_at` is a FROM clause of the same rows that is quick to begin with. Columns of a kind
    that somebody gave are left alone. Costs one pass over the rows where there is a column of
    text.
    """
    given = {name.casefold() for name, override in overrides.items() if override.kind}
    texts = [name for name, kind in types.items() if kind == "VARCHAR"]
    texts = [name for name in texts if name.casefold() not in given]
    if not texts:
        return replace(source, types=types)
    nulls = {name.casefold(): override.nulls for name, override in overrides.items()}
    looks = _first_cells(connection, looked_at, texts, nulls)
    proposed = {look.name: cell for look in looks if (cell := look.proposal()) is not None}
    kept, untrimmed = _tested(connection, looked_at, looks, proposed)
    replaced = [
        f"{look.text} AS {quoted(look.name)}" for look in untrimmed if look.name not in kept
    ]
    replaced += [f"{cell.expression} AS {quoted(name)}" for name, cell in kept.items()]
    if not replaced:
        return replace(source, types=types)
    return replace(
        source,
        from_clause=f"(SELECT * REPLACE ({', '.join(replaced)}) FROM {source.from_clause})",
        types={name: kept[name].sql_type if name in kept else kind for name, kind in types.items()},
        units={name: cell.unit for name, cell in kept.items() if cell.unit},
    )


def _first_cells(
    connection: DuckDBPyConnection,
    looked_at: str,
    names: Sequence[str],
    nulls: Mapping[str, Sequence[str]],
) -> list[_Look]:
    listed = ", ".join(map(quoted, names))
    statement = f"SELECT {listed} FROM {looked_at} LIMIT {SAMPLE_ROWS}"
    columns = zip(*connection.execute(statement).fetchall(), strict=True)
    cells = [[str(cell) for cell in column if cell is not None] for column in columns]
    return [
        _Look(name, cells[place] if cells else [], nulls.get(name.casefold(), ()))
        for place, name in enumerate(names)
    ]


def _truths(cell: str) -> CellType:
    text = f"lower({cell})"
    yes, no = (
        f"{text} IN ({', '.join(literal(word) for word, truth in TRUTHS.items() if truth is side)})"
        for side in (True, False)
    )
    return CellType(
        f"CASE WHEN {yes} THEN TRUE WHEN {no} THEN FALSE END", f"{yes} OR {no}", "BOOLEAN"
    )


def _money(text: str, told: Sequence[str]) -> CellType | None:
    thousands = "[kK]?" if any(re.search(r"\d[kK]", cell) for cell in told) else ""
    before = rf"(?:{_CURRENCY}) ?{_NUMBER}{thousands}{_PERIOD}"
    after = rf"{_NUMBER}{thousands} ?(?:{_CURRENCY}){_PERIOD}"
    pattern = f"(?:{before}|{after})"
    if not all(re.fullmatch(pattern, cell) for cell in told):
        return None
    signs = {found[0] for cell in told if (found := re.search(_CURRENCY, cell))}
    periods = {
        re.sub(rf"^.*?{_NUMBER}[kK]?(?: ?(?:{_CURRENCY}))?", "", cell).strip() for cell in told
    }
    if len(signs) != 1 or len(periods) != 1:
        # Amounts in two currencies, or a month and a week, are not on one scale.
        return None
    scale = (
        f"CASE WHEN regexp_matches({text}, '\\d[kK]') THEN 1000 ELSE 1 END" if thousands else "1"
    )
    whole = all("." not in cell for cell in told)
    return _amount(
        text, pattern, scale, whole=whole, unit=" ".join((signs.pop(), *filter(None, periods)))
    )


def _quantity(text: str, told: Sequence[str]) -> CellType | None:
    """Read `1,200 km`, `16GB` and `1,200`; a plain `1200` is a number already."""
    pattern = rf"({_NUMBER}) ?({_UNIT})?"
    matches = [re.fullmatch(pattern, cell) for cell in told]
    if not all(matches) or any(re.match(r"[+-]?0\d", cell) for cell in told):
        return None
    units = Counter((match[2] or "").casefold() for match in matches if match)
    if units.keys() == {""} and not any("," in cell for cell in told):
        return None
    scale = _scale(units)
    if scale is None:
        return None
    common = units.most_common(1)[0][0]
    written = Counter(match[2] or "" for match in matches if match)
    unit = next(unit for unit, _ in written.most_common() if unit.casefold() == common)
    named = f"lower(regexp_extract({text}, '^[-+0-9.,]+ ?(.*)$', 1))"
    cases = " ".join(
        f"WHEN {literal(other)} THEN {factor!r}"
        for other, factor in scale.items()
        if factor != 1 and other in units
    )
    known = ", ".join(literal(other) for other in units)
    factor = f"CASE {named} {cases} ELSE 1 END" if cases else "1"
    whole = all("." not in cell for cell in told) and all(
        s >= 1 for u, s in scale.items() if u in units
    )
    cell = _amount(text, pattern, factor, whole=whole, unit=unit)
    return replace(cell, fits=f"({cell.fits}) AND {named} IN ({known})")


def _scale(units: Mapping[str, int]) -> dict[str, float] | None:
    """Return what each unit counts in the most frequent one; None where they are not one scale."""
    if len({unit.removesuffix("s") for unit in units}) == 1:  # `1 month`, `12 months`
        return dict.fromkeys(units, 1.0)
    common = max(units, key=lambda unit: units[unit])
    for scale in _SCALES:
        if units.keys() <= scale.keys():
            return {unit: scale[unit] / scale[common] for unit in scale}
    return None


def _duration(cell: str, told: Sequence[str]) -> CellType | None:
    """Read `1h 30min`, `2 hrs` and `45 min` as minutes."""
    if not all(re.fullmatch(_MINUTES, cell.casefold()) and re.search(r"\d", cell) for cell in told):
        return None
    text = f"lower({cell})"
    hours, minutes = (
        f"coalesce(TRY_CAST(regexp_extract({text}, {literal(_MINUTES)}, {group}) AS DOUBLE), 0)"
        for group in (1, 2)
    )
    expression = f"CASE WHEN regexp_matches({text}, '\\d') THEN {hours} * 60 + {minutes} END"
    fits = f"regexp_full_match({text}, {literal(_MINUTES)}) AND regexp_matches({text}, '\\d')"
    return CellType(expression, fits, "DOUBLE", "min")


def _amount(text: str, pattern: str, factor: str, *, whole: bool, unit: str) -> CellType:
    digits = f"replace(regexp_extract({text}, {literal(_NUMBER)}), ',', '')"
    kind = "BIGINT" if whole else "DOUBLE"
    number = f"TRY_CAST({digits} AS {'DOUBLE' if factor != '1' else kind})"
    expression = number if factor == "1" else f"CAST({number} * {factor} AS {kind})"
    fits = f"regexp_full_match({text}, {literal(pattern)})"
    if whole:
        fits += f" AND NOT contains({text}, '.')"
    return CellType(expression, fits, kind, unit)


def _day(text: str, told: Sequence[str]) -> CellType | None:
    """Read days whose month is in letters."""
    if not all(re.match(_DAY_FIRST, cell) or re.match(_MONTH_FIRST, cell) for cell in told):
        return None
    plain = f"regexp_replace({text}, {literal(_DAY_FIRST)}, '\\1 \\2 \\3')"
    plain = f"regexp_replace({plain}, {literal(_MONTH_FIRST)}, '\\2 \\1 \\3')"
    day = f"CAST(try_strptime({plain}, '%d %b %Y') AS DATE)"
    return CellType(day, f"{day} IS NOT NULL", "DATE")


def _list(text: str, told: Sequence[str]) -> CellType | None:
    """Read `wifi; pool` and `wifi|pool` as lists, where cells share their parts."""
    for sign in (";", "|"):
        cells = _cut(told, sign)
        parts = Counter(chain.from_iterable(cells))
        if _has_lists(cells) and parts.total() >= 2 * len(parts):
            return _split(text, sign)
    return None


def _comma_list(text: str, told: Sequence[str]) -> CellType | None:
    """Read `wifi, pool` as a list, where few parts come again and again, now here and now there.

    Of the parts that several texts share half are at several places, and at least two. In
    `Springfield, Ohio` each has its place, and the parts of a sentence hardly come again.
    """
    cells = _cut(told, ", ")
    parts = Counter(chain.from_iterable(cells))
    places = Counter(
        part for part, _ in {(part, n) for cell in cells for n, part in enumerate(cell)}
    )
    moving = sum(count > 1 for count in places.values())
    plain = all(re.fullmatch(_PART, part) for part in parts)
    cells_of = Counter(chain.from_iterable(set(map(tuple, cells))))
    shared = sum(count > 1 for count in cells_of.values())
    often = parts.total() >= PARTS_REPEATED * len(parts) and 2 * moving >= max(4, shared)
    if _has_lists(cells) and plain and often:
        fits = literal(f"{_PART}(?:, {_PART})*")
        return replace(_split(text, ","), fits=f"regexp_full_match({text}, {fits})")
    return None


def _cut(told: Sequence[str], sign: str) -> list[list[str]]:
    """Return the parts of each cell, without the empty ones."""
    return [list(filter(None, (part.strip(BLANKS) for part in cell.split(sign)))) for cell in told]


def _has_lists(cells: Sequence[Sequence[str]]) -> bool:
    """Return whether two cells and one in four have several parts."""
    many = sum(len(cell) > 1 for cell in cells)
    return many >= 2 and 4 * many >= len(cells)


def _split(text: str, sign: str) -> CellType:
    between = literal(r"\s*[" + sign + r"]\s*")
    pieces = f"regexp_split_to_array({text}, {between})"
    return CellType(f"list_filter({pieces}, lambda part : part <> '')", "TRUE", "VARCHAR[]")


def _tested(
    connection: DuckDBPyConnection,
    looked_at: str,
    looks: Sequence[_Look],
    proposed: Mapping[str, CellType],
) -> tuple[dict[str, CellType], list[_Look]]:
    """Return the proposals that every cell fits, and the columns with blanks around a text."""
    tests = list(_tests(looks, proposed))
    truths = connection.execute(f"SELECT {', '.join(tests)} FROM {looked_at}").fetchone()
    answers = [bool(truth) for truth in truths or ()]
    untrimmed = [look for look, truth in zip(looks, answers, strict=False) if truth]
    misfits = dict(zip(proposed, answers[len(looks) :], strict=True))
    return {name: cell for name, cell in proposed.items() if not misfits[name]}, untrimmed


def _tests(looks: Sequence[_Look], proposed: Mapping[str, CellType]) -> Iterator[str]:
    missing = ", ".join(literal(word) for word in MISSING)
    for look in looks:
        yield f"coalesce(bool_or({look.trimmed} <> {quoted(look.name)}), FALSE)"
    for look in looks:
        if look.name in proposed:
            told = f"lower({look.trimmed}) NOT IN ({missing})"
            if look.nulls:
                told += f" AND {look.trimmed} NOT IN ({', '.join(map(literal, look.nulls))})"
            yield f"coalesce(bool_or({told} AND NOT ({proposed[look.name].fits})), FALSE)"
