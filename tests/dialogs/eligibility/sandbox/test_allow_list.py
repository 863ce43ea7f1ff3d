"""What the allow-list passes, and what it says of what it does not."""

from __future__ import annotations

import pytest

from concede.catalogs.errors import SandboxError
from concede.dialogs.eligibility.sandbox.allow_list import check_source

PASSES = {
    "helper and constant": "L = {1: 2}\ndef f(m):\n    return m['a'] > L[1]\ndef eligible(hh):\n "
    "   return f(hh[0])",
    "nested helper": "def eligible(hh):\n    def f(m):\n        return m['a']\n    return "
    "any(f(m) for m in hh)",
    "annotations": "def eligible(hh: dict[str, int]) -> bool:\n    n: int = 3\n    return n > 2",
    "loops": "def eligible(hh):\n    for i, m in enumerate(hh):\n        if m['a']:\n            "
    "break\n    return True",
    "texts": "def eligible(hh):\n    return hh['a'].lower().strip() == 'x'",
    "list": "def eligible(hh):\n    return len([m for m in hh if m['a']]) > 1",
    "docstrings": '"""One."""\ndef eligible(hh):\n    """Two."""\n    return True',
}


@pytest.mark.parametrize("name", PASSES)
def test_it_passes(name: str) -> None:
    assert check_source(PASSES[name]).tree.body


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("return hh.get('a')", r"line 2: the attribute \.get is not allowed; read hh\['key'\]"),
        ("return hh['a' + 'b']", "line 2: a key is not written as a literal"),
        ("return hh[f'{1}']", "literal|f-string"),
        ("while True: pass", "line 2: while is not allowed"),
        ("import os", "line 2: an import is not allowed"),
        ("return print(1)", "line 2: no function 'print'"),
        ("return nothing", "line 2: the name 'nothing' is not bound"),
        ("return sum([1], start=2)", "arguments by name"),
        ("return (m for m in hh)", "a generator stands outside"),
        ("len = 3", "the name 'len' is taken"),
        ("hh[0]['a'] = 3", "only names can be assigned"),
        ("eligible", "an expression whose value is not used"),
        ("return eligible(hh)", "the function 'eligible' calls itself"),
        ("return 2 ** 3", r"\*\* is not allowed"),
        ("return 10000000000000", "the constant is too large"),
        ("return hh[0:1]", "a slice is not allowed"),
        ("return [*hh]", "a starred expression is not allowed"),
        ("return b'x'", "a bytes"),
        ("x = y = 3", "one target at a time"),
        ("return (", "line 2: no Python"),
    ],
)
def test_it_refuses_with_line_and_way_out(line: str, problem: str) -> None:
    with pytest.raises(SandboxError, match=problem):
        check_source(f"def eligible(hh):\n    {line}")


def test_keys_come_in_order_with_their_lines_and_comments() -> None:
    checked = check_source(
        "T = {'x': 1}\n"
        "def eligible(hh):\n"
        "    # of age\n"
        "    if hh[0]['age'] < 18:\n"
        "        return T['x'] > 2\n"
        "    return hh['home'] == 'x' or hh[1]['age'] > 3  # lives here\n"
    )
    assert checked.keys == ("age", "home")
    assert checked.key_lines == {"age": (4, 6), "home": (6,)}
    assert checked.comments == {4: "of age", 6: "lives here"}
