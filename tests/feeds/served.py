"""The API of a database, for clients without a network or over real HTTP."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from functools import cache
from pathlib import Path
from socket import SOCK_STREAM
from typing import Any, cast

import httpx
import uvicorn
from fastapi import FastAPI
from sqlalchemy import Table

from indexer.database import Database
from indexer.feeds import models
from indexer.feeds.api.application import application
from indexer.feeds.api.credentials import ApiCredentials, Pair
from indexer.feeds.api.site import ApiSite
from indexer.feeds.tools.trial import Trial
from indexer.programs.serving import config
from indexer.system.listening import ListenAddress, listen

NOW = datetime(2026, 11, 21, 12, 30)
TODAY, YESTERDAY = datetime(2026, 11, 21, 1), datetime(2026, 11, 20, 1)

READER, WRITER = ("reader", "hunter2"), ("editor", "trustno1")
ONE_PAIR = ApiCredentials(Pair(*READER), Pair(*READER))
TWO_PAIRS = ApiCredentials(Pair(*READER), Pair(*WRITER))
NOBODY = ApiCredentials(Pair("", ""), Pair("", ""))

METHODS = [
    "/api/rss_entries/1",
    "/api/feeds/1",
    "/api/feeds/1/history",
    "/api/feeds/1/stories",
    "/api/sources/3/stories",
    "/api/sources/3/feeds",
    "/api/sources/3/stories/fetched-by-day",
    "/api/sources/3/stories/published-by-day",
    "/api/stories/fetched-by-day",
    "/api/stories/published-by-day",
    "/api/stories/by-source",
    "/api/stories/count?column=domain",
]
"""All that is read of feeds and stories."""

Ask = Callable[..., httpx.Response]


def site(database: Database, files: Path = Path("nowhere"), **changed: Any) -> ApiSite:
    """A site with one pair of credentials and a fixed time."""
    given: dict[str, Any] = {
        "credentials": ONE_PAIR,
        "now": lambda: NOW,
        "files": files,
        "tried": lambda url, source: Trial(
            url=url, started=NOW, status="Working", sources_id=source
        ),
        "metrics": lambda accept: ("text/plain", accept.encode()),
        "version": "1.2.3",
        "revision": "abc123",
    }
    return ApiSite(database, **given | changed)


def asking(app: FastAPI, auth: tuple[str, str] | None = READER) -> Ask:
    """A function that sends requests to an application."""

    async def ask(path: str, method: str = "GET", **given: Any) -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        given = {"auth": auth} | given
        async with httpx.AsyncClient(transport=transport, base_url="http://feeds") as client:
            return await client.request(method, path, **given)

    return lambda *given, **named: asyncio.run(ask(*given, **named))


def client(database: Database, auth: tuple[str, str] | None = READER, **changed: Any) -> Ask:
    """A function that sends requests to the API of a database."""
    its_site = site(database, **changed)
    app = _application(its_site.files)
    ask = asking(app, auth)

    def of_its_site(*given: Any, **named: Any) -> httpx.Response:
        app.state.site = its_site
        return ask(*given, **named)

    return of_its_site


@cache
def _application(files: Path) -> FastAPI:
    """Share one application among tests: each new one prepares its routes at its first request."""
    return application(site(cast(Database, None), files))


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """Serve an application as the program does; the context is its URL."""
    with closing(listen(ListenAddress("127.0.0.1", 0), SOCK_STREAM)) as bound:
        server = uvicorn.Server(config(app))
        # Signals are handled in the main thread only.
        thread = threading.Thread(target=server.run, args=([bound],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def add(database: Database, table: Table, *rows: Mapping[str, Any]) -> None:
    """Write rows unchanged."""
    with database.writing() as connection:
        for row in rows:
            connection.execute(table.insert(), dict(row))


def a_feed(id: int, **changed: Any) -> dict[str, Any]:
    """The row of a feed of source 3."""
    url = f"https://news{id}.example/feed.xml"
    return {"id": id, "sources_id": 3, "name": f"News {id}", "url": url} | changed


def a_story(id: int, **changed: Any) -> dict[str, Any]:
    """The row of a story of feed 1 of source 3."""
    return {
        "id": id,
        "feed_id": 1,
        "sources_id": 3,
        "url": f"https://news1.example/{id}",
        "identity": f"news1.example/{id}",
        "published_at": YESTERDAY,
        "fetched_at": TODAY,
        "domain": "news1.example",
        "title": f"Title {id}",
    } | changed


def an_event(id: int, feed_id: int = 1, **changed: Any) -> dict[str, Any]:
    """The row of an event."""
    note = "0 skipped / 1 dup / 2 added"
    event = {"feed_id": feed_id, "event": "fetch_succeeded", "note": note, "created_at": TODAY}
    return {"id": id} | event | changed


def add_stories(database: Database, *rows: Mapping[str, Any]) -> None:
    """Write stories."""
    add(database, models.stories, *rows)


def results(ask: Ask, path: str, method: str = "GET") -> Any:
    """The results of a method."""
    envelope = ask(path, method).json()
    assert envelope["status"] == "OK", envelope
    return envelope["results"]


def pages(ask: Ask, path: str) -> list[Any]:
    """All pages of a list, in order."""
    found: list[Any] = []
    cursor: str | None = ""
    while cursor is not None:
        given = {"_limit": "2"} | ({"_cursor": cursor} if cursor else {})
        envelope = ask(str(httpx.URL(path).copy_merge_params(given))).json()
        found.append(envelope["results"])
        cursor = envelope.get("next")
        assert len(found) < 20
    return found
