"""`concede diagnose`: every minimal conflict and repair, and the counts behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import rich_click as click

from ..options import (
    catalog_options,
    format_option,
    limit_option,
    query_options,
    remote_options,
    search_options,
    stored_option,
)
from ..output import complain, write_json
from ..query_options import DiagnoseOptions
from ..query_run import LONGER, ask_each, read_catalog, show_results

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ....catalogs.query.query import Query
    from ....engine.diagnosis import Diagnosis


@click.command("diagnose")
@catalog_options
@stored_option
@remote_options
@query_options
@search_options
@limit_option
@format_option
def diagnose(histograms: Sequence[str], **given: Any) -> int:
    """Show every minimal conflict, every minimal repair, and the counts behind them."""
    from ....engine.repair_engine import RepairEngine

    options = DiagnoseOptions(**given)
    if histograms:
        return _stored(histograms, options)
    options.check()
    catalog = read_catalog(options)
    engine = RepairEngine(catalog, solver=options.solver)

    def ask(query: Query) -> Diagnosis:
        return engine.diagnose(
            query, deadline=options.seconds, limit=options.limit, sample=options.sample
        )

    return _shown(ask_each(catalog, options, ask, _record), options)


def _stored(histograms: Sequence[str], options: DiagnoseOptions) -> int:
    """Show what follows from stored histograms: their query is asked, and no row is read."""
    from ....engine.stored_diagnosis import diagnose_histogram

    options.check_stored()
    diagnosis = diagnose_histogram(
        *histograms, solver=options.solver, deadline=options.seconds, limit=options.limit
    )
    if options.form == "ndjson":
        write_json(_record(diagnosis), indent=None)
    return _shown([(0, diagnosis)], options)


def _shown(results: list[tuple[int, Diagnosis]], options: DiagnoseOptions) -> int:
    """Show diagnoses in the format asked for; return the exit code."""

    def table_of(diagnosis: Diagnosis) -> RenderableType:
        from ....rendering.answer_tables import diagnosis_tables

        return diagnosis_tables(diagnosis)

    def many(diagnoses: Sequence[tuple[int, Diagnosis]]) -> RenderableType:
        from ....rendering.answer_tables import diagnoses_table

        return diagnoses_table(diagnoses)

    show_results(results, options, _record, table_of, many)
    unknown = [diagnosis for _, diagnosis in results if diagnosis.verdict == "UNKNOWN"]
    if unknown:
        complain(f"no answer: stopped by the {unknown[0].stopped_by}; {LONGER}")
    return 4 if unknown else 0


def _record(diagnosis: Diagnosis) -> dict[str, Any]:
    return diagnosis.record()
