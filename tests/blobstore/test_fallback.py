"""Sets of credentials, tried in order."""

import io
from collections.abc import Iterator, Sequence
from typing import BinaryIO

import pytest

from indexer.blobstore import BlobEntry, ObjectVersion
from indexer.blobstore.fallback import Fallback, readable
from indexer.errors import AccessDenied, ConfigurationError, NotFound, StorageError


class Store:
    """A store that raises an error, or has `count` objects."""

    url = "s3://bucket"

    def __init__(self, error: StorageError | None = None, count: int = 2) -> None:
        self.error = error
        self.count = count

    def put(self, key: str, file: BinaryIO) -> str:
        raise NotImplementedError

    def open(self, key: str, version: str = "") -> BinaryIO:
        if self.error:
            raise self.error
        return io.BytesIO(key.encode())

    def entries(self, prefix: str = "") -> Iterator[BlobEntry]:
        if self.error:
            raise self.error
        yield from (BlobEntry(f"{prefix}{key}", "v", 1) for key in "ab"[: self.count])

    def stat(self, key: str) -> ObjectVersion:
        raise NotImplementedError

    def versions(self, key: str) -> Sequence[ObjectVersion]:
        raise NotImplementedError

    def delete(self, key: str) -> None:
        raise NotImplementedError


DENIED, MISSING, BROKEN = AccessDenied("denied"), NotFound("missing"), StorageError("broken")


@pytest.mark.parametrize("error", [DENIED, MISSING])
def test_a_refusal_is_not_the_last_word(error: StorageError) -> None:
    store = Fallback([Store(error), Store(), Store(DENIED)])
    assert store.open("key").read() == b"key"
    assert [entry.key for entry in store.entries("p/")] == ["p/a", "p/b"]


@pytest.mark.parametrize(
    ("errors", "kind", "text"),
    [
        ([DENIED], AccessDenied, "^denied$"),
        ([MISSING, MISSING], NotFound, "missing; the same with each of 2 sets"),
        ([MISSING, DENIED], AccessDenied, "denied; the same with each of 2 sets"),
    ],
)
def test_when_all_refuse_it_says_so(
    errors: list[StorageError], kind: type[StorageError], text: str
) -> None:
    store = Fallback([Store(error) for error in errors])
    with pytest.raises(kind, match=text):
        store.open("key")
    with pytest.raises(kind, match=text):
        store.entries()


def test_a_server_that_is_broken_is_not_asked_with_other_credentials() -> None:
    with pytest.raises(StorageError, match="broken"):
        Fallback([Store(BROKEN), Store()]).open("key")


def test_for_many_objects_the_first_that_may_be_listed_is_chosen() -> None:
    right = Store()
    assert readable([Store(DENIED), Store(MISSING), Store(count=0), right, Store()]) is right


@pytest.mark.parametrize(
    ("stores", "kind", "text"),
    [
        ([Store(DENIED)], ConfigurationError, "can't read denied"),
        (
            [Store(MISSING), Store(DENIED)],
            ConfigurationError,
            "denied; the same with each of 2 sets",
        ),
        ([Store(count=0)], ConfigurationError, "s3://bucket: there are no objects"),
        ([Store(BROKEN), Store()], StorageError, "broken"),
    ],
)
def test_unreadable_stores_are_an_error_before_the_first_object(
    stores: list[Store], kind: type[Exception], text: str
) -> None:
    with pytest.raises(kind, match=text):
        readable(stores)
