"""`concede decide`: rules in plain English become programs, which ask for facts and decide."""

from __future__ import annotations

import json
import re
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from ....catalogs.errors import ModelError, QueryError, UnreadableFile, excerpt, one_line
from ..options import (
    answer_format_option,
    chosen_model,
    model_options,
    panel_options,
    questions_option,
)
from ..output import complain, spinning, write_json, write_tables
from ..query_options import read_up_to

if TYPE_CHECKING:
    from ....dialogs.eligibility.decisions.agent import DecisionAgent
    from ....dialogs.eligibility.decisions.program import Programs
    from ....dialogs.eligibility.roles import Decision, Question
    from ....dialogs.models.chat_model import ChatModel

MAX_ANSWER_BYTES = 5_000_000
OPEN_QUESTIONS = 200

HELP = (
    "Answer in your own words. why: what the answer is needed for; "
    "skip: you do not know; quit: end."
)
"""What a person is told who asks for help."""

_answers = panel_options("Answers")


@dataclass
class Rules:
    """Programs to decide by, where they come from, and how a text was read."""

    programs: Programs
    source: str
    read_as: dict[str, Any] = field(default_factory=dict[str, Any])


@click.command("decide")
@panel_options("Rules")(
    "--rules",
    "DIR|FILE",
    "A text with a heading per program, or a folder of programs with its keys.json.",
    required=True,
)
@_answers(
    "--answers",
    "FILE",
    "Facts as JSON, by key or question; a list of objects is the people of a household.",
)
@_answers(
    "--talk/--no-talk",
    None,
    "Ask for what is missing; by default on a terminal, unless answers are given.",
    "talk",
    default=None,
)
@model_options("The model that writes programs, asks and understands; also fake:FILE.")
@panel_options("Choice")(
    "--planner",
    "NAME",
    "What is asked next: joint, joint-topics, published, published-together.",
    default="joint",
)
@questions_option
@panel_options("Output")(
    "--save", "DIR", "Write the programs and their keys here, to read, mend and use again."
)
@answer_format_option
def decide(**options: Any) -> int:
    """Decide by rules in plain English: asks what is missing, and says why."""
    model = chosen_model(options)
    with spinning(f"reading {options['rules']}"):
        rules = _rules(options["rules"], model)
    if options["save"] is not None:
        _save(rules.programs, Path(options["save"]))
    with ExitStack() as stack:
        agent = _agent(rules, model, options, stack)
        ignored = _take_answers(agent, options["answers"]) if options["answers"] is not None else []
        talk = options["talk"]
        if talk is None:
            talk = options["answers"] is None and sys.stdin.isatty()
        if talk:
            _talk(agent, options["form"])
        _show(agent, rules, ignored, options)
    return 0


def _agent(
    rules: Rules, model: ChatModel | None, options: dict[str, Any], stack: ExitStack
) -> DecisionAgent:
    """Return the agent; what a model wrote is run in a sandbox too."""
    from ....dialogs.eligibility.decisions.agent import DecisionAgent

    parts: dict[str, Any] = {}
    if model is not None:
        from ....dialogs.eligibility.decisions.cross_check import CrossCheck
        from ....dialogs.eligibility.decisions.llm_roles import written_by
        from ....dialogs.eligibility.sandbox.running import open_sandbox

        parts = written_by(model)
        if rules.source == "model":
            parts["cross_check"] = CrossCheck(stack.enter_context(open_sandbox()))
    return DecisionAgent(
        rules.programs,
        rules.programs.keys,
        planner=options["planner"],
        max_questions=options["questions"],
        **parts,
    )


def _rules(path: str, model: ChatModel | None) -> Rules:
    from ....dialogs.eligibility.decisions.program import (
        KEYS_FILE,
        Program,
        Programs,
        load_programs,
        read_text,
    )
    from ....dialogs.eligibility.keys import read_keys

    place = Path(path)
    if place.is_dir():
        return Rules(load_programs(place), "folder")
    text = read_text(place)
    if place.suffix == ".py":
        keys = read_keys(place.with_name(KEYS_FILE))
        program = Program(place.stem, text)
        program.check_keys(keys)
        return Rules(Programs((program,), keys), "program")
    if not text.strip():
        raise UnreadableFile(path, "it is empty", hint="write the rules into it")
    if model is not None:
        from ....dialogs.eligibility.rules.synthesis import synthesise_all

        programs = synthesise_all(text, model, place.stem)
        return Rules(programs, "model")
    from ....dialogs.eligibility.rules.writing import read_rules

    book = read_rules(text, place.stem)
    read_as = {
        name: {
            "typed": list(book.typed[name]),
            "yes_no": list(book.yes_no[name]),
            "passed_over": list(book.passed_over[name]),
        }
        for name in book.typed
    }
    return Rules(book.programs, "text", read_as)


def _save(programs: Programs, folder: Path) -> None:
    from ....dialogs.eligibility.decisions.program import KEYS_FILE

    names: set[str] = set()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for program in programs:
            name = re.sub(r"\W+", "_", program.name, flags=re.ASCII).strip("_")[:80] or "program"
            while name in names:
                name += "_"
            names.add(name)
            (folder / f"{name}.py").write_text(program.source, encoding="utf-8")
            if program.requirements:
                (folder / f"{name}.md").write_text(program.requirements + "\n", encoding="utf-8")
        keys = json.dumps(programs.keys.record(), ensure_ascii=False, indent=1)
        (folder / KEYS_FILE).write_text(keys + "\n", encoding="utf-8")
    except OSError as error:
        problem = f"cannot write programs to {excerpt(str(folder))}: {error.strerror or error}"
        raise QueryError(problem, hint="name another folder") from None


def _take_answers(agent: DecisionAgent, path: str) -> list[str]:
    """Tell the agent what a file says; return the names nothing asks for."""
    from ....dialogs.eligibility.answers.offline import OfflineAnswerParser
    from ....dialogs.eligibility.decisions.given_answers import read_answers

    answers = read_answers(_json(path), agent.keys, OfflineAnswerParser())
    agent.add_facts(answers.facts)
    for slot in answers.unknown:
        agent.state.closed[slot] = "the person does not know"
    if answers.ignored:
        complain(f"nothing asks for {', '.join(map(excerpt, answers.ignored[:5]))}")
    return answers.ignored


def _json(path: str) -> object:
    try:
        return json.loads(read_up_to(path, MAX_ANSWER_BYTES))
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(path, f"no JSON: {error}", hint='write {"key": value}') from None


def _talk(agent: DecisionAgent, form: str) -> None:
    """Ask until all is decided, or the person ends it; say each decision when it falls."""
    stream = sys.stderr if form == "json" else sys.stdout
    announced: set[str] = set()

    def say(text: str) -> None:
        print(one_line(text), file=stream, flush=True)

    while (question := agent.next_question()) is not None:
        say(question.text)
        answer = _answer(question, agent, say)
        if answer is None:
            agent.take_back()
            return
        try:
            agent.observe(answer)
        except ModelError as error:
            complain(str(error))
        for decision in _new_decisions(agent, announced):
            say(f"— {_explanation(decision, agent)}")


def _answer(question: Question, agent: DecisionAgent, say: Any) -> str | None:
    """Return what the person says to a question; None to end."""
    while True:
        line = sys.stdin.readline(100_000)
        text = line.strip()
        if not line or text.casefold() in ("quit", "exit", "done"):
            return None
        if text.casefold() in ("help", "?"):
            say(HELP)
        elif text.casefold() in ("why", "why?"):
            why = question.requirement or question.code or "it is needed by the rules"
            say(f"{question.program}: {why}")
        elif text:
            return "I don't know" if text.casefold() in ("skip", "pass") else text


def _new_decisions(agent: DecisionAgent, announced: set[str]) -> list[Decision]:
    decisions = [
        decision
        for name, decision in agent.decisions().items()
        if decision.eligible is not None and name not in announced
    ]
    announced.update(decision.program for decision in decisions)
    return decisions


def _explanation(decision: Decision, agent: DecisionAgent) -> str:
    from ....dialogs.eligibility.decisions.verbalization import verbalize_decision

    return verbalize_decision(decision, agent.keys, agent.names)


def _why(decision: Decision, agent: DecisionAgent) -> str:
    return _explanation(decision, agent).partition(": ")[2]


def _show(agent: DecisionAgent, rules: Rules, ignored: list[str], options: dict[str, Any]) -> None:
    decisions = agent.decisions()
    if options["form"] == "json":
        write_json(_record(agent, rules, decisions, ignored, options))
        return
    write_tables(_table(decisions, agent))
    questions = agent.open_questions()
    if questions:
        print("Still to be asked:")
        for question in questions[:10]:
            print(f"  {one_line(question.text)}")


def _record(
    agent: DecisionAgent,
    rules: Rules,
    decisions: dict[str, Decision],
    ignored: list[str],
    options: dict[str, Any],
) -> dict[str, Any]:
    questions = agent.open_questions()[:OPEN_QUESTIONS]
    return {
        "rules": options["rules"],
        "source": rules.source,
        "planner": agent.planner.name,
        "n_programs": len(decisions),
        "decisions": [
            decision.record() | {"explanation": _explanation(decision, agent)}
            for decision in decisions.values()
        ],
        "undecided": [name for name, decision in decisions.items() if decision.eligible is None],
        "turns": agent.turns,
        "known": {str(slot): value for slot, value in agent.known.items()},
        "next_question": agent.question_record(questions[0]) if questions else None,
        "questions": [agent.question_record(question) for question in questions],
        "ignored_answers": ignored,
        "read_as": rules.read_as,
        "transcript": agent.transcript.records(),
    }


def _table(decisions: dict[str, Decision], agent: DecisionAgent) -> Any:
    from ....rendering.terminal_table import Grid, cut

    words = {True: "eligible", False: "not eligible", None: "undecided"}
    rows = [
        (cut(name), words[decision.eligible], cut(_why(decision, agent), 300))
        for name, decision in decisions.items()
    ]
    return Grid("Decisions", ("program", "decision", "why"), rows, frozenset())
