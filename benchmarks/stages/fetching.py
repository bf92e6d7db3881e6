"""Fetching: the client alone, over HTTP and over TLS, and the fetcher with its queues.

The pages come compressed from a server on this machine, one after the other.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from unittest.mock import patch

import requests
import urllib3

from benchmarks.measuring.corpus import CorpusPage
from benchmarks.measuring.rounds import cpu_seconds
from benchmarks.measuring.stage import Done, Stage, Unit
from benchmarks.page_server import HOST, PageServer
from indexer.broker import open_broker
from indexer.http.fetching import FetchOptions, Request
from indexer.http.fetching.client import Client
from indexer.messages.message import Send
from indexer.stories.fetching.answers import is_page
from indexer.stories.story import RSSEntry, Story
from indexer.system.options import environment
from pipeline import flavor

LARGE = 131_000
"""The bytes of a page for the client alone, at least; the fetcher gets the pages as they are."""

VISITS, STORIES, HOSTS = 300, 1000, 50

Contenders = Mapping[str, Callable[[], int | Done]]


@contextmanager
def stages(pages: Sequence[CorpusPage]) -> Iterator[Sequence[Stage]]:
    """The client beside others, on large pages; the fetcher, without its start."""
    own = [page.html for page in pages]
    with (
        PageServer(_large(own)) as large,
        PageServer(own) as small,
        # For our client, which has no option for it: it trusts the authorities of the system.
        patch.dict(os.environ, SSL_CERT_FILE=str(large.certificate)),
    ):
        program: Contenders = {
            "ours": lambda: _fetched(small),
            "requests, new sessions": _plain(small),
        }
        yield [
            Stage("client, pages of 131 kB", Unit.RATE, 1300, _clients(large, "http")),
            Stage("client, over TLS", Unit.RATE, 700, _clients(large, "https")),
            Stage("fetcher, with its queues", Unit.RATE, 1000, program),
        ]


def _large(pages: Sequence[bytes]) -> list[bytes]:
    """As many pages, each made of several of them."""
    found = []
    for start in range(len(pages)):
        number, page = start, b""
        while len(page) < LARGE:
            page += pages[number % len(pages)]
            number += 1
        found.append(page)
    return found


def _clients(server: PageServer, scheme: str) -> Contenders:
    urls = [f"{server.url(scheme)}/{number}" for number in range(VISITS)]
    trusted = str(server.certificate)

    def ours() -> int:
        with Client(FetchOptions(allow_address=[f"{HOST}/32"])) as client:
            return sum(bool(client.ask(Request(url=url, wanted=is_page)).body) for url in urls)

    def new_sessions() -> int:
        return sum(_by_requests(url, trusted) for url in urls)

    def kept() -> int:
        with urllib3.PoolManager(ca_certs=trusted) as manager:
            own = {"Accept-Encoding": "gzip"}
            return sum(bool(manager.request("GET", url, headers=own).data) for url in urls)

    return {"ours": ours, "requests, new sessions": new_sessions, "urllib3, kept alive": kept}


def _by_requests(url: str, trusted: str = "") -> bool:
    with requests.Session() as session:
        return bool(session.get(url, timeout=60, verify=trusted or True).content)


def _plain(server: PageServer) -> Callable[[], int]:
    urls = [f"{server.url('http')}/{number}" for number in range(STORIES)]
    return lambda: sum(map(_by_requests, urls))


def _fetched(server: PageServer) -> Done:
    """The program reads its stories from a queue, and ends; the cost of an empty queue is off."""
    seconds = _program_seconds(server, STORIES)
    return Done(STORIES, seconds - _start_seconds(server))


@cache
def _start_seconds(server: PageServer) -> float:
    return min(_program_seconds(server, 0) for _ in range(3))


def _program_seconds(server: PageServer, stories: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/queues.sqlite3"
        _fill(url, stories)
        settings = {
            **environment(),
            "DATAROOT": folder,
            "BROKER_URL": url,
            "FETCHER_RESOLVE": f"*.example={HOST}:{server.port}",
            "FETCHER_ALLOW_ADDRESS": f"{HOST}/32",
            "FETCHER_MIN_INTERVAL_SECONDS": "0",
            "FETCHER_ROBOTS": "false",
            "LOG_LEVEL": "error",
        }
        command = [sys.executable, "-m", "workers.stories.tqfetcher", "--until-empty"]
        before = cpu_seconds()
        subprocess.run(command, env=settings, check=True, cwd=Path(__file__).parents[2])
        return cpu_seconds() - before


def _fill(url: str, stories: int) -> None:
    links = [f"http://daily-{number % HOSTS}.example/{number}" for number in range(stories)]
    broker = open_broker(url)
    try:
        broker.declare(flavor("queue-fetcher").compile())
        broker.publish(
            [Send("", "fetcher-in", Story(rss_entry=RSSEntry(link=link)).dump()) for link in links]
        )
    finally:
        broker.close()
