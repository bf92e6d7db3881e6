"""A generated site for the benchmark: 1000 pages of 50 hosts, of realistic size and variety.

    python -m benchmarks.site [--pages 1000] [--hosts 50]     prints the port, and serves them

The pages are the same in every run. Their sentences are those of the sample newsroom, in another
order on each page; around them are the styles, scripts, navigation, related links and comments of a
news page. `BenchSite` serves them from a separate process.
"""

import argparse
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import cache
from html import escape
from typing import NamedTuple

from benchmarks.server_process import ServerProcess
from newsroom import feeds
from newsroom.feeds import Item
from newsroom.host import Feed, Host
from newsroom.newspapers import newspapers
from newsroom.reply import HTML, reply
from newsroom.server import Newsroom
from newsroom.site import Site

LANGUAGES = ("en", "es", "en", "de", "en", "ru", "es", "ar", "en", "hi", "en", "zh", "de", "ja")
"""The languages of the hosts, in turn."""

FIRST_DAY = date(2025, 1, 1)
DAYS = 600
SEED = 20260131

_SENTENCE = re.compile(r"[^.!?。！？।]+[.!?。！？।]+[»”’\"」)]*\s*")


class Page(NamedTuple):
    """One generated story."""

    url: str
    title: str
    day: date
    language: str
    paragraphs: Sequence[str]


class BenchSite(ServerProcess):
    """Serves generated pages from a separate process while its block runs."""

    def __init__(self, pages: int = 1000, hosts: int = 50) -> None:
        super().__init__("benchmarks.site", "--pages", str(pages), "--hosts", str(hosts))
        self._hosts = hosts

    @property
    def addresses(self) -> list[str]:
        """HOST=ADDRESS:PORT of every host."""
        return [f"{name}=127.0.0.1:{self.port}" for name in names(self._hosts)]

    @property
    def inputs(self) -> list[str]:
        """The URL of the one feed that lists all pages."""
        return [_newspaper(self._hosts).input]


def names(hosts: int) -> list[str]:
    """The names of the hosts."""
    return [f"daily-{number:02}.example" for number in range(hosts)]


def generate(pages: int, hosts: int) -> Iterator[Page]:
    """The stories, spread over the hosts in turn; the same in every run."""
    chance = random.Random(SEED)  # noqa: S311 - variety, not secrecy
    for number in range(pages):
        host = number % hosts
        language = LANGUAGES[host % len(LANGUAGES)]
        sentences = chance.sample(_sentences(language), chance.randint(27, 42))
        yield Page(
            url=f"http://{names(hosts)[host]}/stories/{number:04}/{_slug(number)}",
            title=_title(sentences[0], number),
            day=FIRST_DAY + timedelta(days=chance.randrange(DAYS)),
            language=language,
            paragraphs=list(_paragraphs(sentences, chance)),
        )


def build(pages: int, hosts: int) -> Site:
    """The replies for the feed and all pages."""
    stories = list(generate(pages, hosts))
    newspaper = _newspaper(hosts)
    listed = [Item(s.url, s.title, feeds.published(s.day.isoformat())) for s in stories]
    replies = dict(feeds.render(newspaper, listed))
    for number, story in enumerate(stories):
        related = [stories[(number + step * hosts) % len(stories)] for step in range(1, 25)]
        replies[story.url] = reply(_html(story, related), HTML)
    return Site(names(hosts), [newspaper.input], replies)


def _newspaper(hosts: int) -> Host:
    return Host(
        host=names(hosts)[0],
        template="",
        name="Daily Benchmark",
        language="en",
        paragraph="",
        related="",
        boilerplate=(),
        feed=Feed("rss", "/all.xml"),
    )


@cache
def _sentences(language: str) -> Sequence[str]:
    """All sentences of the sample newsroom in a language."""
    texts = (
        text
        for story in newspapers().stories
        if story.language == language
        for text in story.paragraphs
    )
    return [found.strip() for text in texts for found in _SENTENCE.findall(text)]


def _paragraphs(sentences: Sequence[str], chance: random.Random) -> Iterator[str]:
    rest = list(sentences)
    while rest:
        size = chance.randint(3, 5)
        yield " ".join(rest[:size])
        rest = rest[size:]


def _title(sentence: str, number: int) -> str:
    """The beginning of a sentence, with a number that makes the title unique."""
    beginning = sentence[:64].rpartition(" ")[0] or sentence[:28]
    return f"{beginning.strip(' ,.:;،、，।')} ({number})"


def _slug(number: int) -> str:
    words = ("harbour", "bridge", "orchard", "market", "school", "river", "lantern", "ferry")
    return "-".join(words[(number // len(words) ** place) % len(words)] for place in range(4))


def _html(story: Page, related: Sequence[Page]) -> bytes:
    body = "\n".join(f"<p>{escape(text, quote=False)}</p>" for text in story.paragraphs)
    title = escape(story.title)
    day = f"{story.day}T08:00:00+00:00"
    return f"""<!DOCTYPE html>
<html lang="{story.language}">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta property="og:title" content="{title}">
<meta property="article:published_time" content="{day}">
<link rel="canonical" href="{story.url}">
<script type="application/ld+json">{_linked_data(story, day)}</script>
{_chrome().head}
</head>
<body>
{_chrome().top}
<main><article>
<header><h1>{title}</h1><p class="byline"><time datetime="{day}">{story.day}</time></p></header>
{body}
</article>
<section class="related"><h2>More</h2><ul>{"".join(map(_teaser, related))}</ul></section>
{_chrome().comments}
</main>
{_chrome().bottom}
</body>
</html>
""".encode()


def _linked_data(story: Page, day: str) -> str:
    data = {"@context": "https://schema.org", "@type": "NewsArticle", "datePublished": day}
    return json.dumps({**data, "headline": story.title, "mainEntityOfPage": story.url})


def _teaser(story: Page) -> str:
    picture = f'<img src="{story.url}/thumb-320x180.jpg" width="320" height="180" alt="">'
    return (
        f'<li class="teaser teaser--small"><a href="{story.url}" data-track="related">{picture}'
        f'<span class="teaser__title">{escape(story.title)}</span></a></li>\n'
    )


class _Chrome(NamedTuple):
    """The parts of a page that are the same for all stories of a host."""

    head: str
    top: str
    comments: str
    bottom: str


@cache
def _chrome() -> _Chrome:
    rules = "\n".join(
        f".c-{n}{{margin:{n % 7}px;padding:{n % 5}px {n % 9}px;color:#{n * 7919 % 4096:03x}}}"
        for n in range(140)
    )
    settings = {f"feature_{n}": {"on": n % 3 == 0, "share": n * 37 % 100} for n in range(90)}
    script = f"window.__settings={json.dumps(settings)};"
    links = "".join(
        f'<li class="nav__item"><a class="nav__link" href="/section/{n}">Section {n}</a></li>\n'
        for n in range(36)
    )
    comments = "".join(
        f'<li class="comment" id="c{n}"><b class="comment__name">reader {n}</b>'
        f"<p>Thank you for this, number {n} in the queue has nothing to add.</p></li>\n"
        for n in range(32)
    )
    return _Chrome(
        head=f"<style>{rules}</style>\n<script>{script}</script>",
        top=f'<header class="site"><a href="/">Daily</a><nav><ul>{links}</ul></nav></header>',
        comments=f'<section class="comments" id="comments"><ol>{comments}</ol></section>',
        bottom=f'<footer class="site"><ul>{links}</ul><p>All rights reserved.</p></footer>\n'
        '<div class="cookie-banner"><p>We use cookies.</p><button>Accept</button></div>',
    )


def main() -> None:
    """Print the port, and serve until the program that started this one closes the pipe."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--hosts", type=int, default=50)
    given = parser.parse_args()
    with Newsroom(site=build(given.pages, given.hosts)) as room, suppress(KeyboardInterrupt):
        print(room.port, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
