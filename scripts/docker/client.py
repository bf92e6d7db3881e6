"""Docker's command line, on an engine of the tests."""

import contextlib
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from scripts.services import places, records
from scripts.services.service import Unavailable, reason

from .engine import CLIENT, Engine

REUSED = "4gb"
"""The most that layers of earlier builds may take."""

LONGEST = 900.0
"""Seconds after which a command is taken for hung."""


class Client:
    """Docker's command line."""

    def __init__(self, host: str) -> None:
        self.host = host

    def run(self, *words: str) -> str:
        """Run a command, and return its output. Raises Unavailable."""
        try:
            done = subprocess.run(
                [CLIENT, *words],
                env=self._environment({}),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=True,
                timeout=LONGEST,
            )
        except subprocess.CalledProcessError as error:
            error.output = error.stderr
            raise Unavailable(f"docker {' '.join(words[:2])}: {reason(error)}") from error
        except (OSError, subprocess.SubprocessError) as error:
            raise Unavailable(f"docker {' '.join(words[:2])}: {reason(error)}") from error
        return done.stdout

    def build(self, folder: Path, image: str, *options: str) -> None:
        """Build an image from a folder. Raises Unavailable."""
        name = re.sub(r"\W+", "-", image)
        log = places.RUN / f"docker-{name}.log"
        command = [CLIENT, "build", "--progress=plain", f"--tag={image}", *options, str(folder)]
        with log.open("wb") as output:
            done = subprocess.run(
                command,
                env=self._environment({"DOCKER_BUILDKIT": "1"}),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=LONGEST,
            )
        if done.returncode:
            raise Unavailable(f"the build of {image} failed: {log} says why")

    def tidy(self) -> None:
        """Remove all but tagged images, and what the next builds reuse."""
        with contextlib.suppress(Unavailable):
            # An error if there is no swarm.
            self.run("swarm", "leave", "--force")
        self.run("container", "prune", "--force")
        self.run("volume", "prune", "--force")
        self.run("image", "prune", "--force")
        self.run("builder", "prune", "--force", f"--keep-storage={REUSED}")

    def _environment(self, more: Mapping[str, str]) -> Mapping[str, str]:
        return {**os.environ, "DOCKER_HOST": self.host, **more}


def running() -> Client:
    """The command line of the engine that runs. Raises Unavailable if none does."""
    record = records.read(Engine.name)
    if not record or not record.process.alive():
        raise Unavailable("no engine runs: python3 -m scripts.docker start")
    return Client(record.variables["DOCKER_HOST"])
