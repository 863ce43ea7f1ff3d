"""Errors: one printable line each, exit codes, and a way through pickle."""

from __future__ import annotations

import pickle

import pytest

from concede.catalogs.errors import (
    BadConstraint,
    CatalogError,
    ConcedeError,
    LimitError,
    ModelError,
    ParseError,
    QueryError,
    SandboxError,
    UnknownColumn,
    UnknownTable,
    UnreadableCatalog,
    UnreadableFile,
    excerpt,
    nearest,
    path_excerpt,
)

NASTY = "a\nb\r\x1b[31mred\u2028\u202e\0\ud800" + "x" * 500

ERRORS: list[tuple[ConcedeError, int]] = [
    (UnreadableCatalog(NASTY, NASTY[:20], hint=NASTY[:20]), 3),
    (UnknownTable(NASTY, None, ["a", NASTY]), 3),
    (UnknownTable("a.db", NASTY, []), 3),
    (CatalogError(NASTY[:20]), 3),
    (BadConstraint("value", NASTY, "no", hint=NASTY[:20]), 2),
    (UnknownColumn(NASTY, ["a", "b"]), 2),
    (ParseError(NASTY, 3, "no"), 2),
    (QueryError(NASTY[:20]), 2),
    (LimitError("too long"), 4),
    (ModelError("no reply"), 2),
    (SandboxError("stopped"), 2),
]


@pytest.mark.parametrize(("error", "code"), ERRORS)
def test_one_printable_line_and_an_exit_code(error: ConcedeError, code: int) -> None:
    assert str(error).isprintable()
    assert len(str(error)) < 400
    assert error.exit_code == code


@pytest.mark.parametrize(("error", "code"), ERRORS)
def test_errors_pickle_with_their_parts(error: ConcedeError, code: int) -> None:
    copied = pickle.loads(pickle.dumps(error))
    assert type(copied) is type(error)
    assert str(copied) == str(error)
    assert vars(copied) == vars(error)


def test_nearest_names() -> None:
    names = ["Make", "Model", "Engine HP", "highway MPG", ""]
    assert nearest("maek", names) == ("Make",)
    assert nearest("hp", names) == ("Engine HP",)
    assert nearest("zzzzzz", names) == ()
    assert nearest("x" * 1_000_000, names) == ()


def test_shown_is_short() -> None:
    assert excerpt("a") == "'a'"
    assert len(excerpt("x" * 10_000_000)) == 80
    assert excerpt([1, "a"]) == "[1, 'a']"


def test_a_long_path_shows_the_file_it_ends_with() -> None:
    path = f"/home/{'folder/' * 30}cars.csv"
    assert str(UnreadableFile(path, "no")).endswith("folder/cars.csv': no")
    assert len(path_excerpt(path)) == 80
    for length in range(60, 100):
        assert path_excerpt("x" * length).count("x") == (length if length <= 78 else 77)
