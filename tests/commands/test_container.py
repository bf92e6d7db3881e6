"""What a container of the image runs."""

import sys
from pathlib import Path

import pytest

from indexer.commands import container
from indexer.commands.container import ServerOptions, command_line
from indexer.programs.waiting import NeededServer
from tests.each_row import each_row

BROKER = NeededServer("BROKER_URL", "rabbit", 5672)


@each_row(
    ("words", "command"),
    [
        ("parser --threads 2", "story-indexer program parser --threads 2"),
        ("workers.stories.parser", "story-indexer program workers.stories.parser"),
        ("pipeview.api", "story-indexer program pipeview.api"),
        ("program fetcher --help", "story-indexer program fetcher --help"),
        ("search title:x", "story-indexer search title:x"),
        ("qutil list", "story-indexer qutil list"),
        ("elastic-conf configure", "story-indexer elastic-conf configure"),
        ("story-indexer search x", "story-indexer search x"),
        ("pipeline configure --type csv", "story-indexer pipeline configure --type csv"),
        ("newsroom 80 0.0.0.0", "newsroom 80 0.0.0.0"),
        ("--version", "story-indexer --version"),
    ],
)
def test_a_name_is_a_program_or_a_command(words: str, command: str) -> None:
    assert list(command_line(words.split())) == command.split()


def test_one_of_several_hosts_of_a_setting_is_enough() -> None:
    given = {"ELASTICSEARCH_HOSTS": "http://one:9200 http://two:9200"}
    assert ServerOptions.of(given).servers() == [
        [NeededServer("INDEX_URL", "one", 9200), NeededServer("INDEX_URL", "two", 9200)]
    ]


def test_a_secret_file_names_a_server(tmp_path: Path) -> None:
    (tmp_path / "url").write_text("amqp://u:secret@rabbit/\n")
    given = {"BROKER_URL_FILE": str(tmp_path / "url")}
    assert ServerOptions.of(given).servers() == [[BROKER]]


def test_servers_of_settings_that_a_program_does_not_read_are_not_waited_for() -> None:
    given = {"BROKER_URL": "amqp://rabbit/", "INDEX_URL": "http://one:9200"}
    assert ServerOptions.of(given).servers({"RABBITMQ_URL"}) == [[BROKER]]


def run(monkeypatch: pytest.MonkeyPatch, *words: str, **variables: str) -> int:
    """Run the entry point in this process, without its pause; the exit status."""
    monkeypatch.setattr(sys, "argv", ["container", *words])
    monkeypatch.setattr(container, "UNKNOWN_SECONDS", 0)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        container.main()
    return int(ended.value.code or 0)


def test_variables_name_the_program_if_no_argument_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, RUN="story-indexer", ARGS="--version") == 0
    assert capsys.readouterr().out.startswith("story-indexer 0.")


@each_row(
    ("name", "why"),
    [("parsr", "is it parser"), ("", "no program or command: name one")],
)
def test_an_unknown_name_ends_with_similar_names(
    name: str, why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, RUN=name) == 1
    assert why in capsys.readouterr().err


def test_a_program_whose_broker_is_away_ends_and_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = "amqp://u:secret@127.0.0.1:1/"
    assert run(monkeypatch, "parser", BROKER_URL=url, WAIT_SECONDS="0") == 1
    said = capsys.readouterr().err
    assert said == ("story-indexer: 127.0.0.1:1 (BROKER_URL) accepts no connection after 0 s\n")


def test_a_program_does_not_wait_for_servers_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "http://127.0.0.1:1/"
    assert run(monkeypatch, "parser", "--help", INDEX_URL=url, WAIT_SECONDS="0") == 0
