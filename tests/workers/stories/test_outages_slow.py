"""A sink whose server is away waits for it for minutes, but not when it is told to stop."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from indexer.broker import open_broker
from indexer.messages.message import Send
from indexer.system.options import environment
from pipeline import flavor
from tests.paths import ROOT
from tests.patience import PATIENCE
from tests.stories.archived import a_story

NOWHERE = "http://127.0.0.1:1"


@pytest.mark.parametrize(
    ("program", "settings", "says"),
    [
        ("importer", {"INDEX_URL": f"{NOWHERE}/x", "BATCH_SECONDS": "0"}, "the index failed"),
        (
            "archiver",
            {
                "ARCHIVE_URL": "s3://nowhere/warc",
                "ARCHIVER_S3_ENDPOINT": NOWHERE,
                "ARCHIVER_S3_ACCESS_KEY_ID": "a",
                "ARCHIVER_S3_SECRET_ACCESS_KEY": "b",
                "BATCH_SECONDS": "0",
            },
            "upload failed",
        ),
    ],
)
def test_a_program_that_waits_for_its_server_ends_when_it_is_told_to_and_loses_nothing(
    program: str, settings: dict[str, str], says: str, tmp_path: Path
) -> None:
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    broker.declare(flavor("csv").compile())
    broker.publish([Send("", f"{program}-in", a_story().dump())])
    process = subprocess.Popen(
        [sys.executable, "-m", f"workers.stories.{program}"],
        cwd=ROOT,
        env={**environment(), "DATAROOT": str(tmp_path), **settings},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert any(says in line for line in process.stderr)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 1
    process.stderr.close()
    depth = broker.depth(f"{program}-in")
    broker.close()
    assert depth is not None
    assert depth.ready == 1
