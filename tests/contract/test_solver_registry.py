"""Solvers by name, built in or from an entry point."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, EntryPoints
from types import ModuleType

import pytest

from concede.catalogs.errors import QueryError
from concede.solvers import registry
from concede.solvers.brute import BruteSolver
from concede.solvers.registry import DEFAULT_SOLVER, get_solver, solver_names


class Oracle(BruteSolver):
    name = "oracle"


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch):
    """Offer objects under names, as an installed package would."""
    module = ModuleType("package_of_solvers")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    points: list[EntryPoint] = []

    def find(**wanted: str) -> EntryPoints:
        return EntryPoints(points).select(**wanted)

    monkeypatch.setattr("concede.catalogs.registry.entry_points", find)

    def offer(name: str, value: object, *, attribute: str | None = None) -> None:
        setattr(module, name, value)
        place = f"{module.__name__}:{attribute or name}"
        points.append(EntryPoint(name, place, registry.ENTRY_POINTS))

    return offer


def test_built_in_solvers():
    assert solver_names()[:4] == ("bitset", "sql", "z3", "brute")
    assert get_solver(DEFAULT_SOLVER).name == "bitset"


@pytest.mark.parametrize("name", ["", "Bitset", "nope", "bitset "])
def test_an_unknown_solver_is_an_error_that_names_the_known_ones(name: str):
    with pytest.raises(QueryError, match="solvers: bitset, sql, z3, brute"):
        get_solver(name)


def test_another_package_offers_a_solver(offered):
    offered("oracle", Oracle)
    assert solver_names() == ("bitset", "sql", "z3", "brute", "oracle")
    assert isinstance(get_solver("oracle"), Oracle)


def test_a_built_in_name_cannot_be_taken(offered):
    offered("sql", Oracle)
    assert solver_names() == ("bitset", "sql", "z3", "brute")
    assert get_solver("sql").name == "sql"


@pytest.mark.parametrize("value", [dict, "text", None])
def test_an_offer_that_is_no_solver_is_an_error(offered, value: object):
    offered("oracle", value)
    with pytest.raises(QueryError, match="'oracle'"):
        get_solver("oracle")


def test_an_offer_that_cannot_be_loaded_is_an_error(offered):
    offered("oracle", Oracle, attribute="missing")
    with pytest.raises(QueryError, match="'oracle'"):
        get_solver("oracle")
