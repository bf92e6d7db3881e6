"""Production: entries of an rss-fetcher are pulled, fetched, parsed, indexed and archived."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from indexer.news.normalized_urls import unique_url_hash
from indexer.pipeview.store import CrumbStore, Selection
from indexer.system.options import environment
from newsroom.server import Newsroom
from tests import services
from tests.commands.backends import backends, run_flavor
from tests.commands.sample import PLAIN, Left, look
from tests.patience import PATIENCE
from tests.stories.rss_fetcher_server import RSSFetcherServer, entry

URLS = PLAIN[:5]


class Pulled(NamedTuple):
    """What a run left behind, where the entries were from, and what the next run found.

    `sums` are what pipeview counted of it, by program and status.
    """

    left: Left
    server: RSSFetcherServer
    queued_again: int
    sums: dict[tuple[str, str], int]


@contextmanager
def database(kind: str, data: Path) -> Iterator[str]:
    """Where pipeview counts."""
    if kind == "embedded":
        yield f"sqlite:///{data / 'pipeview.sqlite3'}"
        return
    services.require("postgresql")
    with services.database() as url:
        yield url


def collect(broker: str, url: str, data: Path) -> dict[tuple[str, str], int]:
    """Have pipeview count what waits for it; the sums."""
    given = ["--broker-url", broker] if broker else []
    command = ["-m", "workers.pipeview.pipeview", "--until-empty", "--batch-seconds", "1", *given]
    variables = {**environment(), "DATAROOT": str(data), "DATABASE_URL": url}
    subprocess.run([sys.executable, *command], env=variables, check=True, timeout=PATIENCE)
    with closing(CrumbStore.open(url)) as store:
        rows = store.sums(["app", "status"], Selection())
        return {(row["app"], row["status"]): row["stories"] for row in rows}


@pytest.fixture(
    scope="module", params=["embedded", pytest.param("real", marks=pytest.mark.external)]
)
def pulled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pulled]:
    """Two runs, one after the other."""
    data = tmp_path_factory.mktemp("pulled")
    rows = [entry(number, url=url) for number, url in enumerate(URLS, 7)]
    server = RSSFetcherServer([*rows, entry(20, url=None), entry(21, url="ftp://a.example/x")])
    with backends(request.param, data) as where, Newsroom() as room, server.running():
        given = ["--type", "queue-fetcher", "--set", "BREADCRUMB_EXCHANGE=breadcrumb"]
        first, second = (
            run_flavor(where, data, *given, room=room, variables=server.variables) for _ in range(2)
        )
        with database(request.param, data) as url:
            sums = collect(where.broker, url, data)
        yield Pulled(look(first, where, URLS), server, second["queued"], sums)


def test_each_entry_is_queued_fetched_indexed_and_archived_once(pulled: Pulled) -> None:
    summary = pulled.left.summary
    assert (summary["queued"], summary["fetched"], summary["indexed"]) == (5, 5, 5)
    assert summary["skipped"] == {"no-url": 1, "bad-scheme": 1}
    assert summary["accounted"]
    ids = {unique_url_hash(url) for url in URLS}
    assert pulled.left.documents.keys() == pulled.left.archived.keys() == ids


def test_the_next_run_goes_on_behind_the_last_entry(pulled: Pulled) -> None:
    assert pulled.queued_again == 0
    # The entry of the bookmark, to see whether it is of this server; then what follows it.
    assert [request.first for request in pulled.server.requests] == [0, 21, 22]


def test_every_field_of_an_entry_is_archived(pulled: Pulled) -> None:
    archived = pulled.left.archived[unique_url_hash(URLS[0])]
    assert archived.metadata["rss_entry"] == {
        "link": URLS[0],
        "title": "Title 7",
        "domain": "site7.example",
        "pub_date": "Fri, 01 Mar 2024 23:59:58 +0000",
        "fetch_date": "2024-03-02",
        "source_url": "https://site7.example/feed",
        "source_feed_id": 1007,
        "source_source_id": 7,
        "via": f"7@{pulled.server.address}",
    }


def test_archives_are_named_mc(pulled: Pulled) -> None:
    assert all("/mc-20" in url for url in pulled.left.summary["warc_files"])


def test_pipeview_counts_what_became_of_every_entry(pulled: Pulled) -> None:
    ends = {key: count for key, count in pulled.sums.items() if not key[1].startswith("re")}
    parsed = sum(count for (app, _), count in ends.items() if app == "parser")
    assert parsed == 5
    assert {key: count for key, count in ends.items() if key[0] != "parser"} == {
        ("rss-puller", "queuing"): 5,
        ("rss-puller", "no-url"): 1,
        ("rss-puller", "bad-scheme"): 1,
        ("fetcher", "success"): 5,
        ("importer", "created"): 5,
        ("archiver", "success"): 5,
    }
