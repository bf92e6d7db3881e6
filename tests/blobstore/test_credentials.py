"""Complete sets of variables, and the order in which sets are tried."""

import io
from collections.abc import Iterator, Sequence
from typing import BinaryIO

import pytest
from pydantic import SecretStr

from indexer.blobstore import BlobEntry, ObjectVersion, StoreCredentials
from indexer.blobstore.credentials import Fallback, StoreSettings, credentials, readable, stores
from indexer.errors import AccessDenied, ConfigurationError, NotFound, StorageError
from tests.each_row import each_row

COMPLETE = {
    "QUEUER_S3_REGION": "eu-west-1",
    "QUEUER_S3_ACCESS_KEY_ID": "key",
    "QUEUER_S3_SECRET_ACCESS_KEY": "hush-hush",
}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """One complete set of variables."""
    for name, value in COMPLETE.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


def test_a_complete_set_counts() -> None:
    secret = SecretStr("hush-hush")
    assert stores("QUEUER") == [
        StoreSettings("QUEUER", "s3", "", StoreCredentials("key", secret, "eu-west-1"))
    ]


@pytest.mark.parametrize("missing", COMPLETE)
@pytest.mark.parametrize("blank", [True, False])
def test_a_set_that_lacks_an_item_does_not(
    environment: pytest.MonkeyPatch, missing: str, blank: bool
) -> None:
    if blank:
        environment.setenv(missing, "")
    else:
        environment.delenv(missing)
    assert stores("QUEUER") == []


def test_an_endpoint_stands_for_a_region(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("QUEUER_S3_REGION", "")
    environment.setenv("QUEUER_S3_ENDPOINT", "http://127.0.0.1:9000")
    (store,) = stores("QUEUER")
    assert store.credentials.endpoint == "http://127.0.0.1:9000"


def test_a_secret_may_be_in_a_file(
    environment: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("secrets") / "key"
    file.write_text("from the file\n", encoding="utf-8")
    environment.delenv("QUEUER_S3_SECRET_ACCESS_KEY")
    environment.setenv("QUEUER_S3_SECRET_ACCESS_KEY_FILE", str(file))
    assert stores("QUEUER")[0].credentials.secret_access_key.get_secret_value() == "from the file"


def test_the_bucket_makes_the_url(environment: pytest.MonkeyPatch) -> None:
    for name, value in COMPLETE.items():
        environment.setenv(name.replace("QUEUER_S3", "ARCHIVER_B2"), value)
    environment.setenv("ARCHIVER_B2_BUCKET", "archive")
    assert [store.url for store in stores("ARCHIVER")] == ["b2://archive"]


def test_the_programs_own_come_first(environment: pytest.MonkeyPatch) -> None:
    for name in COMPLETE:
        environment.setenv(name.replace("QUEUER", "RSS"), f"own {name}")
    assert [store.name for store in stores("RSS", "QUEUER")] == ["RSS", "QUEUER"]
    assert [each.access_key_id for each in credentials("s3", ["RSS", "QUEUER"])] == [
        "own QUEUER_S3_ACCESS_KEY_ID",
        "key",
    ]


def test_without_variables_the_client_uses_its_own_configuration() -> None:
    assert credentials("b2", ["QUEUER"]) == [StoreCredentials()]


def test_no_secret_is_shown() -> None:
    assert "hush-hush" not in repr(stores("QUEUER"))


class Store:
    """A store that raises an error, or has `count` objects."""

    url = "s3://bucket"

    def __init__(self, error: StorageError | None = None, count: int = 2) -> None:
        self.error = error
        self.count = count

    def put(self, key: str, file: BinaryIO, sha256: str = "") -> str:
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


@each_row(
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
