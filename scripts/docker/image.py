"""The project's own image, built as `docker/Dockerfile` says, on the base of the tests.

What pip needs on this machine to reach its index are secrets of the build.
"""

import ast
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from scripts.services.places import CLONE

from . import debian
from .client import Client

NAME = "story-indexer"

PASSED_ON = ("index-url", "extra-index-url", "trusted-host", "proxy", "default-timeout")
"""The settings of pip that a build needs; others name files of this machine."""


def build(client: Client, tag: str, revision: str) -> str:
    """Build the image, and return its name. Raises Unavailable."""
    with tempfile.TemporaryDirectory() as made:
        secrets = _secrets(Path(made))
        client.build(
            CLONE,
            f"{NAME}:{tag}",
            *(f"--secret=id={name},src={path}" for name, path in secrets.items()),
            f"--file={CLONE}/docker/Dockerfile",
            f"--build-arg=BASE={debian.IMAGE}",
            f"--build-arg=REVISION={revision}",
        )
    return f"{NAME}:{tag}"


def pip_settings(listed: str) -> Mapping[str, str]:
    """The settings that `pip config list` prints, by name; variables win over files."""
    lines = [line.partition("=") for line in listed.splitlines()]
    lines.sort(key=lambda line: line[0].startswith(":env:"))
    return {name.rpartition(".")[2]: str(ast.literal_eval(value)) for name, _, value in lines}


def _secrets(folder: Path) -> Mapping[str, Path]:
    """Write a configuration of pip like this machine's; with its CA bundle, if it has one."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = pip_settings(done.stdout)
    lines = [f"{name} = {value}" for name, value in found.items() if name in PASSED_ON]
    secrets = {"pip.conf": folder / "pip.conf"}
    if bundle := found.get("cert"):
        secrets["ca.pem"] = Path(bundle)
        lines.append("cert = /run/secrets/ca.pem")
    secrets["pip.conf"].write_text("\n".join(["[global]", *lines, ""]), encoding="utf-8")
    return secrets
