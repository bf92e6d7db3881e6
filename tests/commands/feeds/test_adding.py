"""`story-indexer feeds add`, `import` and `export`: exported feeds can be imported again."""

import csv
import gzip
import io
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from indexer.commands.feeds import new_feeds
from indexer.feeds.registry.syncing import SINCE
from tests.commands.feeds_command import Feeds, feeds_command
from tests.each_row import each_row
from tests.feeds.rows import feed

A, B, C = (f"https://{name}.example/feed" for name in "abc")
RSS = "<rss version='2.0'><channel/></rss>"
LINK = '<link rel="alternate" type="application/rss+xml" title="News" href="/news.rss">'
CSV = f"id,url,sources_id,name\n7,{A},3,News\n8,{B},,\n9,nowhere,,\n"


@pytest.fixture
def command(
    database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Feeds]:
    """The command, without feeds."""
    with feeds_command(database_url, monkeypatch, capsys) as found:
        yield found


def put(folder: Path, name: str, text: str) -> str:
    """A file with this text."""
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return str(path)


def test_the_feeds_of_a_page_are_added(command: Feeds, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data(f"<!doctype html><head>{LINK}")
    url = httpserver.url_for("/news.rss")
    printed = command.run("add", httpserver.url_for("/"), "--source", "7")
    assert printed.out == f"feed 1: {url} (added)\n"
    found = feed(command.database)
    assert (found.url, found.name, found.sources_id) == (url, "News", 7)
    assert found.next_fetch_attempt is None
    again = command.json("add", httpserver.url_for("/"))
    assert again == [{"feed": 1, "url": url, "change": "known"}]


def test_what_could_not_be_taken_is_told_and_the_rest_is_added(
    command: Feeds, httpserver: HTTPServer
) -> None:
    httpserver.expect_request("/feed").respond_with_data(RSS)
    httpserver.expect_request("/page").respond_with_data("<!doctype html>")
    names = [httpserver.url_for("/page"), "/nowhere/list", httpserver.url_for("/feed")]
    printed = command.run("add", *names, status=1)
    assert len(printed.out.splitlines()) == 1
    assert printed.err.splitlines() == [
        f"not taken: {names[0]}: a page that links to no feeds; --guess tries the usual paths of "
        "its site",
        "not taken: no such file or directory: /nowhere/list",
    ]


def test_without_a_look_a_url_is_a_feed_with_a_name(command: Feeds) -> None:
    command.run("add", "--no-look", A, "--name", "News")
    assert feed(command.database).name == "News"


def test_a_feed_that_is_nearly_there_is_told(command: Feeds) -> None:
    command.run("add", "--no-look", A)
    near = "http://www.a.example/feed/"
    printed = command.run("add", "--no-look", near)
    assert printed.out == f"feed 2: {near} (added; feed 1 is nearly the same: {A})\n"
    (line,) = command.json("add", "--no-look", "http://a.example/feed")
    assert line["near"] == {"feed": 1, "url": A}


def test_what_was_removed_comes_back(command: Feeds) -> None:
    command.run("add", "--no-look", A)
    command.run("remove", A)
    assert command.json("add", "--no-look", A)[0]["change"] == "restored"


def test_who_follows_a_directory_is_warned(command: Feeds) -> None:
    with command.database.writing() as connection:
        SINCE.write(command.database, connection, "1700000000.0")
    assert "a full sync removes" in command.run("add", "--no-look", A).err
    assert command.run("add", "--no-look", A).err == ""


def test_a_list_is_imported_and_bad_lines_are_told(command: Feeds, tmp_path: Path) -> None:
    path = put(tmp_path, "feeds.csv.gz", CSV)
    before = datetime.utcnow()
    printed = command.run("import", path, "--spread", "2", status=1)
    assert printed.out == "imported: 2 added, 1 refused\n"
    assert printed.err == "not taken: nowhere: not http or https: no scheme\n"
    found = feed(command.database, 7)
    assert (found.url, found.name, found.sources_id) == (A, "News", 3)
    assert found.next_fetch_attempt is not None
    assert before <= found.next_fetch_attempt <= datetime.utcnow() + timedelta(hours=2)


def test_an_import_says_in_numbers_what_became_of_it(command: Feeds, tmp_path: Path) -> None:
    path = put(tmp_path, "feeds.txt", f"{A}\n{B}\nhttp://a.example/feed\n")
    counts = {"added": 3, "restored": 0, "known": 0, "nearly_known": 1, "refused": 0}
    assert command.json("import", path) == [counts]
    printed = command.run("import", path)
    assert printed.out == "imported: 3 known\n"


def test_not_all_bad_lines_are_told(
    command: Feeds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_feeds, "SHOWN", 2)
    path = put(tmp_path, "feeds.txt", f"{A}\n" + "nothing\n" * 5)
    printed = command.run("import", path, status=1)
    assert [line.partition(": line")[0] for line in printed.err.splitlines()] == [
        f"not taken: {path}",
        f"not taken: {path}",
        "not taken: 3 more",
    ]


def test_a_broken_opml_is_told_with_the_line(command: Feeds, tmp_path: Path) -> None:
    path = put(tmp_path, "subs.opml", f"<opml><body>\n<outline xmlUrl='{A}\n</body></opml>")
    printed = command.run("import", path, status=1)
    assert printed.out == "imported: 1 refused\n"
    assert printed.err.startswith(f"not taken: {path}: line 2: <outline xmlUrl='{A}: a tag that")


def test_columns_with_other_names_can_be_chosen(command: Feeds, tmp_path: Path) -> None:
    path = put(tmp_path, "feeds.csv", f"Paper;Web Address\nNews;{A}\n")
    printed = command.run("import", path, status=1)
    assert "its columns are Paper, Web Address; recognised are id, feed_id" in printed.err
    assert "name it with --column 'url=Web Address'" in printed.err
    command.run("import", path, "--column", "url=Web Address", "--column", "name=Paper")
    assert feed(command.database).name == "News"
    assert "--column x=" in command.run("add", path, "--column", "x=y", status=2).err
    assert command.json("add", path, "--column", "url=Web Address")[0]["change"] == "known"


def test_a_dry_run_reads_and_changes_nothing(command: Feeds, tmp_path: Path) -> None:
    path = put(tmp_path, "feeds.csv", CSV)
    assert command.json("import", path, "--dry-run", status=1) == [{"feeds": 2, "refused": 1}]
    assert command.json("list") == []


def test_a_wipe_asks_and_needs_a_list(command: Feeds, tmp_path: Path) -> None:
    command.run("add", "--no-look", C)
    path = put(tmp_path, "feeds.txt", f"{A}\n")
    assert "give --yes" in command.run("import", path, "--wipe", status=2).err
    empty = put(tmp_path, "empty.txt", "# nothing\n")
    assert "nothing was deleted" in command.run("import", empty, "--wipe", "--yes", status=2).err
    assert [each["url"] for each in command.json("list")] == [C]
    command.run("import", path, "--wipe", "--yes")
    assert [each["url"] for each in command.json("list")] == [A]


@each_row(
    ("name", "text", "why"),
    [
        ("cut.opml", f'<opml version="2.0"><body><outline xmlUrl="{A}"/>', "it was cut off"),
        ("cut.opml", f'<opml><body><outline xmlUrl="{A}"/><outline xmlUrl="ht', "does not end"),
        ("cut.csv", f"id,url,sources_id,name\n7,{A},3,News\n8,", "no URL"),
        ("cut.csv", f"id,url,sources_id,name\n7,{A},3,News\n8,https://", "host"),
    ],
)
def test_a_list_that_is_cut_off_replaces_no_feeds(
    command: Feeds, tmp_path: Path, name: str, text: str, why: str
) -> None:
    command.run("add", "--no-look", C)
    path = put(tmp_path, name, text)
    told = command.run("import", path, "--wipe", "--yes", status=2).err
    assert why in told
    assert "nothing was deleted; --incomplete imports the rest" in told
    assert C in [each["url"] for each in command.json("list")]
    command.run("import", path, "--wipe", "--yes", "--incomplete", status=1)
    assert [each["url"] for each in command.json("list")] == [A]


def test_the_same_seed_gives_the_same_order(command: Feeds, tmp_path: Path) -> None:
    path = put(tmp_path, "feeds.txt", "".join(f"https://h{n}.example/\n" for n in range(30)))

    def order() -> list[int]:
        command.run("import", path, "--wipe", "--yes", "--seed", "4")
        found = command.json("list")
        first = found[0]["id"]
        found.sort(key=lambda each: str(each["next_fetch_attempt"]))
        return [each["id"] - first for each in found]

    assert order() == order() != sorted(order())


@pytest.fixture
def filled(command: Feeds, tmp_path: Path) -> Feeds:
    """The command, with two feeds."""
    command.run("import", put(tmp_path, "some.csv", CSV.rpartition("9,")[0]))
    return command


def test_csv_goes_out_and_comes_back(filled: Feeds, tmp_path: Path) -> None:
    path = tmp_path / "out.csv.gz"
    assert filled.run("export", str(path)).err == f"2 feeds in {path}\n"
    rows = [*csv.DictReader(io.StringIO(gzip.decompress(path.read_bytes()).decode()))]
    assert [row["url"] for row in rows] == [A, B]
    before = [feed(filled.database, id) for id in (7, 8)]
    filled.run("import", str(path), "--wipe", "--yes", "--spread", "0")
    after = [feed(filled.database, id) for id in (7, 8)]
    for one, two in zip(before, after, strict=True):
        assert (one.url, one.name, one.sources_id) == (two.url, two.name, two.sources_id)
        assert one.created_at == two.created_at


def test_opml_goes_out_and_comes_back(filled: Feeds, tmp_path: Path) -> None:
    path = tmp_path / "out.opml"
    filled.run("export", str(path), "--source", "3")
    (outline,) = ET.fromstring(path.read_bytes()).iter("outline")
    assert (outline.get("xmlUrl"), outline.get("text")) == (A, "News")
    assert filled.json("import", str(path))[0]["known"] == 1


def test_a_list_goes_to_standard_output_and_nothing_else(filled: Feeds) -> None:
    printed = filled.run("export", "--format", "urls")
    assert (printed.out, printed.err) == (f"{A}\n{B}\n", "")
    assert filled.run("export", "--match", "b.EXAMPLE").out.splitlines()[1].split(",")[1] == B


def test_a_list_that_can_not_be_written_is_an_error(filled: Feeds, tmp_path: Path) -> None:
    assert "can't write" in filled.run("export", str(tmp_path / "no" / "x.csv"), status=1).err
