"""The parser: every attempt goes on, with a document or with the status of the failure."""

from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

from indexer.errors import StorageError
from indexer.feeds.attempt import WORKING, Attempt, DocumentPart, Poll, Unchanged
from tests.each_row import each_row
from tests.feeds.documents import atom, entry, item, news, page, rss, sitemap
from tests.news.syndication.in_process import HereReader
from tests.news.syndication.wild_feeds import wild
from workers.feeds import feed_parser
from workers.feeds.feed_parser import FeedParser, FeedParserOptions, KeptBodies

NOW = datetime(2024, 6, 2, 12)
URL = "https://site.example/feed"
POLL = Poll(feed_id=7, url=URL, lease="x", expires=NOW, sources_id=3)


def attempt(*bodies: str | bytes, **fields: object) -> Attempt:
    """An attempt with fetched documents."""
    parts = [body.encode() if isinstance(body, str) else body for body in bodies]
    pages = [DocumentPart(URL, len(part)) for part in parts]
    made = Attempt(poll=POLL, started=NOW, pages=pages, parts=parts)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def parsed(given: Attempt, **options: Any) -> tuple[Attempt, str]:
    """Parse an attempt, and encode and decode the result."""
    done = FeedParser(FeedParserOptions(**options)).process(given)
    (made,) = done.outputs
    return Attempt.load(made.dump()), done.status


def test_a_document_takes_the_place_of_its_bytes() -> None:
    made, status = parsed(attempt(rss("<ttl>30</ttl>", item(1), item(2), "<item/>")))
    assert (status, made.status, made.pages, made.parts) == ("parsed", WORKING, [], [])
    document = made.document
    assert document is not None
    assert (document.format, document.title, document.update_minutes) == ("rss 2.0", "F", 30)
    assert [each.url for each in document.items] == ["https://s.example/1", "https://s.example/2"]
    assert (document.entries, document.skipped) == (3, {"relurl": 1})


@pytest.mark.parametrize("body", [atom(entry(1)), sitemap(page(1, news("x")))])
def test_all_formats_become_documents(body: str) -> None:
    made, _ = parsed(attempt(body))
    assert made.document is not None
    assert [each.url for each in made.document.items] == ["https://s.example/1"]


def test_feedparser_reads_what_our_reader_can_not_and_a_warning_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(feed_parser, "SecondReader", HereReader)
    made, status = parsed(attempt(wild("channel.cdf")))
    assert (status, made.status) == ("parsed", WORKING)
    assert made.document is not None
    assert [each.title for each in made.document.items] == ["First story", "Second story"]
    assert made.document.warnings == [
        "read by feedparser: our reader does not know the format of <channel>"
    ]


def test_a_date_in_an_unknown_zone_keeps_its_day_its_text_and_a_note() -> None:
    text = "Sat, 01 Jun 2024 12:00:00 XYZT"
    made, _ = parsed(
        attempt(rss(f"<item><link>https://s.example/1</link><pubDate>{text}</pubDate></item>"))
    )
    assert made.document is not None
    (found,) = made.document.items
    assert (found.published_at, found.published) == (datetime(2024, 6, 1), text)
    assert found.date_source == "pubDate zone-unknown"


def test_the_moment_of_the_fetch_is_now() -> None:
    dated = "<item><link>https://s.example/1</link><pubDate>{}</pubDate></item>"
    made, _ = parsed(attempt(rss(dated.format("2024-06-03"), dated.format("2024-06-04"))))
    assert made.document is not None
    assert [each.published for each in made.document.items] == [None, "2024-06-04"]


@each_row(
    "fields",
    [
        {"unchanged": Unchanged.NOT_MODIFIED},
        {"unchanged": Unchanged.SAME_HASH},
        {"status": "HTTP 404 Not Found"},
        {"status": "postponed", "until": NOW},
    ],
)
def test_an_attempt_without_a_document_passes_unchanged(fields: dict[str, object]) -> None:
    given = attempt(**fields)
    before = given.dump()
    made, status = parsed(given)
    assert (made.dump(), status) == (before, "passed")


@each_row(
    ("body", "detail"),
    [
        (b"", "Exception('empty')"),
        (b" \n", "Exception('empty')"),
        ("<html/>", "Exception('html?')"),
        ("<opml/>", "Exception('no version')"),
        ("<sitemapindex/>", "Exception('index')"),
    ],
)
def test_what_is_no_feed_is_a_parse_error(body: str | bytes, detail: str) -> None:
    made, status = parsed(attempt(body))
    assert (status, made.status, made.detail) == ("parse-error", "parse error", detail)
    assert (made.document, made.pages, made.parts) == (None, [], [])


def test_a_page_that_is_no_feed_names_those_that_it_has() -> None:
    link = '<link rel="alternate" type="application/rss+xml" href="/feed/{}">'
    links = "".join(link.format(number) for number in [1, "&#xD800;2", *range(3, 9)])
    made, _ = parsed(attempt(f"<html><head>{links}</head><body>Moved</body></html>"))
    assert (made.detail, made.root) == ("Exception('html?')", "html")
    assert len(made.feeds) == 5
    assert made.feeds[0] == urljoin(URL, "/feed/1")


def test_what_is_no_page_names_none() -> None:
    made, _ = parsed(attempt("<opml><link rel='alternate' type='text/xml' href='/feed'/></opml>"))
    assert (made.detail, made.root, made.feeds) == ("Exception('no version')", "opml", [])


def test_what_nobody_has_foreseen_is_a_status_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("a\nb\0" + "x" * 9999)

    monkeypatch.setattr(feed_parser, "read", fail)
    made, status = parsed(attempt(rss(item(1))))
    assert (status, made.status, made.document) == ("caught-exception", "caught exception", None)
    assert made.detail.startswith("KeyError('a\\nb\\x00xxx")
    assert len(made.detail) == 500


def test_the_operators_bounds_count() -> None:
    made, _ = parsed(attempt(rss(*map(item, range(9)))), max_stories_per_feed=4)
    assert made.document is not None
    assert (len(made.document.items), made.document.skipped) == (4, {"tossed": 5})


def kept(data: Path) -> dict[str, list[bytes]]:
    """Read the files in all subdirectories."""
    return {
        directory.name: [path.read_bytes() for path in sorted(directory.iterdir())]
        for directory in data.iterdir()
    }


def test_documents_are_kept_if_that_is_wanted(tmp_path: Path) -> None:
    good, bad = rss(item(1)), "<html/>"
    for body in (good, bad):
        parsed(attempt(body), data=tmp_path / "none")
        parsed(attempt(body), data=tmp_path / "all", save_rss_files=True)
        parsed(attempt(body), data=tmp_path / "bad", save_parse_errors=True)
    assert not (tmp_path / "none").exists()
    assert kept(tmp_path / "bad") == {"parse-errors": [bad.encode()]}
    assert list(kept(tmp_path / "all")) == ["saved-input-files"]


def test_a_document_that_can_not_be_kept_is_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "saved-input-files").touch()
    _, status = parsed(attempt(rss(item(1))), data=tmp_path, save_rss_files=True)
    assert status == "parsed"


AT = datetime(2024, 6, 2, 12)


def test_each_part_is_a_file_named_by_time_and_feed(tmp_path: Path) -> None:
    KeptBodies(tmp_path / "a" / "b").keep(7, AT, [b"one", b"two"])
    found = {path.name: path.read_bytes() for path in (tmp_path / "a" / "b").iterdir()}
    assert found == {"20240602T120000-7-0": b"one", "20240602T120000-7-1": b"two"}


def test_the_oldest_are_deleted(tmp_path: Path) -> None:
    kept = KeptBodies(tmp_path, most=2)
    for day in (3, 1, 2):
        kept.keep(day, AT.replace(day=day), [b""])
    assert sorted(path.name[:8] for path in tmp_path.iterdir()) == ["20240602", "20240603"]


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError):
        KeptBodies(tmp_path / "file").keep(1, AT, [b""])
