"""Feeds as programs write them, with the entries that are in them: `tests/data/wild_feeds`.

In each, nested elements have the same names as fields of the item, most of them before these. The
programs, and what each nests:

mastodon.atom     Mastodon, GNU social: `author` and `activity:object` with a page of their own
planet.atom       Planet Venus: `source` of the story, XHTML in title, summary and content
wordpress.rss     WordPress: the author's picture in `media:content`, `source`, GeoRSS
comments.atom     WordPress' comments: `thr:in-reply-to`, the page of the comment's author
drupal.rss        Drupal: tags in the description, RDFa's vocabularies, links relative to `xml:base`
video.rss         MRSS of video sites: `media:group`; a title in `media:title` only
youtube.xml       YouTube: `media:group` before the title
podcast.rss       podcast hosts: iTunes, Podcasting 2.0, Podlove's chapters
blogger.atom      Blogger: links to replies, oEmbed, the phone's page, translations
dotnet.rss        .NET's SyndicationFeed: `a10:`, objects with a namespace of their own
slash.rdf         RSS 1.0 of Slash, with FOAF and Dublin Core: nested RDF
google-news.rss   Google News, FeedBurner: `source` with a URL, tags in the description
old-atom.xml      Movable Type: Atom 0.3, a title in base64
sitemap.xml       news sitemaps with pictures and videos
"""

from datetime import datetime
from typing import NamedTuple

from tests import paths

FOLDER = paths.DATA / "wild_feeds"

DATES = (datetime(2024, 5, 1, 10), datetime(2024, 5, 2, 10))
"""The dates of the two entries of each."""


class Wild(NamedTuple):
    """What a feed says: its title, then for both entries link, title and guid."""

    title: str
    links: tuple[str, str]
    titles: tuple[str, str] = ("First story", "Second story")
    guids: tuple[str | None, str | None] = (None, None)


WILD = {
    "mastodon.atom": Wild(
        "Ana",
        ("https://social.example/@ana/1", "https://social.example/@ana/2"),
        ("First post", "Second post"),
        (
            "https://social.example/users/ana/statuses/1",
            "https://social.example/users/ana/statuses/2",
        ),
    ),
    "planet.atom": Wild(
        "Planet",
        ("https://blog.example/1", "https://blog.example/2"),
        ("A <b>bold</b> story", "Second story"),
        ("tag:blog.example,2024:1", "tag:blog.example,2024:2"),
    ),
    "wordpress.rss": Wild(
        "WP News",
        ("https://wp.example/1/", "https://wp.example/2/"),
        guids=("https://wp.example/?p=1", "https://wp.example/?p=2"),
    ),
    "comments.atom": Wild(
        "Comments",
        ("https://wp.example/1/#comment-1", "https://wp.example/1/#comment-2"),
        guids=("https://wp.example/1/#comment-1", "https://wp.example/1/#comment-2"),
    ),
    "drupal.rss": Wild(
        "Drupal",
        ("https://drupal.example/node/1", "https://drupal.example/node/2"),
        guids=("1 at https://drupal.example", "2 at https://drupal.example"),
    ),
    "video.rss": Wild(
        "Video", ("https://video.example/1", "https://video.example/2"), guids=("v1", "v2")
    ),
    "youtube.xml": Wild(
        "Tube",
        ("https://tube.example/watch?v=1", "https://tube.example/watch?v=2"),
        guids=("yt:video:1", "yt:video:2"),
    ),
    "podcast.rss": Wild(
        "Pod", ("https://pod.example/1", "https://pod.example/2"), guids=("p1", "p2")
    ),
    "blogger.atom": Wild(
        "Blog",
        ("https://blogger.example/1.html", "https://blogger.example/2.html"),
        guids=(
            "tag:blogger.example,1999:blog-1.post-1",
            "tag:blogger.example,1999:blog-1.post-2",
        ),
    ),
    "dotnet.rss": Wild(
        "Net", ("https://net.example/1", "https://net.example/2"), guids=("n1", "n2")
    ),
    "slash.rdf": Wild(
        "Slash",
        ("https://rdf.example/1?from=rss", "https://rdf.example/2?from=rss"),
        guids=("https://rdf.example/1", "https://rdf.example/2"),
    ),
    "google-news.rss": Wild(
        "Top stories",
        ("https://gnews.example/rss/articles/1?oc=5", "https://post.example/2"),
        ("First story - The Paper", "Second story - The Post"),
        ("g1", "g2"),
    ),
    "old-atom.xml": Wild(
        "Old",
        ("https://old.example/1", "https://old.example/2"),
        guids=("tag:old.example,2003:1", "tag:old.example,2003:2"),
    ),
    "sitemap.xml": Wild(
        "Map Google News sitemap", ("https://map.example/1", "https://map.example/2")
    ),
}


def wild(name: str) -> str:
    """The text of a feed."""
    return (FOLDER / name).read_text(encoding="utf-8")
