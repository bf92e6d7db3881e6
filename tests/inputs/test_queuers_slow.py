"""A bucket that does not answer, among other inputs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lines import Make, making, until_it_fails, write


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """See `Make`."""
    with making(tmp_path) as make:
        yield make


def test_an_input_that_can_not_be_found_does_not_keep_others_from_being_read(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.blobstore.s3.ATTEMPTS", 1)
    monkeypatch.setenv("QUEUER_S3_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setenv("QUEUER_S3_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("QUEUER_S3_SECRET_ACCESS_KEY", "hush-hush")
    found, error = until_it_fails(make("s3://bucket/a*", write(tmp_path / "f", "a")))
    assert found == ["a"]
    assert "s3://bucket/a" in error
    assert "hush-hush" not in error
