"""The solver template is a working solver, found through its entry point."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from concede import RepairEngine
from concede.solvers import registry
from shops import shop, wish

TEMPLATES = Path(__file__).resolve().parents[2] / "docs" / "templates"


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(TEMPLATES)
    point = EntryPoint("sets", "solver:SetSolver", registry.ENTRY_POINTS)
    monkeypatch.setattr(
        "concede.catalogs.registry.entry_points",
        lambda **wanted: EntryPoints([point]).select(**wanted),
    )


def test_template_answers_like_the_built_in_solver(offered):
    assert "sets" in registry.solver_names()
    engine = RepairEngine(shop(1, 60).catalog)
    for seed in range(30):
        query = wish(seed, 5, hard=0.1)
        expected = engine.diagnose(query, solver="bitset").record()
        assert engine.diagnose(query, solver="sets").record() == expected
    assert engine.repair(query, solver="sets", deadline=0.0).status == "UNKNOWN"
