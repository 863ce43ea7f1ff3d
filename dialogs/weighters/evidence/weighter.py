"""The weighter of one person's events, alone and beside words."""

from __future__ import annotations

from collections.abc import Iterator

from ....catalogs.query.constraint import Constraint
from ...transcripts.transcript import Transcript
from ..learned import EnsembleWeighter, LearnedWeighter
from ..weighter import Weighed, Weighter
from .behaviour import Behaviour
from .choices import feature_of
from .person import Judged


class EvidenceWeighter(Weighter):
    """What somebody did with lists they saw, whatever they say; neutral where nothing is known."""

    name = "evidence"

    def __init__(self, behaviour: Behaviour | None = None, user: str | None = None) -> None:
        self.behaviour, self.user = behaviour, user

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Yield the weights with the events that moved them."""
        person = None if self.behaviour is None else self.behaviour.person(self.user)
        for constraint in constraints:
            judged = Judged() if person is None else person.judged(feature_of(constraint))
            yield Weighed(constraint, judged.weight, judged.confidence, because=judged.because)


def beside_words(behaviour: Behaviour, user: str | None, words: Weighter | None = None) -> Weighter:
    """Return a weighter that takes a person's words and events, each as far as it is sure.

    Words alone, where no event of the person is known.
    """
    words = words or LearnedWeighter()
    if not behaviour.knows(user):
        return words
    return EnsembleWeighter((words, EvidenceWeighter(behaviour, user)))
