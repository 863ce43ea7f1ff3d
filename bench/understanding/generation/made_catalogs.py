"""Invented catalogs: a domain's columns under headers of many styles, with drawn cells.

A catalog has 30 to 90 rows; the same random numbers make the same bytes.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from random import Random

from ...text_files import naming
from ..labelled import Plain
from .amounts import nice
from .vocabulary import ColumnPlan, Domain, Notion

TODAY = date(2026, 11, 22)
"""The day on which the invented people talk."""

NUMBERS = frozenset(
    "money score count length_km minutes year years kilos centimetres metres area days speed power "
    "watts hours gigabytes inches celsius decibels litres kilometres kcal months percent".split()
)
"""Kinds of columns of numbers."""

_SUFFIXES = {
    "money": ("eur", "usd", "gbp"),
    "length_km": ("km",),
    "minutes": ("min", "mins"),
    "kilos": ("kg",),
    "centimetres": ("cm",),
    "metres": ("m",),
    "area": ("sqm", "m2"),
    "speed": ("kmh",),
    "hours": ("h", "hours"),
    "gigabytes": ("gb",),
    "inches": ("in", "inch"),
    "celsius": ("c",),
    "decibels": ("db",),
    "litres": ("l",),
    "percent": ("pct", "percent"),
    "watts": ("w",),
    "power": ("hp",),
}

DRESSED = 0.15
"""The share of columns of numbers whose cells have a currency or a unit."""

KEPT = ("list", "present")
"""Kinds of columns that no catalog of their domain lacks."""

HEADER_STYLES = {
    "words": 3,
    "title": 3,
    "snake": 3,
    "camel": 2,
    "upper": 1,
    "pascal": 1,
    "kebab": 1,
    "short": 1,
}
"""How headers are written, and how often."""


@dataclass(frozen=True, slots=True)
class MadeColumn:
    """A column of an invented catalog: its header, how people call it, and its cells."""

    name: str
    plan: ColumnPlan
    said: tuple[str, ...]
    cells: tuple[Plain | None, ...]
    values: tuple[Plain, ...]
    """Distinct values, sorted; of a list column, the parts."""
    separator: str = ""
    dress: str = "{}"
    """How a cell writes its number: `£{}`, `{} km`."""
    yes: Plain = True
    no: Plain = False

    @property
    def notion(self) -> Notion:
        """What the column is about."""
        return self.plan.notion

    @property
    def kind(self) -> str:
        """The notion's kind: text, name, list, yesno, present, date, time, or one of numbers."""
        return self.plan.notion.kind

    @property
    def is_number(self) -> bool:
        """Whether its cells are numbers."""
        return self.kind in NUMBERS


@dataclass(frozen=True, slots=True)
class MadeCatalog:
    """An invented catalog; `items` are the words for one of its rows."""

    name: str
    domain: Domain
    columns: tuple[MadeColumn, ...]
    shared: frozenset[str] = field(default_factory=frozenset[str])
    """Values, lower case, that several columns hold."""

    def of_kind(self, *kinds: str) -> list[MadeColumn]:
        """Return the columns of some kinds."""
        return [column for column in self.columns if column.kind in kinds]

    def write(self, folder: Path) -> Path:
        """Write the catalog as a CSV file named for it; return its path."""
        path = folder / f"{self.name}.csv"
        with naming(path), path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([column.name for column in self.columns])
            rows = zip(*(column.cells for column in self.columns), strict=True)
            writer.writerows(
                [_cell(value, column) for value, column in zip(row, self.columns, strict=True)]
                for row in rows
            )
        return path


def _cell(value: Plain | None, column: MadeColumn) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    number = f"{value:,}" if isinstance(value, int) and column.dress != "{}" else f"{value:.10g}"
    return column.dress.format(number)


def make_catalog(domain: Domain, name: str, random: Random) -> MadeCatalog:
    """Return a catalog of a domain: most of its columns, in any order, headers in one style."""
    keep = max(5, round(len(domain.plans) * random.uniform(0.55, 1.0)))
    drawn = random.sample(domain.plans, len(domain.plans))
    # These are few, and much is said of them.
    plans = [plan for at, plan in enumerate(drawn) if at < keep or plan.notion.kind in KEPT]
    style = random.choices(tuple(HEADER_STYLES), tuple(HEADER_STYLES.values()))[0]
    rows = random.randint(30, 90)
    columns: list[MadeColumn] = []
    for plan in plans:
        head = random.choice(plan.heads)
        header = styled(_with_unit(head, plan.notion.kind, style, random), style, random)
        if any(header.casefold() == column.name.casefold() for column in columns):
            continue
        columns.append(_column(plan, header, head, rows, random))
    return MadeCatalog(name, domain, _told_apart(columns), _shared(columns))


def _with_unit(head: str, kind: str, style: str, random: Random) -> str:
    suffixes = _SUFFIXES.get(kind, ())
    if not suffixes or random.random() < 0.6 or any(word in suffixes for word in head.split()):
        return head
    unit = random.choice(suffixes)
    return f"{head} ({unit})" if style in ("words", "title") else f"{head} {unit}"


def styled(head: str, style: str, random: Random) -> str:
    """Return a header in a style: `monthly rent`, `Monthly Rent`, `monthlyRent`, `MTHLY_RNT`."""
    words = head.replace("-", " ").split() if style not in ("words", "title") else head.split()
    if style == "short":
        words = [_shortened(word) for word in words]
        style = random.choice(("snake", "upper", "camel"))
    match style:
        case "title":
            return " ".join(word[:1].upper() + word[1:] for word in words)
        case "snake":
            return "_".join(words)
        case "upper":
            return "_".join(words).upper()
        case "camel":
            return words[0] + "".join(word.title() for word in words[1:])
        case "pascal":
            return "".join(word.title() for word in words)
        case "kebab":
            return "-".join(words)
        case _:
            return " ".join(words)


def _shortened(word: str) -> str:
    """Return a word as a hurried person abbreviates it: `monthly` as `mnthly`, `price` as `prc`."""
    if len(word) <= 3 or not word.isalpha():
        return word
    bare = word[0] + "".join(letter for letter in word[1:] if letter not in "aeiou")
    return bare[:5] if len(bare) > 2 else word[:3]


def _told_apart(columns: Sequence[MadeColumn]) -> tuple[MadeColumn, ...]:
    """Return the columns without spoken names that several of them share."""
    uses = [said.casefold() for column in columns for said in column.said]
    kept: list[MadeColumn] = []
    for column in columns:
        own = tuple(said for said in column.said if uses.count(said.casefold()) == 1)
        kept.append(replace(column, said=own or column.said[:1]))
    return tuple(kept)


def _shared(columns: Sequence[MadeColumn]) -> frozenset[str]:
    seen: set[str] = set()
    shared: set[str] = set()
    for column in columns:
        if column.kind in ("text", "name", "list"):
            folded = {str(value).casefold() for value in column.values}
            shared |= folded & seen
            seen |= folded
    return frozenset(shared)


def _column(plan: ColumnPlan, header: str, head: str, rows: int, random: Random) -> MadeColumn:
    said = tuple(dict.fromkeys((*_said(plan, head), *plan.said)))
    kind = plan.notion.kind
    if kind == "yesno":
        return _yes_no(_related(plan, head), header, said, rows, random)
    if kind == "list":
        return _lists(plan, header, said, rows, random)
    if kind == "present":
        cells = [_contact(random) if random.random() < 0.6 else None for _ in range(rows)]
        return MadeColumn(header, plan, said, tuple(cells), ())
    if kind in ("text", "name"):
        pool = list(plan.values) if plan.ranked else _styled_values(plan.values, kind, random)
    else:
        pool = _drawn_values(plan, random)
    cells = [random.choice(pool) for _ in range(rows)]
    gaps = random.random() < 0.2
    kept = tuple(None if gaps and random.random() < 0.08 else cell for cell in cells)
    values = sorted({cell for cell in kept if cell is not None}, key=_order)
    dress = _dress(kind, random) if random.random() < DRESSED else "{}"
    return MadeColumn(header, plan, said, kept, tuple(values), dress=dress)


def _dress(kind: str, random: Random) -> str:
    """Return how a column writes its numbers: with a currency, a unit, or bare."""
    return random.choice(_DRESSES.get(kind, ("{}",)))


_DRESSES = {
    "money": ("£{}", "€{}", "${}", "{} EUR", "{} €"),
    "length_km": ("{} km",),
    "kilometres": ("{} km",),
    "kilos": ("{} kg", "{}kg"),
    "centimetres": ("{} cm",),
    "metres": ("{} m",),
    "minutes": ("{} min",),
    "gigabytes": ("{} GB", "{}GB"),
    "hours": ("{} h",),
    "litres": ("{} l",),
    "percent": ("{}%",),
}


def _order(value: Plain) -> tuple[float, str]:
    return (0.0, value) if isinstance(value, str) else (float(value), "")


def _said(plan: ColumnPlan, head: str) -> tuple[str, ...]:
    """Return the header's words as people say them, units and abbreviations left out."""
    known = head in plan.said or plan.heads.index(head) == 0
    words = head.split()
    plain_words = all(len(word) > 3 for word in words)
    is_measured = len(words) > 1 and words[-1] in UNITS
    return (head,) if (known or plain_words) and not is_measured else ()


UNITS = frozenset(
    "cm km db min mins h hrs gb eur usd pct kg m l in mo w sqm c hp mp ohm until from on".split()
)
"""Words at the end of a header that nobody says with the name."""


def _contact(random: Random) -> str:
    return f"0{random.randint(100, 999)} {random.randint(100000, 999999)}"


def _styled_values(values: Sequence[str], kind: str, random: Random) -> list[str]:
    count = min(len(values), random.randint(4, 14))
    chosen = random.sample(list(values), count)
    style = random.choice(("as is", "as is", "title", "lower", "upper"))
    if kind == "name" or style == "as is" or any(value[:1].isupper() for value in chosen):
        return chosen if style != "upper" else [value.upper() for value in chosen]
    return [getattr(value, style)() for value in chosen]


def _related(plan: ColumnPlan, head: str) -> ColumnPlan:
    """Return the plan with those words for yes that share a word with the header, if any do."""
    stems = {word[:4] for word in head.replace("-", " ").split()}
    forms = {
        how: tuple(w for w in words if stems & {part[:4] for part in w.replace("-", " ").split()})
        for how, words in plan.forms.items()
    }
    kept = {how: words for how, words in forms.items() if words}
    return replace(plan, forms=kept) if kept else plan


def _yes_no(
    plan: ColumnPlan, header: str, said: tuple[str, ...], rows: int, random: Random
) -> MadeColumn:
    """Return a column of booleans, or of yes and no as text with a third value."""
    draw = random.random()
    if draw < 0.15:
        counted = tuple(int(random.random() < 0.5) for _ in range(rows))
        return MadeColumn(header, plan, said, counted, (0, 1), yes=1, no=0)
    if draw < 0.8:
        cells = tuple(random.random() < 0.5 for _ in range(rows))
        return MadeColumn(header, plan, said, cells, (False, True))
    yes, no, third = random.choice(
        (
            ("yes", "no", "on request"),
            ("Yes", "No", "Unknown"),
            ("Y", "N", "partly"),
            ("ja", "nein", "?"),
        )
    )
    texts = tuple(random.choice((yes, no, yes, no, third)) for _ in range(rows))
    return MadeColumn(header, plan, said, texts, (no, yes), yes=yes, no=no)


def _lists(
    plan: ColumnPlan, header: str, said: tuple[str, ...], rows: int, random: Random
) -> MadeColumn:
    parts = _styled_values(plan.values, "text", random)
    separator = random.choice((", ", ", ", "; ", "|"))
    most = min(4, len(parts))
    cells = tuple(
        separator.join(random.sample(parts, random.randint(1, most))) for _ in range(rows)
    )
    present = {part for cell in cells for part in cell.split(separator)}
    return MadeColumn(header, plan, said, cells, tuple(sorted(present)), separator)


def _drawn_values(plan: ColumnPlan, random: Random) -> list[Plain]:
    kind = plan.notion.kind
    if kind == "date":
        start, reach = _DATES.get(plan.notion.key, ((1, 25), 200))
        first = TODAY + timedelta(days=random.randint(*start))
        return [(first + timedelta(days=random.randint(0, reach))).isoformat() for _ in range(40)]
    if kind == "time":
        return [
            f"{random.randint(*hours):02}:{random.choice((0, 15, 30, 30, 45, 0)):02}"
            for hours in [_HOURS.get(plan.notion.key, (6, 22))]
            for _ in range(25)
        ]
    if plan.values:
        return [float(value) if "." in value else int(value) for value in plan.values]
    low, high, step = plan.span or (1.0, 10.0, 1.0)
    return [_on_grid(random, low, high, step) for _ in range(40)]


_HOURS = {"opening": (6, 12), "closing": (16, 23)}
"""The first and last hour at which things open and close."""

_DATES = {
    "posted": ((-70, -40), 39), "opens": ((-20, 60), 90), "closes": ((70, 160), 90),
    "expiry": ((5, 60), 420), "available": ((-20, 5), 180),
}  # fmt: skip
"""Days from today between which a date column begins, and how many it reaches on."""


def _on_grid(random: Random, low: float, high: float, step: float) -> Plain:
    # Amounts of money and the like crowd at the lower end, as they do outside.
    share = random.random() ** (2.0 if high > 20 * max(low, 1) and step >= 1 else 1.0)
    number = low + (high - low) * share
    number = round(number / step) * step
    return round(number) if step >= 1 else round(number, 3)


def nice_between(
    column: MadeColumn, random: Random, low: float = 0.15, high: float = 0.85
) -> float:
    """Return a number people would say, inside the column's values from quantile to quantile."""
    numbers = [float(value) for value in column.values]
    at = round(random.uniform(low, high) * (len(numbers) - 1))
    number = numbers[at]
    step = column.plan.span[2] if column.plan.span else 1.0
    if column.plan.values or column.kind == "year" or random.random() < 0.2:
        return number
    return nice(number, step)
