"""A work directory with two stores, and spools on it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from indexer.spool import Companion, Manifest, Spool
from indexer.spool.companions import NONE
from tests.blobstore.objects import keys
from tests.clock import Clock
from tests.spool.stores import Failing


def numbered(serial: int) -> str:
    """The name of the file with a serial."""
    return f"file-{serial}"


class Work:
    """A work directory, its stores, and the spools that processes have opened on it."""

    def __init__(self, root: Path, clock: Clock) -> None:
        self.directory = root / "work"
        self.first, self.second = Failing(root / "first"), Failing(root / "second")
        self.clock = clock
        self.delivered: list[tuple[str, Manifest]] = []

    def spool(self, *, keep: bool = True, companion: Companion = NONE) -> Spool:
        """A new spool, as a process opens it at its start."""
        return Spool(
            self.directory,
            {"first": self.first, "second": self.second},
            keep=keep,
            companion=companion,
            delivered=lambda name, manifest: self.delivered.append((name, manifest)),
            clock=self.clock.time,
            sleep=self.clock.sleep,
        )

    def files(self) -> list[str]:
        """The files in the directory, without the list of names."""
        found = (each for each in self.directory.rglob("*") if each.is_file())
        names = [str(each.relative_to(self.directory)) for each in found]
        return sorted(name for name in names if name != "spool/names")

    def stored(self) -> list[dict[str, bytes]]:
        """The objects of both stores."""
        return [
            {key: store.open(key).read() for key in keys(store)}
            for store in (self.first, self.second)
        ]


@pytest.fixture
def work(tmp_path: Path, clock: Clock) -> Work:
    """A work directory, and what is around it."""
    return Work(tmp_path, clock)


def put(spool: Spool, content: bytes = b"content", items: Sequence[str] = ("a", "b")) -> str:
    """Write and seal a file."""
    aside = spool.create(numbered)
    aside.file.write(content)
    aside.finish()
    spool.seal(aside, f"2024/{aside.name}", items)
    return aside.name
