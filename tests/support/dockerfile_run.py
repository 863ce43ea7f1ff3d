"""A Dockerfile's commands in a folder that stands for the image's root, where Docker is absent.

Paths of the image lie below the folder; Python is that of the tests, without its packages; users
are not made. Of the instructions, those that the project's Dockerfile needs are understood.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

IMAGE_PATH = re.compile(r"(?<![\w/.])/(?=(?:opt|src|var|etc)\b)")
DONE_BY_ROOT = ("useradd", "chown")


def instructions(dockerfile: Path) -> list[tuple[str, str]]:
    """Return each instruction with its arguments on one line."""
    lines = (line for line in dockerfile.read_text().splitlines() if not line.startswith("#"))
    text = "\n".join(lines).replace("\\\n", " ")
    return [
        (words[0], words[2].strip())
        for line in text.splitlines()
        if (words := line.partition(" "))[0]
    ]


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
        self.variables = kept | {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(tools)}

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
