"""The programs of pipeview as processes: from outcomes to an answer over HTTP."""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from indexer.broker import open_broker
from tests.patience import PATIENCE
from tests.workers.pipeview.programs import run, start
from tests.workers.pipeview.test_programs import PIPELINE, outcomes, ready


def collect(broker_url: str, data: Path, **variables: str) -> None:
    """Send crumbs and collect them; afterwards only the quarantine has messages."""
    broker = open_broker(broker_url)
    broker.declare(PIPELINE.compile())
    outcomes(broker)
    ended = run("pipeview", data, "--until-empty", BROKER_URL=broker_url, **variables)
    assert ended.returncode == 0, ended.stderr
    assert "vers-ok: fetcher: 3 crumbs" in ended.stderr
    assert "empty: unknown: 0 crumbs [discard]" in ended.stderr
    assert (ready(broker, "pipeview-in"), ready(broker, "pipeview-quar")) == (0, 1)
    broker.close()


@contextmanager
def serving(data: Path, *arguments: str, **variables: str) -> Iterator[httpx.Client]:
    """Run the server, and provide a client; SIGTERM ends it with status 0."""
    process = start("api", data, "--api-port=0", *arguments, **variables)
    assert process.stderr is not None
    try:
        line = next((line for line in process.stderr if "listening" in line), "")
        found = re.search(r"at='.*:(\d+)'", line)
        assert found, "it does not listen"
        here = f"http://127.0.0.1:{found[1]}"
        with httpx.Client(base_url=here, trust_env=False, timeout=PATIENCE) as client:
            yield client
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
    finally:
        process.kill()
        process.communicate()


def funnel(client: httpx.Client) -> dict[str, int]:
    (stage,) = client.get("/funnel/?source_id=1").json()
    statuses: dict[str, int] = stage["statuses"]
    return statuses


def test_outcomes_are_counted_and_can_be_asked_for(tmp_path: Path) -> None:
    collect(f"sqlite:///{tmp_path / 'queues.sqlite3'}", tmp_path)
    with serving(tmp_path) as client:
        assert funnel(client) == {"success": 2, "http-404": 1}
        assert client.get("/sum/?col=domain").json()[0]["sum_1"] == 3
        assert client.get("/sum/?col=nope").status_code == 422
        assert "server" not in client.get("/healthz").headers


@pytest.mark.external
def test_on_real_servers_too(tmp_path: Path, rabbitmq_url: str, postgresql_url: str) -> None:
    collect(rabbitmq_url, tmp_path, DATABASE_URL=postgresql_url)
    with serving(tmp_path, DATABASE_URL=postgresql_url) as client:
        assert funnel(client) == {"success": 2, "http-404": 1}


def test_other_machines_may_ask_with_the_token_or_if_anyone_may(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("hunter2\n")
    with serving(tmp_path, "--api-host=0.0.0.0", PIPEVIEW_API_TOKEN_FILE=str(token)) as client:
        assert client.get("/sum/").status_code == 401
        assert client.get("/sum/", headers={"Authorization": "Bearer hunter2"}).is_success
    with serving(tmp_path, "--api-host=0.0.0.0", "--no-auth") as client:
        assert client.get("/sum/").is_success
