"""Every kind of constraint on the columns of the edge rows, by values on which engines disagree."""

from datetime import date, datetime

from concede.catalogs.query.constraint import Constraint

NUMBERS = [
    0, -0.0, 1, 2.5, -1.5, 0.1, 4.8, 2**53, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1,
    10**20, -(10**20), 1e300, -1e300, 99999999999999.9999, "99999999999999.9999",
    "9007199254740993.5", 32767, 40000, 0.005, 1.07, 123456.789, 5e-324, 2147483648, -7,
]  # fmt: skip
TEXTS = [
    "Ada", "ada", "a", "Z", "", " x ", "o'x\\y\nz", "a\\", "Ä", "straße", "日本", "b", "\U0001f600",
    "'; DROP TABLE items; --", '"q"', "%", "e\u0301", 300,
]  # fmt: skip
PATTERNS = [
    "%a%", "A%", "_da", "a\\", "a\\%", "%\\y%", "100%", "a_b", "%", "", "%'%", "STRASSE", "stra_e",
    "ä", "%É", "K9", "i%", "\u0131%", "%\u03c3", "_", "__", "%\n%", "%\\", "\\\\",
]  # fmt: skip
DAYS = [
    "0001-01-01", "1582-10-10", "1969-12-31", "2020-02-29", "9999-12-31", "2020-02-29T12:00:00",
    "2024-03-10T02:30:00", "2024-07-01T12:00:00.000005", "2024-07-01T14:00:00.000005+02:00",
    date(2024, 12, 31), datetime(9999, 12, 30, 23),
]  # fmt: skip
COMPARED = ("==", "!=", "<", "<=", ">", ">=")
VALUES = {
    **dict.fromkeys(("small", "n", "big", "price", "fine", "double"), NUMBERS),
    "single": [number for number in NUMBERS if not isinstance(number, str) and abs(number) < 1e38],
    **dict.fromkeys(("Name", "note"), TEXTS),
    **dict.fromkeys(("day", "at", "seen"), DAYS),
}


def constraints_on(column: str) -> list[Constraint]:
    """Return every kind of constraint on a column, by many values."""
    values, text = VALUES[column], column in ("Name", "note")
    made = [
        Constraint(column=column, op=op, value=value)
        for op in COMPARED
        for value in values
        if not (text and op[0] in "<>" and not isinstance(value, str))
    ]
    pairs = zip(values, values[3:] + values[:3], strict=True)
    if not text:
        made += [Constraint(column=column, op="between", value=list(pair)) for pair in pairs]
    for op in ("in", "not in"):
        made += [Constraint(column=column, op=op, value=values[i : i + 4]) for i in range(0, 9, 3)]
    if text:
        made += [
            Constraint(column=column, op=op, value=pattern)
            for op in ("like", "ilike", "contains")
            for pattern in PATTERNS
        ]
        made.append(Constraint(column=column, op="contains any", value=["da", "%", "ß"]))
    made += [Constraint(column=column, op=op) for op in ("is null", "is not null")]
    return made + [each.model_copy(update={"nulls": "match"}) for each in made[::5]]
