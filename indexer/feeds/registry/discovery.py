"""From what somebody names to feeds: feeds, lists of feeds, or pages that name their feeds.

https://site.example/feed     a feed: itself
https://site.example/         a page: the feeds that it names
feeds.opml, feeds.csv         lists: all feeds that are in them; also on the web, or in buckets
directory, @names, -          the files in it; the names in it; standard input
"""

import io
import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from indexer.errors import FetchError, InputError
from indexer.feeds.registry.feed_links import Content, content_of, named_feeds, usual_places
from indexer.feeds.registry.feed_lists import MAX_LIST_BYTES, read_list
from indexer.feeds.registry.feed_spec import FeedProblem, FeedSpec
from indexer.http.fetching import Client, Response
from indexer.inputs.inputs import WEB, Input, Inputs
from indexer.text.cleaning import one_line
from indexer.text.decoding.texts import head_text
from indexer.text.unpacking import head_of, unpacked

ACCEPT = (
    "application/rss+xml, application/atom+xml, application/feed+json, "
    "text/html;q=0.9, application/xml;q=0.9, */*;q=0.8"
)
LOOKED_AT = 1 << 20
"""How much of what is on the web is read to tell what it is: the head of a page is shorter."""

BUSY = ("http-429", "http-503")
"""A site that says so is asked for nothing more."""

STORES = ("FEEDS", "RSS", "CSV", "QUEUER")
"""Whose credentials are tried for buckets."""


class Tell(Protocol):
    """Told what is looked at, for who waits."""

    def __call__(self, what: str, /) -> None:
        """It begins now."""


_SITE = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/\S*)?", re.IGNORECASE)


class Resolved(NamedTuple):
    """The feeds that were found, and what went wrong on the way."""

    specs: list[FeedSpec]
    problems: list[FeedProblem]


def resolve(
    names: Sequence[str],
    client: Client,
    *,
    guess: bool = False,
    look: bool = True,
    tell: Tell = lambda _: None,
) -> Resolved:
    """The feeds of all that is named; what can't be found or read is told, and the rest found.

    `guess`: of a page that names no feed look where they usually are. Without `look` a URL is
    taken for a feed, unseen. Raises ConfigurationError for what is no name.
    """
    resolver = _Resolver(client, guess=guess, look=look, tell=tell)
    for name in names:
        try:
            resolver.resolve(name)
        except InputError as error:
            hint = f"; a site is named https://{name}" if _SITE.fullmatch(name) else ""
            resolver.found.problems.append(FeedProblem("", f"{error}{hint}"))
    return resolver.found


class _Resolver:
    def __init__(self, client: Client, *, guess: bool, look: bool, tell: Tell) -> None:
        self.found = Resolved([], [])
        self._client = client
        self._guess = guess
        self._look = look
        self._tell = tell
        self._inputs = Inputs(client.open, STORES, max_bytes=MAX_LIST_BYTES)

    def resolve(self, name: str) -> None:
        """Find the feeds of a name. Raises InputError, ConfigurationError."""
        for each in self._inputs.named([name]):
            self._tell(each)
            if each.partition("://")[0].lower() in WEB and "://" in each:
                self._on_the_web(each)
            else:
                for file in self._inputs.find([each]):
                    self._file(file)

    def _on_the_web(self, url: str) -> None:
        if not self._look:
            self.found.specs.append(FeedSpec(url))
            return
        try:
            answer = self._get(url)
        except FetchError as error:
            self._problem(url, f"can't be fetched: {error}")
            return
        head = _head(url, answer.body)
        match content_of(url, head):
            case Content.FEED:
                self.found.specs.append(FeedSpec(url))
            case Content.LIST:
                self._list(self._inputs.on_the_web(url))
            case Content.PAGE:
                self._page(url, answer)
            case None:
                self._problem(url, "neither a feed, nor a list of feeds, nor a page")

    def _page(self, url: str, answer: Response) -> None:
        named = named_feeds(answer.url, head_text(answer.body))
        if not named and self._guess:
            named = self._guessed(answer.url)
        if not named:
            hint = "" if self._guess else ", and nobody looked where they may be (--guess)"
            self._problem(url, f"a page that names no feeds{hint}")
        self.found.specs.extend(named)

    def _guessed(self, url: str) -> list[FeedSpec]:
        """The first feed in one of the usual places; the site may have had enough before."""
        for place in usual_places(url):
            self._tell(place)
            try:
                answer = self._get(place)
            except FetchError as error:
                if error.status in BUSY:
                    break
                continue
            if content_of("", _head(place, answer.body)) is Content.FEED:
                return [FeedSpec(place)]
        return []

    def _get(self, url: str) -> Response:
        """Raises FetchError, also where the status isn't a good one."""
        answer = self._client.get(url, accept=ACCEPT, max_bytes=LOOKED_AT, cut=True)
        if not 200 <= answer.status < 300:
            raise FetchError(f"HTTP {answer.status}", f"http-{answer.status}")
        return answer

    def _file(self, file: Input) -> None:
        try:
            head = file.head()
            content = content_of(file.name, head)
            if content is Content.LIST:
                self._list(file)
            elif content is Content.PAGE:
                self._local_page(file.name, head)
            elif content is Content.FEED:
                self._problem(file.name, "a feed, not a list of feeds: name the URL that it is at")
            else:
                self._problem(file.name, "not a list of feeds: neither OPML, nor CSV, nor URLs")
        except InputError as error:
            self.found.problems.append(FeedProblem("", str(error)))

    def _local_page(self, name: str, head: bytes) -> None:
        named = named_feeds("", head_text(head))
        if not named:
            self._problem(name, "a page that names no feeds by their whole URLs")
        self.found.specs.extend(named)

    def _list(self, file: Input) -> None:
        """Raises InputError; what was read before that is kept."""
        with file.open() as content:
            for each in read_list(file.name, content):
                if isinstance(each, FeedProblem):
                    self.found.problems.append(each)
                else:
                    self.found.specs.append(each)

    def _problem(self, what: str, why: str) -> None:
        self.found.problems.append(FeedProblem(one_line(what, 200), one_line(why, 300)))


def _head(url: str, body: bytes) -> bytes:
    """The first bytes, unpacked; as far as there are any."""
    try:
        with unpacked(url, io.BytesIO(body), LOOKED_AT) as file:
            return head_of(file)
    except InputError:
        return b""
