"""The environment of the existing system: a folder with packages of its own."""

import json
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any, NamedTuple

PACKAGES = ("swh.indexer==4.12.1", "swh.coarnotify==1.1.1")

SERVER = Path(__file__).with_name("answering.py")


class Answer(NamedTuple):
    """What the existing system says of a file: a document or None, or the error that escaped it."""

    document: Any
    error: str = ""


class ExistingSystem:
    """A process of the existing system that answers one request a line."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [_interpreter(folder), SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def translate(self, class_name: str, content: bytes) -> Answer:
        """Return its document of a file."""
        return self._asked({"mapping": class_name, "content": b64encode(content).decode()})

    def merge(self, documents: list[Any]) -> Answer:
        """Return its document of several documents."""
        return self._asked({"documents": documents})

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.wait()

    def _asked(self, request: dict[str, Any]) -> Answer:
        requests, answers = self._process.stdin, self._process.stdout
        if requests is None or answers is None:
            raise ValueError("the process has no pipes")
        print(json.dumps(request), file=requests, flush=True)
        return Answer(**json.loads(answers.readline()))


def _interpreter(folder: Path) -> Path:
    """The interpreter of the environment, which is made if it isn't there."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python
