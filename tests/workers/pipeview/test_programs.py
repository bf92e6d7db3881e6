"""The programs of pipeview, one after the other: from outcomes to an answer over HTTP."""

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from indexer.broker import Broker, open_broker
from indexer.loops.breadcrumbs import Breadcrumbs
from indexer.messages.message import Origin, Send
from indexer.messages.outcome import Outcome, OutcomeKind
from indexer.messages.topology import Pipeline, Step
from indexer.pipeview.store import CrumbStore
from tests.pipeview.counted import a_crumb, put
from tests.workers.pipeview.programs import run, start

PIPELINE = Pipeline("pipeview", [Step("pipeview", listen=["#"])], exchange="breadcrumb")

SECRETS = {
    "DATABASE_URL": "postgresql://user:hunter2@127.0.0.1:9/db",
    "PIPEVIEW_API_TOKEN": "hunter2",
    "BROKER_URL": "amqp://user:hunter2@h/",
}


def outcomes(broker: Broker) -> None:
    """What a fetcher sends of three stories, and two messages that are none."""
    breadcrumbs = Breadcrumbs("fetcher", "breadcrumb", broker.publish)
    for status in ("success", "success", "http-404"):
        breadcrumbs(Outcome("fetcher", OutcomeKind.DONE, status, origin=Origin(7, 1, None)))
    breadcrumbs.close()
    broker.publish([Send("breadcrumb", "default", body) for body in (b"junk", b"")])


def ready(broker: Broker, queue: str) -> int:
    depth = broker.depth(queue)
    assert depth is not None
    return depth.ready


def collect(broker_url: str, data: Path, **variables: str) -> None:
    """Send crumbs, and collect them; all queues are empty then but the quarantine."""
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
    """The server, and who asks it; ends by SIGTERM with status 0."""
    process = start("api", data, "--api-port=0", *arguments, **variables)
    assert process.stderr is not None
    try:
        line = next((line for line in process.stderr if "listening" in line), "")
        found = re.search(r"at='.*:(\d+)'", line)
        assert found, "it does not listen"
        here = f"http://127.0.0.1:{found[1]}"
        with httpx.Client(base_url=here, trust_env=False, timeout=30) as client:
            yield client
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
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


def test_a_collector_whose_database_is_away_acknowledges_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'queues.sqlite3'}"
    broker = open_broker(url)
    broker.declare(PIPELINE.compile())
    outcomes(broker)
    away = "postgresql://user:hunter2@127.0.0.1:9/db"
    ended = run("pipeview", tmp_path, "--until-empty", DATABASE_URL=away)
    assert ended.returncode == 1
    assert "nothing unsettled is lost" in ended.stderr
    assert "hunter2" not in ended.stderr
    assert ready(broker, "pipeview-in") == 3
    broker.close()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--api-host=0.0.0.0"], "other machines have access; set PIPEVIEW_API_TOKEN"),
        (["--api-host=::"], "other machines have access"),
        (["--api-host=db.example"], "other machines have access"),
        (["--api-token=two words"], "only ASCII without spaces"),
        (["--api-port=70000"], "--api-port"),
        (["--database-url=mysql://h/d"], "no database for 'mysql'"),
    ],
)
def test_a_server_that_would_not_be_safe_does_not_start(
    tmp_path: Path, arguments: list[str], says: str
) -> None:
    ended = run("api", tmp_path, "--api-port=0", *arguments)
    assert ended.returncode == 2
    assert says in ended.stderr
    assert "Traceback" not in ended.stderr


def test_other_machines_may_ask_with_the_token_or_if_anyone_may(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("hunter2\n")
    with serving(tmp_path, "--api-host=0.0.0.0", PIPEVIEW_API_TOKEN_FILE=str(token)) as client:
        assert client.get("/sum/").status_code == 401
        assert client.get("/sum/", headers={"Authorization": "Bearer hunter2"}).is_success
    with serving(tmp_path, "--api-host=0.0.0.0", "--no-auth") as client:
        assert client.get("/sum/").is_success


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        ended = run("api", tmp_path, f"--api-port={client.base_url.port}")
    assert ended.returncode == 2
    assert "can't listen at 127.0.0.1" in ended.stderr


def test_the_pruner_deletes_when_it_is_told_to(tmp_path: Path) -> None:
    store = CrumbStore.open(f"sqlite:///{tmp_path / 'pipeview.sqlite3'}")
    today = datetime.now(UTC).date()
    put(store, a_crumb(day="2020-01-01"), a_crumb(day=today.isoformat()), today=today)
    store.close()
    dry = run("pruner", tmp_path, "--days=1")
    assert dry.stdout == (
        "would delete 1 rows that count 1 stories: 1 days of feeds, 0 days without a feed; "
        "and 0 message ids; to delete them, use --delete\n"
    )
    numbers = {"rows": 1, "stories": 1, "feed_days": 1, "days": 0, "messages": 0}
    for left in (numbers, dict.fromkeys(numbers, 0)):
        done = run("pruner", tmp_path, "--delete", "--json", PIPEVIEW_DAYS="1")
        assert json.loads(done.stdout) == {"deleted": True, **left}
        assert done.returncode == 0


def test_a_dry_run_makes_no_database(tmp_path: Path) -> None:
    ended = run("pruner", tmp_path / "data")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "there is no database" in ended.stderr
    assert not list(tmp_path.rglob("*.sqlite3*"))


def test_a_pruner_without_its_database_fails(tmp_path: Path) -> None:
    ended = run("pruner", tmp_path, "--delete", DATABASE_URL=SECRETS["DATABASE_URL"])
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "hunter2" not in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("program", ["pipeview", "api", "pruner"])
def test_help_has_an_example_and_no_secret(tmp_path: Path, program: str) -> None:
    ended = run(program, tmp_path, "--help", **SECRETS)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert f"\n  python -m workers.pipeview.{program}" in ended.stdout
    for variable in ("DATABASE_URL", "PIPEVIEW_DAYS", "DATAROOT"):
        assert variable in ended.stdout
    assert "hunter2" not in ended.stdout
