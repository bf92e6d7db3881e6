"""`story-indexer run`: what its options mean, and what it refuses to start."""

import sys
import threading
from pathlib import Path

import pytest
from pydantic import SecretStr

from indexer.commands import tree
from indexer.commands.console.terminal import this_command
from indexer.commands.queues.brokers import QueueOptions
from indexer.commands.running.run import RunOptions
from tests.commands.entering import Command


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    # Neither the signals nor the log of the test process are the command's.
    monkeypatch.setattr("indexer.commands.running.run.stop_on_signals", threading.Event)
    monkeypatch.setattr("indexer.system.logs.set_up", lambda _: None)
    return Command(tree.app, "story-indexer", monkeypatch, capsys)


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["/nowhere/feed.xml"], 1, "no such file or directory: /nowhere/feed.xml"),
        (["x.csv", "--replicas", "parser=none"], 2, "parser=none: N must be 1 or more"),
        (["x.csv", "--set", "NAME"], 2, "write it as NAME=VALUE"),
        (["x.csv", "--set", "MAX_RETRYS=1"], 2, "no program reads it, is it MAX_RETRIES?"),
        (["--type", "csv", "x.csv", "--set", "PREFETCH=x"], 2, "fetcher: --prefetch: "),
        (["--type", "csv", "x.csv", "--set", "SKIP_DOMAINS=a,b"], 2, "SKIP_DOMAINS: separate"),
        (["x.csv", "--type", "weekly"], 2, "there are queue-fetcher, batch-fetcher, csv"),
        (["gopher://x/feed"], 2, "inputs are files, or URLs"),
        (
            ["x.csv", "--type", "csv", "--replicas", "csv-queuer=2"],
            2,
            "csv-queuer reads inputs: one is the limit",
        ),
        (["x.csv", "--type", "csv", "--index", "foo://x"], 2, "no search index for 'foo'"),
        (["x.csv", "--type", "csv", "--archive", "ftp://x"], 2, "no blobstore for 'ftp'"),
        (["x.csv", "--data", "/dev/null/x"], 2, "--data /dev/null/x: Not a directory"),
    ],
)
def test_what_cannot_be_run_is_said_in_one_line(
    command: Command, arguments: list[str], status: int, says: str, tmp_path: Path
) -> None:
    printed = command.run("run", "--data", str(tmp_path), *arguments, status=status)
    assert says in printed.err
    assert "Traceback" not in printed.err


def test_a_request_has_the_options_of_the_command_and_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATAROOT", "/srv/news")
    monkeypatch.setenv("ARCHIVE_URL", "/a s3://b")
    options = RunOptions(
        set_=["PREFETCH=1", "BATCH_SIZE=2"],
        queues=QueueOptions(broker=SecretStr("amqp://h/")),
        allow_private=True,
    )
    request = options.request(["x.csv"], "csv", {"BATCH_SIZE": 3, "C": None, "D": ""}, force=True)
    assert (request.inputs, request.type, request.force) == (["x.csv"], "csv", True)
    assert (request.data, request.broker) == (Path("/srv/news"), "amqp://h/")
    assert request.archives == ["/a", "s3://b"]
    assert request.settings == {
        "PREFETCH": "1",
        "BATCH_SIZE": "3",
        "FETCHER_ALLOW_PRIVATE": "true",
    }
    assert options.data_flag == " --data /srv/news"


@pytest.mark.parametrize(
    ("called", "on_path", "shown"),
    [
        (".venv/bin/story-indexer", None, ".venv/bin/story-indexer"),
        ("/elsewhere/bin/story-indexer", None, "story-indexer"),
        (".venv/bin/story-indexer", "/usr/bin/story-indexer", "story-indexer"),
    ],
)
def test_the_command_that_is_suggested_can_be_typed_here(
    called: str, on_path: str | None, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [called])
    monkeypatch.setattr("shutil.which", lambda _: on_path)
    assert this_command() == shown
