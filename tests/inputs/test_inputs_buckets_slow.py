"""Inputs in buckets: an imitated one, and a real one."""

import gzip
from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws

from indexer.errors import InputError
from indexer.inputs.inputs import Inputs
from tests.inputs.test_inputs import INPUTS, content, names, no_fetch, only
from tests.services import S3


@pytest.fixture
def amazon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An imitated bucket, and credentials for it."""
    for item in ("REGION", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"):
        monkeypatch.setenv(f"QUEUER_S3_{item}", "us-east-1")
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-1")
        client.create_bucket(Bucket="bucket")
        for key in ("2024/01.csv", "2024/02.csv.gz", "2024/02.txt", "2023/12.csv", "2024/.hidden"):
            body = gzip.compress(key.encode()) if key.endswith(".gz") else key.encode()
            client.put_object(Bucket="bucket", Key=key, Body=body)
        yield


@pytest.mark.usefixtures("amazon")
@pytest.mark.parametrize(
    ("url", "keys"),
    [
        ("s3://bucket/2024/*", ["2024/02.txt", "2024/02.csv.gz", "2024/01.csv"]),
        ("s3://bucket/2024/", ["2024/02.txt", "2024/02.csv.gz", "2024/01.csv"]),
        ("s3://bucket/2024/02", ["2024/02.txt", "2024/02.csv.gz"]),
        ("s3://bucket/2024/02*", ["2024/02.txt", "2024/02.csv.gz"]),
        ("s3://bucket/2023/12.csv", ["2023/12.csv"]),
        (
            "s3://bucket",
            ["2024/02.txt", "2024/02.csv.gz", "2024/01.csv", "2023/12.csv"],
        ),
    ],
)
def test_the_url_of_a_bucket_is_a_prefix_the_last_key_first(url: str, keys: list[str]) -> None:
    found = list(INPUTS.find([url]))
    assert [each.name for each in found] == [f"s3://bucket/{key}" for key in keys]
    assert [content(each).decode() for each in found] == keys
    assert all(each.tracked and each.version() for each in found)


@pytest.mark.usefixtures("amazon")
def test_the_url_of_a_bucket_can_be_exact() -> None:
    exact = Inputs(no_fetch, exact=True)
    assert names("s3://bucket/2024/02.txt", inputs=exact) == ["s3://bucket/2024/02.txt"]
    with pytest.raises(InputError, match="nothing is there"):
        names("s3://bucket/2024/02", inputs=exact)


@pytest.mark.usefixtures("amazon")
def test_patterns_choose_what_of_a_bucket_is_read() -> None:
    chosen = Inputs(no_fetch, only=["*.txt"])
    assert names("s3://bucket/2024/", inputs=chosen) == ["s3://bucket/2024/02.txt"]


@pytest.mark.usefixtures("amazon")
@pytest.mark.parametrize("url", ["s3://bucket/2025*", "s3://missing/2024"])
def test_what_is_missing_in_a_bucket_is_an_input_error(url: str) -> None:
    with pytest.raises(InputError, match=url.replace("*", r"\*")):
        names(url)


@pytest.mark.external
def test_a_real_bucket_with_the_second_credentials(s3: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    for store, key in (("CSV", "nobody"), ("QUEUER", s3.access_key)):
        monkeypatch.setenv(f"{store}_S3_ENDPOINT", s3.endpoint)
        monkeypatch.setenv(f"{store}_S3_ACCESS_KEY_ID", key)
        monkeypatch.setenv(f"{store}_S3_SECRET_ACCESS_KEY", s3.secret_key)
    client = boto3.client(
        "s3",
        endpoint_url=s3.endpoint,
        region_name="us-east-1",
        aws_access_key_id=s3.access_key,
        aws_secret_access_key=s3.secret_key,
    )
    client.put_object(Bucket=s3.bucket, Key="a/urls.csv.gz", Body=gzip.compress(b"text"))
    found = only(f"s3://{s3.bucket}/a*", inputs=Inputs(no_fetch, ("CSV", "QUEUER")))
    assert content(found) == b"text"
    with pytest.raises(InputError, match="XAdminUserNotFound"):
        names(f"s3://{s3.bucket}/a*", inputs=Inputs(no_fetch, ("CSV",)))
