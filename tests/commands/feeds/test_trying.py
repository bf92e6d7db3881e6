"""`story-indexer feeds try`: the decision on each item, with its reason."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from tests.commands.feeds_command import Feeds, feeds_command
from tests.feeds.rows import add_feeds, feed

RSS = """<rss version="2.0"><channel><title>News of the day</title>
<item><title>One</title><link>https://site.example/one-story-of-today</link>
<pubDate>Sat, 21 Nov 2026 10:00:00 GMT</pubDate></item>
<item><title>Two</title><link>mailto:a@site.example</link></item>
</channel></rss>"""


@pytest.fixture
def command(
    database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Feeds]:
    """The command, without feeds."""
    with feeds_command(database_url, monkeypatch, capsys) as found:
        yield found


@pytest.fixture
def url(httpserver: HTTPServer) -> str:
    """A feed with two items, one of which can't become a story."""
    headers = {"ETag": '"1"', "Content-Type": "application/rss+xml"}
    httpserver.expect_request("/feed").respond_with_data(RSS, headers=headers)
    return httpserver.url_for("/feed")


def test_each_item_is_explained(command: Feeds, url: str) -> None:
    lines = command.run("try", url).out.splitlines()
    assert lines[:2] == [f"GET {url}", "200 OK"]
    assert 'etag: "1"' in [line.strip() for line in lines]
    shown = {line.split()[0]: line for line in lines if line.strip()}
    assert shown["status"].split() == ["status", "Working"]
    assert "https://site.example/one-story-of-today" in shown["add"]
    assert "relurl" in shown["skip"]


def test_a_zone_that_is_not_known_is_noted(command: Feeds, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/zone").respond_with_data(RSS.replace("GMT", "XYZT"))
    lines = command.run("try", httpserver.url_for("/zone")).out.splitlines()
    shown = {line.split()[0]: line for line in lines if line.strip()}
    assert "2026-11-21 00:00" in shown["add"]
    assert "zone-unknown" in shown["add"]


def test_a_program_gets_all_of_it_and_nothing_is_stored(command: Feeds, url: str) -> None:
    (found,) = command.json("try", url)
    assert (found["status"], found["title"]) == ("Working", "News of the day")
    assert found["counts"] == {"ok": 1, "relurl": 1}
    assert [item["decision"] for item in found["items"]] == ["add", "skip"]
    assert command.json("list") == []


def test_a_feed_is_tried_by_its_id(command: Feeds, url: str) -> None:
    add_feeds(command.database, [{"url": url, "sources_id": 7}])
    before = feed(command.database)
    (found,) = command.json("try", "1")
    assert (found["feed_id"], found["sources_id"]) == (1, 7)
    assert feed(command.database) == before
    assert command.run("try", "99", status=1).err.endswith("no feed has the id or URL 99\n")


def test_a_page_is_no_feed_but_names_some(command: Feeds, httpserver: HTTPServer) -> None:
    link = '<link rel="alternate" type="application/rss+xml" title="News" href="/news.rss">'
    httpserver.expect_request("/").respond_with_data(f"<!doctype html><html><head>{link}</head>")
    printed = command.run("try", httpserver.url_for("/"), status=1).out
    assert "parse error" in printed
    assert f"this page links to the feed {httpserver.url_for('/news.rss')} News" in printed


def test_a_page_that_names_no_feeds_says_so(command: Feeds, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data("<!doctype html><html><p>x</html>")
    printed = command.run("try", httpserver.url_for("/"), status=1).out
    assert "links to no feeds" in printed


def test_what_can_not_be_fetched_says_why(command: Feeds, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/gone").respond_with_data(status=410)
    (found,) = command.json("try", httpserver.url_for("/gone"), status=1)
    assert found["status"].lower() == "http 410 gone"


def test_without_a_database_all_items_are_new(
    command: Feeds, url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("FEEDS_DATABASE_URL")
    monkeypatch.setenv("DATAROOT", str(tmp_path / "none"))
    (found,) = command.json("try", url)
    assert found["counts"] == {"ok": 1, "relurl": 1}
    assert not (tmp_path / "none").exists()
    assert "there is no database" in command.run("try", "1", status=2).err
    assert "give the feed's URL" in command.run("try", "1", "--all-new", status=2).err


def test_so_many_items_are_shown_and_the_rest_told(command: Feeds, url: str) -> None:
    printed = command.run("try", url, "--items", "1").out
    assert "2 items; --items 2 shows all" in printed
    assert "mailto:" not in printed
