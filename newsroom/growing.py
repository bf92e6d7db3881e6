"""Newspapers that write on while they are served: their feeds list more stories, bit by bit.

    growing = Growing()
    with Newsroom(site=growing.site) as room:
        growing.publish()         # each feed lists one more story; its links are returned

Feeds have an `ETag`, so that a client that has the newest is told 304.
"""

import threading
from collections.abc import Sequence
from dataclasses import replace

from newsroom import feeds
from newsroom.feeds import Item
from newsroom.host import Host
from newsroom.newspapers import newspapers
from newsroom.page import FEED_TYPES
from newsroom.reply import Reply
from newsroom.site import Site, load_site
from newsroom.story import Story


class Growing:
    """The newspapers of the sample newsroom that have a feed, and how far each of them is.

    `first`: how many stories each lists from the beginning. Those that are hard to get are left
    out: who looks at these feeds wants to know what becomes of them, not of redirects.
    """

    def __init__(self, first: int = 2) -> None:
        papers = newspapers()
        self._hosts = [host for host in papers.hosts if host.feed.kind in FEED_TYPES]
        self._stories = {host.host: _plain(host, papers.of(host)) for host in self._hosts}
        self._replies = dict(load_site().replies)
        self._count = 0
        self._lock = threading.Lock()
        names = [host.host for host in self._hosts]
        self.site = Site(names, [host.input for host in self._hosts], self._replies)
        self.publish(first)

    @property
    def listed(self) -> list[str]:
        """The links of all stories that are listed now."""
        return [story.url for host in self._hosts for story in self._of(host)]

    def publish(self, stories: int = 1) -> list[str]:
        """Let every feed list so many more; the new links. None of those with no more left."""
        with self._lock:
            before = set(self.listed)
            self._count += stories
            for host in self._hosts:
                self._replies.update(self._feed(host))
            return [link for link in self.listed if link not in before]

    def _of(self, host: Host) -> Sequence[Story]:
        return self._stories[host.host][: self._count]

    def _feed(self, host: Host) -> dict[str, Reply]:
        """The newest first, as feeds do."""
        items = [
            Item(story.link, story.title, feeds.published(story.date, story.feed_date))
            for story in reversed(self._of(host))
        ]
        mark = {"ETag": f'"{len(items)}"'}
        return {
            url: replace(reply, headers={**reply.headers, **mark})
            for url, reply in feeds.render(host, items).items()
        }


def _plain(host: Host, stories: Sequence[Story]) -> list[Story]:
    """Stories that one request gets, and that only their own newspaper lists."""
    others = [other.of for other in host.others]
    plain = [s for s in stories if not (s.redirects or s.at_first or s.listed_by)]
    return [story for story in plain if story.url not in others]
