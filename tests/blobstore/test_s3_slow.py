"""What is peculiar to S3: URLs, servers that are not as they should be, and refusals."""

import io
from datetime import UTC, datetime

import boto3
import pytest
from pydantic import SecretStr

from indexer.blobstore import StoreCredentials, open_blobstore
from indexer.blobstore.s3 import S3Bucket, _endpoint
from indexer.blobstore.s3_transfers import PART
from indexer.errors import AccessDenied, ConfigurationError, NotFound, StorageError
from tests.blobstore.conftest import of
from tests.blobstore.objects import keys
from tests.blobstore.versions import DELETED, imitated, on_server
from tests.services import S3

SOME = StoreCredentials("key", SecretStr("hush-hush"), "us-east-005")


@pytest.mark.parametrize(
    ("scheme", "credentials", "endpoint"),
    [
        ("s3", SOME, ""),
        ("b2", SOME, "https://s3.us-east-005.backblazeb2.com"),
        ("s3", SOME._replace(endpoint="http://127.0.0.1:9000"), "http://127.0.0.1:9000"),
        ("b2", SOME._replace(endpoint="https://b2.example"), "https://b2.example"),
    ],
)
def test_where_a_provider_is(scheme: str, credentials: StoreCredentials, endpoint: str) -> None:
    assert _endpoint(scheme, credentials) == endpoint


@pytest.mark.parametrize(
    ("url", "credentials"),
    [
        ("s3://", SOME),
        ("s3:///key", SOME),
        ("s3://user@bucket/", SOME),
        ("b2://bucket", SOME._replace(region="")),
        ("s3://bucket", SOME._replace(endpoint="127.0.0.1:9000")),
    ],
)
def test_urls_that_cannot_work_are_an_error(url: str, credentials: StoreCredentials) -> None:
    with pytest.raises(ConfigurationError):
        open_blobstore(url, credentials)


def test_no_secret_is_shown(amazon: StoreCredentials) -> None:
    store = open_blobstore("s3://missing", amazon)
    with pytest.raises(NotFound) as raised:
        keys(store)
    assert "hush-hush" not in f"{store!r} {store.url} {raised.value} {amazon!r}"


def test_a_missing_bucket_is_not_found(amazon: StoreCredentials) -> None:
    with pytest.raises(NotFound, match="s3://missing"):
        keys(open_blobstore("s3://missing", amazon))
    with pytest.raises(NotFound):
        open_blobstore("s3://missing", amazon).put("a", io.BytesIO())


def test_markers_of_empty_folders_are_no_objects(amazon: StoreCredentials) -> None:
    client = boto3.client("s3", region_name="us-east-1")
    client.put_object(Bucket="bucket", Key="folder/")
    client.put_object(Bucket="bucket", Key="folder/a")
    assert keys(open_blobstore("s3://bucket", amazon)) == ["folder/a"]


def test_an_upload_in_parts_that_breaks_off_is_aborted(amazon: StoreCredentials) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if not (data := super().read(size)):
                raise OSError(5, "Input/output error")
            return data

    with pytest.raises(StorageError, match="Input/output"):
        open_blobstore("s3://bucket", amazon).put("a", Broken(bytes(PART + 1)))
    client = boto3.client("s3", region_name="us-east-1")
    assert "Uploads" not in client.list_multipart_uploads(Bucket="bucket")


def test_a_server_that_does_not_answer_is_a_storage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.blobstore.s3.ATTEMPTS", 1)
    nobody = SOME._replace(endpoint="http://127.0.0.1:1")
    with pytest.raises(StorageError, match=r"127\.0\.0\.1:1"):
        open_blobstore("s3://bucket", nobody).open("a")


@pytest.mark.external
def test_wrong_keys_are_denied(s3: S3) -> None:
    right = of(s3)
    for wrong in (
        right._replace(secret_access_key=SecretStr("wrong")),
        right._replace(access_key_id="nobody"),
    ):
        store = open_blobstore(f"s3://{s3.bucket}", wrong)
        with pytest.raises(AccessDenied) as raised:
            store.put("a", io.BytesIO(b"x"))
        assert s3.secret_key not in str(raised.value)
        with pytest.raises(AccessDenied):
            keys(store)
        with pytest.raises(AccessDenied):
            store.open("a")


@pytest.mark.external
def test_older_versions_stay_when_an_object_is_deleted(s3: S3) -> None:
    store = open_blobstore(f"s3://{s3.bucket}", of(s3))
    store.put("a", io.BytesIO(b"x"))
    store.delete("a")
    with pytest.raises(NotFound):
        store.open("a")


@pytest.mark.parametrize("keeping", ["amazon", pytest.param("s3", marks=pytest.mark.external)])
def test_each_version_keeps_the_time_at_which_it_was_stored(
    keeping: str, request: pytest.FixtureRequest
) -> None:
    server = request.getfixturevalue(keeping)
    bucket = on_server(server) if keeping == "s3" else imitated()
    days = [datetime(2021, month, 1, 12, tzinfo=UTC) for month in (9, 10, 12)]
    bucket.put("a", [(day, str(day.month).encode()) for day in days])
    bucket.put("b", [(days[0], b"9"), (days[1], DELETED)])
    store = bucket.store
    assert [version.modified for version in store.versions("a")] == days[::-1]
    assert store.stat("a").modified == days[2]
    assert [version.modified for version in store.versions("b")] == days[:1]


def test_only_the_pages_with_versions_of_an_object_are_asked_for(
    amazon: StoreCredentials, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.blobstore.s3.PAGE", 1)
    client = boto3.client("s3", region_name="us-east-1")
    for key in ("12", "120", "121", "122", "123"):
        client.put_object(Bucket="bucket", Key=key)
    asked: list[str] = []
    store = S3Bucket.at("s3://bucket", amazon)
    store._client.meta.events.register(
        "before-call.s3.ListObjectVersions", lambda **_: asked.append("page")
    )
    assert len(store.versions("12")) == 1
    assert len(asked) == 2


def test_the_bucket_shows_itself_without_credentials() -> None:
    assert S3Bucket.at("b2://bucket/part/", SOME).url == "s3://bucket/part"


def test_missing_credentials_are_a_refusal() -> None:
    nobody = StoreCredentials(endpoint="http://127.0.0.1:1")
    with pytest.raises(AccessDenied, match="no credentials are set"):
        open_blobstore("s3://bucket", nobody).open("a")


def test_a_file_of_too_many_parts_is_an_error(
    amazon: StoreCredentials, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.blobstore.s3_transfers.MAX_PARTS", 1)
    with pytest.raises(StorageError, match="larger than"):
        open_blobstore("s3://bucket", amazon).put("a", io.BytesIO(bytes(PART + 1)))
