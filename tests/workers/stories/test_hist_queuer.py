"""From tables of the old system to stories, in their order."""

import gzip
import io
from collections import Counter
from pathlib import Path

import pytest

from indexer.blobstore import open_blobstore
from indexer.broker import open_broker
from indexer.errors import InputError
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.worker import Skipped
from indexer.stories.story import NEED_CANONICAL_URL, Story
from tests.blobstore.conftest import of
from tests.paths import DATA
from tests.services import S3
from workers.stories.hist_queuer import HistQueuer, HistQueuerOptions, main

TABLE = DATA / "history" / "2021-10-01.csv"
QUEUED = ["3211617605", "3211617606", "3211617611"]
SKIPPED = {"dups": 1, "bad-date": 1, "bad-dlid": 1, "bad-row": 2, "bad-host": 1, "no-url": 1}

TOPOLOGY = Pipeline(
    "history", [Step("hist-queuer", to=["hist-fetcher"]), Step("hist-fetcher")]
).compile()


def make(tmp_path: Path, *inputs: object, blind: bool = False) -> HistQueuer:
    """One that has those inputs to read."""
    names = [str(each) for each in inputs]
    options = HistQueuerOptions.chosen(
        {"inputs": names, "data": tmp_path / "data", "allow_no_url": blind}
    )
    return HistQueuer(options)


def produced(tmp_path: Path, *inputs: object, blind: bool = False) -> list[Story | Skipped]:
    """What comes of inputs."""
    queuer = make(tmp_path, *inputs, blind=blind)
    try:
        return [item for item in queuer.produce() if isinstance(item, Story | Skipped)]
    finally:
        queuer.close()


def links(items: list[Story | Skipped]) -> list[str | None]:
    """The numbers of the stories."""
    return [item.rss_entry.link for item in items if isinstance(item, Story)]


def skipped(items: list[Story | Skipped]) -> Counter[str]:
    """How often each status is."""
    return Counter(item.status for item in items if isinstance(item, Skipped))


def test_a_table_is_read_and_each_bad_row_is_told(tmp_path: Path) -> None:
    items = produced(tmp_path, TABLE)
    assert links(items) == QUEUED
    assert skipped(items) == SKIPPED
    first = items[0]
    assert isinstance(first, Story)
    assert (first.rss_entry.via, first.rss_entry.fetch_date) == (str(TABLE), "2021-10-01")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["none", "mark"])
def test_tables_may_be_compressed_and_have_a_byte_order_mark(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "2021-10-01.csv.gz"
    path.write_bytes(gzip.compress(mark + TABLE.read_bytes()))
    assert links(produced(tmp_path, path)) == QUEUED


def test_the_date_is_that_of_the_base_name(tmp_path: Path) -> None:
    folder = tmp_path / "2008-01-01"
    folder.mkdir()
    (folder / "stories.csv").write_text("downloads_id,url\n12,https://a.example/\n")
    (folder / "mc-20211230-ids.csv").write_text("downloads_id,url\n13,https://a.example/\n")
    stories = [item for item in produced(tmp_path, folder) if isinstance(item, Story)]
    dates = [story.rss_entry.fetch_date for story in stories]
    assert dates == [None, "2021-12-30"]


def test_without_urls_the_pages_have_to_tell_them(tmp_path: Path) -> None:
    path = tmp_path / "ids.csv"
    path.write_text("downloads_id\n12\n13\n12\n")
    with pytest.raises(InputError, match=r"no column url, but downloads_id; --allow-no-url"):
        produced(tmp_path, path)
    items = produced(tmp_path, path, blind=True)
    assert links(items) == ["12", "13"]
    urls = {item.http_metadata.final_url for item in items if isinstance(item, Story)}
    assert urls == {NEED_CANONICAL_URL}
    assert skipped(items) == {"dups": 1}


def test_what_is_no_table_is_no_reason_not_to_read_the_others(tmp_path: Path) -> None:
    (tmp_path / "page.csv").write_text("<!doctype html>")
    (tmp_path / "bytes.csv").write_bytes(bytes(range(256)) * 100)
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(TABLE.read_bytes())[:-20])
    broken = [tmp_path / name for name in ("page.csv", "bytes.csv", "cut.csv.gz")]
    queuer = make(tmp_path, *broken, TABLE)
    found: list[object] = []  # keeps what comes before the error
    with pytest.raises(InputError, match="inputs failed: ") as caught:
        found.extend(queuer.produce())
    queuer.close()
    assert [each for each in found if isinstance(each, Story)][-3:] == [
        each for each in produced(tmp_path / "again", TABLE) if isinstance(each, Story)
    ]
    assert str(caught.value).count("downloads_id") == 2
    assert "cut off" in str(caught.value)


def test_the_program_keeps_the_order_of_the_table(tmp_path: Path) -> None:
    numbers = [str(number) for number in range(100, 400)]
    path = tmp_path / "ids.csv"
    path.write_text("\n".join(["downloads_id", *numbers]))
    url = f"sqlite:///{tmp_path / 'queues.sqlite3'}"
    broker = open_broker(url)
    broker.declare(TOPOLOGY)
    given = [f"--data={tmp_path}", "--min-disk-free=0", f"--broker-url={url}"]
    assert main([*given, "--allow-no-url", str(path)]) == 0
    consumer = broker.consume("hist-fetcher-in", 1000)
    found = []
    while (delivery := consumer.receive(0)) is not None:
        found.append(Story.load(delivery.body).rss_entry.link)
    consumer.close()
    broker.close()
    assert found == numbers


@pytest.fixture
def bucket(s3: S3, monkeypatch: pytest.MonkeyPatch) -> S3:
    """A bucket, with the program's variables set for it; those of QUEUER are wrong."""
    for store, secret in (("HIST", s3.secret_key), ("QUEUER", "wrong")):
        monkeypatch.setenv(f"{store}_S3_ENDPOINT", s3.endpoint)
        monkeypatch.setenv(f"{store}_S3_ACCESS_KEY_ID", s3.access_key)
        monkeypatch.setenv(f"{store}_S3_SECRET_ACCESS_KEY", secret)
    return s3


@pytest.mark.external
def test_tables_in_a_bucket_are_read_and_named_by_their_url(bucket: S3, tmp_path: Path) -> None:
    store = open_blobstore(f"s3://{bucket.bucket}", of(bucket))
    store.put("csv/2021-10-01.csv.gz", io.BytesIO(gzip.compress(TABLE.read_bytes())))
    store.put("csv/2021-10-02.csv", io.BytesIO(b"downloads_id,url\n12,https://a.example/\n"))
    items = produced(tmp_path, f"s3://{bucket.bucket}/csv/2021-10*")
    assert links(items) == ["12", *QUEUED]
    entries = [item.rss_entry for item in items if isinstance(item, Story)]
    assert (entries[0].via, entries[0].fetch_date) == (
        f"s3://{bucket.bucket}/csv/2021-10-02.csv",
        "2021-10-02",
    )
    assert entries[1].via == f"s3://{bucket.bucket}/csv/2021-10-01.csv.gz"
    assert produced(tmp_path, f"s3://{bucket.bucket}/csv/2021-10*") == []
