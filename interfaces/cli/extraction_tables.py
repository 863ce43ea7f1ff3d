"""What was read from a text, as tables for people: wishes, aims, and what was not understood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Group, RenderableType

    from ...dialogs.extraction.extracted import Extracted, Extraction

LOW_HIGH = {"min": "as low as possible", "max": "as high as possible"}
RATHER = {"min": "rather low", "max": "rather high"}


def extraction_tables(extraction: Extraction, catalog: str) -> Group:
    """Return everything that was read from a text about the catalog of that name."""
    from rich.console import Group
    from rich.text import Text

    from ...rendering.terminal_table import harmless

    parts: list[RenderableType] = [_constraints(extraction, catalog)]
    parts += [
        Text(harmless(extracted.question))
        for extracted in extraction.constraints
        if extracted.question
    ]
    parts = with_tables(parts, extraction)
    if extraction.waived:
        parts.append(Text(harmless(f"No wish about {', '.join(extraction.waived)}.")))
    return Group(*parts)


def with_tables(parts: Sequence[RenderableType], extraction: Extraction) -> list[RenderableType]:
    """Return parts, and after them tables of aims and of what was left over, if any."""
    from rich.text import Text

    shown = list(parts)
    for table in filter(None, (aims_table(extraction), left_table(extraction))):
        # A table ends with an empty line, a text does not.
        shown += [Text(), table] if isinstance(shown[-1], Text) else [table]
    return shown


def _constraints(extraction: Extraction, catalog: str) -> Any:
    from rich.text import Text

    from ...rendering.terminal_table import Grid, cut, harmless

    constraints = extraction.constraints
    if not constraints:
        return Text(harmless(f"No constraint on {catalog} in this text."))
    # A column of its own only where something is hard: most texts have none.
    some_hard = any(extracted.constraint.hard for extracted in constraints)
    headers = ["column", "op", "value", *(["must"] * some_hard), "score", "said as", "or else"]
    rows = [
        [
            cut(extracted.constraint.column or ""),
            extracted.constraint.op,
            cut(_value(extracted)),
            *(["must" if extracted.constraint.hard else ""] * some_hard),
            f"{extracted.score:.2f}",
            cut(extracted.evidence.text),
            cut(_scored(extracted.alternatives), 80),
        ]
        for extracted in constraints
    ]
    plural = "" if len(constraints) == 1 else "s"
    title = f"{len(constraints)} constraint{plural}"
    return Grid(title, headers, rows, frozenset(("score",)))


def _scored(values: Sequence[tuple[object, float]]) -> str:
    return ", ".join(f"{value} ({score:.2f})" for value, score in values[:3])


def _value(extracted: Extracted) -> str:
    from ...catalogs.query.constraint import spoken

    value, column = extracted.constraint.value, extracted.constraint.column or ""
    if value is None:
        return ""
    if not isinstance(value, tuple):
        return spoken(value, column)
    between = " to " if extracted.constraint.op == "between" else ", "
    return between.join(spoken(part, column) for part in value)


def aims_table(extraction: Extraction) -> Any | None:
    """Return what is wished as low or high as possible, or rather low or high; None for nothing."""
    from ...catalogs.query.constraint import words
    from ...rendering.terminal_table import Grid, cut

    aims = [(LOW_HIGH[aim.direction], aim) for aim in extraction.objectives]
    aims += [(RATHER[leaning.direction], leaning) for leaning in extraction.leanings]
    rows: list[tuple[str, ...]] = []
    for way, aim in aims:
        bound = "" if aim.constraint is None else f": {words(aim.constraint)}"
        told = cut(f"{way}{bound}", 80)
        rows.append((cut(aim.column), told, f"{aim.score:.2f}", cut(aim.said)))
    if not rows:
        return None
    return Grid("Preferred", ("column", "how", "score", "said as"), rows, frozenset(("score",)))


def left_table(extraction: Extraction) -> Any | None:
    """Return what no reading accounts for, and why; None where there is nothing."""
    from ...rendering.terminal_table import Grid, cut

    rows = [
        (cut(part.evidence.text), part.reason, cut(_scored(part.nearest), 80))
        for part in (*extraction.unresolved, *extraction.not_understood)
    ]
    return Grid("Not understood", ("said", "why", "nearest"), rows) if rows else None
