"""A generated site of feeds for the benchmark: 5000 feeds of 500 hosts, 25 items each.

    python -m benchmarks.feed_site [--feeds 5000] [--items 25]    prints the port, and serves them

The server is as small as possible, so that it takes little of the measured time: all feeds are made
before the first request. A line on standard input gives all feeds another edition: the documents
change, their items do not. `FeedSite` serves them from a separate process.
"""

import argparse
import asyncio
import random
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import cast

from benchmarks.server_process import ServerProcess

HOSTS = 500
SUFFIX = "feeds-bench.example"
SEED = 20260131
NEWEST = datetime(2026, 1, 31, 12, tzinfo=UTC)

WORDS = """
    harbour bridge orchard market school river lantern ferry council budget rain library tower
    garden station election museum bakery winter festival clinic railway teacher fountain
""".split()  # noqa: SIM905 - a list of strings would be three times as long


class FeedSite(ServerProcess):
    """Serves generated feeds from a separate process while its block runs."""

    def __init__(self, feeds: int = 5000, items: int = 25) -> None:
        super().__init__("benchmarks.feed_site", "--feeds", str(feeds), "--items", str(items))
        self.urls = [url(number) for number in range(feeds)]

    @property
    def address(self) -> str:
        """*.SUFFIX=ADDRESS:PORT, for the fetchers' option `resolve`."""
        return f"*.{SUFFIX}=127.0.0.1:{self.port}"

    def change(self) -> None:
        """Give all documents another edition, with the same items."""
        self.ask()


def url(number: int) -> str:
    """The URL of a feed."""
    return f"http://site-{number % HOSTS:03}.{SUFFIX}/feeds/{number}.xml"


def body(number: int, items: int) -> bytes:
    """The items of a feed, and its end: the same in every edition and run."""
    chance = random.Random(SEED + number)  # noqa: S311 - variety, not secrecy
    site = url(number).partition("/feeds/")[0]
    entries = (_item(site, number, item, chance) for item in range(items))
    return ("\n".join(entries) + "\n</channel></rss>\n").encode()


def _item(site: str, feed: int, item: int, chance: random.Random) -> str:
    title = " ".join(chance.choices(WORDS, k=7)).capitalize()
    text = " ".join(chance.choices(WORDS, k=20)).capitalize()
    moment = NEWEST - timedelta(minutes=37 * item + feed % 60)
    link = f"{site}/2026/01/{feed}/{item}/{title.lower().replace(' ', '-')}"
    return (
        f"<item><title>{title} ({feed}/{item})</title><link>{link}</link>"
        f'<guid isPermaLink="false">{site}/?p={feed * 1000 + item}</guid>'
        f"<pubDate>{format_datetime(moment)}</pubDate><dc:creator>Desk</dc:creator>"
        f"<category>News</category><description><![CDATA[<p>{text}.</p>]]></description></item>"
    )


def head(number: int, edition: int) -> bytes:
    """The beginning of a feed, before the items; it differs between editions."""
    built = format_datetime(NEWEST + timedelta(minutes=edition))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>\n'
        f"<title>Bench feed {number}</title><link>{url(number).partition('/feeds/')[0]}/</link>\n"
        f"<description>Edition {edition}</description><lastBuildDate>{built}</lastBuildDate>\n"
    ).encode()


class _Editions:
    """All feeds, and the number of their current edition."""

    def __init__(self, feeds: int, items: int) -> None:
        self.number = 1
        self._bodies: Mapping[bytes, tuple[int, bytes]] = {
            f"/feeds/{number}.xml".encode(): (number, body(number, items))
            for number in range(feeds)
        }

    def answer(self, target: bytes) -> bytes:
        """The whole response to a request for a path."""
        found = self._bodies.get(target)
        if found is None:
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        number, items = found
        start = head(number, self.number)
        return b"".join(
            (
                b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml; charset=utf-8\r\n",
                b'ETag: "%d-%d"\r\n' % (number, self.number),
                b"Content-Length: %d\r\n\r\n" % (len(start) + len(items)),
                start,
                items,
            )
        )


class _Connection(asyncio.Protocol):
    """Answers GET requests in their order."""

    def __init__(self, editions: _Editions) -> None:
        self._editions = editions
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        *requests, self._received = (self._received + data).split(b"\r\n\r\n")
        for request in requests:
            target = request.split(b" ", 2)[1]
            self._transport.write(self._editions.answer(target))
            if b"\r\nconnection: close" in request.lower():
                self._transport.close()


async def _serve(editions: _Editions) -> None:
    """Print the port, and serve until standard input ends; each of its lines is a new edition."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(editions), "127.0.0.1", backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    while await loop.run_in_executor(None, sys.stdin.readline):
        editions.number += 1
        print(editions.number, flush=True)
    server.close()


def main() -> None:
    """Serve until the program that started this one closes the pipe."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--feeds", type=int, default=5000)
    parser.add_argument("--items", type=int, default=25)
    given = parser.parse_args()
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(_Editions(given.feeds, given.items)))


if __name__ == "__main__":
    main()
