"""From tables of URLs to stories."""

import gzip
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.errors import ConfigurationError, InputError
from indexer.messages.worker import Skipped
from indexer.stories.story import HTTPMetadata, RSSEntry, Story
from tests.each_row import each_row
from workers.stories.csv_queuer import CSVQueuer, CSVQueuerOptions

A, B = "https://a.example/1", "https://b.example/2"


@pytest.fixture
def queuer(tmp_path: Path) -> Iterator[CSVQueuer]:
    """One that has nothing to read."""
    made = CSVQueuer(CSVQueuerOptions.chosen({"data": tmp_path / "data"}))
    yield made
    made.close()


def read(queuer: CSVQueuer, data: bytes | str, name: str = "/data/urls.csv") -> list[str | None]:
    """The links of a table, and the statuses of what is skipped."""
    file = io.BytesIO(data.encode() if isinstance(data, str) else data)
    return [
        item.rss_entry.link if isinstance(item, Story) else getattr(item, "status", "named")
        for item in queuer.process_file(name, file)
    ]


def test_a_story_tells_where_it_is_from(queuer: CSVQueuer) -> None:
    name = "s3://bucket/lists/urls-2024-01-31.csv.gz"
    (story,) = queuer.process_file(name, io.BytesIO(f"{A},x\n".encode()))
    assert story == Story(
        rss_entry=RSSEntry(link=A, fetch_date="2024-01-31", via=name),
        http_metadata=HTTPMetadata(final_url=A),
    )


@each_row(
    ("data", "found"),
    [
        (f"{A}\n{B}\n", [A, B]),
        (f"id,url\n1,{A}\n2,{B}", [A, B]),
        (f"\ufeffurl;title\r\n{A};x\r\n", [A]),
        (f"{A}\n{A}\n{B},other columns\n{B}\n", [A, "dups", B, "dups"]),
        (f"{A}\n\n{B}\n", [A, "bad-row", B]),
        (f'{A}\n"{B}\n{B}\n', [A, "bad-row", B]),
        (f"{A}\n{B}\0\n{B}\n", [A, "bad-row", B]),
        (f"{A}\n" + "x" * 200_000 + f"\n{B}\n", [A, "bad-row", B]),
        (f"{A}\nno url\nftp://a.example/\nhttp://localhost/\n", None),
        (f"{A}\nhttps://twitter.com/x\n", [A, "non-news"]),
        ("", []),
        (" \n", []),
    ],
)
def test_rows(queuer: CSVQueuer, data: str, found: list[str | None] | None) -> None:
    result = read(queuer, data)
    if found is None:
        assert result[0] == A
        assert result[2:] == ["bad-scheme", "bad-host"]
    else:
        assert result == found


def test_undecodable_bytes_cost_a_row(queuer: CSVQueuer) -> None:
    rows = [f"https://a.example/{number}".encode() for number in range(50)]
    rows[7:7] = [b"https://a.example/\xff\xfe\xfd"]
    text = "é,".encode() * 3
    found = read(queuer, b"\n".join([f"{B},".encode() + text, *rows]))
    assert found.count("bad-row") == 1
    assert len(found) == 52


def test_a_lone_surrogate_costs_a_row(queuer: CSVQueuer) -> None:
    data = f"{A}\n{B}/\ud800\n".encode("utf-8", "surrogatepass")
    assert read(queuer, f"{A},éééé\n".encode() + data)[0] == A


@each_row(
    "data",
    [
        f"Title;URL\r\nÜber uns;{A}\r\nEuro €;{B}\r\n".encode("windows-1252"),
        f"Title\tURL\r\nÜber uns\t{A}\r\nx\t{B}\r\n".encode("utf-16"),
        f"sep=;\r\nTitle;URL\r\nx;{A}\r\ny;{B}\r\n".encode("utf-8-sig"),
        f'Title,"Story\nURL",Note\n"a\nb",{A},"c\n\nd"\ny,{B},\n'.encode(),
        f"Table 1\n\nTitle,URL\nx,{A}\ny,{B}\n".encode(),
        f"Title\rx\rURL\r{A}\r{B}\r".replace("Title\rx\r", "").encode(),
    ],
)
def test_tables_of_spreadsheets_are_read(queuer: CSVQueuer, data: bytes) -> None:
    assert read(queuer, data) == [A, B]


def test_a_url_keeps_its_letters_in_a_table_of_windows(queuer: CSVQueuer) -> None:
    data = "url;title\r\nhttps://a.example/münchen;Über uns\r\n".encode("windows-1252")
    assert read(queuer, data) == ["https://a.example/münchen"]


ODD = f"Title;Web Address\nx;{A}"
"""Google Sheets ends no file with a line end."""


def test_a_table_with_other_names_says_which_are_read_and_how_to_choose(queuer: CSVQueuer) -> None:
    names = "its columns are Title, Web Address; recognised are url, link, .*"
    with pytest.raises(InputError, match=f"{names}; name it with --column 'url=Web Address'"):
        read(queuer, ODD)


def test_a_column_can_be_chosen(tmp_path: Path) -> None:
    chosen = {"data": tmp_path / "data", "column": ["url=web address"]}
    queuer = CSVQueuer(CSVQueuerOptions.chosen(chosen))
    assert read(queuer, ODD) == [A]
    assert read(queuer, f"url;title\n{B};x\n") == [B]
    with pytest.raises(InputError, match="no column is named web address: its columns are a, b"):
        read(queuer, f"a,b\n{A},x\n")
    queuer.close()
    with pytest.raises(ConfigurationError, match="--column title=…: the columns that are read are"):
        CSVQueuer(CSVQueuerOptions.chosen({**chosen, "column": ["title=x"]}))


def test_a_list_of_urls_has_commas_in_them(queuer: CSVQueuer) -> None:
    urls = ["https://pl.example/7,114871,1.html", "https://pl.example/7,114871,2.html"]
    assert read(queuer, "# stories\n\n" + "\n".join(urls), "/data/urls.txt") == urls


@each_row(
    ("row", "why"),
    [
        (b"", "a blank line"),
        (b",a title", "no URL in it"),
        (b'https://b.example/2,"open', "an unclosed quote"),
        (b'"https://b.example/2"x', "a quote in the middle of a field"),
        (b"https://b.example/\0", "a NUL character"),
        (b"x" * 200_000, "longer than 131072 characters"),
        (b"https://b.example/\xff", "bytes that are not UTF-8"),
        (b"https://b.example/\x01", "control characters"),
    ],
)
def test_a_bad_row_is_told_with_its_number_and_why(queuer: CSVQueuer, row: bytes, why: str) -> None:
    data = f"{A},é\n".encode() + row + f"\n{B}\n".encode()
    found = list(queuer.process_file("/data/urls.csv", io.BytesIO(data)))
    assert found[1] == Skipped("bad-row", "/data/urls.csv row 2", why)
    assert len(found) == 3


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<rss version='2.0'></rss>", "a feed: the rss-queuer reads it"),
        (b"<urlset></urlset>", "a sitemap: the rss-queuer reads it"),
        (b"<!doctype html><p>", "an HTML page"),
        (b"<opml><body>", "a list of feeds: `story-indexer follow /data/urls.csv` polls"),
        (b"WARC/1.0\r\n", "not text"),
        (bytes(range(256)) * 100, "not text"),
        (b"PK\x03\x04" + bytes(range(256)), "a spreadsheet or a ZIP file: export its table as CSV"),
    ],
)
def test_what_is_no_table_is_an_error(queuer: CSVQueuer, data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(queuer, data)


def test_files_are_read_once(tmp_path: Path) -> None:
    path = tmp_path / "urls.csv.gz"
    path.write_bytes(gzip.compress(f"{A}\n{B}\n".encode()))
    counts = []
    for _ in range(2):
        made = CSVQueuer(
            CSVQueuerOptions.chosen({"inputs": [str(path)], "data": tmp_path / "data"})
        )
        counts.append(sum(isinstance(item, Story) for item in made.produce()))
        made.close()
    assert counts == [2, 0]
