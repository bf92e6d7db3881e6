"""The URL that a page declares to be its own."""

from lxml import html

from indexer.stories.extraction.canonical import canonical_url
from tests.each_row import each_row

URL = "https://www.example.com/2024/story.html?from=rss"
OG = '<meta property="og:url" content="{}">'
LINK = '<link rel="canonical" href="{}">'
TWITTER = '<meta name="twitter:url" content="{}">'


@each_row(
    ("head", "url"),
    [
        (LINK.format("https://example.com/a"), "https://example.com/a"),
        (OG.format("https://example.com/b"), "https://example.com/b"),
        (TWITTER.format("https://example.com/c"), "https://example.com/c"),
        # In order, wherever they stand.
        (LINK.format("https://e.com/a") + OG.format("https://e.com/b"), "https://e.com/b"),
        (TWITTER.format("https://e.com/c") + LINK.format("https://e.com/a"), "https://e.com/a"),
        ('<link rel="shortlink Canonical" href=" https://e.com/a ">', "https://e.com/a"),
        # Relative to the page, or to its base.
        (LINK.format("/a.html"), "https://www.example.com/a.html"),
        (LINK.format("a.html"), "https://www.example.com/2024/a.html"),
        (LINK.format("//m.example.com/a"), "https://m.example.com/a"),
        (
            '<base href="https://cdn.example.com/x/">' + LINK.format("a"),
            "https://cdn.example.com/x/a",
        ),
        # None, or none that can be one.
        ("", None),
        (LINK.format(""), None),
        (LINK.format("javascript:alert(1)"), None),
        (LINK.format("file:///etc/passwd"), None),
        (LINK.format("http://"), None),
        (LINK.format("http://[::1"), None),
        (LINK.format("https://example.com/" + "a" * 3000), None),
        (OG.format("ftp://e.com/b") + LINK.format("https://e.com/a"), "https://e.com/a"),
        ('<link rel="alternate" href="https://e.com/amp">', None),
    ],
)
def test_what_a_page_declares(head: str, url: str | None) -> None:
    tree = html.document_fromstring(f"<html><head>{head}</head><body>text</body></html>")
    assert canonical_url(tree, URL) == url


def test_nothing_is_relative_to_a_url_that_is_not_known() -> None:
    tree = html.document_fromstring(f"<html><head>{LINK.format('/a.html')}</head></html>")
    assert canonical_url(tree, None) is None
