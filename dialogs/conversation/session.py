"""A conversation that ends in an offer: wishes heard, questions answered, relaxations proposed.

    session = Session(catalog)
    print(session.hear("I am looking for a Lexus sedan").reply)
    while question := session.next_question():
        print(session.hear(input(question.text)).reply)
    proposal = session.propose()
    print(session.hear("no, not the price").reply)

The same object serves a person at a terminal, a service, a tool and a benchmark. Every turn is
read by an extractor (what it names and states) and by the encoder of turns (what it does), or by a
chat model; a state is kept before each, so that all of it can be taken back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import NULL_TESTS
from ..extraction.extracted import Extracted, Extraction
from ..extraction.offline import OfflineExtractor
from ..extraction.value_index import index_of
from ..language.wording import listed, quoted, sentence
from ..transcripts.transcript import Message, Span, Transcript
from .acts import NOT_UNDERSTOOD, Act, ActReading, read_acts
from .carried_out import carry_out
from .clarifying import (
    Settled,
    answers_it,
    doubts_of,
    half_heard,
    settled,
    without_questions,
    without_words,
)
from .confirmed import confirmed
from .heard import Heard
from .item_answers import FEW
from .model_turns import TurnReader
from .naming import READ, asked_columns, column_mentions, is_graded, waives_cost
from .negotiation import MAX_QUESTIONS, MAX_TURNS, Negotiation, Proposal, State
from .offline_turns import shipped_reader
from .parts import LIKELY, SURE, Sentence, cut
from .roles import Question, RolePlayer
from .saving import Saved, unsaved
from .sentences import counted, fitting, offer, understood
from .turn import QUIET, Turn

__all__ = [
    "MAX_QUESTIONS",
    "MAX_TURNS",
    "Heard",
    "Proposal",
    "Response",
    "Saved",
    "Session",
    "State",
    "interview",
    "unsaved",
]

MAX_HEARD = 10_000
"""Characters of a turn that are read and kept."""

ANSWERS = ("affirm", "negate", "inform", "correct")
"""Acts that take or refuse what a question offered."""

_SETTLED = Extraction(())
"""What a turn states besides that answers what was unclear: nothing."""


@dataclass(frozen=True)
class Response:
    """What the assistant says to a turn: the reply, and the next question if there is one.

    `proposes`: the items of the proposal are to be shown.
    """

    heard: Heard
    question: Question | None
    proposes: bool

    @property
    def text(self) -> str:
        """All of it, as said."""
        asked = self.question.text if self.question else ""
        return " ".join(filter(None, [self.heard.reply, asked]))


@dataclass
class Session(Negotiation):
    """One conversation with one person over one catalog, in words and by its steps.

    Raises what the model behind a role raises, and `QueryError` where a step is out of turn;
    no words of the person raise anything.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        # A model reads turns after what reads them without one.
        self._model = TurnReader.of(self._extractor)
        self._extractor = self._model.offline if self._model else self._extractor
        self._last_said = ""
        # Whether the last turn named what is to be asked about, and slots asked about later.
        self._half_heard, self._put_off = False, set[str]()
        # What stayed unused of what was said since it was told last.
        self._left: list[str] = []

    def hear(self, text: str) -> Heard:
        """Take in what the person says; return what was understood of it and the reply.

        The first text says what is looked for: the values it names exactly become the base
        slice. What follows may give way. Nothing that was not understood changes anything.
        The reply is not part of the conversation until it is said (`say`, `respond`).
        """
        if len(self.messages) >= MAX_TURNS:
            return self._too_long()
        before = self.state
        if self.ended is not None and self.accepted is None:
            self.ended = None
        message = Message("user", text[:MAX_HEARD])
        unreadable = not message.is_typed
        turn = self._read("" if unreadable else message.content)
        turn.unreadable = unreadable
        read = self._model.read(self, turn) if self._model is not None else None
        self._say(message)
        self._half_heard, self._next = False, None
        if read is None:
            self._take_doubts(turn)
        else:
            turn.settles, turn.by_model = None, True
        undone = False
        try:
            read = read or shipped_reader().read(self, turn)
            turn.read_as(read.extraction, read.acts)
            undone = any(move.act == "undo" for move in read.moves) and not turn.states
            reply = carry_out(self, turn, read)
        except (QueryError, ValueError, ArithmeticError, TypeError, LookupError):
            # No words raise anything, nor leave a step half done.
            self.put_back(before)
            reply = f"I could not do that. {understood(self)}"
        turn.keeps_question |= self._half_heard and turn.question is not None
        if turn.is_about_else:
            self._ask_later(turn.question)
        if not turn.keeps_question:
            self._doubt = None
        if unreadable or (len(text) > READ and not turn.states):
            self._unweighed.add(len(self.messages) - 1)
        self._question = self._question if turn.keeps_question else None
        if not undone:
            self._remember(replace(before, messages=len(self.messages) - 1))
        heard = Heard.of(turn.taken, turn.acts, reply)
        self._last_said = reply
        self.save("understood", **heard.record())
        return heard

    def _too_long(self) -> Heard:
        reply = (
            f"We have said {MAX_TURNS:,} things; please begin a new conversation. "
            f"{understood(self)}"
        )
        return Heard((), acts=(Act(NOT_UNDERSTOOD),), reply=reply)

    def _read(self, text: str) -> Turn:
        first = not any(message.role == "user" for message in self.messages)
        question, latest = self._question, Message("user", text)
        exchange = [Message("assistant", question.text), latest] if question else [latest]
        mentioned = column_mentions(text, self.catalog)
        found, reading, parts = self._heard_in(exchange, question, mentioned)
        is_offline = isinstance(self._extractor, OfflineExtractor)
        left = bool(found.named)  # What it names is a remark beside this question.
        if question and is_offline and not left and not _is_answer(found, reading, question.slot):
            # It may say something else than what was asked; a model is not called twice a turn.
            alone = self._heard_in([latest], None, mentioned)
            aims = (*alone[0].constraints, *alone[0].objectives, *alone[0].leanings)
            # Where words are left over, it is surely meant or not at all.
            least = SURE if alone[0].not_understood else LIKELY
            also = any(part.also for part in alone[0].constraints)
            if also or any(part.score >= least for part in aims):
                exchange, (found, reading, parts) = [latest], alone
        kept = tuple(p for p in found.constraints if not p.implied or self._implies(p, reading))
        found = replace(found, constraints=kept)
        if (answer := self._answer(text, reading)) is not None:
            # What it says besides, of other columns, is heard as well.
            about = {*answer.doubt.unknown.columns}
            rest = [p for p in kept if not p.implied and p.constraint.column not in about]
            if found.not_understood and is_offline and len(exchange) > 1:
                # Beside an answer less is read.
                about |= {part.constraint.column for part in rest}
                alone = self._heard_in([latest], None, mentioned)[0].constraints
                sure = (p for p in alone if p.score >= LIKELY)
                rest += [p for p in sure if p.constraint.column not in about]
            besides = replace(_SETTLED, constraints=tuple(rest))
            return Turn(text, besides, reading, parts, {}, first, question, settles=answer)
        said_yes = None
        # A yes refuses nothing that the question names.
        if question is not None and all(
            part.constraint.op in NULL_TESTS or (part.implied and part.constraint.op == "!=")
            for part in found.constraints
        ):
            answer = Span(len(exchange) - 1, 0, len(text), text)
            said_yes = confirmed(question, answer, reading, self.catalog)
        found = (said_yes or found).placed(len(self.messages) + 1 - len(exchange))
        cost = self.catalog.cost_column if waives_cost(text) else None
        if cost and all(part.constraint.column != cost for part in found.constraints):
            found = replace(found, waived=(*found.waived, cost))
        answered = said_yes is not None or any(part.implied for part in found.constraints)
        offers = self.offered is not None
        asking = [(part.start, part.end) for part in parts if part.asks]
        mentioned = asked_columns(text, asking, mentioned, self.catalog)
        return Turn(text, found, reading, parts, mentioned, first, question, offers, answered)

    def _implies(self, part: Extracted, reading: ActReading) -> bool:
        """Return whether a turn says what no words of its own but the question before name."""
        if not any(act in ANSWERS for act in reading.acts):
            # Whoever does not surely take or refuse what was offered did not mean it.
            quiet = any(act in QUIET for act in reading.acts)
            return not quiet and part.score >= SURE
        if reading.get("affirm"):
            return True
        if reading.get("ask_more"):
            return False  # Another one is none of those that were named.
        # Of what is or is not, a no wishes for nothing that is.
        yes_no = index_of(self.catalog).yes_no.get(part.constraint.column or "")
        is_yes = yes_no is not None and part.constraint.value == yes_no.yes
        refuses = reading.get("negate")
        return not (is_yes and refuses and refuses.confidence > reading.informs)

    def _heard_in(
        self,
        exchange: Sequence[Message],
        question: Question | None,
        mentioned: Mapping[str, Sequence[tuple[int, int]]],
    ) -> tuple[Extraction, ActReading, list[Sentence]]:
        """Return what the last message of an exchange states, and what it and its sentences do."""
        text, slot = exchange[-1].content, question.slot if question else None
        found = self._extractor.extract(Transcript.of(exchange), self.catalog, slot=slot)
        named = (*found.constraints, *found.named)
        said = [part.evidence for part in named if not part.implied]
        values = [(span.start, span.end) for span in said if span.message == len(exchange) - 1]
        spans = [span for mentions in mentioned.values() for span in mentions]
        columns = [(start, end) for start, end in spans if not is_graded(text[start:end])]
        before = question.text if question else self._last_said

        def read(start: int, end: int) -> ActReading:
            within = (_within(spans, start, end) for spans in (values, columns))
            of_values, of_columns = within
            return read_acts(text[start:end], before, values=of_values, columns=of_columns)

        whole, places = read(0, len(text)), cut(text)
        sentences = [
            Sentence(text[start:end], start, end, whole if len(places) < 2 else read(start, end))
            for start, end in places
        ]
        return found, whole, sentences

    def _answer(self, text: str, reading: ActReading) -> Settled | None:
        """Return what a turn says of what was asked about as unclear, if it was."""
        if self._doubt is None or self._question is None:
            return None
        return settled(self._doubt, text, reading, self.catalog)

    def _take_doubts(self, turn: Turn) -> None:
        """Keep what is unclear in a turn, to be asked."""
        if turn.get("undo"):
            self._doubts = []
        if self.clarifying and turn.states and turn.settles is None:
            known = self.preferences.known
            doubts, unlinked = doubts_of(turn.text, turn.taken, self.catalog, known)
            slot = turn.question.slot if turn.question else ""
            self._doubts = [doubt for doubt in doubts if not answers_it(turn.taken, slot, doubt)]
            parts = (*turn.found.not_understood, *turn.found.unresolved)
            left = [part.evidence.text for part in parts]
            self._left += left
            self._left += [words for words in unlinked if not any(w in words for w in left)]
            turn.taken = without_questions(turn.taken, self._doubts)
        elif self._may_clarify and turn.is_unclear and self.proposal is None:
            doubts = half_heard(turn.found, self.wording)
            self._half_heard = bool(doubts)
            if doubts:
                turn.taken = without_words(turn.taken, doubts)
                open_doubt = [self._doubt] if self._doubt and turn.question else []
                self._doubts = [*doubts, *open_doubt, *self._doubts]

    def _next_doubt(self) -> Question | None:
        """Return the question about what is unclear and still matters; None for nothing."""
        while self._doubts and self._may_clarify:
            doubt = self._doubts.pop(0).recounted(self.catalog.snapshot(), self.preferences.known)
            if doubt is not None:
                self._ask_later(self._question)
                self._doubt = doubt
                self._clarified += 1
                return doubt.question()
        self._doubts, self._doubt = [], None
        return None

    @property
    def _may_clarify(self) -> bool:
        """Whether another question about what is unclear may be asked."""
        return self._clarified < min(self.clarifying, self.max_questions)

    def _ask_later(self, question: Question | None) -> None:
        """Have a slot's question asked again that is put off, once."""
        if question is not None and self._doubt is None and question.slot not in self._put_off:
            self._put_off.add(question.slot)
            self._asked_slots = [slot for slot in self._asked_slots if slot != question.slot]

    def begin_anew(self) -> None:
        """Forget all that is wished, offered, asked and unclear, not what is taken."""
        super().begin_anew()
        self._doubts, self._doubt, self._left = [], None, []
        self._put_off.clear()

    def undo(self) -> bool:
        """Put back what the last step changed, and ask nothing about it any more."""
        self._doubts, self._doubt = [], None
        return super().undo()

    def next_question(self) -> Question | None:
        """Return the next question, now part of the conversation; None when enough was asked.

        What is unclear is asked before any slot that is open.
        """
        if (follow_up := self._next) is not None and not (self.ended or self._is_full):
            self._next = None
            self._say(Message("assistant", follow_up.text, follow_up.slot))
            self._question = follow_up
            return follow_up
        if not (self.ended or self._is_full) and (doubt := self._next_doubt()) is not None:
            self._say(Message("assistant", doubt.text, doubt.slot))
            self._question = doubt
            return doubt
        if len(self._asked_slots) >= self.max_questions or self.ended or self._is_full:
            return None
        slots = self.open_slots
        if not slots:
            return None
        question = self._agent.ask(self.transcript, self.preferences.known, slots)
        if question is None:
            return None
        self._asked_slots.append(question.slot)
        self._say(Message("assistant", question.text, question.slot))
        self._question = question
        return question

    def ask_again(self, question: Question) -> None:
        """Ask once more what nobody answered: it is the question to answer now."""
        self._say(Message("assistant", f"I did not get that. {question.text}", question.slot))
        self._question = question

    @property
    def _is_full(self) -> bool:
        return len(self.messages) >= MAX_TURNS

    def say(self, text: str) -> None:
        """Add what the assistant tells the person."""
        super().say(text)
        self._last_said = text

    def respond(self, text: str, *, propose: bool = False) -> Response:
        """Hear, say the reply, and go on: the next question, or a proposal when enough is known.

        `propose`: propose now, whatever is still open. Where the person asked something while a
        question is open, that question stays the one to answer.
        """
        goals = list(self.preferences.objectives)
        heard = self.hear(text)
        asks = self._next is not None
        proposes = self.proposal is not None and self.accepted is None and not asks
        # Where few fit, or nothing any more, more questions do not help, nor where one is taken;
        # whoever says what is to be asked wants it asked.
        few = FEW if self._model is None else self.top + 1
        count = counted(self) if self.preferences.known else few
        settled = count < (few if self.slots is None else 2)
        if settled and count:
            self._doubts = [doubt for doubt in self._doubts if doubt.unknown.kind != "vague"]
        takes = any(
            (act, act.topic) == ("affirm", "select") and act.confidence >= LIKELY
            for act in heard.acts
        )
        # Whoever says what there should be least of wants to see it.
        aims = self.preferences.objectives not in ([], goals) and not self._doubts
        enough = (settled and not self._doubts) or (takes and not heard.constraints) or aims
        propose = (propose or enough) and not asks
        question = None if self._half_heard or asks else self._question
        # Whoever took something and wishes for nothing more is asked nothing more.
        done = bool(self.basket) and not heard.constraints
        if not (proposes or propose or done) and question is None and self.ended is None:
            self.tell(heard.reply)
            question = self.next_question()
        else:
            self.tell(heard.reply)
        ready = question is None or propose
        wishes = bool(self.preferences.known or self.preferences.objectives)
        if not proposes and ready and self.ended is None and wishes:
            proposal = self.propose()
            told = f"{self.unused()} {offer(self, proposal)}".strip()
            self.tell(told)
            said = f" {heard.reply}".replace(f" {sentence(fitting(self))}", "").strip()
            heard = replace(heard, reply=f"{said} {told}".strip())
            proposes, question = True, None
        return Response(heard, question, proposes)

    def unused(self) -> str:
        """Return what of all that was said stayed unused, once; empty where nothing did."""
        said = " ".join(m.content for m in self.messages if m.role == "assistant")
        left = [words for words in dict.fromkeys(self._left) if quoted(words) not in said]
        self._left = []
        return sentence(f"I did not use: {listed(map(quoted, left))}") if left else ""

    def tell(self, reply: str) -> None:
        """Say a reply, where there is one and room for it."""
        if reply and not self._is_full:
            self.say(reply)


def _is_answer(found: Extraction, reading: ActReading, slot: str) -> bool:
    """Return whether a turn surely says something of what was asked about."""
    if reading.get("dont_care") or reading.get("dont_know"):
        return True
    stated = [part for part in found.constraints if part.constraint.column == slot]
    if any(not part.implied for part in stated):
        return True
    said = bool(reading.get("affirm") or reading.get("negate"))
    return (said and bool(stated)) or any(part.column == slot for part in found.unresolved)


def _within(spans: Sequence[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """Return the spans that lie between two places, counted from the first."""
    return [(a - start, b - start) for a, b in spans if start <= a and b <= end]


def interview(session: Session, player: RolePlayer, opening: str) -> Proposal:
    """Return the proposal at the end of a conversation.

    The opening is heard, every question the agent asks is answered by the player, and what
    was understood is proposed. Raises what session and player raise.
    """
    session.hear(opening)
    while (question := session.next_question()) is not None:
        session.hear(player.answer(question, session.transcript))
    return session.propose()
