"""What to offer: the ranked rows, each with why it stands where it does."""

from __future__ import annotations

from collections.abc import Mapping

from .answer import Contribution, Item
from .case import Case
from .rows import Ranked
from .shown import Shown


def items(case: Case, ranked: Ranked, rows: Mapping[int, Shown]) -> tuple[Item, ...]:
    """Return the ranked rows as items, best first."""
    shown = zip(
        [rows[place] for place in ranked.places.tolist()],
        ranked.scores.tolist(),
        ranked.satisfaction.T.tolist(),
        ranked.pareto.tolist(),
        strict=True,
    )
    return tuple([_item(case, *one) for one in shown])


def _item(case: Case, shown: Shown, score: float, satisfaction: list[float], pareto: bool) -> Item:
    return Item(
        row_id=shown.row_id,
        row=shown.row,
        score=score,
        meets=tuple([position for position, far in enumerate(shown.far) if not far]),
        misses=tuple([position for position, far in enumerate(shown.far) if far]),
        contributions=tuple(
            [
                Contribution(
                    column=term.column,
                    position=term.position,
                    weight=term.weight,
                    satisfaction=share,
                    contribution=term.weight * share,
                )
                for term, share in zip(case.plan.terms, satisfaction, strict=True)
            ]
        ),
        pareto=pareto,
    )
