"""The feed fetcher, on each database: every poll becomes an attempt, within the limits of hosts."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from indexer.database import Database
from indexer.errors import ConfigurationError, Discard, Requeue
from indexer.feeds.attempt import POSTPONED, WORKING, Attempt, Poll
from indexer.feeds.identity.places import keys
from indexer.feeds.polling.paces import Paces
from indexer.messages.worker import Done, Result
from tests.feeds.polls import NOW, poll
from tests.feeds.servers import RSS, answer, found, in_turn
from tests.http.fetching.raw import RawServer, serving
from workers.feeds.feed_fetcher import FeedFetcher, FeedFetcherOptions

Make = Callable[..., FeedFetcher]


class Time:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.now = NOW
        self.pauses: list[float] = []

    def __call__(self) -> datetime:
        return self.now

    def sleep(self, seconds: float) -> bool:
        self.pauses.append(seconds)
        self.now += timedelta(seconds=seconds)
        return False


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def make(feeds_db: Database, database_url: str, time: Time) -> Iterator[Make]:
    """Makes fetchers that share a database."""
    made: list[FeedFetcher] = []

    def one(**given: Any) -> FeedFetcher:
        known = {"allow_address": ["127.0.0.0/8"], "database_url": database_url}
        options = FeedFetcherOptions(**{**known, **given})
        made.append(FeedFetcher(options, now=time, sleep=time.sleep))
        return made[-1]

    yield one
    for each in made:
        each.close()


def of(server: RawServer, path: str = "/", **given: Any) -> Poll:
    """A poll of a server's feed, with its keys."""
    url = server.url + path
    return poll(url, **{"sources_id": 3, "keys": keys(3, url), **given})


def handled(fetcher: FeedFetcher, poll: Poll) -> tuple[Attempt, str]:
    """Process a poll. Returns the attempt and the fetcher's status."""
    return ended(fetcher.process(poll))


def ended(result: Result[Attempt]) -> tuple[Attempt, str]:
    """The attempt that a result has, and its status."""
    assert isinstance(result, Done)
    (attempt,) = result.outputs
    return attempt, result.status


def test_a_document_goes_on_to_the_parser(make: Make) -> None:
    with serving(answer()) as server:
        fetcher = make()
        assert fetcher.hold(of(server)).seconds == 0
        attempt, status = handled(fetcher, of(server))

    assert (status, attempt.status, attempt.parts) == ("fetched", WORKING, [RSS])
    assert (attempt.poll, attempt.started) == (of(server), NOW)


@pytest.mark.parametrize(
    ("said", "status", "ending"),
    [
        (b"", "connection error", "failed"),
        (answer("404 Not Found"), "HTTP 404 Not Found", "failed"),
        (b"HTTP/1.1 304 Not Modified\r\n\r\n", "Working", "unchanged"),
    ],
)
def test_every_ending_goes_on(make: Make, said: bytes, status: str, ending: str) -> None:
    with serving(said) as server:
        known = of(server, etag='"1"', full_fetch_at=NOW)
        attempt, found = handled(make(), known)
    assert (attempt.status, found) == (status, ending)


def test_feeds_of_a_source_wait_for_their_turns(make: Make) -> None:
    with serving(answer()) as server:
        one, other = make(), make()
        waits = [each.hold(of(server)).seconds for each in (one, other, one)]
        elsewhere = one.hold(poll("http://b.example/", keys=["source:4", "host:b.example"]))
    assert waits == [0, 5, 10]
    assert elsewhere.seconds == 0


def test_a_turn_that_is_far_is_given_back(make: Make) -> None:
    with serving(answer()) as server:
        fetcher = make(feed_secs=30.0)
        assert [fetcher.hold(of(server)).seconds for _ in range(3)] == [0, 30, 60]
        late = fetcher.hold(of(server))
        assert late.seconds == 0
        attempt, status = ended(late.then())
        assert (attempt.status, status) == (POSTPONED, POSTPONED)
        assert attempt.until == NOW + timedelta(seconds=90)
        assert server.requests == []


def test_a_turn_that_was_given_back_is_there_for_others(make: Make, time: Time) -> None:
    with serving(answer()) as server:
        fetcher = make(feed_secs=30.0)
        assert [fetcher.hold(of(server)).seconds for _ in range(5)] == [0, 30, 60, 0, 0]
        time.sleep(60)
        assert fetcher.hold(of(server)).seconds == 30


def test_who_begins_long_after_its_turn_waits_for_another(make: Make, time: Time) -> None:
    with serving(answer()) as server:
        fetcher, other = make(), make()
        first, second = fetcher.hold(of(server)), other.hold(of(server))
        assert (first.seconds, second.seconds) == (0, 5)
        time.sleep(20)
        time.pauses.clear()
        assert ended(first.then())[1] == "fetched"
        assert ended(second.then())[1] == "fetched"
    assert time.pauses == [5.0]


def test_a_turn_after_the_lease_is_given_back(make: Make) -> None:
    with serving(answer()) as server:
        fetcher = make()
        fetcher.hold(of(server))
        short = of(server, expires=NOW + timedelta(seconds=4))
        held = fetcher.hold(short)
        assert held.seconds == 0
        assert ended(held.then())[1] == POSTPONED


def test_a_lease_that_is_over_is_somebody_elses(make: Make, time: Time) -> None:
    with serving(answer()) as server:
        fetcher, stale = make(), of(server, expires=NOW + timedelta(seconds=1))
        held = fetcher.hold(stale)
        time.sleep(1)
        for handle in (held.then, lambda: fetcher.hold(stale), lambda: fetcher.process(stale)):
            with pytest.raises(Discard, match="stale"):
                handle()
        assert server.requests == []


@pytest.mark.parametrize(
    "said",
    [
        answer("429 Too Many", "Retry-After: 14400"),
        answer("503 Busy", "Retry-After: Sat, 21 Nov 2026 16:00:00 GMT"),
        found("/b", "302 Found", "Retry-After: 14400"),
    ],
)
def test_a_host_that_wants_to_be_left_alone_is_by_all(make: Make, time: Time, said: bytes) -> None:
    with serving(in_turn(said, answer())) as server:
        handled(make(), of(server))
        attempt, status = handled(make(), of(server, "/other", feed_id=8))
        assert (status, attempt.answer) == (POSTPONED, None)
        assert attempt.until is not None
        assert abs(attempt.until - NOW - timedelta(hours=4)) < timedelta(seconds=1)
        assert len(server.requests) == 1
        time.now += timedelta(hours=4, seconds=1)
        later = of(server, expires=time.now + timedelta(minutes=1))
        assert handled(make(), later)[1] == "fetched"


def test_a_sitemap_of_an_index_may_want_its_host_to_be_left_alone(
    make: Make, feeds_db: Database
) -> None:
    names = b"".join(b"<sitemap><loc>/%d.xml</loc></sitemap>" % each for each in range(3))
    index = answer(body=b"<sitemapindex>" + names + b"</sitemapindex>")
    with serving(in_turn(index, answer("429 Too Many", "Retry-After: 14400"))) as server:
        attempt, status = handled(make(), of(server))
        assert (status, len(attempt.parts), len(server.requests)) == ("fetched", 1, 2)
    until = Paces(feeds_db, 5.0).blocked(["host:127.0.0.1"], NOW)
    assert until == NOW + timedelta(hours=4)


@pytest.mark.parametrize("status", ["404 Not Found", "403 Forbidden"])
def test_other_answers_are_about_one_feed(make: Make, status: str) -> None:
    with serving(in_turn(answer(status, "Retry-After: 14400"), answer())) as server:
        attempt, _ = handled(make(), of(server))
        assert attempt.answer is not None
        assert attempt.answer.retry_at is not None
        assert handled(make(), of(server, "/other"))[1] == "fetched"


def test_both_hosts_of_a_redirect_are_left_alone(make: Make, feeds_db: Database) -> None:
    with serving(answer("429 Too Many", "Retry-After: 60")) as busy:
        there = f"http://busy.test:{busy.port}/"
        with serving(found(there)) as server:
            fetcher = make(resolve=["*.test=127.0.0.1"])
            handled(fetcher, of(server))
    paces = Paces(feeds_db, 5.0)
    for host in ("host:busy.test", "host:127.0.0.1"):
        assert paces.blocked([host], NOW) == NOW + timedelta(seconds=60)


def test_a_redirect_to_a_host_that_is_left_alone_waits(make: Make, feeds_db: Database) -> None:
    until = NOW + timedelta(hours=1)
    Paces(feeds_db, 5.0).block(["host:busy.test"], until)
    with serving(found("http://busy.test/")) as server:
        attempt, status = handled(make(resolve=["*.test=127.0.0.1"]), of(server))
    assert (status, attempt.until) == (POSTPONED, until)


def test_a_redirect_to_another_host_has_its_turn_there(
    make: Make, feeds_db: Database, time: Time
) -> None:
    Paces(feeds_db, 5.0).reserve(["host:other.test"], NOW)
    with (
        serving(answer()) as other,
        serving(found(f"http://other.test:{other.port}/")) as server,
    ):
        attempt, _ = handled(make(resolve=["*.test=127.0.0.1"]), of(server))
    assert (attempt.parts, time.pauses) == ([RSS], [5.0])


def test_without_limits_nothing_waits(make: Make, time: Time) -> None:
    with serving(answer()) as server:
        fetcher = make(feed_secs=0.0)
        assert [fetcher.hold(of(server)).seconds for _ in range(50)] == [0.0] * 50
        assert handled(fetcher, of(server))[1] == "fetched"
    assert time.pauses == []


def test_a_database_that_is_away_puts_polls_back(make: Make, feeds_db: Database) -> None:
    fetcher = make()
    with feeds_db.writing() as connection:
        connection.exec_driver_sql("DROP TABLE paces")
    waiting = poll("http://127.0.0.1:1/", keys=["host:127.0.0.1"])
    for handle in (fetcher.hold, fetcher.process):
        with pytest.raises(Requeue, match="no-database"):
            handle(waiting)


def test_what_was_fetched_is_not_lost_with_the_database(make: Make, feeds_db: Database) -> None:
    with serving(answer("429 Too Many", "Retry-After: 60")) as server:
        fetcher = make()
        unlimited = of(server, keys=[])
        with feeds_db.writing() as connection:
            connection.exec_driver_sql("DROP TABLE paces")
        assert handled(fetcher, unlimited)[0].status == "HTTP 429 Too Many"


def test_the_options_are_those_of_operators() -> None:
    options = FeedFetcherOptions.of({"RSS_FETCH_WORKERS": "3", "RSS_FETCH_FEED_SECS": "7"})
    assert (options.threads, options.feed_secs) == (3, 7)
    assert FeedFetcher.threads == 16


def test_limits_below_zero_are_an_error(database_url: str) -> None:
    with pytest.raises(ConfigurationError, match="--feed-secs"):
        FeedFetcher(
            FeedFetcherOptions.of({"DATABASE_URL": database_url, "RSS_FETCH_FEED_SECS": "-1"})
        )
