"""What is asked of a link before it is queued."""

from indexer.http.urls.addresses import PUBLIC
from indexer.stories.queuers.link_filter import LinkFilter
from tests.each_row import each_row


@each_row(
    ("link", "status"),
    [
        ("https://a.example/1", None),
        ("", "no-url"),
        ("ftp://a.example/", "bad-scheme"),
        ("http://10.0.0.1/", "bad-host"),
        ("https://www.youtube.com/", "non-news"),
        ("https://news.skip.example/", "non-news"),
    ],
)
def test_a_link_is_checked(link: str, status: str | None) -> None:
    refusal = LinkFilter(["skip.example"], PUBLIC).refusal(link)
    assert (refusal and refusal.status) == status
    assert refusal is None or refusal.label == link


def test_a_link_counts_once_in_a_file() -> None:
    links = LinkFilter([], PUBLIC)
    statuses = [links.refusal(f"https://a.example/{n}") for n in (1, 2, 1, 1)]
    assert [found and found.status for found in statuses] == [None, None, "dups", "dups"]
    assert LinkFilter([], PUBLIC).refusal("https://a.example/1") is None
