"""The leaderboard as HTML tables: overview by kind, details by setting, paired comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...rendering.html import Child, Html, join, tag
from ...rendering.terminal_table import cut
from ..aware_us.intervals import Comparison
from .leaderboard import NONE, Kind, Line, by_kind, kind_name, method_of
from .pairs import Pairs
from .wording import (
    MATCHES,
    NOTHING,
    Column,
    figure,
    interval_words,
    label,
    pass_hat_words,
    signed,
    used_columns,
    used_labels,
)

LONGEST = 60
FOLDED = 60
"""More lines than these are folded: they are looked up, not read."""

Colour = Mapping[str, int]


def overview(lines: Sequence[Line], settings: Sequence[str], colour: Colour) -> Html:
    """Return a line a kind: relax match and car match on each setting, the best first."""
    kinds = by_kind(lines)
    several = len({kind[0] for kind in kinds}) > 1
    best = _best(lines)
    rows = [
        tag(
            "tr",
            _name_cell(kind, colour, several),
            _episodes(by_setting.values()),
            *(
                _matches(by_setting.get(setting), best.get(setting, frozenset()))
                for setting in settings
            ),
            data_method=method_of(kind),
        )
        for kind, by_setting in kinds.items()
    ]  # fmt: skip
    heads = ["", "n", *settings]
    note = (
        "Relax match, and below it car match, in percent; the best of each setting is bold. "
        "Compare only what was held on the same instances: n counts the episodes."
    )
    return _table("Overview", heads, rows, note)


def _episodes(lines: Iterable[Line]) -> Html:
    """Return how many episodes stand behind a kind, on whatever it was held most."""
    most = max(line.figures.n for line in lines)
    return tag("td", f"{most:,}", data_value=str(most))


def _best(lines: Iterable[Line]) -> dict[str, frozenset[tuple[str, float]]]:
    """Return for each setting the highest relax match and car match."""
    best: dict[str, dict[str, float]] = {}
    for line in lines:
        tops = best.setdefault(line.setting, {})
        for name in MATCHES:
            value = line.value(name)
            if value is not None:
                tops[name] = max(value, tops.get(name, 0.0))
    return {setting: frozenset(tops.items()) for setting, tops in best.items()}


def _matches(line: Line | None, best: frozenset[tuple[str, float]]) -> Html:
    if line is None:
        return tag("td", NOTHING, data_value="-1")
    value = line.value(MATCHES[0])
    parts = [_match(line, name, best, "div" if at else "span") for at, name in enumerate(MATCHES)]
    return tag("td", *parts, data_value=_sorting(value))


def _match(line: Line, name: str, best: frozenset[tuple[str, float]], element: str) -> Html:
    value = line.value(name)
    text = figure(name, value)
    strong = value is not None and (name, value) in best
    return tag(
        element,
        tag("b", text) if strong else text,
        _span(line, name),
        class_="second" if element == "div" else None,
    )


def _span(line: Line, name: str) -> Html | None:
    words = interval_words(line, name)
    return tag("small", f" {words}") if words else None


def _sorting(value: float | None) -> str:
    return "-1" if value is None else f"{value:.6f}"


def _name_cell(kind: Kind, colour: Colour, several: bool) -> Html:
    return tag(
        "th",
        _swatch(kind, colour),
        tag("bdi", cut(kind_name(kind), LONGEST)),
        tag("small", " ", tag("bdi", cut(kind[0], LONGEST)), class_="where") if several else None,
        scope="row",
    )


def _swatch(kind: Kind, colour: Colour) -> Html:
    return tag("span", class_=f"swatch method-{colour[method_of(kind)]}", aria_hidden="true")


def setting_table(setting: str, lines: Sequence[Line], colour: Colour) -> Html:
    """Return all figures of one setting, a line a kind."""
    columns = used_columns(lines)
    labels = used_labels(lines)
    where = ["run"] if len({line.where for line in lines}) > 1 else []
    hats = any(len(line.figures.pass_hats) > 1 for line in lines)
    heads = [*where, *labels, "n", *(column.heading for column in columns), *["pass^k"][:hats]]
    rows = [_row(line, where, labels, columns, hats, colour) for line in lines]
    return _table(f"Figures on {setting}", heads, rows, None, text_columns=len(where) + len(labels))


def _row(
    line: Line,
    where: Sequence[str],
    labels: Sequence[str],
    columns: Sequence[Column],
    hats: bool,
    colour: Colour,
) -> Html:
    texts = [*([line.where] if where else []), *(label(line, name) or NOTHING for name in labels)]
    first, *rest = texts or [NONE]
    name = f"{line.where}: {kind_name(line.kind)}" if where else kind_name(line.kind)
    both = (
        tag("bdi", cut(first, LONGEST), class_="on-wide"),
        # On a phone one name stands for all the columns of labels.
        tag("bdi", cut(name, LONGEST), class_="on-narrow"),
    )
    cells: list[Child] = [tag("th", _swatch(line.kind, colour), *both, scope="row")]
    cells += [tag("td", tag("bdi", cut(text, LONGEST)), class_="text on-wide") for text in rest]
    cells.append(tag("td", f"{line.figures.n:,}", data_value=str(line.figures.n)))
    cells += [_figure(line, column) for column in columns]
    if hats:
        cells.append(tag("td", pass_hat_words(line)))
    return tag("tr", *cells, data_method=method_of(line.kind))


def _figure(line: Line, column: Column) -> Html:
    value = line.value(column.name)
    span = _span(line, column.name) if column.interval else None
    return tag("td", figure(column.name, value), span, data_value=_sorting(value))


def pairs_table(pairs: Pairs, names: Mapping[Kind, str], colour: Colour) -> Html:
    """Return each kind beside the best: what it lacks, and how sure that is."""
    heads = ["", "setting", "figure", "n", "best", "this", "difference", "only best right",
             "only this right", "p"]  # fmt: skip
    rows = [
        _pair(paired.kind, row.setting, row.comparison, names, colour)
        for paired in pairs.others
        for row in paired.compared
    ]
    return _table("Beside the best", heads, rows, None)


def _pair(
    kind: Kind, setting: str, comparison: Comparison, names: Mapping[Kind, str], colour: Colour
) -> Html:
    ends = comparison.interval
    span = tag("small", f" {signed(ends[0])} to {signed(ends[1])}") if ends else None
    counts = (comparison.only_first, comparison.only_second)
    return tag(
        "tr",
        tag("th", _swatch(kind, colour), tag("bdi", cut(names[kind], LONGEST)), scope="row"),
        tag("td", tag("bdi", cut(setting)), class_="text"),
        tag("td", comparison.measure.replace("_", " "), class_="text"),
        tag("td", f"{comparison.n:,}"),
        tag("td", figure(comparison.measure, comparison.first)),
        tag("td", figure(comparison.measure, comparison.second)),
        tag(
            "td",
            signed(comparison.difference),
            span,
            data_value=f"{comparison.difference or 0:.6f}",
        ),
        *(tag("td", NOTHING if count is None else f"{count:,}") for count in counts),
        tag("td", NOTHING if comparison.p is None else _chance(comparison.p)),
        data_method=method_of(kind),
    )


def _chance(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _side(at: int, text_columns: int) -> str | None:
    if at >= text_columns:
        return None
    return "text on-wide" if at else "text"


def _table(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Child],
    note: str | None,
    *,
    text_columns: int = 1,
) -> Html:
    """Return a table that may be wider than a screen, and folds where it is very long."""
    head = [
        tag("th", head, scope="col", class_=_side(at, text_columns))
        for at, head in enumerate(heads)
    ]
    table = tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="sortable")
    region = tag("div", table, class_="wide", role="region", aria_label=title, tabindex=0)
    if note is not None:
        region = join(tag("p", note, class_="quiet"), region)
    if len(rows) <= FOLDED:
        return region
    summary = tag("summary", f"{title}: {len(rows):,} lines")
    return join(tag("details", summary, region, class_="long"))
