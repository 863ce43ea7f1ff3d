"""A Dockerfile's commands in a folder that stands for the image's root, where Docker is absent.

Paths of the image lie below the folder; users are not made. No connection leaves a test: where pip
would ask an index it finds the packages of the tests, so that versions and extras are checked, and
only the project itself is built and installed. Only the instructions that the project's Dockerfile
uses are understood.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

IMAGE_PATH = re.compile(r"(?<![\w/.])/(?=(?:opt|src|var|etc)\b)")
OWN = ("concede", "__editable__", "pip", "__pycache__")
DONE_BY_ROOT = ("useradd", "chown")


def instructions(dockerfile: Path) -> list[tuple[str, str]]:
    """Return each instruction with its arguments on one line."""
    lines = (line for line in dockerfile.read_text().splitlines() if not line.startswith("#"))
    text = "\n".join(lines).replace("\\\n", " ")
    parted = (line.partition(" ") for line in text.splitlines() if line.strip())
    return [(name, rest.strip()) for name, _, rest in parted]


def context_of(repository: Path, folder: Path) -> None:
    """Copy what `.dockerignore` leaves of a repository, as `docker build` sends it."""
    patterns = [
        line
        for line in (repository / ".dockerignore").read_text().splitlines()
        if line and not line.startswith("#")
    ]

    def ignored(where: str, names: list[str]) -> list[str]:
        at_root = Path(where) == repository
        listed = [one.removeprefix("**/") for one in patterns if at_root or one.startswith("**/")]
        return [name for name in names if any(fnmatch(name, one) for one in listed)]

    shutil.copytree(repository, folder, ignore=ignored, dirs_exist_ok=True)


@dataclass
class ImageFolder:
    """What a Dockerfile builds: a folder, variables, and what is run in them."""

    root: Path
    variables: dict[str, str] = field(default_factory=dict)
    workdir: Path = Path()
    last: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        tools = self.root / "tools"
        tools.mkdir(parents=True)
        (tools / "python").symlink_to(sys._base_executable)
        for name in DONE_BY_ROOT:
            (tools / name).write_text("#!/bin/sh\n")
            (tools / name).chmod(0o755)
        dropped = ("NUMBA_", "CONCEDE_", "PYTHON", "VIRTUAL_ENV")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
        own = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(tools)}
        # pip reads 0 as: not isolated; the setuptools that are lent build the wheel.
        self.variables = kept | own | {"PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_INDEX": "1"}

    def placed(self, text: str) -> str:
        """Return a text with the image's paths moved below the folder."""
        return IMAGE_PATH.sub(lambda found: f"{self.root}/", text)

    def build(self, dockerfile: Path, context: Path) -> None:
        """Do one instruction after another; raises `CalledProcessError` with what was printed."""
        for name, text in instructions(dockerfile):
            self.last[name] = text
            if name == "FROM":
                self.workdir = self.root
            elif name == "WORKDIR":
                self.workdir = Path(self.placed(text))
                self.workdir.mkdir(parents=True, exist_ok=True)
            elif name == "ENV":
                self._set(text)
            elif name == "COPY" and not text.startswith("--from="):
                shutil.copytree(context, self.workdir, dirs_exist_ok=True)
            elif name == "RUN":
                self.run(["sh", "-c", self.placed(text)])
                if " -m venv " in text:
                    self._lend_packages(Path(self.placed(text.split()[-1])))

    def _lend_packages(self, environment: Path) -> None:
        """Have an environment find the packages of the tests, but not the project's own."""
        lent = self.root / "lent"
        lent.mkdir()
        for folder in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
            for entry in Path(folder).iterdir():
                if not entry.name.startswith(OWN) and entry.suffix != ".pth":
                    (lent / entry.name).symlink_to(entry)
        (site_packages,) = environment.glob("lib/python*/site-packages")
        # Python's own setuptools is too old for the project, and would be found first.
        for old in site_packages.glob("setuptools*"):
            shutil.rmtree(old)
        (site_packages / "lent.pth").write_text(f"{lent}\n")

    def _set(self, text: str) -> None:
        for assignment in text.split():
            name, _, value = assignment.partition("=")
            value = self.placed(value).replace("$PATH", self.variables["PATH"])
            self.variables[name] = value

    def run(self, command: list[str]) -> str:
        """Run a command as the image would, and return its output."""
        done = subprocess.run(
            command, cwd=self.workdir, env=self.variables, capture_output=True, text=True
        )
        if done.returncode:
            raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)
        return done.stdout

    def command(self, name: str) -> list[str]:
        """Return the list that an instruction in JSON form holds."""
        text = self.last[name]
        return json.loads(text[text.index("[") :])
