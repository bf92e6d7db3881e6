"""The historical flavor: pages of the old system, found by its CSV files, parsed and archived."""

import gzip
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from indexer.blobstore import Blobstore, open_blobstore
from indexer.news.normalized_urls import unique_url_hash
from newsroom.site import load_site
from tests.commands.backends import backends, run_flavor
from tests.commands.sample import EXPECTED, PLAIN, Backends, Left, look

PAGES = load_site().replies
URLS = PLAIN[:6]
BLIND = [
    document.url
    for document in EXPECTED.documents
    if document.canonical_url == document.url and document.url in PAGES
][6:9]
"""Pages that name their own URL."""

HEADER = "collect_date,stories_id,media_id,downloads_id,feeds_id,language,url"
ROW = "{year}-05-0{n} 10:00:00.25,{n},45,{id},6,en,{url}"


class Fetched(NamedTuple):
    """What the runs left behind: with metadata, and blind."""

    known: Left
    blind: Left
    table: str


def fill(store: Blobstore) -> None:
    """Put the pages where the old system has them."""
    for number, url in enumerate([*URLS, *BLIND], 1):
        store.put(f"downloads/{1000 + number}", io.BytesIO(gzip.compress(PAGES[url].body)))
    store.put("downloads/1100", io.BytesIO(gzip.compress(b"(redundant feed)")))


def tables(data: Path) -> tuple[Path, Path]:
    """A day's file of the old system; and one where nothing is left but ids."""
    rows = [
        ROW.format(year=2018 + number % 2, n=number, id=1000 + number, url=url)
        for number, url in enumerate(URLS, 1)
    ]
    rows += [ROW.format(year=2019, n=9, id=id, url=f"http://a.example/{id}") for id in (1100, 1999)]
    known, blind = data / "stories_2018-05-01.csv", data / "blind.csv"
    known.write_text("\n".join([HEADER, *rows, "not-a-date,1,2,1001,3,en,http://b.example/1"]))
    ids = [str(1000 + number) for number in range(len(URLS) + 1, len(URLS) + len(BLIND) + 1)]
    blind.write_text("\n".join(["downloads_id", *ids]))
    return known, blind


def hist(where: Backends) -> dict[str, str]:
    """How the programs are told where the old pages are."""
    names = where.variables.items()
    credentials = {name.replace("ARCHIVER", "HIST"): value for name, value in names}
    root = where.archive.rpartition("/")[0]
    return {**credentials, "HIST_DOWNLOADS_URL": f"{root}/old/downloads"}


@pytest.fixture(
    scope="module", params=["embedded", pytest.param("real", marks=pytest.mark.external)]
)
def fetched(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Fetched]:
    """A run of each table."""
    data = tmp_path_factory.mktemp("historical")
    with backends(request.param, data) as where:
        root = where.archive.rpartition("/")[0]
        fill(open_blobstore(f"{root}/old", where.credentials))
        known, blind = tables(data)
        given = ["--type", "historical"]
        first = run_flavor(where, data, *given, str(known), variables=hist(where))
        allowed = ["--set", "HIST_ALLOW_NO_URL=true"]
        second = run_flavor(where, data, *given, *allowed, str(blind), variables=hist(where))
        yield Fetched(look(first, where, URLS), look(second, where, BLIND), str(known))


def ids(urls: list[str]) -> set[str]:
    return {unique_url_hash(url) for url in urls}


def test_every_row_is_fetched_indexed_and_archived_or_told_why_not(fetched: Fetched) -> None:
    summary = fetched.known.summary
    assert (summary["queued"], summary["fetched"], summary["indexed"]) == (8, 6, 6)
    assert summary["discarded"] == {"redundant": 1, "not-found": 1}
    assert sum(summary["skipped"].values()) == 1
    assert summary["accounted"]
    assert fetched.known.documents.keys() == fetched.known.archived.keys() == ids(URLS)


def test_archives_are_named_by_the_year_of_their_stories(fetched: Fetched) -> None:
    names = [url.rpartition("/")[2] for url in fetched.known.summary["warc_files"]]
    assert sorted(re.split(r"-\d{14}-", name)[0] for name in names) == ["mchist2018", "mchist2019"]


def test_the_metadata_is_that_of_the_table(fetched: Fetched) -> None:
    metadata = fetched.known.archived[unique_url_hash(URLS[0])].metadata
    assert metadata["rss_entry"] == {
        "link": "1001",
        "title": None,
        "domain": None,
        "pub_date": None,
        "fetch_date": "2018-05-01",
        "source_url": None,
        "source_feed_id": 6,
        "source_source_id": 45,
        "via": fetched.table,
    }
    assert metadata["http_metadata"]["fetch_timestamp"] == 1556704800.25
    assert metadata["http_metadata"]["response_code"] == 200
    assert metadata["http_metadata"]["final_url"] == URLS[0]


def test_blind_pages_get_the_url_that_they_name(fetched: Fetched) -> None:
    assert len(BLIND) == 3
    assert fetched.blind.summary["indexed"] == 3
    assert fetched.blind.documents.keys() == fetched.blind.archived.keys() == ids(BLIND)
