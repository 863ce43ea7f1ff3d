"""What to offer: the ranked rows, each with why it stands where it does."""

from __future__ import annotations

from ..catalogs.catalog import Row
from .answer import Contribution, Item
from .case import Case
from .rows import Ranked


def items(case: Case, ranked: Ranked) -> tuple[Item, ...]:
    """Return the ranked rows as items, best first."""
    numbers = case.rows.row_ids(ranked.places)
    met = (case.rows.far(ranked.places) == 0).T.tolist()
    satisfaction = ranked.satisfaction.T.tolist()
    shown = zip(
        case.catalog.row_ids(numbers),
        case.fetch(numbers),
        ranked.scores.tolist(),
        met,
        satisfaction,
        ranked.pareto.tolist(),
        strict=True,
    )
    return tuple(_item(case, *one) for one in shown)


def _item(
    case: Case,
    row_id: int,
    row: Row,
    score: float,
    met: list[bool],
    satisfaction: list[float],
    pareto: bool,
) -> Item:
    return Item.made(
        row_id=row_id,
        row=row,
        score=score,
        meets=tuple(position for position, yes in enumerate(met) if yes),
        misses=tuple(position for position, yes in enumerate(met) if not yes),
        contributions=tuple(
            Contribution.made(
                column=term.column,
                position=term.position,
                weight=term.weight,
                satisfaction=share,
                contribution=term.weight * share,
            )
            for term, share in zip(case.plan.terms, satisfaction, strict=True)
        ),
        pareto=pareto,
    )
