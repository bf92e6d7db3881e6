"""Which program reads which input."""

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from pytest_httpserver import HTTPServer

from indexer.commands.running.choice import choose
from indexer.errors import ConfigurationError, InputError
from indexer.stories.queuers.input_kinds import InputKind
from pipeline import PIPELINES
from tests.paths import DATA

GIVEN = {"FETCHER_ALLOW_ADDRESS": "127.0.0.0/8"}

RSS = "<rss><channel><item><link>http://a.example/1</link></item></channel></rss>"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A feed, a CSV file and a list of URLs."""
    (tmp_path / "feed.xml").write_text(RSS)
    (tmp_path / "pages.csv").write_text("url,title\nhttp://a.example/1,One\n")
    (tmp_path / "list.txt").write_text("http://a.example/1\nhttp://b.example/2\n")
    return tmp_path


def test_flavors_read_kinds_of_input_that_can_be_recognised() -> None:
    kinds = {kind for pipeline in PIPELINES for step in pipeline.steps for kind in step.reads}
    unread = {InputKind.OPML, InputKind.PAGE, InputKind.EMPTY, InputKind.UNKNOWN}
    assert kinds == set(InputKind) - unread


def test_a_feed_is_for_the_rss_queuer(files: Path) -> None:
    chosen = choose([str(files / "feed.xml")], "", files, GIVEN)
    assert chosen.pipeline.name == "queue-fetcher"
    assert chosen.arguments == {"rss-queuer": [str(files / "feed.xml")]}


def test_a_csv_and_a_list_are_for_the_csv_queuer(files: Path) -> None:
    names = [str(files / "pages.csv"), str(files / "list.txt")]
    chosen = choose(names, "", files, GIVEN)
    assert chosen.pipeline.name == "csv"
    assert chosen.arguments == {"csv-queuer": names}


def test_both_run_at_once_in_a_pipeline_that_has_each_step_once(files: Path) -> None:
    chosen = choose([str(files / "feed.xml"), str(files / "pages.csv")], "", files, GIVEN)
    assert set(chosen.arguments) == {"rss-queuer", "csv-queuer"}
    names = [step.name for step in chosen.pipeline.steps]
    assert sorted(names[:3]) == ["csv-queuer", "rss-puller", "rss-queuer"]
    assert names[3:] == ["fetcher", "parser", "importer", "archiver", "drop-archiver"]
    assert chosen.pipeline.environment["ARCHIVER_PREFIX"] == "mc"


def test_a_directory_stands_for_its_files(files: Path, tmp_path: Path) -> None:
    chosen = choose([str(files)], "", tmp_path / "data", GIVEN)
    assert set(chosen.arguments) == {"rss-queuer", "csv-queuer"}


def test_a_directory_without_files_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"can be read:\n{tmp_path}: no files are there"):
        choose([str(tmp_path)], "", tmp_path / "data", GIVEN)


def test_a_flavor_that_was_asked_for_gets_all_inputs(files: Path) -> None:
    names = [str(files / "feed.xml"), str(files / "pages.csv")]
    chosen = choose(names, "csv", files, GIVEN)
    assert chosen.arguments == {"csv-queuer": names}


def test_many_inputs_are_handed_on_in_a_file(tmp_path: Path) -> None:
    feeds = tmp_path / "feeds"
    feeds.mkdir()
    for number in range(30):
        (feeds / f"{number}.xml").write_text(RSS)
    chosen = choose([str(feeds)], "", tmp_path, GIVEN)
    (argument,) = chosen.arguments["rss-queuer"]
    assert argument.startswith("@")
    assert len(Path(argument[1:]).read_text().splitlines()) == 30


def test_standard_input_is_kept_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(RSS.encode())))
    chosen = choose(["-"], "", tmp_path, GIVEN)
    (name,) = chosen.arguments["rss-queuer"]
    assert Path(name).read_text() == RSS


def test_a_web_page_is_one_story(tmp_path: Path, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/story").respond_with_data(
        "<!doctype html><title>A story</title>", content_type="text/html"
    )
    url = httpserver.url_for("/story")
    chosen = choose([url], "", tmp_path, GIVEN)
    (name,) = chosen.arguments["csv-queuer"]
    assert Path(name).read_text() == f"{url}\n"
    assert "is a web page" in chosen.notes[0]


def test_a_front_page_names_its_feeds(tmp_path: Path, httpserver: HTTPServer) -> None:
    link = '<link rel="alternate" type="application/rss+xml" title="News" href="/rss">'
    page = f"<!doctype html><title>A site</title><style>{'x' * 100_000}</style>{link}"
    httpserver.expect_request("/").respond_with_data(page, content_type="text/html")
    chosen = choose([httpserver.url_for("/")], "", tmp_path, GIVEN)
    feed = httpserver.url_for("/rss")
    assert chosen.notes[1].startswith("it links to a feed (News): ")
    assert chosen.notes[1].endswith(f" run {feed}")
    assert len(httpserver.log) == 1


def test_a_list_of_feeds_names_the_commands_that_read_it(tmp_path: Path) -> None:
    path = tmp_path / "my subs"
    path.write_text("Name;Feed URL\nA;https://a.example/feed\n")
    with pytest.raises(InputError, match=rf"`story-indexer follow '{path}'` .*feeds import"):
        choose([str(path)], "", tmp_path, GIVEN)
    path.write_text("<opml><body><outline xmlUrl='https://a.example/'/></body></opml>")
    with pytest.raises(InputError, match=rf"`story-indexer follow '{path}'` .*feeds import"):
        choose([str(path)], "", tmp_path, GIVEN)


def test_a_column_that_is_not_recognised_can_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("Title;Web Address\nOne;https://a.example/1\n")
    with pytest.raises(InputError, match="name it with --column 'url=Web Address'"):
        choose([str(path)], "", tmp_path, GIVEN)
    given = {**GIVEN, "CSV_COLUMNS": "'url=Web Address'"}
    assert choose([str(path)], "", tmp_path, given).arguments == {"csv-queuer": [str(path)]}
    with pytest.raises(ConfigurationError, match="--column address=…"):
        choose([str(path)], "csv", tmp_path, {**GIVEN, "CSV_COLUMNS": "address=x"})


def test_a_local_page_is_said_not_to_be_an_input(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<!doctype html><title>A story</title>")
    with pytest.raises(InputError, match="neither a feed"):
        choose([str(tmp_path / "page.html")], "", tmp_path, GIVEN)


def test_a_private_address_is_refused_with_the_option_that_allows_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"refused \(loopback\): --allow-private allows it"):
        choose(["http://127.0.0.1:1/feed.xml"], "", tmp_path, {})


def test_one_bad_input_among_good_ones_is_noted(files: Path, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/missing.xml").respond_with_data("", status=404)
    missing = httpserver.url_for("/missing.xml")
    chosen = choose([missing, str(files / "feed.xml")], "", files, GIVEN)
    assert chosen.arguments == {"rss-queuer": [str(files / "feed.xml")]}
    assert chosen.unread == [f"{missing}: HTTP 404"]


WARC = DATA / "warc" / "golden.warc"
PULLER = {**GIVEN, "RSS_FETCHER_URL": "https://rss.example/"}


def test_an_archive_is_for_the_arch_queuer_and_is_not_archived_again(tmp_path: Path) -> None:
    chosen = choose([str(WARC)], "", tmp_path, GIVEN)
    assert chosen.arguments == {"arch-queuer": [str(WARC)]}
    assert [step.name for step in chosen.pipeline.steps] == ["arch-queuer", "importer"]


def test_an_archive_among_feeds_is_refused(files: Path) -> None:
    with pytest.raises(ConfigurationError, match="a run of their own"):
        choose([str(WARC), str(files / "feed.xml")], "", files, GIVEN)


def test_standard_input_is_a_file_for_the_programs_of_a_flavor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"10.5072/a\n")))
    chosen = choose(["-"], "filesets", tmp_path, GIVEN)
    [path] = chosen.arguments["fileset-queuer"]
    assert Path(path).read_bytes() == b"10.5072/a\n"


def test_what_is_named_is_read_by_the_queuer_even_where_a_server_is_set(files: Path) -> None:
    feed = str(files / "feed.xml")
    chosen = choose([feed], "queue-fetcher", files, PULLER)
    assert chosen.arguments == {"rss-queuer": [feed]}


def test_without_inputs_the_server_that_is_set_is_asked(tmp_path: Path) -> None:
    assert choose([], "queue-fetcher", tmp_path, PULLER).arguments == {"rss-puller": []}


@pytest.mark.parametrize("type", ["queue-fetcher", "historical", "archive", "reparse"])
def test_without_inputs_and_without_a_server_inputs_are_asked_for(
    type: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match=f"{type}: name its inputs"):
        choose([], type, tmp_path, GIVEN)


def test_a_flavor_without_producers_says_how_it_is_started(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="story-indexer program NAME`: pipeview"):
        choose([], "pipeview", tmp_path, GIVEN)


@pytest.mark.parametrize("inputs", [[], ["https://a.example/feed"]])
@pytest.mark.parametrize("type", ["feeds", "follow"])
def test_a_flavor_that_polls_for_ever_is_not_run(
    type: str, inputs: list[str], tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match=r"use story-indexer follow.*feed-scheduler"):
        choose(inputs, type, tmp_path, GIVEN)


def test_a_bucket_that_is_named_for_a_flavor_stands_for_all_in_it(tmp_path: Path) -> None:
    chosen = choose(["s3://news/warc/"], "archive", tmp_path, GIVEN)
    assert chosen.arguments == {"arch-queuer": ["s3://news/warc/"]}
