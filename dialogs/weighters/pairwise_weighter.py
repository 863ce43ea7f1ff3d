"""Weights from comparisons of two constraints at a time (AWARE-US, section 3).

The published code compares the model's log-probabilities of answering A and B. Chat endpoints
show only the likeliest first tokens, so this is an approximation: tokens that strip to A or B
are added up; where a server gives no log-probabilities, the letter it writes counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from ...catalogs.errors import LimitError
from ...catalogs.query.constraint import NEUTRAL_WEIGHT, Constraint
from ..models.chat_model import Reply, Request
from ..models.prompt import load_prompt
from ..transcripts.transcript import Transcript
from .attribution import read_transcript
from .llm import STATED, UNASKED, LLMWeighter, conversation, named_spans, says_something, wish
from .weighting import Weighed

EPSILON = 1e-6
"""Added to each count of wins before they are normalised, as in the published runs."""

MAX_COMPARED = 24
"""Constraints; each pair takes two calls, so 552 calls in all."""

ALTERNATIVES = 20
"""First tokens asked for, the most that common endpoints give."""


class PairwiseWeighter(LLMWeighter):
    """Each pair is asked about in both orders; replies that disagree are a tie, half each."""

    name = "pairwise"

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Yield each constraint's share of the wins; raise `LimitError` for too many."""
        if len(constraints) > MAX_COMPARED:
            raise LimitError(
                f"{len(constraints)} constraints compared in pairs",
                hint=f"compare at most {MAX_COMPARED}, or use weighter global",
            )
        reading = read_transcript(transcript, constraints)
        has_text = says_something(transcript)
        weights = self._compared(transcript, constraints) if has_text else None
        for number, constraint in enumerate(constraints):
            weight, sure = (weights[number], STATED) if weights else (NEUTRAL_WEIGHT, UNASKED)
            yield Weighed(constraint, weight, sure, named_spans(reading, number))

    def _compared(self, transcript: Transcript, constraints: Sequence[Constraint]) -> list[float]:
        dialogue = conversation(transcript)
        wins = [0.0] * len(constraints)
        for i, j in combinations(range(len(constraints)), 2):
            one_way = self._first_wins(dialogue, constraints[i], constraints[j])
            other_way = 1 - self._first_wins(dialogue, constraints[j], constraints[i])
            # Only replies that agree decide.
            share = one_way if one_way == other_way else 0.5
            wins[i] += share
            wins[j] += 1 - share
        return normalised(wins)

    def _first_wins(self, dialogue: str, first: Constraint, second: Constraint) -> float:
        """Return 1 if the model keeps the first, 0 for the second, ½ if it does not say."""
        text = load_prompt("weigh_pair").render(
            dialogue=dialogue, first=wish(first), second=wish(second)
        )
        plain = Request.of(text, role="weighter", episode=self.episode)
        request = Request(
            plain.messages,
            plain.role,
            plain.episode,
            temperature=0.0,
            max_tokens=1,
            top_logprobs=ALTERNATIVES,
        )
        return choice(self.model.complete(request))


def choice(reply: Reply) -> float:
    """Return 1 for A, 0 for B, ½ for neither, by log-probabilities or else by the text."""
    odds = {"A": 0.0, "B": 0.0}
    for token, logprob in reply.top_logprobs:
        letter = _letter(token)
        if letter in odds and logprob <= 1e-6:
            odds[letter] += math.exp(min(logprob, 0.0))
    if not any(odds.values()):
        odds = {letter: float(_letter(reply.text[:20]) == letter) for letter in odds}
    return 0.5 if odds["A"] == odds["B"] else float(odds["A"] > odds["B"])


def _letter(text: str) -> str:
    """Return a token without what surrounds a bare letter."""
    return text.strip(" \t\r\n.,:;()[]*\"'`_▁Ġ").upper()


def normalised(wins: Sequence[float]) -> list[float]:
    """Return counts of wins as weights that add up to 1, none of them quite 0."""
    total = sum(wins) + EPSILON * len(wins)
    return [(count + EPSILON) / total for count in wins]
