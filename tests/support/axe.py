"""axe-core, run in a page: its script comes from an installed package, and no copy is kept here."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from chromium import Browser

PACKAGES = ("axe_playwright_python", "axe_core_python")
"""Python packages that hold the script, the newest first."""

GRAVE = ("serious", "critical")

RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ['violations']}).then(
  found => done(found.violations.map(v => [v.impact, v.id, v.nodes.map(n => n.html.slice(0, 99))])),
  error => done(String(error)));
"""


def axe_script() -> str:
    """Return the script; skip where no package that holds it is installed."""
    for package in PACKAGES:
        found = importlib.util.find_spec(package)
        if found is not None and found.origin:
            script = Path(found.origin).with_name("axe.min.js")
            if script.is_file():
                return script.read_text(encoding="utf-8")
    pytest.skip("no axe-core: pip install axe-core-python")


def findings(browser: Browser, script: str) -> list[Any]:
    """Return what axe finds wrong with the page: impact, rule, and the elements."""
    browser.script(script)
    found = browser.call("POST", "/execute/async", {"script": RUN, "args": []})
    assert isinstance(found, list), found
    return found


def grave(found: list[Any]) -> list[Any]:
    """Return the findings that are serious or worse."""
    return [each for each in found if each[0] in GRAVE]
