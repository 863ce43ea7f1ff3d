"""`concede bench clarq`: asking what is unclear, published, replayed, answered and run."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import rich_click as click

from .....catalogs.errors import QueryError, excerpt
from ...at_terminal import hear, say
from ...options import panel_options, seed_option, tables_or_json
from ...output import complain, counted, spinning, write_json, write_tables

if TYPE_CHECKING:
    from .....bench.clarq.judges import Judge
    from .....bench.clarq.published_data import Tasks
    from .....bench.clarq.runner import Agents
    from .....dialogs.information_seeking.task import ClarificationTask, Provider, Seeker
    from .....dialogs.models.chat_model import ChatModel

MODES = ("published", "replay", "prefixes", "judge_pairs", "rescore", "seeker")
SPAN = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3}))?")
MODEL_SEEKERS = ("chat", "comp")
BREAKDOWNS = ("by_unknowns", "by_depth")

_mode, _part, _output = panel_options("Mode"), panel_options("Parts"), panel_options("Output")
_data = panel_options("Data")

Given = Mapping[str, Any]


@click.command("clarq")
@_data("--data", "DIR", "The folder of the data: tasks_en.jsonl.gz, dialogues.jsonl.gz, …")
@_data("--lang", None, "Only this language.", type=click.Choice(("en", "zh")))
@_data("--types", "1-18", "Only these task types: 1-18, or 1,3,27-31.")
@_mode("--published", None, "Recompute the figures of the recorded dialogues.", is_flag=True)
@_mode("--replay", None, "Put the recorded seekers' turns to our provider.", is_flag=True)
@_mode("--prefixes", "FILE.jsonl", "Answer dialogues that end with a seeker's turn.")
@_mode("--judge-pairs", None, "Measure a judge on the pairs with a verdict.", is_flag=True)
@_mode("--rescore", "RUN.jsonl", "Figures of a run; given twice, also compared.", multiple=True)
@_mode("--seeker", "NAME|URL", "Hold dialogues: offline, oracle, dump, …, chat, comp, person.")
@_part("--provider", "NAME|URL", "Who answers: offline, model, first, person.", default="offline")
@_part("--multi", None, "The provider tells all that was asked for in a turn.", is_flag=True)
@_part("--model", "NAME", "The model of chat, comp, model and the judge; also fake:FILE.")
@_part("--base-url", "URL", "Its OpenAI-compatible endpoint.")
@_part(
    "--judge",
    None,
    "Who is asked about facts not told in their own words; by default offline, and with "
    "--published the origin's verdicts.",
    type=click.Choice(("offline", "model")),
)
@_output("--predictions", "FILE", "With --prefixes: where the answers go, a JSON line each.")
@_output("--out", "RUN.jsonl", "The dialogues. Given again, the run goes on where it stopped.")
@seed_option("Draws the samples of the 95 % intervals.")
@tables_or_json("Tables for people, or one JSON list of rows.")
def clarq(form: str, **given: Any) -> int:
    """Run ClarQ-LLM: a seeker asks for what is unclear, a provider tells only what it is asked.

    Success, D (turns too many or too few) and L (length of a turn) come from the transcripts
    alone.
    """
    mode = _chosen(given)
    rows = _MODES[mode](given)
    if form == "json":
        write_json(rows)
    else:
        _show(mode, rows)
    return 0


def _chosen(given: Given) -> str:
    """Return the one mode that is asked for; raise `QueryError` for none or several."""
    modes = [mode for mode in MODES if given[mode]]
    names = ", ".join(f"--{mode.replace('_', '-')}" for mode in MODES)
    if not modes:
        raise QueryError("nothing to run", hint=f"give one of {names}")
    if len(modes) > 1:
        raise QueryError(f"--{modes[0]} and --{modes[1]} given", hint=f"give one of {names}")
    if given["data"] is None and modes[0] != "rescore":
        raise QueryError("no data", hint="give --data DIR")
    return modes[0]


def _show(mode: str, rows: Sequence[dict[str, Any]]) -> None:
    from .....bench.clarq.tables import record_table, rows_tables

    if mode in ("prefixes", "judge_pairs"):
        write_tables(record_table("ClarQ-LLM", rows))
        return
    runs = [row for row in rows if "successes" in row]
    write_tables(rows_tables(runs, BREAKDOWNS))
    if compared := [row for row in rows if "only_first" in row]:
        write_tables(record_table("Second less first", compared))


def _published(given: Given) -> list[dict[str, Any]]:
    from .....bench.clarq.published import published_rows, without_data

    tasks, chosen = _tasks(given)
    judge = _judge(given) if given["judge"] else None
    complain(f"printed cells without dialogues: {'; '.join(without_data())}")
    return published_rows(
        given["data"], tasks, judge, chosen=chosen, seed=given["seed"], counted=counted
    )


def _replay(given: Given) -> list[dict[str, Any]]:
    from .....bench.clarq.replay import replay_rows

    tasks, chosen = _tasks(given)
    return replay_rows(
        given["data"],
        tasks,
        _providers(given),
        _judge(given),
        chosen=chosen,
        seed=given["seed"],
        counted=counted,
    )


def _prefixes(given: Given) -> list[dict[str, Any]]:
    from .....bench.clarq.prefixes import predictions, read_prefixes, summary, write_predictions

    if not given["predictions"]:
        raise QueryError("prefixes without a place for answers", hint="give --predictions FILE")
    tasks, _ = _tasks(given)
    prefixes = read_prefixes(given["prefixes"], tasks)
    made = predictions(prefixes, tasks, _providers(given), counted)
    write_predictions(given["predictions"], made)
    complain(f"wrote {given['predictions']}")
    return summary(given["provider"], prefixes, made)


def _judge_pairs(given: Given) -> list[dict[str, Any]]:
    from .....bench.clarq.judges import judge_score
    from .....bench.clarq.published_data import LANGUAGES, read_judge_pairs

    judge, pairs = _judge(given), read_judge_pairs(given["data"])
    langs = [given["lang"]] if given["lang"] else LANGUAGES
    return [
        {
            "run": f"judge {given['judge'] or 'offline'}",
            "lang": lang,
            **judge_score(judge, [pair for pair in pairs if pair.lang == lang]).record(),
        }
        for lang in langs
    ]


def _rescore(given: Given) -> list[dict[str, Any]]:
    from .....bench.clarq.rows import comparison
    from .....bench.clarq.runner import outcomes_of, run_rows
    from .....bench.clarq.transcripts import read_held

    paths, judge, seed = given["rescore"], _judge(given), given["seed"]
    if len(paths) > 2:
        raise QueryError(f"{len(paths)} runs", hint="give one, or two to compare")
    with spinning("reading"):
        runs = [read_held(path) for path in paths]
    rows = [row for held in runs for row in run_rows(held, judge, seed=seed)]
    if len(runs) == 1:
        return rows
    first, second = (outcomes_of(held, judge) for held in runs)
    name = f"{runs[1].name} less {runs[0].name}"
    return [*rows, {"run": name, "lang": "both", **comparison(first, second, seed=seed)}]


def _seeker(given: Given) -> list[dict[str, Any]]:
    from .....bench.clarq.runner import run, run_rows
    from .....bench.progress import uncounted

    _, chosen = _tasks(given)
    judge, tasks = _judge(given), list(chosen.values())
    agents = _agents(given, tasks)
    # A bar would be drawn over what a person reads.
    bar = uncounted if "person" in agents.names else counted
    held = run(tasks, agents, given["out"], bar)
    broken = sum(dialogue.failure is not None for dialogue in held.dialogues)
    if broken:
        complain(f"{broken:,} dialogues broke off; the same command with --out tries them again")
    reference = None if given["provider"] == "offline" else _named("offline", agents.mode, None)
    return run_rows(held, judge, reference=reference, seed=given["seed"])


_MODES: dict[str, Callable[[Given], list[dict[str, Any]]]] = {
    "published": _published,
    "replay": _replay,
    "prefixes": _prefixes,
    "judge_pairs": _judge_pairs,
    "rescore": _rescore,
    "seeker": _seeker,
}


def _tasks(given: Given) -> tuple[Tasks, Tasks]:
    """Return all tasks of the folder in the languages asked for, and those of the types."""
    from .....bench.clarq.published_data import of_types, read_tasks

    with spinning("reading the data"):
        tasks = read_tasks(given["data"], [given["lang"]] if given["lang"] else ())
    return tasks, of_types(tasks, _types(given["types"]))


def _types(text: str | None) -> list[int]:
    numbers: list[int] = []
    for part in [] if text is None else text.split(","):
        span = SPAN.fullmatch(part.strip())
        ends = (int(span[1]), int(span[2] or span[1])) if span else (1, 0)
        if ends[0] > ends[1]:
            raise QueryError(f"types {excerpt(text)}", hint="write 1-18, or 1,3,27-31")
        numbers += range(ends[0], ends[1] + 1)
    return sorted(set(numbers))


def _model(given: Given) -> ChatModel:
    from .....dialogs.models.opening import open_model

    return open_model(given["model"], base_url=given["base_url"])


def _judge(given: Given) -> Judge:
    from .....bench.clarq.judges import ModelJudge, OfflineJudge

    return ModelJudge(_model(given)) if given["judge"] == "model" else OfflineJudge()


def _named(name: str, mode: Any, model: ChatModel | None) -> Provider:
    from .....dialogs.information_seeking.providers import provider_named
    from .....dialogs.information_seeking.telling import CheckedProvider

    return CheckedProvider(provider_named(name, mode, model))


def _providers(given: Given) -> dict[str, Provider]:
    """Return the provider for each mode, since recorded dialogues have both."""
    name = given["provider"]
    if name == "person":
        raise QueryError("a person answers no recorded dialogues", hint="give --seeker")
    model = _model(given) if name == "model" else None
    return {mode: _named(name, mode, model) for mode in ("single", "multi")}


def _agents(given: Given, tasks: Sequence[ClarificationTask]) -> Agents:
    from .....bench.clarq.runner import Agents

    names, mode = (given["seeker"], given["provider"]), "multi" if given["multi"] else "single"
    asks_model = names[0] in MODEL_SEEKERS or names[1] == "model"
    model = _model(given) if asks_model else None
    provider = _person_provider() if names[1] == "person" else _named(names[1], mode, model)
    seeker = _seeker_named(names[0], tasks, model)
    return Agents(seeker, provider, names, mode, None if model is None else model.name)


def _seeker_named(name: str, tasks: Sequence[ClarificationTask], model: ChatModel | None) -> Seeker:
    from .....dialogs.information_seeking.http_agents import Endpoint, HTTPSeeker, is_url

    if is_url(name):
        return HTTPSeeker(Endpoint(name))
    if name == "person":
        from .....dialogs.information_seeking.person import PersonSeeker

        return PersonSeeker(say, hear)
    from .....dialogs.information_seeking.registry import seeker_named

    return seeker_named(name, model=model, tasks=tasks)


def _person_provider() -> Provider:
    from .....dialogs.information_seeking.person import PersonProvider

    return PersonProvider(say, hear)
