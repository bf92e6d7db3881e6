"""`story-indexer elastic-update-canonical-domain`, as an operator sees it."""

import json
from collections.abc import Iterator

import pytest
import typer

from indexer.commands.elastic.update_canonical_domain import update_canonical_domain
from tests.commands.entering import Command
from tests.search.servers import Place, own_place

NOWHERE = "http://127.0.0.1:1/a"

DOCUMENTS = {
    "right": ("https://www.bbc.co.uk/news/1", "bbc.co.uk"),
    "wrong": ("https://someone.blogspot.com/2024/1", "blogspot.com"),
    "bad": ("http://[half", "half"),
    "none": (None, "x"),
}


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command."""
    app = typer.Typer()
    app.command()(update_canonical_domain)
    return Command(app, "story-indexer", monkeypatch, capsys)


@pytest.fixture
def place(elasticsearch_url: str) -> Iterator[Place]:
    """A place on the real Elasticsearch, with documents."""
    with own_place(elasticsearch_url) as found:
        for id, (url, domain) in DOCUMENTS.items():
            document = {"url": url, "canonical_domain": domain, "text_content": "x"}
            found.server.index(index=f"{found.alias}-1", id=id, document=document, refresh=True)
        yield found


def domain(place: Place, id: str) -> str:
    """What a document has."""
    return str(place.server.get(index=f"{place.alias}-1", id=id)["_source"]["canonical_domain"])


@pytest.mark.external
def test_domains_follow_the_rules_of_today(command: Command, place: Place) -> None:
    arguments = ["--index-url", place.url, "--index", f"{place.alias}-*"]
    dry = command.run(*arguments, "--dry-run").out
    assert "4 read, 1 done, 1 unchanged, 2 skipped" in dry
    assert domain(place, "wrong") == "blogspot.com"
    said = json.loads(command.run(*arguments, "--json", "--buffer", "1").out)
    assert (said["read"], said["done"], said["failed"]) == (4, 1, 0)
    assert (domain(place, "wrong"), domain(place, "bad")) == ("someone.blogspot.com", "half")


@pytest.mark.external
@pytest.mark.parametrize("syntax", ["query_string", "simple_query_string"])
def test_a_query_chooses_the_documents(command: Command, place: Place, syntax: str) -> None:
    arguments = ["--index-url", place.url, "--index", f"{place.alias}-1", "--keep_alive", "30s"]
    query = ["--query", "x -nothing", "--type", syntax, "--json"]
    assert json.loads(command.run(*arguments, *query).out)["done"] == 1


@pytest.mark.external
def test_what_could_not_be_changed_is_told_with_status_1(command: Command, place: Place) -> None:
    place.server.indices.put_settings(
        index=f"{place.alias}-1", settings={"index.blocks.write": True}
    )
    arguments = ["--index-url", place.url, "--index", f"{place.alias}-1"]
    entered = command.run(*arguments, status=1)
    assert "1 failed" in entered.out
    assert entered.err.startswith("wrong: ")


@pytest.mark.external
def test_a_query_that_can_not_be_read_is_status_1(command: Command, place: Place) -> None:
    arguments = ["--index-url", place.url, "--index", f"{place.alias}-1", "--query", "(open"]
    assert "400" in command.run(*arguments, status=1).err


@pytest.mark.external
def test_an_index_that_is_not_there_is_status_1(command: Command, place: Place) -> None:
    assert place.alias in command.run("--index-url", place.url, status=1).err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--index-url", "sqlite:///x"], "http"),
        (["--index-url", NOWHERE, "--keep_alive", "forever"], "--keep_alive"),
        (["--index-url", NOWHERE, "--index", "_all"], "_all"),
        (["--index-url", NOWHERE, "--batch", "10001"], "--batch"),
        ([], "INDEX_URL"),
    ],
)
def test_bad_options_are_status_2(
    command: Command, monkeypatch: pytest.MonkeyPatch, arguments: list[str], why: str
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert why in command.run(*arguments, status=2).err


def test_help_shows_examples(command: Command) -> None:
    assert "elastic-update-canonical-domain" in command.run("--help").out
