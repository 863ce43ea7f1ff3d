"""`concede elicit`: questions whose answers change the choice most, then the repair."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import rich_click as click

from ....catalogs.errors import QueryError, UnreadableFile, excerpt, one_line
from ..options import answer_format_option, catalog_options, dictionary_option, panel_options
from ..output import spinning, write_json, write_tables
from ..query_options import CatalogOptions, open_catalog, read_up_to

if TYPE_CHECKING:
    from ....catalogs.catalog import Catalog
    from ....dialogs.conversation.asking_by_gain import Elicited
    from ....dialogs.conversation.roles import Question

MAX_ANSWERS = 4_000_000
"""Bytes of a file of answers."""

NOTHING = "no preference"
"""What is answered for a column that a file of answers leaves out."""

_asking = panel_options("Questions")


@click.command("elicit")
@catalog_options
@dictionary_option
@_asking("--base", "SQL", "What the rows to choose from meet anyway, as in WHERE.")
@_asking("--opening", "TEXT", "What is said first, in words.", default="")
@_asking("--answers", "FILE", "A JSON object {column: text or [first, asked again]}.")
@_asking("--questions", None, "Asked at most.", type=click.IntRange(0, 50), default=6)
@_asking("--offline", None, "Ask no model; none is ever asked here.", is_flag=True)
@panel_options("Output")("--save", "FILE", "Keep the profile, for concede repair --profile.")
@answer_format_option
def elicit(
    base: str | None,
    opening: str,
    answers: str | None,
    questions: int,
    offline: bool,
    save: str | None,
    **given: Any,
) -> int:
    """Be asked what changes the choice most, and see what fits and what could give way."""
    from ....catalogs.query.where_clause import parse_where
    from ....dialogs.conversation.asking_by_gain import elicit_wishes

    told = [field.name for field in fields(CatalogOptions) if field.name in given]
    options = CatalogOptions(**{name: given[name] for name in told})
    with spinning(f"reading {options.catalog}"):
        catalog = open_catalog(options)
    voice = _Person(options.form) if answers is None else _FileOfAnswers(answers, catalog)
    elicited = elicit_wishes(
        catalog,
        voice.answer,
        base=parse_where(base, catalog.schema) if base else (),
        opening=opening,
        questions=questions,
    )
    if save is not None:
        _save(save, elicited)
    _write(elicited, catalog, options.form)
    return 0 if elicited.proposal is None else elicited.proposal.answer.exit_code


class _Person:
    """Asks at the terminal."""

    def __init__(self, form: str) -> None:
        self._stream = sys.stderr if form == "json" else sys.stdout

    def answer(self, question: Question, again: bool) -> str:
        """Return a line; an end of input says that nothing matters any more."""
        said = f"I did not get that. {question.text}" if again else question.text
        print(one_line(said), file=self._stream, flush=True)
        if sys.stdin.isatty():
            print("> ", end="", file=self._stream, flush=True)
        line = sys.stdin.readline(1_000_000)
        return line.rstrip("\n") if line else NOTHING


class _FileOfAnswers:
    """Answers from a file; its columns must be the catalog's."""

    def __init__(self, path: str, catalog: Catalog) -> None:
        try:
            record: object = json.loads(read_up_to(path, MAX_ANSWERS))
        except (ValueError, RecursionError) as error:
            raise UnreadableFile(path, f"not JSON: {excerpt(str(error))}") from None
        if not isinstance(record, dict):
            hint = 'give {"column": "answer", …}'
            raise UnreadableFile(path, excerpt(str(record)), hint=hint)
        given = cast("Mapping[str, object]", record)
        self._answers = {
            catalog.schema.find(name).name: _answer_of(path, name, value)
            for name, value in given.items()
        }

    def answer(self, question: Question, again: bool) -> str:
        """Return the answer about a column, the second where it is asked again."""
        return self._answers.get(question.slot, (NOTHING, NOTHING))[again]


def _answer_of(path: str, name: str, value: object) -> tuple[str, str]:
    if isinstance(value, str):
        return value, value
    texts: list[object] = cast("list[object]", value) if isinstance(value, list) else [value]
    if len(texts) == 2 and all(isinstance(text, str) for text in texts):
        return str(texts[0]), str(texts[1])
    reason = f"the answer for {excerpt(name)} is {excerpt(str(texts))}"
    raise UnreadableFile(path, reason, hint="give a text, or two: first, and asked again")


def _save(path: str, elicited: Elicited) -> None:
    text = json.dumps(elicited.record()["profile"], ensure_ascii=False, indent=2)
    try:
        Path(path).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise UnreadableFile(path, error.strerror or str(error)) from None


def _write(elicited: Elicited, catalog: Catalog, form: str) -> None:
    if form == "json":
        write_json(elicited.record())
        return
    if elicited.proposal is None:
        raise QueryError("nothing was wished", hint="answer a question, or give --opening")
    from ....rendering.answer_tables import offer_tables

    write_tables(offer_tables(elicited.proposal.answer, catalog.cost_column))
