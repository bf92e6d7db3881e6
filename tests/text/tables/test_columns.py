"""The layout of tables, judged by their first lines, and the names of columns."""

import pytest

from indexer.errors import ConfigurationError
from indexer.text.tables.columns import Columns, layout, sample_of
from indexer.text.tables.rows import Layout
from indexer.text.unpacking import HEAD
from tests.each_row import each_row
from tests.text.tables.test_rows import A, B, C

COLUMNS = Columns({"url": ("url", "link", "story_url"), "name": ("name", "title")})


@each_row(
    ("name", "sample", "found"),
    [
        ("a.csv", [A, B], Layout(",", 0)),
        ("a.csv.gz", ["http://pl.example/7,114,2.html"], Layout(",", 0)),
        ("a.txt", ["http://pl.example/7,114,2.html", A], Layout("", 0)),
        ("standard input", [A, "# comment", "", B], Layout("", 0)),
        ("a.txt", [f"{A},title of it", f"{B},another"], Layout(",", 0)),
        ("a.csv", [f'{A},"a, b"', B], Layout(",", 0)),
        ("a.tsv", [f"{A}\ta, b", f"{B}\tc"], Layout("\t", 0)),
        ("a.csv", [f"{A};Ein Titel", f"{C};Noch einer"], Layout(";", 0)),
        ("a.csv", ["id,URL,title", f"1,{A},x"], Layout(",", 1, above=1)),
        ("a.csv", ["id;Link;title", f"1;{A};x"], Layout(";", 1, above=1)),
        ("a.tsv", ["id\tstory_url", f"1\t{A}"], Layout("\t", 1, above=1)),
        ("a.csv", ["link,url", f"x,{A}"], Layout(",", 1, above=1)),
        ("a.csv", ['"url"', A], Layout(",", 0, above=1)),
        ("a.csv", ["url"], Layout(",", 0, above=1)),
        ("a.csv", ["id,Story-URL ", f"1,{A}"], Layout(",", 1, above=1)),
        ("a.csv", ["sep=;", "a,b;url", f"x;{A}"], Layout(";", 1, above=2)),
        ("a.csv", ["sep=|", f"{A}|x"], Layout("|", 0, above=1)),
        ("a.csv", ["#TYPE System.Object", "id,url", f"1,{A}"], Layout(",", 1, above=2)),
        ("a.csv", ["Table 1", "", "id,url", f"1,{A}"], Layout(",", 1, above=3)),
        ("a.csv", ['id,"story', 'url"', f"1,{A}"], Layout(",", 1, above=2)),
        ("a.csv", ["Address,title", f"{A},x"], Layout(",", 0)),
        ("a.csv", ["title,Address", f"x,{A}"], None),
        ("a.csv", ["words", "url", "more"], None),
        ("a.csv", ["some,words", "and,more"], None),
        ("a.csv", ["", "# comment"], None),
        ("a.csv", [], None),
    ],
)
def test_how_a_table_is_laid_out(name: str, sample: list[str], found: Layout | None) -> None:
    assert layout(name, sample, COLUMNS) == found


@each_row(
    ("lines", "complaint"),
    [
        (
            ["Title;Web Address;;", "", f"x;{A};;"],
            "no column is recognised as the URL's: its columns are Title, Web Address; recognised "
            "are url, link, story_url, name, title; name it with --column 'url=Web Address'",
        ),
        (
            ["Sheet", "Page,Site", f"{A},{B}"],
            "no column is recognised as the URL's: its columns are Page, Site; recognised are url, "
            "link, story_url, name, title; name it with --column url=Page or --column url=Site",
        ),
        (["title,url", f"x,{A}"], ""),
        (["some words, and more", "others, too"], ""),
        ([f"{A},x", f"{B},y"], ""),
        (["My pages", A, B], ""),
        ([], ""),
    ],
)
def test_a_table_whose_names_are_not_recognised_is_complained_of(
    lines: list[str], complaint: str
) -> None:
    assert COLUMNS.complaint(lines) == complaint


def test_names_that_a_person_gives_come_first() -> None:
    header = COLUMNS.choosing(["url=Address", "NAME=what"]).header(
        ["title,url,address", f"x,{A},{B}"]
    )
    assert header is not None
    assert header.places == {"url": 2, "name": 0}
    assert COLUMNS.choosing(["name=what"]).header(["what,title,url"]) is not None


@each_row(
    ("given", "why"),
    [
        ("adress=x", "--column adress=…: the columns that are read are url, name"),
        ("Web Address", "the columns that are read are url, name"),
        ("url=", "write it as COLUMN=NAME"),
        ("url=--", "write it as COLUMN=NAME"),
    ],
)
def test_a_name_for_no_column_is_refused(given: str, why: str) -> None:
    with pytest.raises(ConfigurationError, match=why):
        COLUMNS.choosing([given])


def test_a_sample_has_whole_lines_at_their_places() -> None:
    assert sample_of(f"a\r\n{'x' * 140_000}\nc\nd".encode()) == ["a", "", "c"]
    assert sample_of(b"a\nb") == ["a", "b"]
    assert sample_of(b"x" * HEAD) == ["x" * HEAD]
