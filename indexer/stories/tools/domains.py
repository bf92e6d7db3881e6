"""Stories chosen by where they were published."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from indexer.stories.story import Story


@dataclass(frozen=True, slots=True)
class DomainFilter:
    """Stories of some hosts: those of a domain and below it. Without `include`: of all."""

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()

    def match(self, story: Story) -> bool:
        """Whether a story is wanted: by the hosts of its link, final URL and URL."""
        urls = (story.rss_entry.link, story.http_metadata.final_url, story.content_metadata.url)
        hosts = [_host(url) for url in urls if url]
        included = not self.include or any(_under(hosts, domain) for domain in self.include)
        return included and not any(_under(hosts, domain) for domain in self.exclude)


def _under(hosts: Sequence[str], domain: str) -> bool:
    name = domain.lower().strip(".")
    return any(host == name or host.endswith(f".{name}") for host in hosts)


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""
