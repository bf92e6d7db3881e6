"""A puller that always requests its last id + 1 misses no story, however many programs write."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
from sqlalchemy import select

from indexer.database import Database
from indexer.feeds.api.application import application
from indexer.feeds.attempt import Poll
from indexer.feeds.models import stories
from indexer.feeds.saving.storing import store_items
from tests.feeds.rows import NOW, fetched, item
from tests.feeds.served import READER, serving, site
from tests.patience import PATIENCE

WRITERS, BATCHES, ITEMS = 6, 20, 10
PAGE = 25


def write(database: Database, writer: int) -> None:
    """Save batches of stories that no other writer has."""
    poll = Poll(feed_id=writer, url="https://news.example/", lease="x", expires=NOW)
    for batch in range(BATCHES):
        items = [item(f"{writer}-{batch}-{n}", title_hash="") for n in range(ITEMS)]
        with database.writing() as connection:
            store_items(database, connection, [fetched(poll, items)], NOW, 7)


def pulled(client: httpx.Client, all_is_written: Callable[[], bool]) -> list[int]:
    """Pull the ids of all entries, page by page, until all is written and no entry is left."""
    seen = [0]
    while True:
        is_last = all_is_written()
        envelope = client.get(f"/api/rss_entries/{seen[-1] + 1}?_limit={PAGE}").json()
        seen += [row["id"] for row in envelope["results"]]
        if is_last and not envelope["results"]:
            return seen[1:]


def test_nothing_is_missed_while_others_write(feeds_db: Database) -> None:
    with (
        serving(application(site(feeds_db))) as url,
        httpx.Client(base_url=url, auth=READER, trust_env=False, timeout=PATIENCE) as client,
        ThreadPoolExecutor(WRITERS) as pool,
    ):
        writers = [pool.submit(write, feeds_db, number) for number in range(WRITERS)]
        seen = pulled(client, lambda: all(writer.done() for writer in writers))
        for writer in writers:
            writer.result()
    with feeds_db.reading() as connection:
        there = connection.scalars(select(stories.c.id).order_by(stories.c.id)).all()
    assert len(there) == WRITERS * BATCHES * ITEMS
    assert seen == there
