"""Kills of the indexer lose nothing: not a row, and not a message to the search index."""

import os
import signal
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from indexer.broker import Broker, open_broker
from indexer.messages.message import Send
from indexer.software.messages import OriginMessage
from indexer.software.store.indexed_rows import StoredRows
from indexer.software.store.store import SoftwareStore
from pipeline import flavor
from tests.killed import fork
from tests.software.archives.project import write_directory
from workers.software import origin_indexer

ORIGINS = [f"https://example.org/{number}" for number in range(20)]


def killed(act: Callable[[], object]) -> int:
    """The exit status of a process that acts."""
    process = fork.Process(target=act)
    process.start()
    process.join()
    return process.exitcode or 0


def ready(broker: Broker, queue: str) -> int:
    """The number of messages in a queue."""
    depth = broker.depth(queue)
    assert depth is not None
    return depth.ready


@pytest.mark.parametrize("moment", ["before its rows are written", "after its rows are written"])
def test_a_killed_indexer_loses_nothing(
    broker_url: str, database_url: str, tmp_path: Path, moment: str
) -> None:
    project = write_directory(tmp_path / "project")
    SoftwareStore.open(database_url).close()
    messages = [OriginMessage(str(project), origin) for origin in ORIGINS]
    with closing(open_broker(broker_url)) as broker:
        broker.declare(flavor("software").compile())
        broker.publish([Send("", "origin-indexer-in", each.dump()) for each in messages])

    def index() -> None:
        given = ["--broker-url", broker_url, "--database-url", database_url, "--until-empty"]
        os._exit(origin_indexer.main([*given, "--data", str(tmp_path / "data")]))

    def index_and_die() -> None:
        write = StoredRows.write

        def die(rows: StoredRows, changes: object) -> None:
            if moment.startswith("after"):
                write(rows, changes)  # type: ignore[arg-type]
            os.kill(os.getpid(), signal.SIGKILL)

        StoredRows.write = die  # type: ignore[method-assign, assignment]
        index()

    assert killed(index_and_die) == -signal.SIGKILL
    assert killed(index) == 0
    with closing(SoftwareStore.open(database_url)) as store:
        assert len(StoredRows(store).origins(ORIGINS)) == len(ORIGINS)
    with closing(open_broker(broker_url)) as broker:
        assert ready(broker, "origin-indexer-in") == 0
        assert ready(broker, "software-importer-in") == len(ORIGINS)
