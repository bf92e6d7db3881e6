"""Syncs with a directory: their changes, and failures after which nothing is changed."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from pydantic import SecretStr
from pytest_httpserver import HTTPServer
from sqlalchemy import select, update

from indexer.database import Database
from indexer.errors import StorageError
from indexer.feeds.models import feeds, stories
from indexer.feeds.polling.claiming import ClaimOptions, Claims
from indexer.feeds.registry import changing, directory_changes, registry
from indexer.feeds.registry.directory import (
    FETCH,
    FORMAT,
    SHRUNK,
    DirectoryOptions,
    FeedDirectory,
    SyncError,
)
from indexer.feeds.registry.directory_changes import Synced
from indexer.feeds.registry.sync_plan import SyncPlan
from indexer.feeds.registry.syncing import follows_a_directory, known_until, sync
from indexer.feeds.store import open_feeds
from indexer.metrics import Metric, attached
from tests.feeds.directory_server import (
    NOW as ITS_NOW,
)
from tests.feeds.directory_server import (
    TOKEN,
    DirectoryServer,
    breaking_off,
    listed,
    page_of_html,
    saying,
)
from tests.feeds.rows import NOW, all_stories, events, feed, later
from tests.patience import PATIENCE

FULL = SyncPlan(full=True)


@pytest.fixture
def server(httpserver: HTTPServer) -> DirectoryServer:
    """A directory with a hundred feeds."""
    return DirectoryServer(httpserver, [listed(id) for id in range(1, 101)])


def synced(
    database: Database, server: DirectoryServer, plan: SyncPlan = FULL, now: datetime = NOW
) -> Synced:
    """Run a sync."""
    options = DirectoryOptions(mcweb_url=server.url, mcweb_token=SecretStr(TOKEN))
    return sync(database, FeedDirectory(options, lambda _: None, page_size=40), plan, now)


def failed(database: Database, server: DirectoryServer, plan: SyncPlan = FULL) -> SyncError:
    """Return the error of a sync that fails."""
    with pytest.raises(SyncError) as error:
        synced(database, server, plan)
    return error.value


def everything(database: Database) -> list[Any]:
    """Return the rows of all feeds."""
    with database.reading() as connection:
        return [tuple(row) for row in connection.execute(select(feeds).order_by(feeds.c.id))]


def change(database: Database, id: int, **values: Any) -> None:
    """Change columns of a feed, as the saver does meanwhile."""
    with database.writing() as connection:
        connection.execute(update(feeds).where(feeds.c.id == id).values(values))


def test_the_first_sync_brings_all_feeds(feeds_db: Database, server: DirectoryServer) -> None:
    server.feeds[1] |= {"admin_rss_enabled": False, "created_at": "2023-04-01T10:20:30+00:00"}
    assert not follows_a_directory(feeds_db)
    assert synced(feeds_db, server, SyncPlan()).changes == {"added": 100}
    found = feed(feeds_db, 7)
    assert (found.url, found.name, found.sources_id) == ("https://h7.example/feed", "Feed 7", 8)
    assert found.created_at == datetime(2023, 4, 1, 10, 20, 30, 123456)
    assert (found.next_fetch_attempt, found.host) == (None, "h7.example")
    assert not feed(feeds_db, 2).active
    assert feed(feeds_db, 2).created_at == datetime(2023, 4, 1, 10, 20, 30)
    assert (known_until(feeds_db), follows_a_directory(feeds_db)) == (ITS_NOW, True)


def test_the_next_one_asks_for_what_has_changed_since(
    feeds_db: Database, server: DirectoryServer
) -> None:
    synced(feeds_db, server, SyncPlan())
    server.feeds = [listed(7, name="New")]
    assert synced(feeds_db, server, SyncPlan()).changes == {"edited": 1}
    assert server.asked[0]["modified_since"] == "0"
    assert server.asked[-1]["modified_since"] == f"{ITS_NOW}"
    # An incremental sync removes no feed that it did not send.
    assert feed(feeds_db, 8).removed_at is None


@pytest.mark.parametrize("plan", [FULL, SyncPlan(reset=True)])
def test_it_can_be_asked_for_everything_again(
    feeds_db: Database, server: DirectoryServer, plan: SyncPlan
) -> None:
    synced(feeds_db, server, SyncPlan())
    before = everything(feeds_db)
    assert synced(feeds_db, server, plan).changes == {"unchanged": 100}
    assert server.asked[-1]["modified_since"] == "0"
    assert everything(feeds_db) == before


def test_a_full_sync_removes_softly_what_the_directory_does_not_have(
    feeds_db: Database, server: DirectoryServer
) -> None:
    synced(feeds_db, server)
    gone = server.feeds.pop(6)
    result = synced(feeds_db, server)
    assert result.changes == {"unchanged": 99, "removed": 1}
    assert feed(feeds_db, 7).removed_at == NOW
    # Each feed is counted once.
    assert synced(feeds_db, server, now=later(9)).changes == {"unchanged": 99}
    assert feed(feeds_db, 7).removed_at == NOW
    server.feeds.append(gone)
    assert synced(feeds_db, server).changes == {"unchanged": 99, "restored": 1}
    assert feed(feeds_db, 7).removed_at is None


def test_what_was_removed_is_deleted_after_some_days_and_its_stories_stay(
    feeds_db: Database, server: DirectoryServer
) -> None:
    synced(feeds_db, server)
    changing.disable(feeds_db, [7, 8], NOW)
    with feeds_db.writing() as connection:
        connection.execute(stories.insert(), {"feed_id": 7, "identity": "a"})
    del server.feeds[6]
    synced(feeds_db, server)
    plan = FULL._replace(delete_after=30)
    assert synced(feeds_db, server, plan, NOW + timedelta(days=30)).deleted == 0
    assert synced(feeds_db, server, plan, NOW + timedelta(days=31)).deleted == 1
    assert [row[0] for row in everything(feeds_db)] == [*range(1, 7), *range(8, 101)]
    assert [len(events(feeds_db, id)) for id in (7, 8)] == [0, 1]
    assert len(all_stories(feeds_db)) == 1


@pytest.mark.parametrize("left", [0, 10, 94])
def test_a_directory_that_answers_a_part_of_its_list_removes_nothing(
    feeds_db: Database, server: DirectoryServer, left: int
) -> None:
    synced(feeds_db, server)
    server.feeds = [listed(id, name="New", url="https://x.example/") for id in range(1, left + 1)]
    before, until = everything(feeds_db), known_until(feeds_db)
    error = failed(feeds_db, server)
    assert error.status == SHRUNK
    assert f"it lacks {100 - left} of 100 feeds" in str(error)
    assert everything(feeds_db) == before
    assert known_until(feeds_db) == until


@pytest.mark.parametrize(("percent", "removed"), [(5.0, 5), (90.0, 90), (100.0, 100)])
def test_an_operator_says_how_much_may_go(
    feeds_db: Database, server: DirectoryServer, percent: float, removed: int
) -> None:
    synced(feeds_db, server)
    del server.feeds[:removed]
    result = synced(feeds_db, server, FULL._replace(max_shrinkage=percent))
    assert result.changes["removed"] == removed


@pytest.mark.parametrize(
    ("replies", "status"),
    [
        ([None, page_of_html()], FORMAT),
        ([None, breaking_off, *[saying({}, 500)] * 3], FETCH),
        ([None, None, saying({}, 404)], FETCH),
        ([None, saying([listed(51), listed(50)])], FORMAT),
    ],
    ids=["HTML", "breaks off", "an error at the end", "repeats a page"],
)
@pytest.mark.parametrize("plan", [FULL, SyncPlan()])
def test_what_breaks_off_changes_nothing(
    feeds_db: Database, server: DirectoryServer, plan: SyncPlan, replies: list[Any], status: int
) -> None:
    synced(feeds_db, server, SyncPlan())
    before = everything(feeds_db)
    server.feeds = [listed(id, name="New") for id in range(50, 300)]
    server.replies.extend(replies)
    assert failed(feeds_db, server, plan).status == status
    assert everything(feeds_db) == before


def test_what_the_database_refuses_changes_nothing(
    feeds_db: Database, server: DirectoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced(feeds_db, server, SyncPlan())
    before = everything(feeds_db)
    server.feeds = [listed(id, name="New") for id in range(1, 200)]
    rows = registry.row_of

    def refused(id: int, *rest: Any) -> dict[str, Any]:
        return rows(id, *rest) | ({"active": None} if id == 199 else {})

    monkeypatch.setattr(directory_changes, "row_of", refused)
    with pytest.raises(StorageError):
        synced(feeds_db, server)
    assert everything(feeds_db) == before


@pytest.mark.parametrize("plan", [SyncPlan(dry_run=True), SyncPlan(full=True, dry_run=True)])
def test_a_dry_run_says_what_would_be_and_changes_nothing(
    feeds_db: Database, server: DirectoryServer, plan: SyncPlan
) -> None:
    synced(feeds_db, server, SyncPlan())
    before = everything(feeds_db)
    server.feeds = [listed(id) for id in range(3, 103)]
    server.feeds[0]["name"] = "New"
    changes = {"edited": 1, "unchanged": 97, "added": 2}
    expected = changes | ({"removed": 2} if plan.full else {})
    assert synced(feeds_db, server, plan).changes == expected
    assert (everything(feeds_db), known_until(feeds_db)) == (before, ITS_NOW)


def test_a_feed_without_a_url_is_left_as_it_is_and_told(
    feeds_db: Database, server: DirectoryServer
) -> None:
    synced(feeds_db, server)
    server.feeds[6] |= {"url": None, "name": "Changed"}
    result = synced(feeds_db, server)
    assert result.changes == {"unchanged": 99, "refused": 1}
    assert [str(problem) for problem in result.problems] == [
        "feed 7: Changed: no URL in the directory"
    ]
    assert feed(feeds_db, 7).url == "https://h7.example/feed"


def test_a_url_for_feed_readers_or_with_a_password_is_not_taken_and_told(
    feeds_db: Database, server: DirectoryServer
) -> None:
    synced(feeds_db, server)
    server.feeds[6]["url"] = "https://me:hunter2@h7.example/feed"
    server.feeds[7]["url"] = "feed://h8.example/feed"
    result = synced(feeds_db, server, SyncPlan(full=True))
    assert result.changes == {"unchanged": 98, "refused": 2}
    seven, eight = (str(problem) for problem in result.problems)
    assert seven.startswith("feed 7: https://h7.example/feed: a URL with a user name or password")
    assert eight.startswith("feed 8: feed://h8.example/feed: feed: only tells a browser")
    assert feed(feeds_db, 7).url == "https://h7.example/feed"


def test_a_feed_whose_url_can_not_be_fetched_is_the_directorys_all_the_same(
    feeds_db: Database, server: DirectoryServer
) -> None:
    server.feeds = [listed(1, url="ftp://a b/")]
    synced(feeds_db, server)
    assert (feed(feeds_db).url, feed(feeds_db).host) == ("ftp://a b/", None)


def test_a_feed_that_is_sent_twice_counts_as_it_was_sent_last(
    feeds_db: Database, server: DirectoryServer
) -> None:
    server.feeds = [listed(id) for id in range(1, 41)] + [listed(40, name="New"), listed(41)]
    result = synced(feeds_db, server)
    assert (result.listed, feed(feeds_db, 40).name) == (41, "New")


def test_feeds_that_have_moved_for_good_are_reported(
    feeds_db: Database, server: DirectoryServer
) -> None:
    synced(feeds_db, server)
    change(feeds_db, 7, adopted_url="https://new.example/")
    result = synced(feeds_db, server, SyncPlan())
    assert result.adopted == [(7, "https://h7.example/feed", "https://new.example/")]
    assert result.adopted_count == 1


def test_an_attempt_under_way_at_the_old_url_is_void(
    feeds_db: Database, server: DirectoryServer
) -> None:
    synced(feeds_db, server)
    claims = Claims(feeds_db, ClaimOptions(), "a")
    (poll,) = claims.claim_these([7], NOW)
    server.feeds[6]["url"] = "https://new.example/"
    synced(feeds_db, server)
    found = feed(feeds_db, 7)
    assert poll.lease != found.lease_owner
    assert (found.lease_owner, found.lease_expires, found.queued) == (None, None, False)


def test_the_changes_are_counted(feeds_db: Database, server: DirectoryServer) -> None:
    class Sink:
        def __init__(self) -> None:
            self.found: dict[tuple[str, ...], float] = {}

        def take(self, metric: Metric, value: float, labels: tuple[str, ...]) -> None:
            self.found[metric.name, *labels] = value

        def forget(self, metric: Metric, labels: tuple[str, ...]) -> None:
            pass

    synced(feeds_db, server)
    server.feeds[0]["name"] = "New"
    del server.feeds[99]
    with attached(sink := Sink()):
        synced(feeds_db, server)
    assert sink.found["sync.feeds", "unchanged"] == 98
    assert sink.found["sync.feeds", "removed"] == 1
    assert sink.found["sync.drift",] == pytest.approx(200 / 99)


def beside(work: Callable[[], object]) -> threading.Thread:
    """Run a function in another thread."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


@pytest.mark.external
def test_a_row_that_the_saver_holds_is_waited_for_and_seen_as_it_is_then(
    postgresql_url: str, server: DirectoryServer
) -> None:
    database = open_feeds(postgresql_url)
    synced(database, server)
    server.feeds[6]["name"] = "New"
    with database.writing() as connection:
        held = select(feeds.c.id).where(feeds.c.id == 7).with_for_update()
        connection.execute(held).all()
        thread = beside(lambda: synced(database, server))
        thread.join(0.3)
        assert thread.is_alive()
        connection.execute(update(feeds).where(feeds.c.id == 7).values(http_etag='"2"'))
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert (feed(database, 7).name, feed(database, 7).http_etag) == ("New", '"2"')
    database.close()
