"""Entries over real HTTP: many at once, and answers that break off."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from indexer.database import Database
from indexer.errors import StorageError
from indexer.feeds.api.application import application
from indexer.feeds.registry.listing import Listing
from tests.feeds.api.test_stories import ids
from tests.feeds.served import (
    READER,
    a_story,
    add_stories,
    serving,
    site,
)
from tests.patience import PATIENCE


def test_an_answer_that_breaks_off_is_not_taken_for_a_whole_one(
    feeds_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.feeds.registry.listing.PORTION", 2)
    add_stories(feeds_db, *(a_story(id) for id in range(1, 10)))
    portion = Listing.portion
    asked: Iterator[int] = iter(range(100))

    def failing(listing: Listing, *given: Any) -> Any:
        if next(asked) >= 2:
            raise StorageError("gone")
        return portion(listing, *given)

    monkeypatch.setattr(Listing, "portion", failing)
    with (
        serving(application(site(feeds_db))) as url,
        httpx.Client(base_url=url, auth=READER, trust_env=False, timeout=PATIENCE) as session,
        pytest.raises(httpx.RemoteProtocolError),
    ):
        session.get("/api/rss_entries/1?_limit=9")


def test_many_may_ask_at_once(feeds_db: Database) -> None:
    add_stories(feeds_db, *(a_story(id) for id in range(1, 101)))
    with (
        serving(application(site(feeds_db))) as url,
        httpx.Client(base_url=url, auth=READER, trust_env=False, timeout=PATIENCE) as session,
        ThreadPoolExecutor(8) as threads,
    ):
        answers = threads.map(
            lambda first: session.get(f"/api/rss_entries/{first}?_limit=50").json(), range(1, 41)
        )
        assert [ids(each["results"])[0] for each in answers] == [*range(1, 41)]
