"""A store of items of each kind: a directory, a bucket of a real server, imitated archive.org."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from indexer.blobstore import Blobstore, open_blobstore
from indexer.filesets.items.archiveorg_api import ArchiveorgAPI
from indexer.filesets.items.archiveorg_store import ArchiveorgStore
from indexer.filesets.platform_options import ArchiveorgOptions
from indexer.http.fetching import FetchOptions
from indexer.http.fetching.client import Client
from newsroom.repositories.server import Repositories
from tests.blobstore.conftest import of
from tests.services import S3


class ArchiveorgImitation:
    """Archive.org on loopback. `slept` are the pauses of its stores."""

    def __init__(self, served: Repositories) -> None:
        self.served = served
        self.slept: list[float] = []
        self.client = Client(FetchOptions.of(served.settings))

    @classmethod
    @contextmanager
    def served_with(cls, *faults: str) -> Iterator["ArchiveorgImitation"]:
        """Serve it with faults."""
        with Repositories(faults=faults) as served:
            imitation = cls(served)
            with imitation.client:
                yield imitation

    def store(self, **changes: str) -> ArchiveorgStore:
        settings = self.served.settings | changes
        options = ArchiveorgOptions.of(settings)
        s3 = settings["ARCHIVEORG_S3_URL"]
        return ArchiveorgStore(ArchiveorgAPI(s3, options, self.client, self.slept.append))


@pytest.fixture
def archiveorg() -> Iterator[ArchiveorgImitation]:
    with ArchiveorgImitation.served_with() as imitation:
        yield imitation


@pytest.fixture(params=["directory", pytest.param("s3", marks=pytest.mark.external), "archiveorg"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Blobstore:
    """An empty store of items."""
    if request.param == "directory":
        return open_blobstore(str(tmp_path / "store"))
    if request.param == "s3":
        server: S3 = request.getfixturevalue("s3")
        return open_blobstore(f"s3://{server.bucket}/items", of(server))
    imitation: ArchiveorgImitation = request.getfixturevalue("archiveorg")
    return imitation.store()
