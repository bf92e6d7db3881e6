"""The promises of every blobstore."""

import hashlib
import io
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from indexer.blobstore import Blobstore
from indexer.errors import NotFound, StorageError
from tests.blobstore.conftest import Open
from tests.blobstore.objects import keys, put

BAD_KEYS = [
    "",
    "/absolute",
    "..",
    "../outside",
    "a/../../outside",
    "a/..",
    "./a",
    "a//b",
    "a/",
    "a\0b",
    "a\nb",
    "lone\ud800surrogate",
    "x" * 1025,
]

LARGE = random.Random(1).randbytes(17_000_000)
"""Larger than one part of an upload to S3."""


def test_an_object_can_be_read(store: Blobstore) -> None:
    store.put("2024/01/31/mc.warc.gz", io.BytesIO(b"bytes\0\xff"))
    with store.open("2024/01/31/mc.warc.gz") as file:
        assert file.read() == b"bytes\0\xff"


@pytest.mark.parametrize("data", [b"content", LARGE], ids=["small", "large"])
def test_content_with_the_expected_digest_is_stored(store: Blobstore, data: bytes) -> None:
    digest = hashlib.sha256(data).hexdigest()
    store.put("a", io.BytesIO(data), digest)
    assert store.open("a").read() == data
    # A store without metadata has no digest.
    assert store.stat("a").sha256 in (digest, "")


@pytest.mark.parametrize("data", [b"content", LARGE], ids=["small", "large"])
def test_content_with_another_digest_than_expected_is_not_stored(
    store: Blobstore, data: bytes
) -> None:
    store.put("a", io.BytesIO(b"old"))
    with pytest.raises(StorageError, match="another sha256"):
        store.put("a", io.BytesIO(data), hashlib.sha256(b"other").hexdigest())
    assert store.open("a").read() == b"old"


def test_put_tells_the_url_of_the_object(store: Blobstore) -> None:
    url = store.put("a/b.txt", io.BytesIO(b"x"))
    assert url == f"{store.url}/a/b.txt"


def test_an_empty_file_is_an_object(store: Blobstore) -> None:
    store.put("empty", io.BytesIO())
    assert store.open("empty").read() == b""
    assert [entry.size for entry in store.entries()] == [0]


def test_a_large_file_is_put_and_read_as_a_stream(store: Blobstore) -> None:
    store.put("large", io.BytesIO(LARGE))
    with store.open("large") as file:
        assert file.read(10) == LARGE[:10]
        assert file.read() == LARGE[10:]


def test_a_file_that_returns_few_bytes_at_a_time_is_put_whole(store: Blobstore) -> None:
    store.put("slow", _Slow(b"x" * 5000))
    assert store.open("slow").read() == b"x" * 5000


def test_put_replaces_an_object(store: Blobstore) -> None:
    store.put("a", io.BytesIO(b"old and longer"))
    before = next(store.entries()).version
    store.put("a", io.BytesIO(b"new"))
    assert store.open("a").read() == b"new"
    assert next(store.entries()).version != before


@pytest.mark.parametrize("data", [b"x" * 100, LARGE], ids=["small", "large"])
def test_a_file_that_breaks_off_leaves_nothing(store: Blobstore, data: bytes) -> None:
    with pytest.raises(StorageError):
        store.put("a", _Broken(data))
    assert keys(store) == []


def test_a_file_that_breaks_off_leaves_the_old_object(store: Blobstore) -> None:
    store.put("a", io.BytesIO(b"old"))
    with pytest.raises(StorageError):
        store.put("a", _Broken(b"x" * 100))
    assert store.open("a").read() == b"old"


def test_keys_are_all_keys_below_in_the_order_of_their_bytes(store: Blobstore) -> None:
    names = ["a-b", "a/b/c", "a/b-c", "a.b", "é", "b", "a0"]
    put(store, *names)
    assert keys(store) == sorted(names, key=str.encode)


def test_a_prefix_is_of_the_key_not_of_a_directory(store: Blobstore) -> None:
    put(store, "2024/01/x", "2024/02/x", "2024/0", "2023/01/x")
    assert keys(store, "2024/0") == ["2024/0", "2024/01/x", "2024/02/x"]
    assert keys(store, "2024/01/") == ["2024/01/x"]
    assert keys(store, "2025") == []


def test_more_keys_than_a_server_lists_at_once(store: Blobstore) -> None:
    names = [f"{number:02}" for number in range(10)]
    put(store, *names)
    assert keys(store) == names


def test_an_entry_tells_size_and_version(store: Blobstore) -> None:
    put(store, "abc")
    (entry,) = store.entries()
    assert (entry.key, entry.size, bool(entry.version)) == ("abc", 3, True)


def test_a_store_with_a_prefix_sees_only_what_is_below(open_part: Open) -> None:
    put(open_part(""), "part/a", "partial/b", "c")
    assert keys(open_part("part")) == ["a"]
    assert open_part("part").open("a").read() == b"part/a"


def test_a_store_where_nothing_was_put_yet_is_empty(open_part: Open) -> None:
    assert keys(open_part("nothing/here")) == []


def test_a_missing_object_is_not_found(store: Blobstore) -> None:
    put(store, "folder/a")
    for key in ("missing", "folder", "folder/a/b"):
        with pytest.raises(NotFound):
            store.open(key)


def test_a_deleted_object_is_gone_and_may_be_deleted_again(store: Blobstore) -> None:
    put(store, "a/b", "a/c")
    store.delete("a/b")
    store.delete("a/b")
    store.delete("never")
    assert keys(store) == ["a/c"]


@pytest.mark.parametrize(
    "use",
    [
        lambda store, key: store.put(key, io.BytesIO(b"x")),
        lambda store, key: store.open(key),
        lambda store, key: store.delete(key),
    ],
    ids=["put", "open", "delete"],
)
def test_keys_that_lead_elsewhere_are_refused(
    store: Blobstore, use: Callable[[Blobstore, str], object]
) -> None:
    for key in BAD_KEYS:
        with pytest.raises(StorageError, match="not a key"):
            use(store, key)


def test_an_object_can_be_put_and_read_by_many_threads(store: Blobstore) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda key: put(store, key), [f"t/{n}" for n in range(20)]))
        read = list(pool.map(lambda key: store.open(key).read().decode(), keys(store)))
    assert sorted(read) == sorted(f"t/{n}" for n in range(20))


class _Slow(io.BytesIO):
    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(size or 7, 7))


class _Broken(io.BytesIO):
    """A file whose disk fails at its end."""

    def read(self, size: int | None = -1) -> bytes:
        if not (data := super().read(size)):
            raise OSError(5, "Input/output error")
        return data
