"""Lists of feeds, of each kind: recognised, read line by line, written so that they can be read."""

import io
from collections.abc import Sequence
from datetime import datetime

import pytest

from indexer.errors import InputError
from indexer.feeds.feed import Feed
from indexer.feeds.registry.feed_lists import (
    FEED_COLUMNS,
    Format,
    list_format,
    read_list,
    write_list,
)
from indexer.feeds.registry.feed_spec import FeedProblem, FeedSpec, checked, refusal
from tests.each_row import each_row
from tests.feeds.rows import NOW

A, B, C = (f"https://{name}.example/feed" for name in "abc")


def read(text: str | bytes, name: str = "list") -> list[FeedSpec | FeedProblem]:
    """Read a list."""
    data = text.encode() if isinstance(text, str) else text
    return list(read_list(name, io.BytesIO(data)))


@each_row(
    ("name", "text", "format"),
    [
        ("feeds", f"id,url,sources_id,name\n1,{A},2,x\n", "csv"),
        ("feeds", f"1,{A},2,x\n", "csv"),
        ("feeds", f",{A},,\n", "csv"),
        ("feeds", f"name;url\nx;{A}\n", "csv"),
        ("feeds", f"url\n{A}\n", "csv"),
        ("feeds.csv", f"{A},x\n", "csv"),
        ("feeds.tsv.gz", f"{A}\tx\n", "csv"),
        ("feeds", f"{A}\n{B}\n", "urls"),
        ("feeds", f"{A},b\n", "urls"),
        ("feeds", f"My feeds\n{A}", "urls"),
        ("feeds", f"Name;Feed\nNews;{A}", "csv"),
        ("feeds.csv", "feed://a.example/,A", "csv"),
        ("feeds", f"# mine\n\n{A}\n", "urls"),
        ("feeds", "", "urls"),
        ("feeds.opml", "", "opml"),
        ("feeds", "<?xml version='1.0'?>\n<opml><body/></opml>", "opml"),
        ("feeds", "<rss><channel><item/></channel></rss>", None),
        ("feeds", "<!doctype html><p>hello", None),
        ("feeds", "hello\nworld\n", None),
        ("feeds", '{"version": "https://jsonfeed.org/version/1.1"}', None),
    ],
)
def test_what_a_list_is_shows_in_its_first_lines(
    name: str, text: str, format: Format | None
) -> None:
    assert list_format(name, text.encode()) == format


@each_row("url", ["feed://a.example/rss", "feed:https://a.example/rss", "https://me:pw@a.example/"])
def test_urls_that_are_refused_are_told_whatever_the_list(url: str) -> None:
    outline = f'<opml version="2.0"><body><outline xmlUrl="{url}"/></body></opml>'
    for text in (f"{url}\n", f"{A}\n{url}\n", f"1,{url},3,x\n", f"id,url\n1,{url}\n", outline):
        found = [checked(each) if isinstance(each, FeedSpec) else each for each in read(text)]
        (problem,) = (each for each in found if isinstance(each, FeedProblem))
        assert refusal(url) == problem.why
        assert "pw" not in str(problem)


def test_what_is_no_list_is_an_error() -> None:
    with pytest.raises(InputError, match="not a list of feeds"):
        read("<rss><channel/></rss>")


@each_row(
    ("text", "found"),
    [
        (f"id,url,sources_id,name\n7,{A},3,News\n", [FeedSpec(A, "News", 3, 7)]),
        (f'7,{A},3,"News, all"\n8,{B},,\n', [FeedSpec(A, "News, all", 3, 7), FeedSpec(B, id=8)]),
        (f"name,source_id,feed_url,x\nNews,3,{A},y\n", [FeedSpec(A, "News", 3)]),
        (f"URL;Name\n{A};News\n", [FeedSpec(A, "News")]),
        (f"title\turl\nNews\t{A}\n", [FeedSpec(A, "News")]),
        (f'"id","url"\r\n"7","{A}"\r\n', [FeedSpec(A, id=7)]),
        (f"url,active\n{A},false\n{B},true\n", [FeedSpec(A, active=False), FeedSpec(B)]),
        (
            f"url,created_at\n{A},2023-04-01T10:00:00+02:00\n{B},soon\n",
            [FeedSpec(A, created_at=datetime(2023, 4, 1, 8)), FeedSpec(B)],
        ),
        (f"id,url,sources_id\n7,{A},NULL\n", [FeedSpec(A, id=7)]),
        (f'url,name\n{A},"two\nlines"\n', [FeedSpec(A, "two\nlines")]),
        (f"# exported\n\nid,url,sources_id,name\n\n# the first\n7,{A},,\n", [FeedSpec(A, id=7)]),
    ],
)
def test_csv_says_in_its_first_row_what_its_columns_are(
    text: str, found: Sequence[FeedSpec]
) -> None:
    assert read(text) == found
    assert read(text.encode("utf-8-sig")) == found
    assert read(text.encode("utf-16")) == found


def test_a_bad_row_costs_one_row_and_is_told_with_its_line() -> None:
    rows = [
        "id,url,sources_id,name",
        f"1,{A},1,fine",
        "2,,1,no url",
        f'3,{B},1,"not closed',
        f"x,{B},1,no id",
        f"5,{B},one,no source",
        "6",
        f"7,{C},1,fine",
        "\0,\0",
    ]
    found = read("\n".join(rows))
    assert [each for each in found if isinstance(each, FeedSpec)] == [
        FeedSpec(A, "fine", 1, 1),
        FeedSpec(C, "fine", 1, 7),
    ]
    told = [(each.where, each.why) for each in found if isinstance(each, FeedProblem)]
    assert told == [
        ("list: line 3", "no URL"),
        ("list: line 4", "an unclosed quote"),
        ("list: line 5", "id is not a number: x"),
        ("list: line 6", "sources_id is not a number: one"),
        ("list: line 7", "no URL"),
        ("list: line 9", "a NUL character"),
    ]


def test_a_table_without_urls_is_told() -> None:
    (problem,) = read("# mine\nid,name\n1,News\n", "feeds.csv")
    assert str(problem) == "feeds.csv: id,name: neither names of columns, nor a URL"


OWN = f"Titel;Homepage;Mein Feed\nNeues;https://a.example/;{A}\n"


def test_a_table_with_other_names_says_which_are_read_and_how_to_choose() -> None:
    for name in ("feeds.csv", "feeds"):
        (problem,) = read(OWN, name)
        assert str(problem).startswith(f"{name}: no column is recognised as the URL's: its columns")
        for part in (
            "Titel, Homepage, Mein Feed",
            "feed_url, xml_url, rss_url, url, link",
            "sources_id",
            "name it with --column url=Homepage or --column 'url=Mein Feed'",
        ):
            assert part in str(problem)


def test_each_column_that_is_read_can_be_chosen() -> None:
    columns = FEED_COLUMNS.choosing(["url=mein feed", "name=Titel"])
    found = list(read_list("feeds", io.BytesIO(OWN.encode()), columns))
    assert found == [FeedSpec(A, "Neues")]
    missing = FEED_COLUMNS.choosing(["url=Mein Feed", "name=Title"])
    problem, spec = read_list("feeds", io.BytesIO(OWN.encode()), missing)
    assert str(problem) == "feeds: no column is named Title"
    assert spec == FeedSpec(A)


@each_row(
    "data",
    [
        f"Name;Feed URL\r\nMünchen;{A}\r\n".encode("windows-1252"),
        f"Name;Feed URL\r\nMünchen;{A}\r\n;\r\n;\r\n".encode("utf-8-sig"),
        f"Name\tFeed URL\r\nMünchen\t{A}\r\n".encode("utf-16"),
        f"Name\tFeed URL\r\nMünchen\t{A}\r\n".encode("utf-16-le"),
        f"sep=;\r\nName;Feed URL\r\nMünchen;{A}\r\n".encode(),
        f"sep=|\r\n|{A}||München\r\n".encode(),
        f"Tabelle 1\nName,Feed URL\nMünchen,{A}\n".encode(),
        f'"Name","Feed\nURL","Note"\n"München","{A}","two\r\nlines"\n'.encode(),
        f"Feed URL,url,Name\n{A},https://home.example/,München\n".encode(),
        f"url,Feed URL,Name\nhttps://home.example/,{A},München\n".encode(),
        "Name\rFeed URL\r".replace("\r", ",").encode() + f"\rMünchen,{A},\r".encode(),
    ],
)
def test_tables_of_spreadsheets_are_read(data: bytes) -> None:
    assert read(data) == [FeedSpec(A, "München")]


def test_a_list_of_urls_has_comments_and_may_have_names() -> None:
    text = (
        f"# mine\n{A}\n\n  {B}#part  # good\n{C}\tNews\nnonsense\nhttps://a b/\n{'x' * 200_000}\n"
    )
    found = read(text)
    assert found[:3] == [FeedSpec(A), FeedSpec(f"{B}#part"), FeedSpec(C, "News")]
    assert [each.where for each in found[3:] if isinstance(each, FeedProblem)] == [
        "list: line 6",
        "list: line 7",
        "list: line 8",
    ]


def test_opml_is_read_in_the_encoding_that_it_declares() -> None:
    outline = f"<outline text='Новости' xmlUrl='{A}'/>"
    text = f"<?xml version='1.0' encoding='windows-1251'?><opml>{outline}</opml>"
    assert read(text.encode("windows-1251")) == [FeedSpec(A, "Новости")]


FEEDS = [
    Feed(id=7, url=A, name='News, "all"', sources_id=3, created_at=datetime(2020, 1, 2, 3, 4, 5)),
    Feed(id=8, url=B, active=False),
    Feed(id=9, url=C, name="Новости"),
]


def test_csv_that_is_written_says_all_that_is_read() -> None:
    file = io.StringIO()
    assert write_list(FEEDS, file, "csv", NOW) == 3
    assert file.getvalue().splitlines()[0] == "id,url,sources_id,name,active,created_at"
    assert read(file.getvalue()) == [
        FeedSpec(A, 'News, "all"', 3, 7, created_at=datetime(2020, 1, 2, 3, 4, 5)),
        FeedSpec(B, id=8, active=False),
        FeedSpec(C, "Новости", id=9),
    ]


@pytest.mark.parametrize("format", ["opml", "urls"])
def test_each_kind_that_is_written_is_read_again(format: Format) -> None:
    file = io.StringIO()
    write_list(FEEDS, file, format, NOW)
    found = [each for each in read(file.getvalue()) if isinstance(each, FeedSpec)]
    assert [each.url for each in found] == [A, B, C]


@each_row("format", ["csv", "opml", "urls"])
def test_no_feeds_are_a_list_too(format: Format) -> None:
    file = io.StringIO()
    assert write_list([], file, format, NOW) == 0
    assert read(file.getvalue()) == []
