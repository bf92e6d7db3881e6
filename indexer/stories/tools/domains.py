"""A filter of stories by the domains of their URLs."""

from collections.abc import Sequence
from dataclasses import dataclass

from indexer.http.urls.hosts import is_within
from indexer.http.urls.parts import host_of
from indexer.stories.story import Story


@dataclass(frozen=True, slots=True)
class DomainFilter:
    """Selects stories of some domains and their subdomains; without `include`, of all domains."""

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()

    def match(self, story: Story) -> bool:
        """Whether a story is selected, by the hosts of its link, final URL and canonical URL."""
        urls = (story.rss_entry.link, story.http_metadata.final_url, story.content_metadata.url)
        hosts = [host for url in urls if url and (host := host_of(url))]
        included = not self.include or any(is_within(host, self.include) for host in hosts)
        return included and not any(is_within(host, self.exclude) for host in hosts)
