"""The Dockerfile, the compose file and the unit run what they say."""

import os
import re
import shlex
import shutil
import subprocess
import warnings
from pathlib import Path

import httpx2
import pytest
import yaml

from concede.catalogs.configuration.shop_config import ShopConfig
from concede.interfaces.cli.commands.serve import serve
from dockerfile_run import ImageFolder, context_of, instructions

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "Dockerfile"
SHOP = ROOT / "deploy" / "shop.toml"


def _docker_runs() -> bool:
    docker = shutil.which("docker")
    return bool(docker) and not subprocess.run([docker, "info"], capture_output=True).returncode


def test_the_image_is_built_in_stages_from_here_alone_and_runs_as_nobody_special():
    told = instructions(DOCKERFILE)
    assert [text for name, text in told if name == "FROM"] == [
        "python:3.11-slim AS build",
        "python:3.11-slim",
    ]
    names = [name for name, _ in told]
    assert names.index("USER") < len(names) - 1 - names[::-1].index("RUN"), "compiled as that user"
    assert "ADD" not in names
    addresses = re.findall(r"\w+://[\w.]+", DOCKERFILE.read_text())
    assert addresses == ["http://127.0.0.1"], "nothing is fetched from a place that it names"
    assert "index" not in DOCKERFILE.read_text()


def test_compose_serves_the_sample_shop_with_options_there_are():
    (service,) = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"].values()
    word, *options = shlex.split(service["command"])
    assert word == "serve"
    parsed = serve.make_context("serve", options).params
    assert parsed["host"] == "0.0.0.0"
    (mounted,) = service["volumes"]
    assert mounted == f"./deploy/shop.toml:{parsed['config']}:ro"


def test_the_unit_serves_with_options_there_are_and_reloads_by_a_signal():
    lines = (ROOT / "deploy" / "concede.service").read_text().splitlines()
    unit = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    _, word, *options = shlex.split(unit["ExecStart"])
    assert word == "serve"
    # Only a parent of several workers takes the signal.
    assert serve.make_context("serve", options).params["workers"] > 1
    assert unit["ExecReload"] == "/bin/kill -HUP $MAINPID"
    assert unit["KillMode"] == "mixed"


def test_the_shop_of_the_sample_opens():
    assert ShopConfig.read(str(SHOP)).open("cars").schema.columns


ASKED_FOR = pytest.mark.skipif(
    not os.environ.get("CONCEDE_RUN_DOCKERFILE"),
    reason="set CONCEDE_RUN_DOCKERFILE to run the Dockerfile: minutes, and packages are installed",
)


@ASKED_FOR
@pytest.mark.slow
def test_docker_builds_an_image_that_is_healthy():
    if not _docker_runs():
        pytest.skip("Docker is absent: the next test runs the Dockerfile's commands without it")
    subprocess.run(["docker", "build", "-t", "concede-test", "."], cwd=ROOT, check=True)
    said = subprocess.run(
        ["docker", "run", "--rm", "concede-test", "warm"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert ": 0 compiled now" in said.stdout


@ASKED_FOR
@pytest.mark.slow
def test_the_commands_of_the_dockerfile_run_in_a_fresh_environment(tmp_path):
    if _docker_runs():
        pytest.skip("Docker is there, and built the image")
    context_of(ROOT, tmp_path / "context")
    image = ImageFolder(tmp_path / "image")
    try:
        image.build(DOCKERFILE, tmp_path / "context")
    except subprocess.CalledProcessError as error:
        raise AssertionError(error.stdout + error.stderr) from None
    assert ": 0 compiled now" in image.run(["concede", "warm"])
    assert "concede" in image.run(["concede", "mcp", "--help"])
    _serves(image)
    warnings.warn("Docker is absent: its commands ran in a fresh environment", stacklevel=1)


def _serves(image: ImageFolder) -> None:
    command = [*image.command("ENTRYPOINT"), *image.command("CMD")]
    command = ["0" if word == "8000" else word for word in command]
    process = subprocess.Popen(
        command,
        cwd=image.workdir,
        env=image.variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        port = process.stdout.readline().rpartition(":")[2].strip()
        health = [word.replace("8000", port) for word in image.command("HEALTHCHECK")]
        image.run(health)
        asked = {"where": "Year >= 2015 AND MSRP <= 1"}
        answer = httpx2.post(f"http://127.0.0.1:{port}/v1/repair", json=asked, timeout=30)
        assert answer.status_code == 200
    finally:
        process.terminate()
        assert process.wait(timeout=30) == 0
    with pytest.raises(subprocess.CalledProcessError):
        image.run(health)
