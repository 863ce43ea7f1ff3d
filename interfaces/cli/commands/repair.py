"""`concede repair`: what gives way and what to offer instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import rich_click as click

from ....catalogs.errors import QueryError
from ..implicit_options import ImplicitOptions
from ..options import (
    catalog_options,
    format_option,
    list_options,
    objective_options,
    person_options,
    policy_options,
    query_options,
    sample_options,
    search_options,
    timing_option,
)
from ..output import complain
from ..query_options import RepairOptions, column_list, stays
from ..query_run import LONGER, ask_each, read_catalog, show_results

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ....catalogs.catalog import Catalog
    from ....catalogs.query.query import Query
    from ....engine.answer import Answer

REPAIR_EXAMPLES = """\
[b]Examples[/b]

concede repair --catalog sample:cars --base "Make = 'Lexus'" \\
  --where 'Year >= 2016 AND "highway MPG" >= 50' --weight Year=0.3

concede repair --catalog data.csv --hard price --policy fewest --format json \\
  --where "rooms >= 4 AND garden AND price < 300000"\
"""


# Not click.rich_config: the decorator loads rich's console, which JSON has no use for.
@click.command(
    "repair",
    context_settings={"rich_help_config": {"footer_text": REPAIR_EXAMPLES, "text_markup": "rich"}},
)
@catalog_options
@query_options
@objective_options
@person_options
@policy_options
@search_options
@sample_options
@list_options
@format_option
@timing_option
def repair(**given: Any) -> int:
    """Say what gives way and what to offer instead."""
    # Of rows that stay in their database it is the key; else it is what events name items by.
    key = None
    if stays(given["catalog"]):
        if given["implicit"]:
            raise QueryError("--implicit: the rows stay where they are", hint="open a copy of them")
        key, given["key"] = given["key"], None
    person = ImplicitOptions.taken_from(given)
    options = RepairOptions(**given, key=key)
    options.check()
    catalog = read_catalog(options)
    ask = person.asking(catalog, _repairing(catalog, options))
    answers = ask_each(catalog, options, ask, _record(options))

    def table_of(answer: Answer) -> RenderableType:
        from ....rendering.answer_tables import answer_tables

        return answer_tables(answer, catalog.cost_column, timing=options.timing)

    def many(answers: Sequence[tuple[int, Answer]]) -> RenderableType:
        from ....rendering.answer_tables import answers_table

        return answers_table(answers)

    show_results(answers, options, _record(options), table_of, many)
    return _say_unanswered([answer for _, answer in answers])


def _repairing(catalog: Catalog, options: RepairOptions) -> Callable[[Query], Answer]:
    from ....engine.repair_engine import RepairEngine

    engine = RepairEngine(catalog, solver=options.solver)
    priority = column_list(options.priority or "")
    return lambda query: engine.repair(
        query,
        policy=options.policy,
        top=options.top,
        order="diverse" if options.diverse else "cost",
        priority=priority,
        rank=options.item_order,
        deadline=options.seconds,
        sample=options.sample,
    )


def _record(options: RepairOptions) -> Callable[[Answer], dict[str, Any]]:
    return lambda answer: answer.record(timing=options.timing)


def _say_unanswered(answers: Sequence[Answer]) -> int:
    """Write one line if something was not answered; return the exit code."""
    failed = [answer for answer in answers if answer.exit_code]
    if failed and len(answers) > 1:
        complain(f"no repair for {len(failed)} of {len(answers)} records")
    elif failed:
        complain(_why_unanswered(failed[0]))
    return max((answer.exit_code for answer in failed), default=0)


def _why_unanswered(answer: Answer) -> str:
    if answer.status == "UNKNOWN":
        return f"no answer: stopped by the {answer.stopped_by}; {LONGER}"
    if answer.repairs:
        return f"policy {answer.policy} finds no repair; another one would, see repairs"
    return "no repair exists: nothing that may give way helps"
