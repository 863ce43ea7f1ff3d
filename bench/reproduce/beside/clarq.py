"""ClarQ-LLM: recorded dialogues beside Tables III to V; our seekers and provider after them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...clarq.published import LANGUAGES, RECORDED
from ...printed.tables import PrintedCell, PrintedTable, printed
from ..row import Beside, Figure, Results, Row, document_rows, figure
from ..stages.clarq import SEEKERS

DOCUMENT = printed("clarq")
PUBLISHED, REPLAY, JUDGE = "clarq-published", "clarq-replay", "clarq-judge"
APART, PROVIDER_APART = "clarq-seekers-apart", "clarq-provider-apart"
MEASURES = {"s": "success_rate", "D": "D", "L": "L"}
TASKS = 260
"""Tasks that the document scores."""

TABLES = {"single": "Table III", "multi": "Table IV"}
BEST = "Completion, GPT-4o"
OURS = "our provider answers, not GPT-4o"
ERRORS = {
    "first_kind_per_100": "errors of the first kind per 100 answers",
    "second_kind_per_100": "errors of the second kind per 100 answers",
}
PROVIDER = {
    "same_nodes_where_due": "the same fact where one was told",
    "silent_where_none_due": "silent where none was",
    "f1": "F1 of facts",
    "replay_agrees": "success of the replay agrees",
}


def rows(results: Results) -> Iterator[Row]:
    """Yield the rows of the document."""
    beside = _Beside(results)
    yield from document_rows(DOCUMENT, beside.lookup, beside.more)
    yield from beside.judge()


class _Beside:
    def __init__(self, results: Results) -> None:
        self.results = results
        self.recorded = {(row["run"], row["lang"]): row for row in results.rows(PUBLISHED)}
        self.runs = {
            (table, row, key[1]): key for key, places in RECORDED.items() for table, row in places
        }

    def lookup(self, table: PrintedTable, cell: PrintedCell) -> Beside | None:
        """Return what stands beside a cell: the recorded dialogues of its row, if there are any."""
        lang = "zh" if cell.column.startswith("Chinese") else "en"
        key = self.runs.get((table.name, cell.row, lang))
        if key is None:
            return None
        command = self.results.command(PUBLISHED)
        row = self.recorded.get(key)
        if row is None:
            return Beside(reason=self.results.why(PUBLISHED), command=command)
        part = "" if row["tasks"] == TASKS else f"over {row['tasks']} of its {TASKS} tasks"
        found = _figure(row, MEASURES[cell.column.split()[-1]])
        return Beside(found, comparable=True, reason=part, command=command)

    def more(self, table: PrintedTable) -> Iterator[Row]:
        """Yield what of ours belongs to a table."""
        for mode, name in TABLES.items():
            if table.name == name:
                yield from self._seekers(table, mode)
                yield from self._apart(table, mode)
        if table.name == "Figure 4":
            yield from self._unknowns()
        if table.name == "Section VI-G":
            yield from self._errors()
            yield from self._provider()

    def _seekers(self, table: PrintedTable, mode: str) -> Iterator[Row]:
        stage = f"clarq-seekers-{mode}"
        of = {(row["seeker"], row["lang"]): row for row in self.results.rows(stage)}
        for seeker in SEEKERS:
            for lang, language in LANGUAGES.items():
                row = of.get((seeker, lang))
                fitted = "; fitted on these types" if seeker == "offline" else ""
                for short, measure in MEASURES.items():
                    yield Row(
                        DOCUMENT.name,
                        table.name,
                        f"ours, seeker {seeker}, {language} {short}",
                        ours=_figure(row, measure),
                        reason=f"{row['tasks']} tasks, {OURS}{fitted}"
                        if row
                        else self.results.why(stage),
                        command=self.results.command(stage).replace("offline", seeker, 1),
                    )

    def _apart(self, table: PrintedTable, mode: str) -> Iterator[Row]:
        of = {row["lang"]: row for row in self.results.rows(APART) if row["mode"] == mode}
        for lang, language in LANGUAGES.items():
            row = of.get(lang)
            for short, measure in MEASURES.items():
                yield Row(
                    DOCUMENT.name,
                    table.name,
                    f"ours, seeker offline on types left out, beside {BEST}, {language} {short}",
                    table.value(BEST, f"{language} {short}"),
                    ours=_figure(row, measure),
                    reason=f"{row['tasks']} tasks, {OURS}" if row else self.results.why(APART),
                    command=self.results.command(APART),
                )

    def _unknowns(self) -> Iterator[Row]:
        for key, places in RECORDED.items():
            row = self.recorded.get(key)
            for number, found in (row or {"by_unknowns": {}})["by_unknowns"].items():
                yield Row(
                    DOCUMENT.name,
                    "Figure 4",
                    f"{places[0][0]}, {places[0][1]}, {LANGUAGES[key[1]]}, {number} responses, s",
                    recomputed=figure(found["success_rate"], found["interval"]),
                    reason=f"{found['tasks']} tasks of GPT-4o; the figure is of GPT-4",
                    command=self.results.command(PUBLISHED),
                )

    def _errors(self) -> Iterator[Row]:
        for key, places in RECORDED.items():
            of = (row for row in self.results.rows(REPLAY) if (row["run"], row["lang"]) == key)
            row = next(of, None)
            where = f"{places[0][1]} ({places[0][0]}), {LANGUAGES[key[1]]}"
            for measure, words in ERRORS.items():
                value = None if row is None else row["against_recorded"][measure]
                yield Row(
                    DOCUMENT.name,
                    "Section VI-G",
                    f"our provider in {where}, {words}",
                    ours=figure(value),
                    reason=self.results.why(REPLAY)
                    or "GPT-4o's answers are the reference, where the document has people's; "
                    "fitted on these dialogues",
                    command=self.results.command(REPLAY),
                )

    def _provider(self) -> Iterator[Row]:
        of = {(row["lang"], row["mode"]): row for row in self.results.rows(PROVIDER_APART)}
        for mode in TABLES:
            for lang, language in LANGUAGES.items():
                row = of.get((lang, mode))
                for measure, words in PROVIDER.items():
                    yield Row(
                        DOCUMENT.name,
                        "Section VI-G",
                        f"our provider on types left out, {mode}, {language}, {words}",
                        ours=figure(None if row is None else row[measure]),
                        reason=self.results.why(PROVIDER_APART)
                        or "GPT-4o's answers are the reference; nothing of the kind is printed",
                        command=self.results.command(PROVIDER_APART),
                    )

    def judge(self) -> Iterator[Row]:
        """Yield how our judge does on the published verdicts."""
        for lang, language in LANGUAGES.items():
            row = next((row for row in self.results.rows(JUDGE) if row["lang"] == lang), None)
            size = "" if row is None else f"{row['pairs']} published verdicts; "
            yield Row(
                DOCUMENT.name,
                "Section V-B",
                f"our judge without a model, {language}, agrees with GPT-4o's verdicts",
                ours=figure(None if row is None else row["agree"]),
                reason=self.results.why(JUDGE) or f"{size}nothing of the kind is printed",
                command=self.results.command(JUDGE),
            )


def _figure(row: Mapping[str, Any] | None, measure: str) -> Figure:
    return figure(None) if row is None else figure(row[measure], row["intervals"][measure])
