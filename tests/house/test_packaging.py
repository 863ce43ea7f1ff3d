"""The wheel holds every package of the project and nothing else, and works when installed."""

import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOT_FILES = ("*.py", "py.typed")
# What tools leave behind, and what is hidden, is not part of the project.
IGNORED = shutil.ignore_patterns(
    ".*", "build", "dist", "*.egg-info", "__pycache__", "*.py[cod]", "*.nbi", "*.nbc"
)


def _run(*command: str | Path, cwd: Path) -> str:
    """Output of a command; on failure the test shows what the command said."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean copy of the sources, so that building leaves nothing in the repository."""
    copy = tmp_path_factory.mktemp("tree") / "checkout"
    shutil.copytree(ROOT, copy, ignore=IGNORED)
    return copy


@pytest.fixture(scope="module")
def shipped(tree: Path) -> set[str]:
    """The files that belong into the wheel, read off the tree before anything is built."""
    files = {path for name in ROOT_FILES for path in tree.glob(name)}
    for init in tree.glob("*/__init__.py"):
        files |= {path for path in init.parent.rglob("*") if path.is_file()}
    return {f"concede/{path.relative_to(tree).as_posix()}" for path in files}


@pytest.fixture(scope="module")
def wheel(tree: Path, shipped: set[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    offline = ("--no-deps", "--no-index", "--no-build-isolation")
    _run(sys.executable, "-m", "pip", "wheel", "-q", *offline, "-w", folder, tree, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.slow
def test_wheel_holds_every_package_and_nothing_else(wheel: Path, shipped: set[str]):
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert sorted(names - shipped) == [], "in the wheel, but not part of a package"
    assert sorted(shipped - names) == [], "missing: extend packages or data in pyproject.toml"


@pytest.mark.slow
def test_installed_wheel_imports_every_package(wheel: Path, shipped: set[str], tmp_path: Path):
    python = _environment_with(wheel, tmp_path)
    packages = sorted(
        name.removesuffix("/__init__.py").replace("/", ".")
        for name in shipped
        if name.endswith("/__init__.py")
    )
    program = f"import concede, {', '.join(packages)}; print(concede.__file__)"
    # -I keeps the working folder and PYTHONPATH out of the search.
    origin = _run(python, "-I", "-c", program, cwd=tmp_path).strip()
    assert Path(origin).is_relative_to(tmp_path), "not the installed wheel was imported"


def _environment_with(wheel: Path, folder: Path) -> Path:
    """Python of a fresh environment that holds the wheel and borrows our dependencies."""
    venv = folder / "venv"
    _run(sys.executable, "-m", "venv", "--without-pip", venv, cwd=folder)
    python = venv / "bin" / "python"
    install = ("install", "-q", "--no-deps", "--no-index", wheel)
    _run(sys.executable, "-m", "pip", "--python", python, *install, cwd=folder)
    # A path from a .pth file is searched, but .pth files in it are not read: the editable
    # install of this checkout stays invisible.
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site_packages = Path(_run(python, "-c", where, cwd=folder).strip())
    ours = (sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
    (site_packages / "borrowed.pth").write_text("\n".join(ours) + "\n")
    return python
