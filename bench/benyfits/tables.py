"""A BeNYfits report as tables on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.text import Text

from ...rendering.terminal_table import Grid, cut
from .report import Report
from .trials import Trials

PROSE_WIDTH = 100
MOST_FAILURES = 30

FIGURES = {
    "f1": "F1 %",
    "precision": "precision %",
    "recall": "recall %",
    "accuracy": "accuracy %",
    "turns": "turns a dialogue",
    "turn_weighted_f1": "turn-weighted F1",
}
QUESTIONS = {
    "lower_bound_facts": "facts that the origin's checkers read",
    "lower_bound_keys": "their features, each once",
    "asked_facts": "facts asked for",
    "asked_covered": "of the facts read, asked for, %",
    "asked_beyond": "of the facts asked for, not read, %",
    "questions_a_lower_bound_key": "questions for each feature read",
}


def report_tables(report: Report) -> Group:
    """Return a report as what a person reads."""
    parts: list[RenderableType] = [_overall(report), *_questions(report), *_answers(report)]
    parts.append(_programs(report))
    if report.classes:
        rows = [(name, str(count)) for name, count in report.classes.items()]
        parts.append(Grid("What went wrong", ("class", "times"), rows, frozenset(("times",))))
    if report.failures:
        parts.append(_failures(report))
    return Group(*parts)


def trials_table(trials: Trials) -> Grid:
    """Return the means of repeated trials, and how far the trials are apart."""
    rows = [
        (heading, _figure(trials.figures[name]), _ends(trials.intervals.get(name)),
         _figure(trials.spread[name]),
         ", ".join(_figure(report.metrics[name]) for report in trials.reports))
        for name, heading in FIGURES.items()
    ]  # fmt: skip
    first = trials.reports[0]
    named = (f"BeNYfits, {len(trials.reports)} trials:", *_named(first))
    headers = ("figure", "mean", "95 %", "s.d.", "each")
    return Grid(" ".join(named), headers, rows, frozenset(headers[1:4]))


def _overall(report: Report) -> Grid:
    metrics = report.metrics
    rows = [
        (heading, _figure(metrics[name]), _interval(report, name))
        for name, heading in FIGURES.items()
    ]
    counts = ("n_dialogues", "n_pairs", "n_labelled", "undecided")
    rows += [(name.removeprefix("n_"), str(metrics[name]), "") for name in counts]
    title = " ".join(str(word) for word in ("BeNYfits:", *_named(report)))
    return Grid(title, ("figure", "value", "95 %"), rows, frozenset(("value", "95 %")))


def _named(report: Report) -> Iterator[str]:
    for name in ("dataset", "method", "planner", "user", "parser"):
        if report.setting.get(name):
            value = cut(str(report.setting[name]))
            yield value if name in ("dataset", "method", "planner") else f"{name} {value}"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _interval(report: Report, name: str) -> str:
    return _ends(report.intervals.get(name))


def _questions(report: Report) -> Iterator[RenderableType]:
    if report.questions.get("lower_bound_facts") is not None:
        rows = [(heading, _figure(report.questions[name])) for name, heading in QUESTIONS.items()]
        yield Grid("What was asked, a dialogue", ("", "mean"), rows, frozenset(("mean",)))


def _answers(report: Report) -> Iterator[RenderableType]:
    """Yield what the person's answers are worth (ProADA, section 6.4)."""
    answers = report.answers
    if answers["n_answers"]:
        ends = answers["intervals"]
        rows = [
            (heading, _figure(answers[name]), _ends(ends[name]), of)
            for name, heading, of in (
                ("faithful", "as the profile says, %", f"{answers['n_readable']} read"),
                ("verbose", "with more than was asked, %", f"{answers['n_answers']} in all"),
            )
        ]
        rows.append(("words", _figure(answers["words"]), "", ""))
        headers = ("", "value", "95 %", "of")
        yield Grid("What the person answered", headers, rows, frozenset(("value", "95 %")))


def _ends(ends: Sequence[float] | None) -> str:
    return "" if ends is None else f"{ends[0]:.1f}–{ends[1]:.1f}"


def _programs(report: Report) -> Grid:
    headers = ("program", "pairs", "eligible", "said eligible", "undecided", "wrong", "F1 %")
    rows = [
        (
            cut(name),
            str(program["n"]),
            _count(program["eligible"]),
            str(program["decided_eligible"]),
            str(program["undecided"]),
            _count(program["wrong"]),
            _figure(program["f1"]),
        )
        for name, program in report.programs.items()
    ]
    return Grid("By program", headers, rows, frozenset(headers[1:]))


def _count(value: int | None) -> str:
    return "–" if value is None else str(value)


def _failures(report: Report) -> RenderableType:
    words = {True: "eligible", False: "not", None: "–"}
    rows = [
        (cut(failure.household), cut(failure.program), words[failure.decided],
         words[failure.eligible], cut("; ".join(failure.reasons), 80))
        for failure in report.failures[:MOST_FAILURES]
    ]  # fmt: skip
    grid = Grid("Pairs", ("household", "program", "decided", "label", "why"), rows)
    if len(report.failures) <= MOST_FAILURES:
        return grid
    text = f"The first {MOST_FAILURES} of {len(report.failures)}; all with --format json."
    return Group(grid, Constrain(Text(text, "dim"), PROSE_WIDTH))
