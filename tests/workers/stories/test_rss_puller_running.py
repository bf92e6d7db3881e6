"""The rss-puller as it is run: stops, full queues and failures repeat nothing and lose nothing."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from indexer.broker import open_broker
from indexer.errors import BrokerError, InputError
from indexer.stories.queuers.bookmark import Bookmark
from tests.stories.rss_fetcher_server import PASSWORD, Reply, entry
from tests.workers.stories.rss_pulling import TOPOLOGY, Pulling, ids_in, pulling_from
from workers.stories.rss_puller import main

ALL = list(range(1, 11))


@pytest.fixture
def pulling(tmp_path: Path) -> Iterator[Pulling]:
    """With the entries 1 to 10."""
    with pulling_from([entry(number) for number in ALL], tmp_path) as pulling:
        yield pulling


def test_full_queues_end_a_run_and_the_next_goes_on_after_what_is_queued(pulling: Pulling) -> None:
    for expected in (2, 4, 6, 8, 10):
        rooms = iter([True])
        pulling.run(batch_size=2, room=lambda rooms=rooms: next(rooms, False))
        assert pulling.last() == expected
    assert pulling.queued() == ALL


@pytest.mark.parametrize("after", ALL)
def test_a_run_that_is_stopped_repeats_and_loses_nothing(pulling: Pulling, after: int) -> None:
    stop = threading.Event()
    puller = pulling.make()
    story = puller._story

    def stopping(row: Any, *, is_new: bool) -> Any:
        if row.id == after:
            stop.set()
        return story(row, is_new=is_new)

    puller._story = stopping  # type: ignore[method-assign]  # to stop at that entry
    pulling.run(puller, stop=stop)
    assert pulling.last() == after
    assert pulling.queued() == ALL[:after]
    pulling.run()
    assert pulling.queued() == ALL


def test_a_run_that_is_told_to_stop_does_not_wait_for_a_busy_server(pulling: Pulling) -> None:
    stop = threading.Event()
    pulling.server.replies.append(Reply(503))
    pulling.server.asked = lambda _: stop.set()
    pulling.run(stop=stop)
    assert len(pulling.server.requests) == 1


def test_a_broker_that_fails_leaves_the_page_to_be_pulled_again(
    pulling: Pulling, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise BrokerError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(pulling.broker, "publish", fail)
        with pytest.raises(BrokerError):
            pulling.run()
    assert pulling.last() is None
    pulling.run()
    assert pulling.queued() == ALL


def test_a_bookmark_that_can_not_be_written_costs_one_page_twice(
    pulling: Pulling, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Bookmark, row: object) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patched:
        patched.setattr(Bookmark, "save", fail)
        with pytest.raises(OSError, match="disk full"):
            pulling.run()
    assert pulling.queued() == ALL[:4]
    pulling.run()
    assert pulling.queued() == sorted(ALL + ALL[:4])


def test_two_pullers_do_not_pull_the_same(pulling: Pulling) -> None:
    first = pulling.make().produce()
    next(first)
    with pytest.raises(InputError, match="another puller is running"):
        pulling.run()
    first.close()
    pulling.run()
    assert pulling.queued() == ALL


def run(pulling: Pulling, monkeypatch: pytest.MonkeyPatch, *arguments: str, **changed: str) -> int:
    """Run the program, on the embedded broker; `changed` are variables. Its exit status."""
    for name, value in (pulling.server.variables | changed).items():
        monkeypatch.setenv(name, value)
    fixed = ("--min-disk-free=0", "--page-pause=0", "--rss-fetcher-batch-size=4")
    broker = f"--broker-url=sqlite:///{pulling.data.parent / 'queues.sqlite3'}"
    try:
        return main([f"--data={pulling.data}", broker, *fixed, *arguments])
    except SystemExit as ended:
        return int(str(ended.code))


def test_a_whole_run_queues_everything_once(
    pulling: Pulling, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(pulling, monkeypatch, "--dry-run") == 0
    assert pulling.queued() == []
    for _ in range(2):
        assert run(pulling, monkeypatch) == 0
        assert pulling.queued() == ALL
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert PASSWORD not in said


@pytest.mark.parametrize(
    ("arguments", "changed", "status", "said"),
    [
        (["feed.xml"], {}, 2, "reads no inputs"),
        ([], {"RSS_FETCHER_PASS": ""}, 2, "RSS_FETCHER_PASS"),
        ([], {"RSS_FETCHER_PASS": "wrong-one"}, 2, "HTTP 401 (Invalid credentials): check"),
        (["--rss-fetcher-batch-size=x"], {}, 2, "--rss-fetcher-batch-size"),
    ],
)
def test_bad_options_end_it_with_status_2(
    pulling: Pulling,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    changed: dict[str, str],
    status: int,
    said: str,
) -> None:
    assert run(pulling, monkeypatch, *arguments, **changed) == status
    error = capsys.readouterr().err
    assert said in error
    assert not {"Traceback", "wrong-one", PASSWORD} & set(error.split())


def test_an_error_of_the_server_ends_it_with_status_1(
    pulling: Pulling, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pulling.server.replies.append(Reply(200, b'{"status": "ERROR", "message": "no database"}'))
    assert run(pulling, monkeypatch) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert f"rss-fetcher {pulling.server.address}: status ERROR (no database)" in last


@pytest.mark.external
def test_with_rabbitmq_everything_is_queued_once(
    pulling: Pulling, monkeypatch: pytest.MonkeyPatch, rabbitmq_url: str
) -> None:
    broker = open_broker(rabbitmq_url)
    broker.declare(TOPOLOGY)
    given = (f"--broker-url={rabbitmq_url}", "--watch-queues=fetcher-in")
    for _ in range(2):
        assert run(pulling, monkeypatch, *given) == 0
        assert sorted(ids_in(broker)) == ALL
    assert pulling.last() == 10
    broker.close()
