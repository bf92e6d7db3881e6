"""The promises of every blobstore about versions of objects."""

import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from indexer.blobstore import Blobstore
from indexer.errors import NotFound, StorageError
from tests.blobstore.objects import put
from tests.blobstore.test_conformance import BAD_KEYS

USES: list[Callable[[Blobstore, str], object]] = [
    lambda store, key: store.stat(key),
    lambda store, key: store.versions(key),
    lambda store, key: store.open(key, store.stat("folder/a").id),
]


def contents(store: Blobstore, key: str) -> list[bytes]:
    """The content of each version."""
    return [store.open(key, version.id).read() for version in store.versions(key)]


def test_the_current_version_tells_when_it_was_stored_and_its_size(store: Blobstore) -> None:
    before = datetime.now(UTC)
    store.put("a", io.BytesIO(b"abc"))
    found = store.stat("a")
    assert found.size == 3
    assert found.modified.tzinfo is UTC
    assert before - timedelta(seconds=2) < found.modified < datetime.now(UTC) + timedelta(seconds=2)


def test_an_object_has_a_version_that_can_be_read(store: Blobstore) -> None:
    put(store, "a")
    assert contents(store, "a") == [b"a"]
    assert store.open("a", store.stat("a").id).read() == b"a"
    (version,) = store.versions("a")
    assert version._replace(id="") == store.stat("a")._replace(id="")


def test_versions_belong_to_one_key(store: Blobstore) -> None:
    put(store, "12", "123", "12.3", "1", "12-")
    assert contents(store, "12") == [b"12"]


def test_another_objects_version_is_not_found(store: Blobstore) -> None:
    put(store, "a", "bb")
    with pytest.raises(NotFound):
        store.open("a", store.stat("bb").id or "unknown")


@pytest.mark.parametrize("use", USES)
def test_a_missing_object_has_no_versions(
    store: Blobstore, use: Callable[[Blobstore, str], object]
) -> None:
    put(store, "folder/a")
    for key in ("missing", "folder", "folder/a/b"):
        with pytest.raises(NotFound):
            use(store, key)


@pytest.mark.parametrize("use", USES)
def test_keys_that_lead_elsewhere_have_no_versions(
    store: Blobstore, use: Callable[[Blobstore, str], object]
) -> None:
    put(store, "folder/a")
    for key in BAD_KEYS:
        with pytest.raises(StorageError, match="not a key"):
            use(store, key)


def test_older_versions_come_after_newer_ones(keeping: Blobstore) -> None:
    for body in (b"1", b"22", b"333"):
        keeping.put("12", io.BytesIO(body))
        keeping.put("123", io.BytesIO(b"another"))
    assert contents(keeping, "12") == [b"333", b"22", b"1"]
    assert [version.size for version in keeping.versions("12")] == [3, 2, 1]
    assert keeping.stat("12") == keeping.versions("12")[0]
    assert keeping.open("12").read() == b"333"


def test_a_deleted_object_is_not_found_but_its_versions_are(keeping: Blobstore) -> None:
    put(keeping, "a")
    keeping.delete("a")
    assert contents(keeping, "a") == [b"a"]
    for use in (keeping.open, keeping.stat):
        with pytest.raises(NotFound):
            use("a")
    keeping.put("a", io.BytesIO(b"again"))
    assert contents(keeping, "a") == [b"again", b"a"]


def test_the_version_of_another_object_is_not_found(keeping: Blobstore) -> None:
    put(keeping, "a", "b")
    with pytest.raises(NotFound):
        keeping.open("a", keeping.stat("b").id)
