"""Typed keys: values that fit, files that do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.errors import QueryError, SandboxError, UnreadableFile
from concede.dialogs.eligibility.decisions.program import load_programs
from concede.dialogs.eligibility.keys import (
    SIZE,
    Key,
    KeyTable,
    Slot,
    Value,
    keys_of,
    read_keys,
    slot_of,
)

AGE = Key("age", "int", low=0, high=130)
HOME = Key("home", "choice", "household", values=("flat", "house", 3))


@pytest.mark.parametrize(
    ("key", "given", "value"),
    [
        (AGE, "42", 42),
        (AGE, 42.0, 42),
        (Key("pay", "float"), "$1,200.50", 1200.5),
        (Key("ill", "bool"), "Yes", True),
        (Key("ill", "bool"), 0, False),
        (HOME, "FLAT", "flat"),
        (HOME, "3", 3),
    ],
)
def test_a_value_is_typed(key: Key, given: object, value: Value) -> None:
    typed = key.typed(given)
    assert typed == value
    assert type(typed) is type(value)


@pytest.mark.parametrize(
    ("key", "given"),
    [
        (AGE, 1.5),
        (AGE, -1),
        (AGE, 131),
        (AGE, True),
        (AGE, float("nan")),
        (AGE, "old"),
        (AGE, None),
        (HOME, "tent"),
        (HOME, True),
        (Key("ill", "bool"), 2),
        (Key("ill", "bool"), [True]),
    ],
)
def test_a_value_that_does_not_fit_is_told(key: Key, given: object) -> None:
    with pytest.raises(QueryError, match=f"no value of {key.name}; give"):
        key.typed(given)


@pytest.mark.parametrize(
    "record",
    [
        {"name": "a b", "kind": "int"},
        {"name": "a", "kind": "text"},
        {"name": "a", "kind": "int", "level": "town"},
        {"name": "a", "kind": "choice"},
        {"name": "a", "kind": "choice", "values": [True]},
        {"name": "a", "kind": "int", "low": 5, "high": 1},
        {"name": "a", "kind": "int", "low": float("inf")},
        {"name": "a", "kind": "bool", "prior": 2},
        {"name": "a", "kind": "int", "prior": [[1, 2]]},
        {"name": "a", "kind": "int", "prior": [[0, 1, 0]]},
        {"name": "a", "kind": "int", "prior": [["x", 1, 1]]},
        {"name": "a", "kind": "choice", "values": ["x"], "prior": {"y": 1}},
        {"name": "a", "kind": "int", "ask": 5},
        {"kind": "int"},
        "age",
    ],
)
def test_a_key_that_cannot_be_is_an_error(record: object) -> None:
    with pytest.raises(QueryError):
        keys_of({"keys": [record]})


def test_a_table_survives_its_file(tmp_path: Path) -> None:
    record: dict[str, Any] = {
        "keys": [
            {"name": "age", "kind": "int", "high": 99, "prior": [[0, 17, 1], [18, 99, 3]]},
            {"name": "ill", "kind": "bool", "prior": 0.25, "topic": "health"},
            {"name": "home", "kind": "choice", "values": ["a", 7], "prior": {"a": 2, "7": 1}},
        ]
    }
    file = tmp_path / "keys.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    table = read_keys(file)
    assert keys_of(table.record()) == table
    assert [key.name for key in table] == ["age", "ill", "home"]


@pytest.mark.parametrize("text", ["", "[", "{}", '{"keys": 5}', '{"keys": [5]}', "[" * 5_000])
def test_a_file_that_is_no_table_is_an_error(text: str, tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises((QueryError, UnreadableFile)):
        read_keys(file)


def test_a_folder_of_programs_is_loaded_by_name(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text('{"keys": [{"name": "age", "kind": "int"}]}')
    (tmp_path / "Old.py").write_text("def eligible(hh):\n    return hh[0]['age'] > 60\n")
    (tmp_path / "Old.md").write_text("Over sixty.")
    programs = load_programs(tmp_path)
    assert [(program.name, program.requirements) for program in programs] == [
        ("Old", "Over sixty.")
    ]
    (tmp_path / "New.py").write_text("def eligible(hh):\n    return hh[0]['agee'] > 60\n")
    with pytest.raises(SandboxError, match="program 'New', line 2: no key 'agee'"):
        load_programs(tmp_path)


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("[]")
    with pytest.raises(UnreadableFile, match="no program"):
        load_programs(tmp_path)


@given(st.text(max_size=30))
def test_any_text_is_a_slot_or_none(text: str) -> None:
    slot = slot_of(text, KeyTable.of([AGE, HOME]))
    assert slot is None or slot == SIZE or slot.key in ("age", "home")


def test_slots_by_name() -> None:
    table = KeyTable.of([AGE, HOME])
    assert slot_of("2.age", table) == Slot(2, "age")
    assert slot_of("age", table) == Slot(0, "age")
    assert slot_of("5.home", table) == Slot(None, "home")
    assert slot_of("len(hh)", table) == SIZE
    assert slot_of("99.age", table) is None
