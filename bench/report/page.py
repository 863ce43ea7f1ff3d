"""The report as one HTML file with its own style and script, and a policy that allows no other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...rendering.html import Child, Html, document, join, tag
from ...rendering.terminal_table import cut
from ..aware_us.rows import ALL, TABLE_5
from ..single_page import package_text, single_page_head
from .episodes import DEFAULT_EPISODES, instances, select
from .leaderboard import (
    Kind,
    Line,
    by_kind,
    colours,
    kind_name,
    lines_of,
    names_of,
    ranked,
    settings_of,
    settings_shown,
)
from .pairs import Pairs, compare_with_best
from .plots import COLOURS, MISSING, MOST_LINES, can_plot, matches_plot, pairs_plot
from .sources import Source, Sources
from .tables import overview, pairs_table, setting_table
from .wording import COLUMNS, counted

TITLE = "AWARE-US report"


@dataclass(frozen=True)
class _Leaderboard:
    """What the sections share."""

    lines: Sequence[Line]
    settings: Sequence[str]
    names: Mapping[Kind, str]
    colour: Mapping[str, int]


def report_page(sources: Sources, *, episodes: int = DEFAULT_EPISODES, seed: int = 0) -> str:
    """Return the page; the same sources give the same text.

    `episodes` is how many are shown whole, `seed` draws the samples of the comparisons.
    """
    lines = lines_of(sources.files)
    names = names_of(list(by_kind(lines)))
    board = _Leaderboard(lines, settings_of(lines), names, colours(lines, COLOURS))
    sections = list(_sections(sources, board, episodes, seed))
    contents = [tag("li", tag("a", name, href=f"#{key}")) for key, name, _ in sections]
    body = tag(
        "body",
        tag("a", "Skip to the figures", href="#overview", class_="skip"),
        tag("header", tag("h1", TITLE), *_about(sources), class_="top"),
        tag("nav", tag("ul", *contents), aria_label="Contents"),
        tag("main", *(_section(*section) for section in sections)),
        # Our own file, which holds no markup.
        tag("script", Html(_text("page.js"))),
    )
    return document(join(*_head()), body)


def _section(key: str, name: str, content: Child) -> Html:
    heading = f"{key}-heading"
    return tag("section", tag("h2", name, id=heading), content, id=key, aria_labelledby=heading)


def _sections(
    sources: Sources, board: _Leaderboard, episodes: int, seed: int
) -> Iterator[tuple[str, str, Child]]:
    settings = settings_shown(board.settings)
    rest = len(board.settings) - len(settings) - (ALL in board.settings and ALL not in settings)
    left = tag("p", f"Left out: {counted(rest, 'setting')}.", class_="quiet") if rest else None
    yield ("overview", "Overview", join(overview(board.lines, settings, board.colour), left))
    for at, setting in enumerate(settings):
        yield (
            f"setting-{at}",
            cut("all settings" if setting == ALL else setting),
            _setting(board, setting, f"plot-{at}"),
        )
    pairs = compare_with_best(sources.episodes, seed=seed)
    if pairs is not None:
        yield "pairs", "Beside the best", join(*_pairs(pairs, board))
    if sources.episodes:
        selection = select(sources.episodes, episodes)
        part = join(_filters(board), instances(selection, board.names, board.colour))
        yield "episodes", "Conversations", part
    yield "reading", "How to read this", join(*_reading(settings))
    yield "sources", "Where it comes from", join(*_sources(sources))


def _head() -> Iterator[Html]:
    return single_page_head(TITLE, _text("page.css"), _text("page.js"))


def _text(name: str) -> str:
    return package_text(str(__package__), name)


def _about(sources: Sources) -> Iterator[Html]:
    runs = [source for source in sources.files if source.episodes]
    counts = [counted(len(runs), "run")] if runs else []
    if len(runs) < len(sources.files):
        counts.append(counted(len(sources.files) - len(runs), "result"))
    episodes = counted(len(sources.episodes), "episode")
    tail = f" {episodes}." if runs else ""
    yield tag(
        "p",
        "Which constraint of a query that returns nothing gives way, for the person behind it, "
        f"and what is offered then. From {' and '.join(counts)}.{tail}",
    )


def _setting(board: _Leaderboard, setting: str, key: str) -> Html:
    lines = ranked(board.lines, setting)
    return join(
        setting_table(setting, lines, board.colour),
        _plot(lambda: matches_plot(lines, board.names, board.colour, key)),
        _beyond(len(lines)),
    )


def _plot(draw: Callable[[], Html]) -> Html:
    if not can_plot():
        return tag("p", MISSING, class_="quiet")
    return tag("div", draw(), class_="drawing")


def _beyond(count: int) -> Html | None:
    if count <= MOST_LINES or not can_plot():
        return None
    return tag("p", f"Drawn are the first {MOST_LINES} of {count:,}.", class_="quiet")


def _pairs(pairs: Pairs, board: _Leaderboard) -> Iterator[Child]:
    best = tag("b", tag("bdi", cut(board.names[pairs.best], 80)))
    yield tag(
        "p",
        "The highest relax match over all settings is that of ",
        best,
        ". The others are compared with it on the instances both were held on: intervals are "
        "of the paired bootstrap, p is McNemar's exact one and not corrected for how many are "
        "compared.",
    )
    yield _plot(lambda: pairs_plot(pairs, board.names, board.colour, "pairs-plot"))
    yield _beyond(len(pairs.others))
    yield pairs_table(pairs, board.names, board.colour)


def _filters(board: _Leaderboard) -> Html:
    """Return the filters; the script shows them, as nothing else could act on them."""
    methods = sorted(board.colour)
    settings = [setting for setting in board.settings if setting != ALL]
    return tag(
        "form",
        _choice("setting", settings),
        _choice("method", methods),
        _choice("verdict", ["wrong", "right"]),
        tag("button", "Unfold all", type="button", id="unfold"),
        tag("output", "", id="left", aria_live="polite"),
        id="filters",
        hidden=True,
        aria_label="Which conversations",
    )


def _choice(name: str, values: Sequence[str]) -> Html:
    options = [tag("option", f"any {name}", value="")]
    options += [tag("option", cut(value), value=value) for value in values]
    return tag("label", tag("span", name), tag("select", *options, name=name))


def _reading(settings: Sequence[str]) -> Iterator[Html]:
    terms = [join(tag("dt", column.heading), tag("dd", column.meaning)) for column in COLUMNS]
    chance = "the chance that k runs of an instance are all right"
    yield tag("dl", *terms, tag("dt", "pass^k"), tag("dd", chance), class_="terms")
    yield tag(
        "p",
        "Rates are in percent. Small figures are 95 % intervals: instances are drawn with "
        "replacement, each with all its episodes. Where intervals overlap widely, look at the "
        "paired comparison before a difference is believed.",
    )
    if TABLE_5 in settings:
        yield tag(
            "p",
            f"{TABLE_5} are the published runs of Table 5, on 25 instances of all settings; they "
            "are part of no other row.",
        )


def _sources(sources: Sources) -> Iterator[Child]:
    yield tag("dl", *(_source(source) for source in sources.files), class_="terms")
    if sources.left_out:
        yield tag("p", "Left out:")
        left_out = (tag("bdi", cut(reason, 160)) for reason in sources.left_out[:50])
        yield tag("ul", *(tag("li", reason) for reason in left_out))


def _source(source: Source) -> Html:
    texts = [f"{key}: {cut(value, 300)}" for key, value in source.about.items()]
    if source.catalog_rows is not None:
        texts.append(f"catalog rows: {source.catalog_rows:,}")
    if source.episodes:
        texts.append(counted(len(source.episodes), "episode"))
    if source.cut_off:
        texts.append(f"{counted(source.cut_off, 'episode')} cut off, not counted")
    kinds = sorted({kind_name(line.kind) for line in lines_of([source])})
    texts.append(f"of {cut(', '.join(kinds), 400)}")
    items = [tag("li", tag("bdi", part)) for part in texts]
    return join(tag("dt", tag("bdi", cut(source.name))), tag("dd", tag("ul", *items)))
