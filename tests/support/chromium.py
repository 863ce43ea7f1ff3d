"""Chromium without a window, driven over WebDriver's HTTP protocol; no client library.

`CONCEDE_SCREENSHOTS` names a folder that keeps the pictures; without it they go to pytest's.
"""

import base64
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

import pytest

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ARGUMENTS = [
    "--headless=new",
    # Tests run as root in containers, where the sandbox cannot be set up.
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A window nobody sees is drawn, and its clocks run, as if somebody did.
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--no-first-run",
    "--no-proxy-server",
    "--hide-scrollbars",
    "--lang=en",
    # Nothing outside this machine has a name.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
# Read here: the tests themselves see no variable of the service's.
SCREENSHOTS = os.environ.get("CONCEDE_SCREENSHOTS")
STARTING = 20.0
WAITING = 20.0
SHOTS = 5
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " ", "Right": "\ue014", "Shift": "\ue008"}

_open = build_opener(ProxyHandler({})).open


class WebDriverError(Exception):
    """What the driver says went wrong."""


class Browser:
    """One browser session: addresses, elements by CSS selector, keys, scripts, pictures."""

    def __init__(self, driver: str, session: str) -> None:
        self._root = f"{driver}/session/{session}"
        self._runs_scripts = True

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the value of one WebDriver command."""
        return _request(method, f"{self._root}{path}", body)

    def open(self, address: str) -> None:
        """Load an address, and wait until it has loaded, is drawn, and hears keys."""
        self.call("POST", "/url", {"url": address})
        if self._runs_scripts:
            self.wait("document.hasFocus()")
            self._settle()

    @property
    def address(self) -> str:
        """The address shown."""
        return self.call("GET", "/url")

    def back(self) -> None:
        """Go back in the history."""
        self.call("POST", "/back", {})

    def script(self, source: str, *arguments: Any) -> Any:
        """Return what a script returns."""
        return self.call("POST", "/execute/sync", {"script": source, "args": list(arguments)})

    def find(self, selector: str) -> str:
        """Return the first element that a selector matches."""
        element = self.call("POST", "/element", {"using": "css selector", "value": selector})
        return element[ELEMENT]

    def texts(self, selector: str) -> list[str]:
        """Return what the elements that a selector matches show."""
        return self.script(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.innerText)", selector
        )

    def count(self, selector: str) -> int:
        """Return how many elements a selector matches."""
        return self.script("return document.querySelectorAll(arguments[0]).length", selector)

    def click(self, selector: str) -> None:
        """Click the first element that a selector matches, as a pointer does."""
        self.call("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, selector: str, text: str) -> None:
        """Type into a field, after what is there."""
        self.call("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, *keys: str) -> None:
        """Press keys one after another, wherever the focus is."""
        events = [
            {"type": kind, "value": KEYS.get(key, key)}
            for key in keys
            for kind in ("keyDown", "keyUp")
        ]
        source = {"type": "key", "id": "keyboard", "actions": events}
        self.call("POST", "/actions", {"actions": [source]})

    def wait(self, condition: str, *arguments: Any) -> Any:
        """Return what a script expression becomes once it is true."""
        end = time.monotonic() + WAITING
        while time.monotonic() < end:
            outcome = self.script(f"return {condition}", *arguments)
            if outcome:
                return outcome
            self._settle()
        raise AssertionError(f"never became true: {condition}")

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds; unlike `wait`, also where pages may not run scripts."""
        end = time.monotonic() + WAITING
        while not holds():
            assert time.monotonic() < end, f"still at {self.address}"
            time.sleep(0.02)

    def _settle(self) -> None:
        """Let the page do what it has to: one frame."""
        source = "requestAnimationFrame(() => setTimeout(arguments[0], 20))"
        self.call("POST", "/execute/async", {"script": source, "args": []})

    def devtools(self, command: str, **parameters: Any) -> Any:
        """Return what a command of the developer tools returns."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def log(self) -> list[str]:
        """Return what the browser complained about since the last call.

        Not that somebody typed before a page had drawn its focus, as a test may.
        """
        entries = self.call("POST", "/se/log", {"type": "browser"})
        messages = [entry["message"] for entry in entries]
        return [text for text in messages if "Autofocus processing was blocked" not in text]

    def look(self, *, width: int = 1360, height: int = 900, dark: bool = False) -> None:
        """Take a screen of this size, in light or dark; narrow ones are a phone's."""
        phone = width < 600
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if phone else 1,
            mobile=phone,
        )
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.devtools("Emulation.setEmulatedMedia", features=[scheme])

    def scripts(self, *, allowed: bool) -> None:
        """Let pages run scripts from the next one on, or not."""
        self.devtools("Emulation.setScriptExecutionDisabled", value=not allowed)
        self._runs_scripts = allowed

    def picture(self, path: Path, *, whole: bool = True) -> Path:
        """Write a picture of the page, all of it or what the screen shows: a PNG, or a WebP."""
        kind = {"format": "webp", "quality": 72} if path.suffix == ".webp" else {"format": "png"}
        shot = self._shot(captureBeyondViewport=whole, **kind)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(shot["data"]))
        return path

    def _shot(self, **how: Any) -> Any:
        """Return a picture; on a busy machine the browser can fail to draw one in its time."""
        for _ in range(SHOTS - 1):
            try:
                return self.devtools("Page.captureScreenshot", **how)
            except WebDriverError as error:
                if not str(error).startswith("timeout"):
                    raise
        return self.devtools("Page.captureScreenshot", **how)


def _request(method: str, address: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = Request(address, data, {"Content-Type": "application/json"}, method=method)
    try:
        with _open(request, timeout=60) as answer:
            return json.load(answer)["value"]
    except HTTPError as error:
        value = json.load(error)["value"]
        raise WebDriverError(f"{value['error']}: {value['message'].splitlines()[0]}") from None


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium and its driver, and end both; skip where they are not installed."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not browser or not driver:
        pytest.skip("no Chromium: install chromium and chromium-driver to test the page in it")
    port = _free_port()
    process = subprocess.Popen(
        [driver, f"--port={port}", "--silent"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        root = f"http://127.0.0.1:{port}"
        _wait_for(root)
        session = _session(root, browser)
        try:
            yield Browser(root, session)
        finally:
            _request("DELETE", f"{root}/session/{session}")
    finally:
        process.terminate()
        process.wait(timeout=20)


def _session(root: str, browser: str) -> str:
    capabilities = {
        "browserName": "chrome",
        "goog:chromeOptions": {"binary": browser, "args": ARGUMENTS},
        "goog:loggingPrefs": {"browser": "ALL"},
    }
    session = _request("POST", f"{root}/session", {"capabilities": {"alwaysMatch": capabilities}})
    return session["sessionId"]


def _wait_for(root: str) -> None:
    end = time.monotonic() + STARTING
    while time.monotonic() < end:
        try:
            if _request("GET", f"{root}/status")["ready"]:
                return
        except URLError:
            time.sleep(0.05)
    raise AssertionError(f"the driver at {root} never answered")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def pictures_folder(fallback: Path) -> Path:
    """Return where pictures are kept."""
    return Path(SCREENSHOTS) if SCREENSHOTS else fallback
