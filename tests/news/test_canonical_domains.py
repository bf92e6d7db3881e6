"""The site of a URL, and sites that give no stories (feeds.md 8, 8.2)."""

from indexer.errors import BadURL
from indexer.http.urls.parts import split
from indexer.news.canonical_domains import NON_NEWS, canonical_domain, domain_of_parts, is_non_news
from indexer.news.normalized_urls import library_urls
from tests.each_row import each_row

LISTED = """
    archive.org archive.ph booking.com etsy.com flickr.com goodreads.com iheart.com imdb.com
    instagram.com linkedin.com pinterest.com slideshare.net tiktok.com twitter.com whatsapp.com
    wikidata.org wikimedia.org wikipedia.org youtube.com
"""


def domain_for_feeds(url: str) -> str:
    """The domain by the rules for feeds: "" without a registered domain."""
    parts = split(url)
    try:
        return domain_of_parts(parts) if parts else ""
    except BadURL:
        return ""


@each_row(
    ("url", "domain"),
    [
        ("https://news.bbc.co.uk/1", "bbc.co.uk"),
        ("https://WWW.BBC.CO.UK:443/1", "bbc.co.uk"),
        ("https://user:pass@www.bbc.co.uk/1", "bbc.co.uk"),
        ("https://www.gov.cn/a", "gov.cn"),
        ("https://gov.cn/a", "gov.cn"),
        ("https://www.hebei.gov.cn/a", "hebei.gov.cn"),
        ("https://jane.wordpress.com/a", "jane.wordpress.com"),
        ("https://www.jane.wordpress.com/a", "jane.wordpress.com"),
        ("https://m.jane.blogspot.co.uk/a", "jane.blogspot.co.uk"),
        ("https://steam.tumblr.com/a", "steam.tumblr.com"),
        ("https://news.wordpress.com/a", "news.wordpress.com"),
        ("https://www.wordpress.com/a", "wordpress.com"),
        ("https://jane.substack.com/p/x", "jane.substack.com"),
        ("https://www-example-com.cdn.ampproject.org/c/s/x", "www.example.com"),
        ("https://my--site-com.cdn.ampproject.org/v/s/x", "my-site.com"),
        ("https://amp-example-com.cdn.ampproject.org/v/s/x", "example.com"),
        ("https://0123abcd.cdn.ampproject.org/v/s/www.example.com/x", "example.com"),
        ("https://archive.is/o/AbCdE/https://www.example.com/x", "example.com"),
        ("http://192.0.2.7:8080/a", "192.0.2.7"),
        ("http://[2001:db8::1]/a", ""),
        ("http://localhost:8000/a", ""),
        ("http://news.internal/a", ""),
        ("ftp://ftp.example.com/a", ""),
        ("https://пример.рф/a", "xn--e1afmkfd.xn--p1ai"),
        ("http://a..b/", ""),
        ("www.example.com/a", ""),
        ("", ""),
    ],
)
def test_the_site_of_a_url(url: str, domain: str) -> None:
    assert domain_for_feeds(url) == domain
    if domain:
        assert canonical_domain(url) == domain


@each_row(
    ("url", "domain"),
    [
        ("https://news.com.au/a", "news.com.au"),
        ("https://shop.co.uk/a", "shop.co.uk"),
        ("https://web.com/a.html", "web.com"),
        ("https://example.com/a?to=jane.wordpress.com", "example.com"),
    ],
)
def test_the_site_is_the_registered_domain_whatever_the_labels_and_the_path(
    url: str, domain: str
) -> None:
    assert canonical_domain(url) == domain_for_feeds(url) == domain


MENDED = [
    ("//www.bbc.co.uk/1", "bbc.co.uk"),
    ("http:/www.bbc.co.uk/1", "bbc.co.uk"),
    ("http://http://www.bbc.co.uk/1", "bbc.co.uk"),
    ("https:\\\\www.bbc.co.uk\\1", "bbc.co.uk"),
    ("www.bbc.co.uk/1", "bbc.co.uk"),
    ("http://pronk123.podomatic.com/entry/1", "pronkpops.podomatic.com"),
    ("http://localhost:8000/a", "localhost"),
]


@each_row(("url", "domain"), MENDED)
def test_a_story_s_url_with_a_common_mistake_has_a_site(url: str, domain: str) -> None:
    assert canonical_domain(url) == domain


@each_row("domain", LISTED.split())
def test_nineteen_sites_and_the_hosts_under_them_give_no_stories(domain: str) -> None:
    assert is_non_news(domain)
    assert is_non_news(f"en.m.{domain}".upper())
    assert not is_non_news(f"not{domain}")
    assert not is_non_news(f"{domain}.example")
    assert len(LISTED.split()) == 19
    assert domain in NON_NEWS


def test_the_list_is_that_of_the_library() -> None:
    assert set(library_urls().NON_NEWS_DOMAINS) == NON_NEWS


def test_an_operator_may_add_sites_without_stories() -> None:
    assert is_non_news("a.News.example", ["news.Example."])
    assert not is_non_news("news.example", ["", "."])


@each_row("domain", ["", "localhost", "192.0.2.7"])
def test_a_host_without_a_domain_is_not_on_the_list(domain: str) -> None:
    assert not is_non_news(domain)
