"""`concede chat`: a conversation at the terminal, with a person or a persona."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import rich_click as click

from ....catalogs.errors import QueryError, UnreadableFile, one_line
from ..options import (
    answer_format_option,
    catalog_options,
    chosen_model,
    dictionary_option,
    model_options,
    panel_options,
    questions_option,
)
from ..output import complain, spinning, write_json, write_tables
from ..query_options import CatalogOptions, open_catalog, read_up_to
from ..reader_options import assist_option, assisted_by

if TYPE_CHECKING:
    from ....catalogs.catalog import Catalog
    from ....dialogs.conversation.roles import RolePlayer
    from ....dialogs.conversation.session import Session
    from ....dialogs.models.chat_model import ChatModel
    from ....dialogs.transcripts.episode import EpisodeWriter
    from ....dialogs.weighters.weighter import Weighter

MAX_ROUNDS = 1_000
"""Turns of one conversation."""

MAX_PERSONA_BYTES = 100_000

HELP = """\
Say what you want in your own words, and ask what you like. Besides:
the number of an item: take it
weight price 0.9: how much it matters, from 0 to 1
done, or an empty line: no more questions
undo: take the last step back
quit: end here\
"""

ASK_OFFER = "Which one? (its number, or in your own words; help, quit)"
ASK_DEAD_END = "What could be different? (help, quit)"

ANYTHING_ELSE = "Anything else? (an empty line ends it)"

DONE = ("", "done")
QUIT = ("q", "quit", "exit")
_KEYS = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O[A-Z])|[\x08\x7f]")
"""Arrows and other keys that a terminal passes on, and what brackets a paste."""

WEIGHT = re.compile(
    r"^\s*weight\s+(?P<what>.+?)\s*(?:=|to|:)?\s*(?P<weight>[01](?:\.\d+)?)\s*$", re.I
)

_speaker, _choice = panel_options("Who speaks"), panel_options("Choice")


@click.command("chat")
@catalog_options
@dictionary_option
@_speaker("--persona", "FILE", "A text about a person who answers instead of you.")
@_speaker("--opening", "TEXT", "What is said first; with --persona by default its first sentence.")
@model_options("The model that asks, understands, weighs and plays the persona; also fake:FILE.")
@assist_option
@_choice("--weighter", "NAME", "How wishes are weighed; learned by default, global with a model.")
@_choice("--policy", "NAME", "How what gives way is chosen.")
@_choice(
    "--slot",
    "COLUMN",
    "Ask about this column, any number of times; by default whatever matters.",
    "slots",
    multiple=True,
)
@questions_option
@_choice("--top", None, "Items offered at a time.", type=click.IntRange(1, 100), default=5)
@panel_options("Output")(
    "--transcript", "FILE", "Save what is said, understood, proposed and decided, as JSON lines."
)
@answer_format_option
def chat(**given: Any) -> int:
    """Say what you are looking for, be asked what matters, and see what could give way."""
    catalog_fields = {
        name: given.pop(name)
        for name in (
            "catalog",
            "table",
            "as_text",
            "dictionary",
            "location",
            "hours",
            "travel_times",
            "config",
        )
    }
    options = CatalogOptions(**catalog_fields, form=given["form"])
    with spinning(f"reading {options.catalog}"):
        catalog = open_catalog(options)
    with ExitStack() as stack:
        return _converse(catalog, given, stack)


def _converse(catalog: Catalog, given: dict[str, Any], stack: ExitStack) -> int:
    model = chosen_model(given)
    persona = None if given["persona"] is None else _persona(given["persona"])
    session = _session(catalog, given, model)
    if given["transcript"] is not None:
        writer = stack.enter_context(_episode(session, given, model))
        session.save = writer.write
    player = None if persona is None else _player(persona, catalog, model)
    voice = _Voice(given["form"], player)
    try:
        row = _talk(session, voice, _opening(persona, given["opening"]))
    except (KeyboardInterrupt, EOFError, click.Abort):
        session.end("stopped")
        row = session.accepted
    return _show_end(session, row, given["form"])


def _persona(path: str) -> str:
    text = read_up_to(path, MAX_PERSONA_BYTES).decode("utf-8", errors="replace").strip()
    if not text:
        raise UnreadableFile(path, "it is empty")
    return text


def _session(catalog: Catalog, given: dict[str, Any], model: ChatModel | None) -> Session:
    from ....dialogs.conversation.clarifying import CLARIFYING
    from ....dialogs.conversation.session import Session

    fields: dict[str, Any] = {"top": given["top"], "clarifying": CLARIFYING}
    if given["policy"]:
        from ....engine.policies import get_policy

        get_policy(given["policy"])
        fields["policy"] = given["policy"]
    if given["questions"] is not None:
        fields["max_questions"] = given["questions"]
    if given["slots"]:
        fields["slots"] = [catalog.schema.find(slot).name for slot in given["slots"]]
    if given["assist"]:
        fields["extractor"] = assisted_by(model)
    elif model is not None:
        from ....dialogs.conversation.agents import LLMAgent
        from ....dialogs.extraction.llm import LLMExtractor

        fields |= {"agent": LLMAgent(model), "extractor": LLMExtractor(model)}
        fields["weighter"] = _weighter("global", model)
    if given["weighter"]:
        fields["weighter"] = _weighter(given["weighter"], model)
    return Session(catalog, **fields)


def _weighter(name: str, model: ChatModel | None) -> Weighter:
    from ....dialogs.weighters.llm import asking
    from ....dialogs.weighters.weighter import get_weighter

    # One that asks a model asks this one, not whichever the environment names.
    return asking(get_weighter(name), model)


def _player(persona: str, catalog: Catalog, model: ChatModel | None) -> RolePlayer:
    from ....dialogs.conversation.simulators import LLMRolePlayer, OfflineRolePlayer

    return OfflineRolePlayer(persona, catalog) if model is None else LLMRolePlayer(model, persona)


def _episode(session: Session, given: dict[str, Any], model: ChatModel | None) -> EpisodeWriter:
    from ....dialogs.models.prompt import load_prompt, prompt_names
    from ....dialogs.transcripts.episode import EpisodeWriter

    header: dict[str, Any] = {
        "catalog": session.catalog.name,
        "catalog_version": session.catalog.version,
        "policy": session.policy,
        "weighter": session.weighter_name,
        "model": None if model is None else model.name,
        "prompts": [] if model is None else [load_prompt(name).record() for name in prompt_names()],
    }
    return EpisodeWriter(given["transcript"], header)


def _opening(persona: str | None, opening: str | None) -> str | None:
    if opening or persona is None:
        return opening
    from ....dialogs.language.tokens import sentences

    pieces = sentences(persona)
    return pieces[0].text if pieces else persona


class _Voice:
    """Says things to a person, and hears what the person or a role-player says."""

    def __init__(self, form: str, player: RolePlayer | None) -> None:
        self.player = player
        self.stream = sys.stderr if form == "json" else sys.stdout
        self.tables = form == "table"

    def say(self, text: str) -> None:
        """Write lines; what a persona, a model or a catalog says commands no terminal."""
        for line in text.splitlines():
            print(one_line(line), file=self.stream, flush=True)

    def hear(self, prompt: str = "> ") -> str:
        """Return a line of standard input; raise `EOFError` at its end."""
        if sys.stdin.isatty():
            print(prompt, end="", file=self.stream, flush=True)
        line = sys.stdin.readline(1_000_000)
        if not line:
            raise EOFError
        return (_KEYS.sub("", line) if sys.stdin.isatty() else line).rstrip("\n")


def _talk(session: Session, voice: _Voice, opening: str | None) -> dict[str, Any] | None:
    """Hold the conversation; return the row accepted, None for none."""
    if opening is None:
        voice.say("What are you looking for?")
        opening = voice.hear()
    else:
        voice.say(f"> {one_line(opening)}")
    text: str | None = opening
    for _ in range(MAX_ROUNDS):
        said_last = text is not None and _turn(session, voice, text)
        if session.ended is not None and (said_last or not _goes_on(session, voice)):
            break
        if voice.player is not None and session.question is None:
            proposal = session.proposal or session.propose()
            return session.accept() if proposal.is_offer else None
        text = _next(session, voice)
    return session.accepted


def _goes_on(session: Session, voice: _Voice) -> bool:
    """Return whether somebody who has taken something may say more."""
    goes_on = voice.player is None and session.ended == "accepted"
    if goes_on:
        voice.say(ANYTHING_ELSE)
    return goes_on


def _next(session: Session, voice: _Voice) -> str | None:
    """Return what is said next; None where it was a command, and is done."""
    if voice.player is not None and session.question is not None:
        text = voice.player.answer(session.question, session.transcript)
        voice.say(f"> {one_line(text)}")
        return text
    line = voice.hear().strip()
    command = _command(session, line)
    if command is None:
        return line
    try:
        command(session, voice)
    except QueryError as error:
        complain(str(error))
    return None


def _turn(session: Session, voice: _Voice, text: str) -> bool:
    """Hear a turn, say the reply, and show what is offered; return whether it takes leave."""
    if session.accepted is not None and text.casefold() in DONE:
        return True
    done = session.question is not None and text.casefold() in DONE
    before = session.proposal
    if done:
        _propose(session, voice)
        return False
    response = session.respond(text)
    voice.say(response.heard.reply)
    if response.question is not None:
        voice.say(response.question.text)
    if response.proposes and session.proposal is not before and session.accepted is None:
        _show(session, voice)
    acts = {str(act) for act in response.heard.acts}
    return bool(acts & {"end", "thanks"}) and acts <= {"end", "thanks", "affirm", "negate"}


def _propose(session: Session, voice: _Voice) -> None:
    try:
        session.propose()
    except QueryError as error:
        complain(str(error))
        return
    voice.say(session.unused())
    _show(session, voice)


def _command(session: Session, line: str) -> Callable[[Session, _Voice], None] | None:
    """Return what a line does that is no talk: help, a number, a weight, the end."""
    if line.casefold() in ("help", "?"):
        return lambda session, voice: voice.say(HELP)
    if line.casefold() in QUIT:
        return _quit
    if session.question is None and session.accepted is None and line.casefold() == "done":
        return lambda session, voice: voice.say(ASK_OFFER)
    if session.proposal is not None and line.isdigit() and line.isascii():
        place = int(line[:6]) - 1
        return lambda session, voice: _take(session, place)
    if (match := WEIGHT.match(line)) and session.proposal is not None:
        return lambda session, voice: _weigh(session, voice, match["what"], float(match["weight"]))
    return None


def _quit(session: Session, voice: _Voice) -> None:
    """End the conversation as the end of the input does; what is taken stays so."""
    session.end("quit")
    raise EOFError


def _take(session: Session, place: int) -> None:
    session.accept(place)


def _weigh(session: Session, voice: _Voice, what: str, weight: float) -> None:
    from ....dialogs.conversation.naming import column_mentions, named_wishes

    named = column_mentions(what, session.catalog)
    positions = named_wishes(what, named, session.preferences.soft)
    if not positions:
        raise QueryError(f"no wish {what!r}", hint="name a column that you said something about")
    session.reweigh(dict.fromkeys(positions, weight))
    _show(session, voice)


def _show(session: Session, voice: _Voice) -> None:
    if voice.tables and session.proposal is not None:
        from ....rendering.answer_tables import offer_tables

        write_tables(offer_tables(session.proposal.answer, session.catalog.cost_column))
        voice.say(ASK_OFFER if session.proposal.is_offer else ASK_DEAD_END)


def _show_end(session: Session, row: dict[str, Any] | None, form: str) -> int:
    proposal = session.proposal
    if form == "json":
        write_json(_record(session))
    elif row is not None:
        taken = ", ".join(f"{name} {value}" for name, value in row.items() if value is not None)
        print(f"Taken: {one_line(taken)}")
    if row is None and proposal is not None and not proposal.is_offer:
        complain("no repair exists: nothing that may give way helps")
        return proposal.answer.exit_code
    return 0


def _record(session: Session) -> dict[str, Any]:
    return {
        "termination": session.ended,
        "messages": session.transcript.records(),
        "base": [constraint.record() for constraint in session.preferences.base],
        "constraints": [constraint.record() for constraint in session.preferences.soft],
        "objectives": [goal.model_dump() for goal in session.preferences.objectives],
        "weights": None if session.weighing is None else session.weighing.record(),
        "proposal": None if session.proposal is None else session.proposal.record(),
        "accepted": session.accepted,
        "taken": session.taken_rows,
        "taken_numbers": session.taken_numbers,
        "shortlist": session.shortlist_rows,
    }
