"""`concede chat`: a conversation at the terminal, with a person or a persona."""

from __future__ import annotations

import sys
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
    from ....dialogs.conversation.session import Proposal, Session
    from ....dialogs.models.chat_model import ChatModel
    from ....dialogs.transcripts.episode import EpisodeWriter
    from ....dialogs.weighters.weighter import Weighter

MAX_ROUNDS = 50
"""Reactions to proposals in one conversation."""

MAX_PERSONA_BYTES = 100_000

HELP = """\
yes, or the number of an item: take it
no, or "anything but the price": that stays, look again
weight price 0.9: how much it matters, from 0 to 1
anything else: another wish, or one changed
quit: end without an item\
"""

ASK_OFFER = "Take it? (yes, the number of an item, no, help, quit)"
ASK_DEAD_END = "What could be different? (help, quit)"

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
        name: given.pop(name) for name in ("catalog", "table", "as_text", "dictionary")
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
        row = None
    return _show_end(session, row, given["form"])


def _persona(path: str) -> str:
    text = read_up_to(path, MAX_PERSONA_BYTES).decode("utf-8", errors="replace").strip()
    if not text:
        raise UnreadableFile(path, "it is empty")
    return text


def _session(catalog: Catalog, given: dict[str, Any], model: ChatModel | None) -> Session:
    from ....dialogs.conversation.session import Session

    fields: dict[str, Any] = {"top": given["top"]}
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
        return line.rstrip("\n")


def _talk(session: Session, voice: _Voice, opening: str | None) -> dict[str, Any] | None:
    """Hold the conversation; return the row accepted, None for none."""
    if opening is None:
        voice.say("What are you looking for?")
        opening = voice.hear()
    else:
        voice.say(f"> {one_line(opening)}")
    _understood(session, voice, opening)
    _ask(session, voice)
    proposal = session.propose()
    _show(proposal, session, voice)
    if voice.player is not None:
        return session.accept() if proposal.is_offer else None
    for _ in range(MAX_ROUNDS):
        voice.say(ASK_OFFER if proposal.is_offer else ASK_DEAD_END)
        outcome = _react(session, voice, proposal, voice.hear())
        if outcome is None or isinstance(outcome, dict):
            return outcome
        if outcome is not proposal:
            _show(outcome, session, voice)
        proposal = outcome
    session.end("too many rounds")
    return None


def _understood(session: Session, voice: _Voice, text: str) -> None:
    from ....catalogs.query.constraint import words

    extraction = session.hear(text)
    if extraction.constraints:
        wishes = [words(extracted.constraint) for extracted in extraction.constraints]
        voice.say(f"understood: {'; '.join(wishes)}")
    for extracted in extraction.constraints:
        if extracted.question:
            voice.say(f"unsure: {extracted.question}")


def _ask(session: Session, voice: _Voice) -> None:
    """Ask until enough is known; an empty line or `done` ends the questions."""
    while (question := session.next_question()) is not None:
        voice.say(question.text)
        if voice.player is None:
            text = voice.hear()
            if text.strip().casefold() in ("", "done"):
                return
        else:
            text = voice.player.answer(question, session.transcript)
            voice.say(f"> {one_line(text)}")
        _understood(session, voice, text)


def _react(
    session: Session, voice: _Voice, proposal: Proposal, text: str
) -> Proposal | dict[str, Any] | None:
    """Do what the person says; return a new proposal, the row taken, or None at the end."""
    from ....dialogs.conversation.reactions import reaction

    line = text.strip()
    if line.isdigit() and line.isascii():
        return _accepted(session, voice, proposal, int(line[:6]) - 1)
    if line.casefold() in ("help", "?"):
        voice.say(HELP)
        return proposal
    reply = reaction(line, session.preferences.soft)
    if reply.kind == "stop":
        session.end("quit")
        return None
    if reply.kind == "accept":
        return _accepted(session, voice, proposal, 0)
    try:
        if reply.kind == "refuse":
            return session.refuse(reply.positions or None)
        if reply.kind == "reweigh":
            return session.reweigh(reply.weights)
        if line:
            _understood(session, voice, line)
            return session.propose()
    except QueryError as error:
        complain(str(error))
    return proposal


def _accepted(
    session: Session, voice: _Voice, proposal: Proposal, place: int
) -> Proposal | dict[str, Any]:
    try:
        return session.accept(place)
    except QueryError as error:
        complain(str(error))
        return proposal


def _show(proposal: Proposal, session: Session, voice: _Voice) -> None:
    if voice.tables:
        from ....rendering.answer_tables import offer_tables

        write_tables(offer_tables(proposal.answer, session.catalog.cost_column))
    else:
        voice.say(proposal.answer.explanation)


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
        "weights": None if session.weighing is None else session.weighing.record(),
        "proposal": None if session.proposal is None else session.proposal.record(),
        "accepted": session.accepted,
    }
