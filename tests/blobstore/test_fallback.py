"""Sets of credentials, tried in turn."""

import io
from collections.abc import Iterator
from typing import BinaryIO

import pytest

from indexer.blobstore import Entry
from indexer.blobstore.fallback import Fallback
from indexer.errors import AccessDenied, NotFound, StorageError


class Store:
    """Lets nobody in, or everybody."""

    url = "s3://bucket"

    def __init__(self, error: StorageError | None = None) -> None:
        self.error = error

    def put(self, key: str, file: BinaryIO) -> str:
        raise NotImplementedError

    def open(self, key: str) -> BinaryIO:
        if self.error:
            raise self.error
        return io.BytesIO(key.encode())

    def entries(self, prefix: str = "") -> Iterator[Entry]:
        if self.error:
            raise self.error
        yield Entry(f"{prefix}a", "v", 1)
        yield Entry(f"{prefix}b", "v", 1)

    def keys(self, prefix: str = "") -> Iterator[str]:
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
        ([MISSING, MISSING], NotFound, "missing; so with each of 2 sets"),
        ([MISSING, DENIED], AccessDenied, "denied; so with each of 2 sets"),
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
