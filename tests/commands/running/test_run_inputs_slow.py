"""`story-indexer run`: each kind of input and each flavor, and inputs that are broken."""

import gzip
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from indexer.blobstore import StoreCredentials, open_blobstore
from indexer.news.normalized_urls import unique_url_hash
from newsroom.server import Newsroom
from tests.commands.sample import PLAIN, Backends, Left, look, run_inputs
from tests.services import S3

GOOD = PLAIN[:7]
LOST = PLAIN[7]
STORED = 10 + 5
"""How many bytes stand before the content in a gzip file that does not compress: RFC 1952, 1951."""

CUT = "http://nadi-kinara.example/the-row-that-was-cut"

SYNTHETIC = """\
<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>rss-fetcher</title>
<lastBuildDate>Wed, 31 Jan 2024 00:10:07 +0000</lastBuildDate>
{items}
</channel></rss>
"""

ITEM = """\
<item><link>{link}</link><title>{title}</title>
<pubDate>Tue, 30 Jan 2024 06:00:00 +0000</pubDate><domain>{domain}</domain>
<source url="http://{domain}/feed" mcFeedId="{feed}" mcSourceId="45">{domain}</source></item>"""


def feed(*links: str) -> str:
    """A feed with items as the rss-fetcher writes them."""
    return SYNTHETIC.format(
        items="\n".join(
            ITEM.format(link=escape(link), title=f"Story {n}", domain=link.split("/")[2], feed=n)
            for n, link in enumerate(links, 1)
        )
    )


def kept(data: Path, summary: Mapping[str, Any]) -> Left:
    """What a run in a directory left behind."""
    return look(summary, Backends.embedded(data), PLAIN)


def reasons(summary: Mapping[str, Any]) -> list[str]:
    """The inputs that could not be read, each with its reason."""
    return [item if isinstance(item, str) else json.dumps(item) for item in summary["unread"]]


@dataclass(frozen=True)
class Mixed:
    """A run of many inputs, good and broken, and their directory."""

    directory: Path
    summary: Mapping[str, Any]
    left: Left


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Mixed:
    """One run of all kinds of inputs."""
    here = tmp_path_factory.mktemp("mixed")
    (here / "feed.xml").write_text(feed(GOOD[0]))
    (here / "bare.xml").write_text(SYNTHETIC.format(items=""))
    (here / "listed.txt").write_text(f"{GOOD[1]}\n")
    (here / "names.txt").write_text(f"# what is to be read\n\n{here / 'listed.txt'}\n")
    (here / "row.csv").write_bytes(
        f"title,url\nUno y más,{GOOD[3]}\nTwo,http://\udcff.example/\nTrês,{GOOD[4]}\n".encode(
            "utf-8", "surrogateescape"
        )
    )
    (here / "quote.csv").write_text(f'url,title\n{LOST},"never closed\n{GOOD[5]},closed\n')
    table = f"url,title\n{GOOD[6]},One\n{CUT}".encode()
    # Stored, not compressed, so that it is known where it ends.
    (here / "cut.csv.gz").write_bytes(
        gzip.compress(table + b"/off,Two\n", 0)[: STORED + len(table)]
    )
    (here / "empty.xml").write_bytes(b"")
    inputs = ["feed.xml", "bare.xml", "@names.txt", "row.csv", "quote.csv", "cut.csv.gz"]
    names = [f"@{here / name[1:]}" if name[0] == "@" else str(here / name) for name in inputs]
    stdin = f"{GOOD[2]}\n".encode()
    with Newsroom() as room:
        summary = run_inputs(
            room, here / "data", *names, str(here / "empty.xml"), "-", status=1, stdin=stdin
        )
    return Mixed(here, summary, kept(here / "data", summary))


def test_what_can_be_read_of_every_input_is_queued_fetched_and_indexed(mixed: Mixed) -> None:
    summary = mixed.summary
    counted = ("queued", "fetched", "indexed", "duplicates", "left")
    assert [summary[name] for name in counted] == [7, 7, 7, 0, 0]
    assert mixed.left.documents.keys() == {unique_url_hash(url) for url in GOOD}
    assert mixed.left.archived.keys() == mixed.left.documents.keys()
    assert (summary["discarded"], summary["quarantined"]) == ({}, {})
    assert summary["complete"] is True


def test_a_broken_row_and_an_unclosed_quote_cost_one_row_each(mixed: Mixed) -> None:
    assert mixed.summary["skipped"] == {"bad-row": 2}


def test_inputs_that_can_not_be_read_are_named_with_the_reason(mixed: Mixed) -> None:
    unread = reasons(mixed.summary)
    assert len(unread) == 2
    [cut] = [why for why in unread if "cut.csv.gz" in why]
    assert "the gzip file is cut off" in cut
    [empty] = [why for why in unread if "empty.xml" in why]
    assert len(empty) > len(str(mixed.directory / "empty.xml"))


def test_archived_stories_tell_which_input_they_are_from(mixed: Mixed) -> None:
    entries = {id: item.metadata["rss_entry"] for id, item in mixed.left.archived.items()}
    via = [entries[unique_url_hash(url)]["via"] for url in GOOD]
    here = mixed.directory
    listed = [str(here / name) for name in ("row.csv", "row.csv", "quote.csv")]
    assert via[:2] == [str(here / "feed.xml"), str(here / "listed.txt")]
    assert via[3:] == [*listed, str(here / "cut.csv.gz")]


def test_batch_fetcher_reads_the_synthetic_file_of_a_day_whole(tmp_path: Path) -> None:
    day = tmp_path / "mc-2024-01-30.rss.gz"
    day.write_bytes(gzip.compress(feed(*GOOD[:3], GOOD[0]).encode()))
    with Newsroom() as room:
        summary = run_inputs(room, tmp_path / "data", str(day), "--type", "batch-fetcher")
    assert (summary["queued"], summary["indexed"]) == (3, 3)
    assert (summary["skipped"], summary["unread"]) == ({"dups": 1}, [])
    assert [Path(url).name[:3] for url in summary["warc_files"]] == ["mc-"]
    left = kept(tmp_path / "data", summary)
    assert left.documents.keys() == left.archived.keys()
    for number, url in enumerate(GOOD[:3], 1):
        domain = url.split("/")[2]
        assert left.archived[unique_url_hash(url)].metadata["rss_entry"] == {
            "link": url,
            "title": f"Story {number}",
            "domain": domain,
            "pub_date": "Tue, 30 Jan 2024 06:00:00 +0000",
            "fetch_date": "2024-01-31",
            "source_url": f"http://{domain}/feed",
            "source_feed_id": number,
            "source_source_id": 45,
            "via": str(day),
        }


def test_queue_fetcher_reads_feeds_and_says_of_a_page_that_it_is_none(tmp_path: Path) -> None:
    page, announced = tmp_path / "page.html", tmp_path / "feed.xml"
    page.write_text("<!doctype html><html><title>News</title><p>No feed at all.</html>")
    announced.write_text(feed(*GOOD[:2]))
    with Newsroom() as room:
        summary = run_inputs(
            room,
            tmp_path / "data",
            str(page),
            str(announced),
            "--type",
            "queue-fetcher",
            status=1,
        )
    assert (summary["queued"], summary["indexed"]) == (2, 2)
    [why] = reasons(summary)
    assert str(page) in why
    assert "HTML" in why
    left = kept(tmp_path / "data", summary)
    assert left.archived.keys() == {unique_url_hash(url) for url in GOOD[:2]}


@pytest.mark.external
def test_a_wildcard_in_a_bucket_is_every_object_that_it_matches(tmp_path: Path, s3: S3) -> None:
    keys = {"ENDPOINT": s3.endpoint, "REGION": "us-east-1"}
    keys |= {"ACCESS_KEY_ID": s3.access_key, "SECRET_ACCESS_KEY": s3.secret_key}
    put(s3, "feeds/one.xml", feed(GOOD[0]).encode())
    put(s3, "feeds/two.xml.gz", gzip.compress(feed(GOOD[1]).encode()))
    put(s3, "feeds-of-others/three.xml", feed(GOOD[2]).encode())
    with Newsroom() as room:
        summary = run_inputs(
            room,
            tmp_path / "data",
            f"s3://{s3.bucket}/feeds/*",
            variables={f"RSS_S3_{name}": value for name, value in keys.items()},
        )
    assert (summary["queued"], summary["indexed"], summary["unread"]) == (2, 2, [])
    left = kept(tmp_path / "data", summary)
    via = {item.metadata["rss_entry"]["via"] for item in left.archived.values()}
    assert via == {f"s3://{s3.bucket}/feeds/one.xml", f"s3://{s3.bucket}/feeds/two.xml.gz"}


def put(s3: S3, key: str, content: bytes) -> None:
    """Put an object into the bucket."""
    keys = StoreCredentials(s3.access_key, SecretStr(s3.secret_key), "us-east-1", s3.endpoint)
    open_blobstore(f"s3://{s3.bucket}", keys).put(key, io.BytesIO(content))
