"""Tracking parameters."""

from indexer.feeds.identity.tracking import names_page, query_names_page, without_tracking
from tests.each_row import each_row


@each_row(
    "name",
    [
        *("utm_source", "UTM_Medium", "ga_source", "gclid", "FBCLID", "msclkid", "yclid", "dclid"),
        *("igshid", "mc_cid", "mc_eid", "wt_zmc", "PHPSESSID", "ITO", "feedName", "feedType"),
        *("WT.z_sma", "at_medium", "_openstat", "amp;utm_source"),
    ],
)
def test_names_of_campaigns_clicks_and_sessions_are_removed_in_any_case(name: str) -> None:
    for spelt in (name, name.lower(), name.upper()):
        assert without_tracking(f"b=1&{spelt}=x&a=2", "/") == "b=1&a=2"


@each_row("name", ["sid", "cid", "SID", "id", "sort", "p", "s", "lang", "utm", "_x"])
def test_parameters_that_may_select_a_page_are_always_kept(name: str) -> None:
    assert without_tracking(f"{name}=1", "/2024/05/14/a-long-story.html") == f"{name}=1"


@each_row("name", ["ref", "source", "REF", "ncid", "s_cid"])
def test_ambiguous_parameters_are_removed_if_the_path_selects_the_page(name: str) -> None:
    assert without_tracking(f"{name}=rss", "/a-long-story") == ""
    assert without_tracking(f"{name}=rss", "/story") == f"{name}=rss"


def test_empty_parameters_are_none() -> None:
    assert without_tracking("&a=&&b&", "/") == "a=&b"


@each_row(
    ("path", "answer"),
    [
        ("/2024/05/a-long-story", True),
        ("/2024/05/a-long-story/", True),
        ("/news/trump-wins", True),
        ("/12345", True),
        ("/story12345.php", True),
        ("/trump.html", True),
        ("/%D0%BD%D0%BE-%D1%81%D1%82", True),
        ("/", False),
        ("", False),
        ("/news/", False),
        ("/article.php", False),
        ("/show-me.php", False),
        ("/index.html", False),
        ("/latest-news", False),
        ("/news-details.html", False),
        ("/2024/", False),
        ("/archive/2024-05-14", False),
        ("/20240514", False),
        ("/123", False),
        ("/%D0%BD%D0%BE", False),
        ("/a%2C2024", True),
    ],
)
def test_paths_that_alone_select_a_page(path: str, answer: bool) -> None:
    assert names_page(path) is answer


@each_row(
    ("query", "answer"),
    [
        ("p=12", True),
        ("x=12345", True),
        ("s=a-long-story", True),
        ("lang=en", False),
        ("p=", False),
    ],
)
def test_queries_that_select_a_page(query: str, answer: bool) -> None:
    assert query_names_page(query) is answer
