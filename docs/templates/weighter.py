"""A weighter of your own: copy, rename, and offer it as an entry point.

    [project.entry-points."concede.weighters"]
    shouted = "my_package.weighter:ShoutedWeighter"

`get_weighter("shouted")` and `concede weigh --weighter shouted` then use it. A built-in one is
a file in `dialogs/weighters/` and a line in `dialogs/weighters/weighter.py`. Either way
`tests/contract/test_every_weighter.py` runs it against the same suite as all others.
"""

from collections.abc import Iterator

from concede.catalogs.query.constraint import NEUTRAL_WEIGHT, Constraint
from concede.dialogs import Span, Transcript, Weighed, Weighter
from concede.dialogs.weighters.attribution import read_transcript


class ShoutedWeighter(Weighter):
    """What is written in capitals matters: produce a weight, and say which words justify it."""

    name = "shouted"

    def judge(
        self, transcript: Transcript, constraints: tuple[Constraint, ...]
    ) -> Iterator[Weighed]:
        """Weigh each constraint by the clauses that are about it."""
        # Which clause is about which constraint is worked out for you.
        reading = read_transcript(transcript, constraints)
        for number, constraint in enumerate(constraints):
            spans = dict.fromkeys(evidence.clause.span for evidence in reading.evidence[number])
            shouted = tuple(span for span in spans if _is_shouted(span))
            weight = 0.9 if shouted else NEUTRAL_WEIGHT
            # Say how surely: the probability of being within 0.2 of the truth.
            yield Weighed(constraint, weight, 0.6 if shouted else 0.3, shouted)


def _is_shouted(span: Span) -> bool:
    return any(len(word) > 2 and word.isalpha() and word.isupper() for word in span.text.split())
