"""A folder with a small catalog in it, and the command line to run there."""

import pytest

from command_line import CARS, Outcome, listing
from concede.interfaces.cli.main import run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder of a test; it holds `cars.csv`."""
    (tmp_path / "cars.csv").write_text(CARS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    return tmp_path


@pytest.fixture
def concede(folder, capsys):
    """Run the command line in this process, in `folder`; it may not write anything there."""

    def run_here(*arguments):
        before = listing(folder)
        code = run(arguments)
        assert listing(folder) == before
        return Outcome(code, *capsys.readouterr())

    return run_here
