"""`story-indexer elastic-reindex`, as an operator sees it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from indexer.commands.elastic.reindex import reindex
from tests.commands.entering import Command
from tests.search.servers import Place, own_place

NOWHERE = "http://127.0.0.1:1/a"


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command."""
    app = typer.Typer()
    app.command()(reindex)
    return Command(app, "story-indexer", monkeypatch, capsys)


@pytest.fixture
def place(elasticsearch_url: str) -> Iterator[Place]:
    """A place on the real Elasticsearch, with an index of five documents, one a day."""
    with own_place(elasticsearch_url) as found:
        for day in range(1, 6):
            put(found, f"doc{day}", f"2024-01-0{day}")
        yield found


def put(place: Place, id: str, date: str) -> None:
    """Put a document into the source."""
    document = {"indexed_date": date, "text_content": id}
    place.server.index(index=f"{place.alias}-old", id=id, document=document, refresh=True)


def between(place: Place, *more: str) -> list[str]:
    """The options of a copy from the old index to the new one."""
    return ["--from", f"{place.url}-old", "--to", f"{place.url}-new", *more]


def copied(place: Place, suffix: str = "-new") -> list[str]:
    """The ids that are in the new index."""
    names = [name.split() for name in place.texts()]
    return sorted(id for index, id in names if index == suffix)


@pytest.mark.external
def test_it_tells_what_was_copied_and_what_was_there(command: Command, place: Place) -> None:
    command.run(*between(place, "--create", "--max", "2"))
    (line,) = command.run(*between(place)).out.splitlines()
    assert line.endswith(f"{place.alias}-new: 5 read, 3 done, 2 unchanged")
    assert len(copied(place)) == 5


@pytest.mark.external
def test_an_index_is_not_made_by_accident(command: Command, place: Place) -> None:
    assert "elastic-conf" in command.run(*between(place), status=2).err
    assert copied(place) == []


@pytest.mark.external
def test_a_dry_run_counts_and_changes_nothing(command: Command, place: Place) -> None:
    entered = command.run(*between(place, "--dry-run", "--query", "doc1 OR doc2", "--json"))
    assert json.loads(entered.out)["matching"] == 2
    assert copied(place) == []


@pytest.mark.external
def test_each_index_can_be_copied_to_one_of_its_name_and_a_suffix(
    command: Command, place: Place
) -> None:
    ends = ["--from", place.host, "--to", place.host]
    command.run(*ends, "-s", f"{place.alias}-o*", "--suffix", "_2", "--create")
    assert len(copied(place, "-old_2")) == 5


@pytest.mark.external
def test_with_a_state_it_goes_on_where_it_was(
    command: Command, place: Place, tmp_path: Path
) -> None:
    state = tmp_path / "state.json"
    arguments = between(place, "--create", "--state", str(state), "--json")
    first = json.loads(command.run(*arguments, "--max", "3").out)
    assert (first["done"], json.loads(state.read_bytes())["date"][:10]) == (3, "2024-01-03")
    put(place, "doc6", "2024-01-06")
    put(place, "future", "2200-01-01")
    second = json.loads(command.run(*arguments).out)
    assert (second["read"], second["done"], second["unchanged"]) == (4, 3, 1)
    assert copied(place) == [f"doc{day}" for day in range(1, 7)]
    third = json.loads(command.run(*arguments).out)
    assert (third["read"], third["done"]) == (1, 0)


@pytest.mark.external
def test_what_fails_is_told_and_tried_again_the_next_time(
    command: Command, place: Place, tmp_path: Path
) -> None:
    mappings = {"properties": {"number": {"type": "integer"}}}
    place.server.indices.create(index=f"{place.alias}-new", mappings=mappings)
    bad = {"indexed_date": "2024-01-03", "number": "many", "text_content": ""}
    place.server.index(index=f"{place.alias}-old", id="doc3", document=bad, refresh=True)
    arguments = between(place, "--state", str(tmp_path / "state.json"), "--batch", "1")
    entered = command.run(*arguments, status=1)
    assert "1 failed" in entered.out
    assert entered.err.startswith("doc3: ")
    assert len(copied(place)) == 4
    put(place, "doc3", "2024-01-03")
    assert "4 read, 1 done" in command.run(*arguments).out


@pytest.mark.external
def test_a_state_of_another_copy_is_refused(command: Command, place: Place, tmp_path: Path) -> None:
    arguments = between(place, "--create", "--state", str(tmp_path / "state.json"))
    command.run(*arguments)
    assert "another copy" in command.run(*arguments, "--query", "x", status=2).err


@pytest.mark.external
def test_an_index_to_read_that_is_not_there_is_status_1(command: Command, place: Place) -> None:
    ends = ["--from", f"{place.url}-nothing", "--to", f"{place.url}-new", "--create"]
    assert "nothing" in command.run(*ends, status=1).err
    assert not place.server.indices.exists(index=f"{place.alias}-new")


@pytest.mark.external
def test_a_query_that_can_not_be_read_is_told_where(command: Command, place: Place) -> None:
    error = command.run(*between(place, "--create", "--query", "foo:("), status=1).err
    assert "Failed to parse query [foo:(]" in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "--from"),
        (["--from", NOWHERE], "--to"),
        (["--from", "sqlite:///x", "--to", NOWHERE], "http"),
        (["--from", NOWHERE, "--to", NOWHERE, "--since", "yesterday"], "--since"),
        (["--from", NOWHERE, "--to", NOWHERE], "are the same: http://127.0.0.1:1/a"),
        (["--from", NOWHERE, "--to", f"{NOWHERE}b", "--source", "ab"], "are the same"),
        (["--from", NOWHERE, "--to", NOWHERE, "--source", "a b"], "'a b'"),
        (["--from", NOWHERE, "--to", NOWHERE, "--suffix", "x", "--state", "y"], "--state"),
        (["--from", NOWHERE, "--to", NOWHERE, "--type", "sql"], "sql"),
        (["--from", NOWHERE, "--to", NOWHERE, "--batch", "0"], "--batch"),
    ],
)
def test_bad_options_are_status_2(
    command: Command, monkeypatch: pytest.MonkeyPatch, arguments: list[str], why: str
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert why in command.run(*arguments, status=2).err


def test_a_server_that_does_not_answer_is_status_1(command: Command) -> None:
    entered = command.run("--from", "http://u:secret@127.0.0.1:1", "--to", NOWHERE, status=1)
    assert "can't reach" in entered.err
    assert "secret" not in entered.err


def test_help_shows_examples(command: Command) -> None:
    assert "elastic-reindex --from" in command.run("--help").out
