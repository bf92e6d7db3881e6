"""The replies of a server by URL, and those of the sample newsroom."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from newsroom import feeds, page
from newsroom.host import Host, Other
from newsroom.newspapers import Newspapers, newspapers
from newsroom.reply import HTML, Reply, failure, redirect, reply
from newsroom.story import Story, absolute

# The shortest time in seconds that the header of a 429 can ask for.
RETRY_AFTER = 1

PDF = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n"


@dataclass(frozen=True)
class Site:
    """The names of the hosts, the URLs of their feeds, and the reply to each URL."""

    names: Sequence[str]
    inputs: Sequence[str]
    replies: Mapping[str, Reply]


@cache
def load_site() -> Site:
    """The sample newsroom."""
    papers = newspapers()
    replies: dict[str, Reply] = {}
    for host in papers.hosts:
        replies.update(_newspaper(host, papers))
    return Site(
        [host.host for host in papers.hosts], [host.input for host in papers.hosts], replies
    )


def _newspaper(host: Host, papers: Newspapers) -> Iterator[tuple[str, Reply]]:
    own = papers.of(host)
    front = page.front(host, own)
    yield absolute(host.host, "/"), reply(front, HTML, delay=host.delay, packed=host.gzip)
    if host.robots:
        yield absolute(host.host, "/robots.txt"), reply(host.robots.encode(), "text/plain")
    yield from feeds.render(host, papers.items(host)).items()
    for story in own:
        yield from _story(host, story, own)
    for other in (*host.others, *host.hidden):
        if other.served:
            yield other.link, _other(host, other)


def _story(host: Host, story: Story, own: Sequence[Story]) -> Iterator[tuple[str, Reply]]:
    yield (
        story.url,
        reply(
            page.page(host, story, _neighbours(story, own)),
            page.content_type(story),
            delay=host.delay,
            packed=host.gzip,
            first=_at_first(story.at_first),
        ),
    )
    hops = [*(url for _, url in story.redirects), story.url]
    for (status, url), target in zip(story.redirects, hops[1:], strict=True):
        yield url, redirect(status, target)


def _neighbours(story: Story, own: Sequence[Story]) -> list[Story]:
    """The three stories that a page links to: the next ones in the list."""
    place = own.index(story)
    return [own[(place + step) % len(own)] for step in (1, 2, 3)]


def _at_first(status: int) -> Reply | None:
    if not status:
        return None
    return failure(status, RETRY_AFTER if status == 429 else None)


def _other(host: Host, other: Other) -> Reply:
    if other.location:
        return redirect(other.status, other.location)
    if other.status != 200:
        return failure(other.status)
    if other.pdf:
        return reply(PDF, "application/pdf")
    body = b"" if other.empty else page.notice(host, other.title, other.text)
    return reply(body, HTML, delay=host.delay, size=other.size)
