"""Fetches a feed: one poll in, one attempt out, also for every failure.

    validators → GET, following redirects → 304: not modified
                                          → the hash of the previous document: nothing to parse
                                          → a sitemap index: its newest sitemaps are fetched, too
                                          → another document: for the parser
                                          → any other response: a status

All requests of an attempt share one deadline and one limit of bytes.
"""

import hashlib
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from indexer.database import utc_now
from indexer.errors import FetchError, Requeue
from indexer.feeds import statuses
from indexer.feeds.attempt import POSTPONED, Attempt, DocumentPart, FeedAnswer, Hop, Poll, Unchanged
from indexer.feeds.fetching.answers import (
    NOT_MODIFIED,
    fresh_until,
    is_document,
    leads_on,
    retry_at,
    validator,
)
from indexer.feeds.fetching.conditional import ConditionalOptions, belong_to, validators
from indexer.feeds.reading.sitemap_index import children
from indexer.http.connections.dialer import LookUp
from indexer.http.connections.failures import FetchFailure
from indexer.http.fetching import FetchOptions, Request, Response
from indexer.http.fetching.client import Client
from indexer.http.fetching.exchange import Check, Headers, Seen, nothing, unseen
from indexer.system.options import option
from indexer.text.cleaning import one_line

FEEDS: Final = (
    "application/atom+xml,application/rss+xml,application/feed+json,application/rdf+xml,"
    "application/xml;q=0.9,text/xml;q=0.9,application/json;q=0.8,*/*;q=0.5"
)

DETAIL_LENGTH: Final = 300

A_WHILE: Final = timedelta(minutes=1)
"""The delay of an attempt that was postponed because the database could not be queried."""

Visit: TypeAlias = Callable[[str, bool], datetime | None]
"""Called before each request to a URL other than the feed's own: a redirect's target, or, if the
second argument is true, an extra request. Returns the time to wait until, or None.
"""


class FeedFetchOptions(FetchOptions, ConditionalOptions):
    """Part of the options of every program that fetches feeds (feeds.md 4)."""

    connect_timeout: float = option(
        30.0, "seconds to connect", "RSS_FETCH_TIMEOUT_SECS", "FETCHER_CONNECT_TIMEOUT"
    )
    read_timeout: float = option(
        30.0, "seconds to wait for the next byte", "RSS_FETCH_TIMEOUT_SECS", "FETCHER_READ_TIMEOUT"
    )
    total_timeout: float = option(
        180.0,
        "seconds for a feed, redirects included",
        "TASK_TIMEOUT_SECONDS",
        "FETCHER_TOTAL_TIMEOUT",
    )
    max_html_bytes: int = option(20_000_000, "largest feed, decoded", "MAX_FEED_BYTES")
    max_encoded_bytes: int = option(
        20_000_000, "largest feed, as transferred", "FETCHER_MAX_ENCODED_BYTES"
    )
    verify_certificates: bool = option(True, "check TLS certificates", "VERIFY_CERTIFICATES")
    max_sitemaps: int = option(5, "most sitemaps fetched from a sitemap index", "MAX_SITEMAPS")

    @property
    def checked(self) -> "FeedFetchOptions":
        """These options, with `insecure` set if certificates are not verified."""
        if self.verify_certificates:
            return self
        return self.model_copy(update={"insecure": True})


def anywhere(url: str, is_extra: bool) -> None:
    """Allow every visit."""


class FeedClient:
    """Fetches feeds within the limits of its options. Thread-safe."""

    def __init__(
        self,
        options: FeedFetchOptions,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = utc_now,
        look_up: LookUp | None = None,
    ) -> None:
        """`look_up` replaces DNS in tests. Raises ConfigurationError."""
        self.options = options.checked
        self.clock = clock
        self.now = now
        self.http = Client(self.options, clock, look_up)

    def close(self) -> None:
        """Close the kept connections."""
        self.http.close()

    def fetch(self, poll: Poll, visit: Visit = anywhere, seen: Seen = unseen) -> Attempt:
        """Fetch a feed. Never raises: a failure is a status of the attempt."""
        attempt = Attempt(poll=poll, started=self.now())
        fetch = _Fetch(self, attempt, visit, seen)
        try:
            fetch.run()
        except Requeue:
            # Without a time, the database failed when `visit` queried it.
            attempt.status, attempt.until = POSTPONED, fetch.until or self.now() + A_WHILE
        except FetchError as error:
            attempt.status = statuses.OF_FAILURE[FetchFailure(error.failure)]
            attempt.detail = one_line(str(error), DETAIL_LENGTH)
        except Exception as error:  # noqa: BLE001 - no feed may end the program
            attempt.status = statuses.CAUGHT_EXCEPTION
            attempt.detail = one_line(repr(error), DETAIL_LENGTH)
        return attempt


class _Fetch:
    """The requests of one attempt. `until`: the moment until which it was postponed."""

    def __init__(self, client: FeedClient, attempt: Attempt, visit: Visit, seen: Seen) -> None:
        self.until: datetime | None = None
        self._client = client
        self._attempt = attempt
        self._poll = attempt.poll
        self._visit = visit
        self._seen = seen
        self._ends = client.clock() + client.options.total_timeout
        self._bytes_left = client.options.max_html_bytes
        self._validators = validators(attempt.poll, attempt.started, client.options)
        self._is_conditional = False
        self._hops: list[Hop] = []
        self._code = 0

    def run(self) -> None:
        """Fill in the attempt. Raises FetchError, and Requeue to postpone it."""
        started = self._client.clock()
        response = self._get_feed({})
        if response.status == NOT_MODIFIED and not self._is_conditional:
            response = self._get_feed_again()
        answer = self._answer(response)
        self._attempt.answer = answer
        if response.status == NOT_MODIFIED and self._is_conditional:
            self._attempt.unchanged = Unchanged.NOT_MODIFIED
        elif is_document(response):
            self._take(response, answer)
        else:
            self._attempt.status = statuses.http_status(response.status, response.reason)
        answer.seconds = self._client.clock() - started

    def _get_feed_again(self) -> Response:
        """Repeat the request without validators, as a cache may have answered 304 by mistake."""
        self._check_visit(self._poll.url, is_extra=True)
        self._validators = {}
        self._hops = []
        return self._get_feed({"Cache-Control": "no-cache"})

    def _get_feed(self, more: Mapping[str, str]) -> Response:
        def headers(url: str) -> Mapping[str, str]:
            # Validators belong to the end of a chain of redirects: the URLs before have others.
            self._is_conditional = bool(self._validators) and belong_to(self._poll, url)
            return {**more, **(self._validators if self._is_conditional else {})}

        def check(target: str) -> None:
            self._check_visit(target)
            self._hops.append(Hop(self._code, target))

        return self._get(self._poll.url, check, headers)

    def _get(self, url: str, check: Check, headers: Headers) -> Response:
        return self._client.http.ask(
            Request(
                url=url,
                accept=FEEDS,
                headers=headers,
                check=check,
                wanted=is_document,
                follow=self._follows,
                seen=self._seen,
                max_bytes=max(self._bytes_left, 0),
                # A truncated document must not be parsed: its missing items would be lost.
                exact=True,
                seconds=self._ends - self._client.clock(),
            )
        )

    def _follows(self, response: Response) -> bool:
        self._code = response.status
        return leads_on(response, self._client.now())

    def _check_visit(self, url: str, *, is_extra: bool = False) -> None:
        """Raise Requeue if the URL must not be visited now."""
        self.until = self._visit(url, is_extra)
        if self.until is not None:
            raise Requeue(POSTPONED, url)

    def _answer(self, response: Response) -> FeedAnswer:
        now = self._client.now()
        document = is_document(response) or response.status == NOT_MODIFIED
        return FeedAnswer(
            code=response.status,
            reason=one_line(response.reason, statuses.MAX_REASON),
            url=response.url,
            hops=self._hops,
            conditional=self._is_conditional,
            etag=validator(response, "etag"),
            last_modified=validator(response, "last-modified"),
            retry_at=retry_at(response, now),
            fresh_until=fresh_until(response, now) if document else None,
        )

    def _take(self, response: Response, answer: FeedAnswer) -> None:
        """Pass a document on to the parser, unless it has the hash of the previous one."""
        parts, pages = [response.body], [_page(response)]
        # MD5, as seed 003 defines `last_fetch_hash`.
        digest = hashlib.md5(response.body, usedforsecurity=False)
        if digest.hexdigest() != self._poll.hash:
            for sitemap in self._sitemaps(response):
                parts.append(sitemap.body)
                pages.append(_page(sitemap))
                digest.update(sitemap.body)
                # The index's validators say nothing about changes in its sitemaps.
                answer.etag = answer.last_modified = None
        answer.size = sum(len(part) for part in parts)
        answer.md5 = digest.hexdigest()
        if answer.md5 == self._poll.hash:
            self._attempt.unchanged = Unchanged.SAME_HASH
        else:
            self._attempt.pages, self._attempt.parts = pages, parts

    def _sitemaps(self, index: Response) -> list[Response]:
        """Fetch the sitemaps of an index, as far as time and bytes allow; [] of other documents."""
        found: list[Response] = []
        self._bytes_left -= len(index.body)
        for url in children(index.body, index.url)[: self._client.options.max_sitemaps]:
            try:
                self._check_visit(url, is_extra=True)
                sitemap = self._get(url, self._check_visit, nothing)
            # One sitemap that fails, or whose host must wait, costs only its own items.
            except (FetchError, Requeue):
                continue
            if is_document(sitemap):
                self._bytes_left -= len(sitemap.body)
                found.append(sitemap)
        return found


def _page(response: Response) -> DocumentPart:
    return DocumentPart(response.url, len(response.body), response.charset)
