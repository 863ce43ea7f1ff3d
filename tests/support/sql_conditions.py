"""Conditions in SQL over the edge rows: every operator and function that is allowed."""

from pathlib import Path

ASKED = tuple(
    line
    for line in Path(__file__).with_name("sql_conditions.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
)
"""What every engine is asked."""

REFUSED = {
    "left(\"Name\", -1) = 'ad'": "left() with -1",
    "substring(\"Name\", 0, 2) = 'da'": "substring() with 0",
    "round(double, 2) > 3": "round() of DOUBLE to some digits",
    "double % 2 > 0": "DOUBLE % INTEGER",
    "double // 2 > 0": "DOUBLE // INTEGER",
    'TRY_CAST("Name" AS INTEGER) = 1': "TryCast of VARCHAR to INTEGER",
    'CAST("Name" AS INTEGER) = 1': "Cast of VARCHAR to INTEGER",
    "CAST(double AS VARCHAR) = '1.5'": "Cast of DOUBLE to VARCHAR",
    '"Name" = 5': "VARCHAR beside INTEGER",
    "day + 1 > DATE '2020-03-01'": "DATE + INTEGER",
    '"Name" ILIKE note': "ILIKE with a pattern that is no text in quotes",
}
"""What Postgres is not asked, and by what name it is refused."""
