"""`story-indexer extract`: what the parser would make of a page."""

import json
from pathlib import Path

import pytest
import typer
from pytest_httpserver import HTTPServer
from typer.testing import CliRunner, Result

from indexer.commands import extracting
from indexer.commands.extract import extract
from indexer.errors import Discard, FetchError, InputError, Quarantine
from indexer.stories.extraction import explaining, extraction
from indexer.stories.story import ContentMetadata
from indexer.system.sandbox import SandboxLimits
from tests.each_row import each_row
from tests.stories.extraction.in_process import InProcess
from tests.stories.pages import PAGES, STORIES, article, story_page

FILE = str(PAGES / "stories" / "libraries-en.html")

app = typer.Typer()
app.command()(extract)


class Unsealed:
    """Extracts in this process: starting another takes seconds."""

    extract = staticmethod(extraction.extract)

    def __init__(self, limits: SandboxLimits) -> None:
        assert limits.seconds

    def close(self) -> None:
        """Nothing to let go of."""


class Explained(InProcess):
    """Explains in this process."""

    def run(self, request: bytes, seconds: float | None = None) -> bytes:
        return explaining.answer(request)


@pytest.fixture(autouse=True)
def unsealed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extracting, "Extractor", Unsealed)


def run(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(app, arguments, input=stdin)


def test_json_has_every_field_of_the_metadata_and_how_the_page_was_read() -> None:
    url = STORIES["libraries-en.html"]["url"]
    said = json.loads(run(FILE, "--url", url, "--json").stdout)
    assert set(ContentMetadata.__struct_fields__) < set(said)
    assert said["url"] == url
    assert said["article_title"] == "Council votes to open three libraries in the north"
    assert said["publication_date"] == "2024-05-14"
    assert (said["encoding"], said["encoding_from"]) == ("utf-8", "meta")
    assert len(said["document_id"]) == 64


def test_the_settings_of_the_parser_count(monkeypatch: pytest.MonkeyPatch) -> None:
    url = STORIES["libraries-en.html"]["url"]
    monkeypatch.setenv("PARSER_MIN_TEXT", "100000")
    ended = run(FILE, "--url", url)
    assert isinstance(ended.exception, Discard)
    assert ended.exception.status == "too-short"
    monkeypatch.setenv("PARSER_MIN_TEXT", "many")
    assert str(run(FILE, "--url", url).exception).startswith("--min-text: ")


def test_a_table_shows_the_beginning_of_the_text_or_all_of_it() -> None:
    url = STORIES["libraries-en.html"]["url"]
    cut, full = run(FILE, "--url", url), run(FILE, "--url", url, "--full")
    assert cut.exit_code == full.exit_code == 0
    assert "blocks" in cut.stdout
    assert "--full" in cut.stdout
    assert "before the end of next year." in " ".join(full.stdout.split())


def test_a_file_without_url_has_the_one_that_its_page_declares(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    link = '<link rel="canonical" href="https://www.example.com/declared.html">'
    file.write_text(f"<html>{link}<article><p>{article()}</p></article>", encoding="utf-8")
    said = json.loads(run(str(file), "--json").stdout)
    assert said["url"] == said["original_url"] == "https://www.example.com/declared.html"


def test_a_page_comes_from_standard_input() -> None:
    said = STORIES["keizai-ja.html"]
    result = run("-", "--url", said["url"], "--json", stdin=story_page("keizai-ja.html"))
    assert json.loads(result.stdout)["article_title"] == said["title"]


def test_a_page_comes_from_the_web_with_its_charset_and_final_url(httpserver: HTTPServer) -> None:
    body = story_page("naberezhnaya-ru.html")
    httpserver.expect_request("/old").respond_with_data(
        status=302, headers={"Location": "/news/new"}
    )
    httpserver.expect_request("/news/new").respond_with_data(
        body, content_type="text/html; charset=windows-1251"
    )
    result = run(httpserver.url_for("/old"), "--allow-private", "--json")
    said = json.loads(result.stdout)
    assert said["url"] == httpserver.url_for("/news/new")
    assert said["article_title"] == STORIES["naberezhnaya-ru.html"]["title"]
    assert said["encoding_from"] == "http"


def test_a_private_address_is_only_visited_when_asked_for(httpserver: HTTPServer) -> None:
    error = run(httpserver.url_for("/")).exception
    assert isinstance(error, FetchError)
    assert "loopback" in str(error)
    assert "--allow-private" in str(error)


@pytest.mark.parametrize("arguments", [[], ["--allow-private"]])
def test_what_is_refused_all_the_same_is_not_said_to_be_allowed(arguments: list[str]) -> None:
    error = run("http://169.254.169.254/", *arguments).exception
    assert isinstance(error, FetchError)
    assert "--allow-private" not in str(error)


@each_row(
    ("arguments", "kind", "what"),
    [
        (["/no/such/file"], InputError, "/no/such/file"),
        ([str(PAGES)], InputError, "directory"),
        ([str(PAGES / "short.html"), "--url", "https://e.com/a-b.html"], Discard, "too-short"),
        ([str(PAGES / "short.html")], InputError, "--url"),
        ([str(PAGES / "feed.xml")], Discard, "feed"),
    ],
)
def test_what_is_no_story_is_an_error_that_says_why(
    arguments: list[str], kind: type[Exception], what: str
) -> None:
    result = run(*arguments)
    assert result.exit_code == 1
    assert isinstance(result.exception, kind)
    assert what in str(result.exception)


def test_an_answer_that_is_no_page_says_its_status(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/gone").respond_with_data(status=404)
    result = run(httpserver.url_for("/gone"), "--allow-private")
    assert "404" in str(result.exception)


def test_what_a_terminal_would_obey_is_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(
        f"<title>A \u009b31m title \u202e of it</title><p>{article()}</p>", encoding="utf-8"
    )
    shown = run(str(file), "--url", "https://www.example.com/a-b.html").stdout
    assert not set(shown) & set("\u009b\u202e\x1b")


def test_an_explanation_shows_doubts_candidates_and_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "SandboxPool", Explained)
    url = STORIES["libraries-en.html"]["url"]
    shown = run(FILE, "--url", url, "--explain").stdout
    for words in ("doubts: none", "chosen", "left out", "kept"):
        assert words in shown
    said = json.loads(run(FILE, "--url", url, "--explain", "--json").stdout)
    assert said["candidates"][0]["role"]
    assert {"kept", "outside"} <= {block["fate"] for block in said["blocks"]}


def test_a_page_without_markup_has_no_explanation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explaining, "SandboxPool", Explained)
    file = tmp_path / "page.html"
    file.write_bytes(bytes(range(1, 32)) * 99)
    ended = run(str(file), "--explain").exception
    assert isinstance(ended, Quarantine)
    assert ended.status == "no-decode"
