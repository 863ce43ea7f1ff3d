"""Turns said with their labels, as if each was heard rightly: `{take:the second}, please`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from concede import Catalog
from concede.bench.understanding.turn_records import ACT_NAMES, ROLES, MarkedTurn, marked_turn
from concede.dialogs import Session
from concede.dialogs.conversation import session as sessions
from concede.dialogs.conversation.offline_turns import OfflineTurns
from concede.dialogs.conversation.turn_encoder import NOTHING, HeardTurn
from concede.dialogs.language.tokens import tokens

ALL_ROLES = (NOTHING, *ROLES)


@dataclass
class Labelled:
    """Hears what the labels of a turn say."""

    turn: MarkedTurn

    def hear(self, text, before, sentences):
        acts = []
        for start, end in sentences:
            inside = [gold for (a, b), gold in self.turn.sentences if a < end and start < b]
            acts.append({name: float(any(name in gold for gold in inside)) for name in ACT_NAMES})
        words = tokens(text)
        chances = np.zeros((len(words), len(ALL_ROLES)), np.float32)
        for at, word in enumerate(words):
            marks = self.turn.marks
            roles = (m.role for m in marks if word.start < m.span[1] and m.span[0] < word.end)
            chances[at, ALL_ROLES.index(next(roles, NOTHING))] = 1
        return HeardTurn(acts, [(word.start, word.end) for word in words], chances, ALL_ROLES)


def said(monkeypatch: pytest.MonkeyPatch, catalog: Catalog, *turns: tuple[str, ...]):
    """Return a session and its replies to turns: what is said, and its acts, in turn."""
    session = Session(catalog, weighter="lexical")
    replies = []
    for turn in turns:
        marked = marked_turn("", list(zip(turn[::2], turn[1::2], strict=True)), ACT_NAMES)
        reader = OfflineTurns(Labelled(marked))  # type: ignore[arg-type]
        monkeypatch.setattr(sessions, "shipped_reader", lambda reader=reader: reader)
        replies.append(session.respond(marked.text).text)
    return session, replies
