"""The newspapers of the sample newsroom, and the stories in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from newsroom import feeds
from newsroom.feeds import Item
from newsroom.host import Host, read_host
from newsroom.page import SOURCES
from newsroom.story import Story, read_story


@dataclass(frozen=True)
class Newspapers:
    """All hosts, and all their stories."""

    hosts: Sequence[Host]
    stories: Sequence[Story]

    def of(self, host: Host) -> list[Story]:
        """The stories of a newspaper."""
        return [story for story in self.stories if story.host == host.host]

    def items(self, host: Host) -> list[Item]:
        """The items of a newspaper's feed: stories, the newest first, then other links."""
        listed = [s for s in self.stories if (s.listed_by or s.host) == host.host]
        listed.sort(key=lambda story: story.date or "", reverse=True)
        return [
            *(Item(s.link, s.title, feeds.published(s.date, s.feed_date)) for s in listed),
            *(Item(other.link, other.title) for other in host.others),
        ]

    def listed(self) -> list[str]:
        """The links of all feeds; an item without a link has a blank one."""
        return [item.link for host in self.hosts for item in self.items(host)]


@cache
def newspapers() -> Newspapers:
    """The newspapers of newsroom/site, read once."""
    directories = sorted(path for path in SOURCES.iterdir() if path.is_dir())
    return Newspapers(
        [read_host(directory) for directory in directories],
        [
            read_story(directory.name, path)
            for directory in directories
            for path in sorted(directory.glob("*.txt"))
        ],
    )
