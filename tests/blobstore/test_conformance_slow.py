"""The promises of every blobstore, on an imitation of Amazon's S3 that takes long to load."""

import pytest

from indexer.blobstore import Blobstore, StoreCredentials, open_blobstore
from indexer.errors import NotFound
from tests.blobstore.conftest import Open, imitated_s3
from tests.blobstore.test_conformance import *  # noqa: F403 - all of its tests
from tests.blobstore.test_conformance_versions import *  # noqa: F403 - all of its tests
from tests.blobstore.versions import imitated


@pytest.fixture
def open_part(request: pytest.FixtureRequest) -> Open:
    """See `Open`."""
    return imitated_s3(request)


@pytest.fixture
def keeping(amazon: StoreCredentials) -> Blobstore:
    """A store that keeps versions."""
    return open_blobstore(f"{imitated().url}/part", amazon)


def test_versions_of_a_missing_bucket_are_not_found(amazon: StoreCredentials) -> None:
    with pytest.raises(NotFound):
        open_blobstore("s3://missing", amazon).versions("a")
