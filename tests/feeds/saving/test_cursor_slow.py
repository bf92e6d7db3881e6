"""The cursor of stories has no gaps: a reader that always asks for the last id + 1 misses none."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from sqlalchemy import select

from indexer.database import Database
from indexer.feeds.models import stories
from indexer.feeds.polling.claiming import ClaimOptions, Claims
from indexer.feeds.saving.saving import SaveOptions, Saver
from indexer.feeds.store import open_feeds
from tests.feeds.rows import add_feeds, fetched, item, later

WRITERS = 8
BATCHES = 25
"""Of each writer; a batch has FEEDS attempts of ITEMS new stories each: 100,000 in all."""
FEEDS, ITEMS = 20, 25
PAGE = 2500


def test_a_reader_misses_none_of_100_000_stories_of_8_writers(database_url: str) -> None:
    with closing(open_feeds(database_url)) as database:
        add_feeds(database, [{"sources_id": number} for number in range(WRITERS * FEEDS)])
        done = threading.Event()
        with ThreadPoolExecutor(WRITERS + 1) as pool:
            reader = pool.submit(lambda: [*follow(database, done)])
            writers = [
                pool.submit(write, database_url, range(n * FEEDS + 1, (n + 1) * FEEDS + 1))
                for n in range(WRITERS)
            ]
            try:
                for writer in writers:
                    writer.result()
            finally:
                done.set()
            seen = reader.result()
        with database.reading() as connection:
            there = connection.scalars(select(stories.c.id).order_by(stories.c.id)).all()
    assert seen == there
    assert len(there) == WRITERS * BATCHES * FEEDS * ITEMS == 100_000


def write(url: str, feeds: range) -> None:
    """Save many batches of distinct stories."""
    with closing(open_feeds(url)) as database:
        claims = Claims(database, ClaimOptions(feed_concurrency=0), "test")
        saver = Saver(database, SaveOptions.of({}))
        for batch in range(BATCHES):
            polls = claims.claim_these(feeds, later(batch))
            attempts = [
                fetched(
                    poll,
                    [item(f"{poll.feed_id}-{batch}-{n}", title_hash="") for n in range(ITEMS)],
                    batch,
                )
                for poll in polls
            ]
            assert len(attempts) == FEEDS
            saver.save(attempts, later(batch))


def follow(database: Database, done: threading.Event) -> Iterator[int]:
    """The ids of stories that a client finds by asking for the last id + 1."""
    last = 0
    while True:
        is_last = done.is_set()
        statement = select(stories.c.id).where(stories.c.id > last).order_by(stories.c.id)
        with database.reading() as connection:
            page = connection.scalars(statement.limit(PAGE)).all()
        yield from page
        last = page[-1] if page else last
        if is_last and len(page) < PAGE:
            return
