"""Lists of URLs: what is one has an id, what is none is told."""

import gzip
from pathlib import Path

import pytest

from indexer.errors import InputError
from indexer.news.normalized_urls import unique_url_hash
from indexer.stories.queuers.url_lists import MAX_URL, ListedURL, listed, read_urls
from tests.each_row import each_row

ONE, TWO = "https://site.example/1", "https://site.example/2"


def read(tmp_path: Path, content: bytes) -> list[ListedURL]:
    path = tmp_path / "urls.txt"
    path.write_bytes(content)
    return list(read_urls(path))


@each_row(
    "content",
    [
        f"{ONE}\n{TWO}\n".encode(),
        f"\ufeff{ONE}\r\n{TWO}".encode(),
        f"# take these down\n\n  {ONE}\t\n   \n#{ONE}\n{TWO}\n".encode(),
        f"{ONE}\r{TWO}\r".encode(),
        f"{ONE}\n{TWO}\n".encode("utf-16"),
        gzip.compress(f"{ONE}\n{TWO}\n".encode()),
    ],
)
def test_each_line_is_a_url_with_its_document_id(tmp_path: Path, content: bytes) -> None:
    wanted = [ListedURL(url, unique_url_hash(url)) for url in (ONE, TWO)]
    assert read(tmp_path, content) == wanted


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# nothing\n", b"\xef\xbb\xbf"])
def test_there_may_be_none(tmp_path: Path, content: bytes) -> None:
    assert read(tmp_path, content) == []


@each_row(
    ("line", "why"),
    [
        (b"https://site.example/\x00", "control characters"),
        (b"https://site.example/\xff\xfe", "not UTF-8"),
        (b"https://site.example/\x1b[2J", "control characters"),
        (b"https://site.example/1 https://site.example/2", "white space"),
        ("https://site.example/\u00a01".encode(), "white space"),
        (b"site.example/1", "doesn't start with http"),
        (b"ftp://site.example/1", "doesn't start with http"),
        (b"https:///1", "doesn't start with http"),
        (b"https://[::1", "Invalid IPv6"),
        (b"https://site.example:99999/", "Invalid port"),
        (b"https://" + b"a" * 70 + b".example/", "idna"),
        (b"https://site.example/" + b"a" * MAX_URL, "longer than"),
        (b"x" * 10_000_000, "longer than"),
        (b"\0" * 10_000_000, "longer than"),
    ],
)
def test_what_is_no_url_costs_one_line(tmp_path: Path, line: bytes, why: str) -> None:
    first, bad, last = read(tmp_path, b"\n".join([ONE.encode(), line, TWO.encode()]))
    assert (first.url, last.url) == (ONE, TWO)
    assert bad.id == ""
    assert bad.why.startswith("line 2")
    assert why in bad.why
    assert len(bad.url) <= 200
    assert not set(bad.url) & set("\0\x1b\n")


def test_a_url_of_a_document_may_be_odd() -> None:
    odd = ["http://user:pw@site.example/", "HTTP://10.0.0.1:8080/سلام", "http://a_b.example/?q={}"]
    assert [listed(url).why for url in odd] == ["", "", ""]


def test_what_can_not_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        list(read_urls(tmp_path / "nothing.txt"))
    with pytest.raises(InputError, match="cut off"):
        read(tmp_path, gzip.compress(f"{ONE}\n".encode() * 1000)[:-20])
