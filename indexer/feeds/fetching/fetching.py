"""Fetches a feed: one poll in, one attempt out, whatever happens on the way.

    validators → GET, redirects followed → 304: not modified
                                         → same hash: nothing to parse
                                         → a sitemap index: its newest sitemaps, too
                                         → a document, for the parser
                                         → anything else: a status

All of it together has one deadline and one limit of bytes.
"""

import hashlib
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from indexer.errors import FetchError, Requeue
from indexer.feeds import statuses
from indexer.feeds.attempt import POSTPONED, Attempt, DocumentPart, FeedAnswer, Hop, Poll, Unchanged
from indexer.feeds.clock import utc_now
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
from indexer.http.fetching import Client, FetchOptions, Request, Response
from indexer.http.fetching.connection import LookUp
from indexer.http.fetching.request import Seen, unseen
from indexer.system.options import option
from indexer.text.cleaning import one_line

FEEDS: Final = (
    "application/atom+xml,application/rss+xml,application/feed+json,application/rdf+xml,"
    "application/xml;q=0.9,text/xml;q=0.9,application/json;q=0.8,*/*;q=0.5"
)

DETAIL_LENGTH: Final = 300

A_WHILE: Final = timedelta(minutes=1)
"""For how long an attempt is put off if nobody knows whether it may go on."""

Visit: TypeAlias = Callable[[str, bool], datetime | None]
"""Asked before a URL is visited that the poll does not name: one that a redirect leads to, or, if
the second argument is true, that is asked for besides. Until when it must be left alone; None: go.
"""


class FeedFetchOptions(FetchOptions, ConditionalOptions):
    """Part of the options of every program that fetches feeds (feeds.md 4)."""

    connect_timeout: float = option(
        30.0, "seconds to connect", "RSS_FETCH_TIMEOUT_SECS", "FETCHER_CONNECT_TIMEOUT"
    )
    read_timeout: float = option(
        30.0, "seconds without a byte", "RSS_FETCH_TIMEOUT_SECS", "FETCHER_READ_TIMEOUT"
    )
    total_timeout: float = option(
        180.0,
        "seconds for a feed, redirects included",
        "TASK_TIMEOUT_SECONDS",
        "FETCHER_TOTAL_TIMEOUT",
    )
    max_html_bytes: int = option(20_000_000, "largest feed, decoded", "MAX_FEED_BYTES")
    max_encoded_bytes: int = option(
        20_000_000, "largest feed, as it is sent", "FETCHER_MAX_ENCODED_BYTES"
    )
    verify_certificates: bool = option(True, "check TLS certificates", "VERIFY_CERTIFICATES")
    max_sitemaps: int = option(5, "sitemaps that are fetched of a sitemap index", "MAX_SITEMAPS")

    @property
    def checked(self) -> "FeedFetchOptions":
        """The same, with one word on certificates."""
        if self.verify_certificates:
            return self
        return self.model_copy(update={"insecure": True})


def anywhere(url: str, besides: bool) -> None:
    """Nobody minds."""


class FeedClient:
    """Fetches feeds within the bounds of its options. Thread-safe."""

    def __init__(
        self,
        options: FeedFetchOptions,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = utc_now,
        look_up: LookUp | None = None,
    ) -> None:
        """`look_up` stands in for DNS. Raises ConfigurationError."""
        self._options = options.checked
        self._clock = clock
        self._now = now
        self._client = Client(self._options, clock, look_up)

    def fetch(self, poll: Poll, visit: Visit = anywhere, seen: Seen = unseen) -> Attempt:
        """What became of a poll. Never raises: every ending has a status."""
        attempt = Attempt(poll=poll, started=self._now())
        turn = _Turn(self._client, self._options, attempt, visit, seen, self._clock, self._now)
        try:
            turn.run()
        except Requeue:
            attempt.status, attempt.until = POSTPONED, turn.until or self._now() + A_WHILE
        except FetchError as error:
            attempt.status = statuses.OF_FAILURE[error.failure]
            attempt.detail = one_line(str(error), DETAIL_LENGTH)
        except Exception as error:  # noqa: BLE001 - a feed must not end the program, whatever it is
            attempt.status = statuses.CAUGHT_EXCEPTION
            attempt.detail = one_line(repr(error), DETAIL_LENGTH)
        return attempt

    def close(self) -> None:
        """Let go of what is kept between fetches."""
        self._client.close()


class _Turn:
    """One attempt on its way. `until`: of one that has to wait."""

    def __init__(
        self,
        client: Client,
        options: FeedFetchOptions,
        attempt: Attempt,
        visit: Visit,
        seen: Seen,
        clock: Callable[[], float],
        now: Callable[[], datetime],
    ) -> None:
        self.until: datetime | None = None
        self._client = client
        self._options = options
        self._attempt = attempt
        self._poll = attempt.poll
        self._visit = visit
        self._seen = seen
        self._clock = clock
        self._now = now
        self._ends = clock() + options.total_timeout
        self._room = options.max_html_bytes
        self._sent: Mapping[str, str] = {}
        self._was_sent = False
        self._hops: list[Hop] = []
        self._code = 0

    def run(self) -> None:
        """Fill in the attempt. Raises FetchError, and Requeue if it has to wait."""
        started = self._clock()
        self._sent = validators(self._poll, self._attempt.started, self._options)
        response = self._get(self._poll.url)
        if response.status == NOT_MODIFIED and not self._was_sent:
            response = self._once_more()
        answer = self._answer(response)
        self._attempt.answer = answer
        if response.status == NOT_MODIFIED and self._was_sent:
            self._attempt.unchanged = Unchanged.NOT_MODIFIED
        elif is_document(response):
            self._take(response, answer)
        else:
            self._attempt.status = statuses.http_status(response.status, response.reason)
        answer.seconds = self._clock() - started

    def _once_more(self) -> Response:
        """A 304 that nobody asked for is the fault of some cache, perhaps."""
        self._may_visit(self._poll.url, besides=True)
        self._sent = {}
        self._hops = []
        return self._get(self._poll.url, {"Cache-Control": "no-cache"})

    def _get(self, url: str, more: Mapping[str, str] | None = None) -> Response:
        """The answer to the poll itself."""

        def headers(asked: str) -> Mapping[str, str]:
            # Of the last URL that is asked: redirects before it have validators of their own.
            self._was_sent = bool(self._sent) and belong_to(self._poll, asked)
            return {**(more or {}), **(self._sent if self._was_sent else {})}

        def check(target: str) -> None:
            self._may_visit(target)
            self._hops.append(Hop(self._code, target))

        return self._client.ask(
            Request(
                url=url,
                accept=FEEDS,
                headers=headers,
                check=check,
                wanted=is_document,
                follow=self._follows,
                seen=self._seen,
                max_bytes=self._room,
                exact=True,
                seconds=self._left(),
            )
        )

    def _follows(self, response: Response) -> bool:
        self._code = response.status
        return leads_on(response, self._now())

    def _may_visit(self, url: str, *, besides: bool = False) -> None:
        """Raise Requeue if the place must be left alone."""
        self.until = self._visit(url, besides)
        if self.until is not None:
            raise Requeue(POSTPONED, url)

    def _left(self) -> float:
        return self._ends - self._clock()

    def _answer(self, response: Response) -> FeedAnswer:
        now = self._now()
        document = is_document(response) or response.status == NOT_MODIFIED
        return FeedAnswer(
            code=response.status,
            reason=one_line(response.reason, statuses.MAX_REASON),
            url=response.url,
            hops=self._hops,
            conditional=self._was_sent,
            etag=validator(response, "etag"),
            last_modified=validator(response, "last-modified"),
            retry_at=retry_at(response, now),
            fresh_until=fresh_until(response, now) if document else None,
        )

    def _take(self, response: Response, answer: FeedAnswer) -> None:
        """A document, for the parser, unless it has been there before."""
        parts, pages = [response.body], [_page(response)]
        digest = hashlib.md5(response.body, usedforsecurity=False)
        if digest.hexdigest() != self._poll.hash:
            for sitemap in self._sitemaps(response):
                parts.append(sitemap.body)
                pages.append(_page(sitemap))
                digest.update(sitemap.body)
                # What is new is not in the index itself.
                answer.etag = answer.last_modified = None
        answer.size = sum(len(part) for part in parts)
        answer.md5 = digest.hexdigest()
        if answer.md5 == self._poll.hash:
            self._attempt.unchanged = Unchanged.SAME_HASH
        else:
            self._attempt.pages, self._attempt.parts = pages, parts

    def _sitemaps(self, index: Response) -> list[Response]:
        """What an index leads to, as far as time and room allow; nothing of other documents."""
        found: list[Response] = []
        self._room -= len(index.body)
        for url in children(index.body, index.url)[: self._options.max_sitemaps]:
            try:
                sitemap = self._sitemap(url)
            except (FetchError, Requeue):
                continue
            if is_document(sitemap):
                self._room -= len(sitemap.body)
                found.append(sitemap)
        return found

    def _sitemap(self, url: str) -> Response:
        self._may_visit(url, besides=True)
        return self._client.ask(
            Request(
                url=url,
                accept=FEEDS,
                check=self._may_visit,
                wanted=is_document,
                follow=self._follows,
                seen=self._seen,
                max_bytes=max(self._room, 0),
                exact=True,
                seconds=self._left(),
            )
        )


def _page(response: Response) -> DocumentPart:
    return DocumentPart(response.url, len(response.body), response.charset)
