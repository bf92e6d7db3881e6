"""The wheel: complete, licensed, and installable on each Python that is found here."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.commands.sample import EXPECTED
from tests.paths import ROOT
from tests.services import required

PACKAGES = ("indexer", "workers", "newsroom")
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "tests")
PYTHONS = ("python3.11", "python3.12", "python3.13")


def attempt(command: Sequence[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    """A command that has ended; the clone was not on its import path."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, check=False
    )


def done(command: Sequence[str | Path], folder: Path) -> str:
    """What a command prints that must succeed."""
    ended = attempt(command, folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this clone, built in a copy: setuptools leaves files in the folder."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, folder / "copy", ignore=LEFT_OUT)
    pip = (sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation")
    done([*pip, "-w", folder, folder / "copy"], folder)
    [wheel] = folder.glob("*.whl")
    return wheel


def test_the_wheel_has_every_module_and_every_file_of_the_packages(wheel: Path) -> None:
    files = {path for name in PACKAGES for path in (ROOT / name).rglob("*") if path.is_file()}
    ours = {str(path.relative_to(ROOT)) for path in files if path.parent.name != "__pycache__"}
    packed = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == ours | {"pipeline.py"}


def test_the_wheel_has_the_licence_and_says_which_it_is(wheel: Path) -> None:
    packed = ZipFile(wheel)
    [info] = {name.partition("/")[0] for name in packed.namelist() if ".dist-info/" in name}
    for name in ("LICENSE", "NOTICE"):
        assert packed.read(f"{info}/licenses/{name}") == (ROOT / name).read_bytes()
    metadata = message_from_bytes(packed.read(f"{info}/METADATA"))
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata.get_all("License-File") == ["LICENSE", "NOTICE"]


@pytest.fixture(params=PYTHONS)
def installed(request: pytest.FixtureRequest, wheel: Path, tmp_path: Path) -> Iterator[Path]:
    """The commands of a new virtual environment, for which pip has resolved the requirements."""
    environment = tmp_path / "environment"
    made = attempt([python(request.param), "-m", "venv", environment], tmp_path)
    if made.returncode:
        pytest.skip(f"no {request.param} here that makes virtual environments")
    pip = (environment / "bin/python", "-m", "pip", "install", "-q")
    if attempt([*pip, "--upgrade", "pip"], tmp_path).returncode and not required():
        pytest.skip("no package can be installed: is there a network?")
    done([*pip, wheel], tmp_path)
    yield environment / "bin"
    # 450 MB
    shutil.rmtree(environment)


def python(name: str) -> str:
    """The path of a Python; skips the test without one."""
    same = name == f"python{sysconfig.get_python_version()}"
    path = os.path.realpath(sys.executable) if same else shutil.which(name)
    return path or pytest.skip(f"no {name} here")


@pytest.mark.external
def test_what_pip_installs_runs_the_sample_in_an_empty_directory(
    installed: Path, tmp_path: Path
) -> None:
    done([installed / "python", "-m", "pip", "check"], tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    summary = json.loads(done([installed / "story-indexer", "run", "--json"], empty))
    assert summary["indexed"] == len(EXPECTED.documents)
    assert len(summary["warc_files"]) == 1
    assert summary["discarded"] == EXPECTED.discarded_by_status
    assert {path.name for path in empty.iterdir()} == {"data"}
    commands = (
        ("search", "harbour"),
        ("feeds", "add", "--no-look", "https://site.example/feed.xml"),
        ("pipeline", "list"),
        ("program", "parser", "--help"),
    )
    for words in commands:
        assert done([installed / "story-indexer", *words], empty), words
