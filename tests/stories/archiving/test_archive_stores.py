"""The stores that archives go to, and are read from."""

import pytest

from indexer.errors import ConfigurationError
from indexer.stories.archiving.archive_stores import (
    ArchiveStoreOptions,
    archive_stores,
    archive_urls,
    archives_to_read,
)
from indexer.system.options import reading
from tests.each_row import each_row


def environment(**values: str) -> dict[str, str]:
    return {f"ARCHIVER_{name}": value for name, value in values.items()}


S3 = environment(
    S3_REGION="us-east-1", S3_ACCESS_KEY_ID="key", S3_SECRET_ACCESS_KEY="secret", S3_BUCKET="news"
)
B2 = environment(
    B2_REGION="us-west-1", B2_ACCESS_KEY_ID="key", B2_SECRET_ACCESS_KEY="secret", B2_BUCKET="news"
)


@pytest.mark.parametrize(
    ("variables", "urls", "stores"),
    [
        ({}, [], ["archive"]),
        ({}, ["s3://a/b", "/c"], ["s3://a/b", "/c"]),
        (S3, [], ["ARCHIVER_s3"]),
        (S3 | B2, ["/c"], ["/c", "ARCHIVER_s3", "ARCHIVER_b2"]),
        ({**S3, "ARCHIVER_S3_BUCKET": ""}, [], ["archive"]),
        ({**S3, "ARCHIVER_S3_REGION": ""}, [], ["archive"]),
    ],
)
def test_every_complete_set_of_credentials_is_a_store(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], urls: list[str], stores: list[str]
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert list(archive_stores(ArchiveStoreOptions(archive_url=urls))) == stores


def test_the_same_bucket_name_at_two_providers_is_two_stores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in (S3 | B2).items():
        monkeypatch.setenv(name, value)
    assert len(archive_stores(ArchiveStoreOptions())) == 2


def test_a_store_of_an_unknown_kind_is_told_at_once() -> None:
    with pytest.raises(ConfigurationError, match="no blobstore for 'ftp'"):
        archive_stores(ArchiveStoreOptions(archive_url=["ftp://host/"]))


@each_row(
    ("given", "urls", "read"),
    [
        ({"DATAROOT": "d"}, ["d/archive"], "d/archive"),
        ({"ARCHIVE_URL": "'/srv/my news' s3://a"}, ["/srv/my news", "s3://a"], "/srv/my news"),
        ({"ARCHIVE_URL": "s3://a/warc"}, ["s3://a/warc"], "s3://a/warc/"),
        (S3, ["s3://news"], "s3://news/"),
        (B2 | {"ARCHIVE_URL": "/c"}, ["/c", "b2://news"], "/c"),
    ],
)
def test_archives_are_read_where_the_archiver_writes_them(
    given: dict[str, str], urls: list[str], read: str
) -> None:
    options = ArchiveStoreOptions.of(given)
    with reading(given):
        assert archive_urls(options) == urls
        assert archives_to_read(options) == read
