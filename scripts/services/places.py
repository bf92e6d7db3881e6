"""Where things are kept, and the account that owns them.

Elasticsearch, PostgreSQL and RabbitMQ refuse to run as root, and the clone may be in a folder
that nobody else can enter. So data and programs are kept outside of it, and under root the
services run as `nobody`.
"""

import hashlib
import os
import pwd
import shutil
from pathlib import Path
from typing import NamedTuple

from .service import Unavailable

CLONE = Path(__file__).resolve().parents[2]
RUN = CLONE / ".services"
"""Logs, records of what runs, and the environment for tests."""


class Account(NamedTuple):
    """A user, and its group."""

    uid: int
    gid: int


def account() -> Account:
    """Who the services run as: `nobody` under root, else whoever this is."""
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid())
    entry = pwd.getpwnam("nobody")
    return Account(entry.pw_uid, entry.pw_gid)


def cache() -> Path:
    """Where what was downloaded or built is kept; readable by the services' account."""
    if os.geteuid() == 0:
        folder = Path("/var/cache/story-indexer/services")
    else:
        caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(caches) / "story-indexer" / "services"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def fresh(name: str) -> Path:
    """An empty folder for the data of a service, which only its account can enter."""
    folder = _data() / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    return folder


def give(folder: Path) -> None:
    """Hand a folder, and all that is in it, to the services' account."""
    owner = account()
    for path in (folder, *folder.rglob("*")):
        os.chown(path, *owner, follow_symlinks=False)


def forget() -> None:
    """Remove all data of all services of this clone."""
    shutil.rmtree(_data(), ignore_errors=True)


def _data() -> Path:
    """This clone's folder for data: owned by whoever this is, whatever lay in its place."""
    name = hashlib.sha256(os.fsencode(CLONE)).hexdigest()[:12]
    folder = Path("/var/tmp") / f"story-indexer-{os.geteuid()}-{name}"  # noqa: S108 - checked below
    folder.mkdir(mode=0o755, exist_ok=True)
    status = folder.lstat()
    if folder.is_symlink() or status.st_uid != os.geteuid():
        raise Unavailable(f"{folder} belongs to someone else: remove it")
    return folder
