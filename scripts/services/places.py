"""The folders of the services, and the account that owns them.

Elasticsearch, PostgreSQL and RabbitMQ refuse to run as root, so under root they run as `nobody`.
The clone may be in a folder that `nobody` can't enter, so data and programs are kept outside of it.
"""

import contextlib
import hashlib
import os
import pwd
import shutil
from pathlib import Path
from typing import NamedTuple

from .service import Unavailable

CLONE = Path(__file__).resolve().parents[2]
RUN = CLONE / ".services"
"""Logs, records of running services, and the environment for tests."""


class Account(NamedTuple):
    """The ids of a user and its group."""

    uid: int
    gid: int


def account() -> Account:
    """The account of the services: `nobody` under root, else the current user."""
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid())
    entry = pwd.getpwnam("nobody")
    return Account(entry.pw_uid, entry.pw_gid)


def cache(room: str = "services") -> Path:
    """The folder for a room's downloads and builds, which the services' account can read."""
    if os.geteuid() == 0:
        caches = Path("/var/cache")
    else:
        caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = caches / "story-indexer" / room
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def fresh(name: str) -> Path:
    """An empty folder for the data of a service, which only its account can enter."""
    folder = _data() / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    return folder


def give(folder: Path) -> None:
    """Make the services' account the owner of a folder and its content."""
    owner = account()
    for path in (folder, *folder.rglob("*")):
        os.chown(path, *owner, follow_symlinks=False)


def forget(name: str) -> None:
    """Remove the data of a service of this clone."""
    shutil.rmtree(_data() / name, ignore_errors=True)
    with contextlib.suppress(OSError):
        # Other services' data may be there.
        _data().rmdir()


def _data() -> Path:
    """The folder for data of this clone. Raises Unavailable if another user owns it."""
    name = hashlib.sha256(os.fsencode(CLONE)).hexdigest()[:12]
    folder = Path("/var/tmp") / f"story-indexer-{os.geteuid()}-{name}"  # noqa: S108 - checked below
    folder.mkdir(mode=0o755, exist_ok=True)
    status = folder.lstat()
    if folder.is_symlink() or status.st_uid != os.geteuid():
        # The folder's parent is writable for all users: another one could have made it.
        raise Unavailable(f"{folder} belongs to another user: remove it")
    return folder
