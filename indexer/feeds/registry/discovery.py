"""Finds feeds by the names that an operator gives: URLs of feeds, pages and lists, and files.

https://site.example/feed     a feed: itself
https://site.example/         a page: the feeds that it links to in its head
feeds.opml, feeds.csv         lists: all feeds in them; also on the web, or in buckets
directory, @names, -          the files in it; the names in it; standard input
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from indexer.errors import FetchError, InputError
from indexer.feeds.reading.reading import first_bytes
from indexer.feeds.registry.feed_links import Content, content_of, named_feeds, usual_places
from indexer.feeds.registry.feed_lists import FEED_COLUMNS, MAX_LIST_BYTES, read_list
from indexer.feeds.registry.feed_spec import FeedProblem, FeedSpec, refusal, shown
from indexer.http.fetching import Request, Response
from indexer.http.fetching.client import Client
from indexer.inputs.inputs import WEB, Input, Inputs
from indexer.text.cleaning import one_line
from indexer.text.decoding.texts import head_text
from indexer.text.tables.columns import EXPORT, Columns, is_spreadsheet
from indexer.text.unpacking import HEAD

ACCEPT = (
    "application/rss+xml, application/atom+xml, application/feed+json, "
    "text/html;q=0.9, application/xml;q=0.9, */*;q=0.8"
)
LOOKED_AT = 1 << 20
"""Bytes read of a URL to find out its kind: the head of a page is shorter."""

BUSY = ("http-429", "http-503")
"""A site that answers so gets no further requests."""

STORES = ("FEEDS", "RSS", "CSV", "QUEUER")
"""Prefixes of the variables with credentials for buckets, in the order in which they are tried."""

_SITE = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/\S*)?", re.IGNORECASE)


class Resolved(NamedTuple):
    """The feeds that were found, and the names or lines that gave none."""

    specs: list[FeedSpec]
    problems: list[FeedProblem]


def resolve(
    names: Sequence[str],
    client: Client,
    *,
    guess: bool = False,
    look: bool = True,
    columns: Columns = FEED_COLUMNS,
) -> Resolved:
    """Find the feeds of all names; a name that fails becomes a problem, and the others go on.

    `guess`: try the usual paths on the site of a page that links to no feed. Without `look` a URL
    is taken for a feed without a request. `columns` are those of tables. Raises ConfigurationError
    for a name that can't be one.
    """
    resolver = _Resolver(client, columns, guess=guess, look=look)
    for name in names:
        try:
            resolver.resolve(name)
        except InputError as error:
            hint = f"; a site is named https://{name}" if _SITE.fullmatch(name) else ""
            resolver.found.problems.append(FeedProblem("", f"{error}{hint}"))
    return resolver.found


class _Resolver:
    def __init__(self, client: Client, columns: Columns, *, guess: bool, look: bool) -> None:
        self.found = Resolved([], [])
        self._client = client
        self._columns = columns
        self._guess = guess
        self._look = look
        self._inputs = Inputs(client.open, STORES, max_bytes=MAX_LIST_BYTES)

    def resolve(self, name: str) -> None:
        """Find the feeds of a name. Raises InputError, ConfigurationError."""
        if why := refusal(name):
            self._problem(name, why)
            return
        for each in self._inputs.named([name]):
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
        match content_of(url, first_bytes(answer.body, HEAD), self._columns):
            case Content.FEED:
                self.found.specs.append(FeedSpec(url))
            case Content.LIST:
                # Fetched again, and streamed: only the beginning of the list was read here.
                self._list(self._inputs.on_the_web(url))
            case Content.PAGE:
                self._page(url, answer)
            case None:
                self._problem(url, "neither a feed, nor a list of feeds, nor a web page")

    def _page(self, url: str, answer: Response) -> None:
        named = named_feeds(answer.url, head_text(answer.body))
        if not named and self._guess:
            named = self._guessed(answer.url)
        if not named:
            hint = "" if self._guess else "; --guess tries the usual paths of its site"
            self._problem(url, f"a page that links to no feeds{hint}")
        self.found.specs.extend(named)

    def _guessed(self, url: str) -> list[FeedSpec]:
        """Return the first feed at one of the usual paths; stop if the site says it is busy."""
        for place in usual_places(url):
            try:
                answer = self._get(place)
            except FetchError as error:
                if error.status in BUSY:
                    break
                continue
            if content_of("", first_bytes(answer.body, HEAD)) is Content.FEED:
                return [FeedSpec(place)]
        return []

    def _get(self, url: str) -> Response:
        """Fetch the beginning of a URL. Raises FetchError, also for a status that is not 2xx."""
        answer = self._client.ask(Request(url=url, accept=ACCEPT, max_bytes=LOOKED_AT, cut=True))
        if not 200 <= answer.status < 300:
            raise FetchError(f"HTTP {answer.status}", f"http-{answer.status}")
        return answer

    def _file(self, file: Input) -> None:
        try:
            head = file.head()
            content = content_of(file.name, head, self._columns)
            if content is Content.LIST:
                self._list(file)
            elif content is Content.PAGE:
                self._local_page(file.name, head_text(head))
            elif content is Content.FEED:
                self._problem(file.name, "a feed, not a list of feeds: give the feed's URL")
            elif is_spreadsheet(head):
                self._problem(file.name, EXPORT)
            else:
                self._problem(file.name, "not a list of feeds: neither OPML, nor CSV, nor URLs")
        except InputError as error:
            self.found.problems.append(FeedProblem("", str(error)))

    def _local_page(self, name: str, text: str) -> None:
        # A file has no URL: relative links lead nowhere.
        named = named_feeds("", text)
        if not named:
            self._problem(name, "a page without links to feeds by absolute URLs")
        self.found.specs.extend(named)

    def _list(self, file: Input) -> None:
        """Add the feeds of a list. Raises InputError; feeds read before the error are kept."""
        with file.open() as content:
            for each in read_list(file.name, content, self._columns):
                if isinstance(each, FeedProblem):
                    self.found.problems.append(each)
                else:
                    self.found.specs.append(each)

    def _problem(self, what: str, why: str) -> None:
        self.found.problems.append(FeedProblem(shown(what), one_line(why, 300)))
