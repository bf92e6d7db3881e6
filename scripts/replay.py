"""pywb and cdxj-indexer, for the tests of replay: an environment of their own, made once.

It is installed from `requirements-replay.txt` into the folder of the services' downloads, where all
clones with the same lock find it.
"""

import fcntl
import hashlib
import sys
from pathlib import Path

from .services.commands import run
from .services.places import CLONE, cache

LOCK = CLONE / "requirements-replay.txt"
FAILURE = "the replay tools can't be installed"


def replay_tools() -> Path:
    """The folder of the programs `wayback` and `cdxj-indexer`. Raises Unavailable."""
    name = hashlib.sha256(f"{sys.version_info[:2]}{LOCK.read_text()}".encode()).hexdigest()[:12]
    folder = cache() / f"replay-{name}"
    made = folder / "made.stamp"
    with (cache() / f"replay-{name}.lock").open("w", encoding="ascii") as lock:
        # The tests of several processes ask at once.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            _make(folder)
            made.touch()
    return folder / "bin"


def _make(folder: Path) -> None:
    pip = ("-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps")
    locked = ("--no-build-isolation", "--require-hashes", "-r", str(LOCK))
    run(["sh", "scripts/venv.sh", str(folder)], FAILURE, CLONE)
    run([str(folder / "bin" / "python"), *pip, *locked], FAILURE, CLONE)
