"""`python pipeline.py wait` and `configure-and-loop`, as processes of their own."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from indexer.broker import open_broker
from indexer.programs import deployment
from indexer.system.options import environment
from tests.commands.test_pipeline import DEPLOYMENT, invoke
from tests.paths import ROOT
from tests.patience import PATIENCE


def test_configure_announces_its_deployment_and_wait_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = ["--data", str(tmp_path)]
    assert invoke("configure", *at)[0] == 0
    monkeypatch.setenv("DEPLOYMENT_ID", DEPLOYMENT)
    waiting = command("wait", *at)
    assert waiting.stderr is not None
    assert f"{DEPLOYMENT} is not announced".encode() in waiting.stderr.readline()
    assert invoke("configure", *at)[0] == 0
    assert waiting.wait(PATIENCE) == 0
    waiting.stderr.close()


def test_wait_and_loop_outlast_a_broker_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROKER_URL", "amqp://127.0.0.1:1/?connection_attempts=1")
    for words in (["wait"], ["configure-and-loop", "--interval", "0.1"]):
        process = command(*words)
        assert process.stderr is not None
        assert b"the broker is away" in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == (1 if words == ["wait"] else 0)
        process.stderr.close()


def test_configure_and_loop_makes_again_what_was_lost_and_ends_on_sigterm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEPLOYMENT_ID", DEPLOYMENT)
    looping = command("configure-and-loop", "--interval", "0.1", "--data", str(tmp_path))
    try:
        await_configured(tmp_path)
        assert invoke("delete", "--yes", "--data", str(tmp_path))[0] == 0
        await_configured(tmp_path)
    finally:
        looping.send_signal(signal.SIGTERM)
    assert looping.wait(PATIENCE) == 0
    assert looping.stderr is not None
    looping.stderr.close()


def command(*arguments: str) -> subprocess.Popen[bytes]:
    """The program, started."""
    return subprocess.Popen(
        [sys.executable, "pipeline.py", *arguments],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def await_configured(data: Path) -> None:
    """Wait until all is there, the announcement included."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if (data / "queues.sqlite3").exists() and invoke("test", "--data", str(data))[0] == 0:
            broker = open_broker(f"sqlite:///{data / 'queues.sqlite3'}")
            announced = deployment.is_announced(broker, DEPLOYMENT)
            broker.close()
            if announced:
                return
        time.sleep(0.1)
    raise AssertionError("not configured in time")
