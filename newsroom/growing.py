"""Newspapers whose feeds grow while they are served.

    growing = Growing()
    with Newsroom(site=growing.site) as room:
        growing.publish()         # each feed lists one more story; its links are returned

Feeds have an `ETag`: a client with the newest version gets 304.
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
    """The newspapers of the sample newsroom that have a feed, and the number of listed stories.

    `first` is the number of stories that each feed lists at the beginning. Stories that need more
    than one request are left out: tests of growing feeds are not about redirects.
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
        """The links of all stories in the feeds now."""
        return [story.url for host in self._hosts for story in self._of(host)]

    def publish(self, stories: int = 1) -> list[str]:
        """Add so many stories to every feed that has more. Returns the new links."""
        # Several clients may ask for feeds, each in a thread, while a test publishes.
        with self._lock:
            before = set(self.listed)
            self._count += stories
            for host in self._hosts:
                self._replies.update(self._feed(host))
            return [link for link in self.listed if link not in before]

    def _of(self, host: Host) -> Sequence[Story]:
        return self._stories[host.host][: self._count]

    def _feed(self, host: Host) -> dict[str, Reply]:
        """The replies of a feed, with the newest story first."""
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
    """The stories that one request fetches, and that only their own newspaper lists."""
    others = [other.of for other in host.others]
    plain = [s for s in stories if not (s.redirects or s.at_first or s.listed_by)]
    return [story for story in plain if story.url not in others]
