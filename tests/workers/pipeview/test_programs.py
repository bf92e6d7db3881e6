"""The programs of pipeview, called one at a time: their exit status and output."""

import json
import socket
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from indexer.broker import Broker, open_broker
from indexer.loops.breadcrumbs import Breadcrumbs
from indexer.messages.exchanges import Exchange
from indexer.messages.message import Send, known
from indexer.messages.outcome import Outcome, OutcomeKind
from indexer.messages.pipelines import Pipeline, Step
from tests.each_row import each_row
from tests.pipeview.counted import a_crumb, put
from tests.pipeview.new_store import new_store
from tests.workers.in_process import Call

PIPELINE = Pipeline("pipeview", [Step("pipeview", listen=["#"])], exchange=Exchange("breadcrumb"))

SECRETS = {
    "DATABASE_URL": "postgresql://user:hunter2@127.0.0.1:9/db",
    "PIPEVIEW_API_TOKEN": "hunter2",
    "BROKER_URL": "amqp://user:hunter2@h/",
}


def outcomes(broker: Broker) -> None:
    """Send the breadcrumbs of three stories, and two invalid messages."""
    breadcrumbs = Breadcrumbs("fetcher", "breadcrumb", broker.publish)
    for status in ("success", "success", "http-404"):
        breadcrumbs(
            Outcome("fetcher", OutcomeKind.DONE, status, origin=known(feed_id=7, source_id=1))
        )
    breadcrumbs.close()
    broker.publish([Send("breadcrumb", "default", body) for body in (b"junk", b"")])


def ready(broker: Broker, queue: str) -> int:
    depth = broker.depth(queue)
    assert depth is not None
    return depth.ready


def test_a_collector_whose_database_is_away_acknowledges_nothing(
    call: Call, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'queues.sqlite3'}"
    with closing(open_broker(url)) as broker:
        broker.declare(PIPELINE.compile())
        outcomes(broker)
        ended = call("pipeview", "--until-empty", DATABASE_URL=SECRETS["DATABASE_URL"])
        assert ended.status == 1
        assert "nothing unsettled is lost" in ended.err
        assert "hunter2" not in ended.err
        assert ready(broker, "pipeview-in") == 3


@each_row(
    ("argument", "says"),
    [
        ("--api-host=0.0.0.0", "other machines have access; set PIPEVIEW_API_TOKEN"),
        ("--api-host=::", "other machines have access"),
        ("--api-host=db.example", "other machines have access"),
        ("--api-token=two words", "only ASCII without spaces"),
        ("--api-port=70000", "--api-port"),
        ("--database-url=mysql://h/d", "no database for 'mysql'"),
    ],
)
def test_a_server_with_unsafe_options_does_not_start(call: Call, argument: str, says: str) -> None:
    ended = call("api", "--api-port=0", argument)
    assert ended.status == 2
    assert says in ended.err
    assert "Traceback" not in ended.err


def test_a_port_in_use_is_an_error_that_names_it(call: Call) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = call("api", f"--api-port={taken.getsockname()[1]}")
    assert ended.status == 2
    assert "can't listen at 127.0.0.1" in ended.err


def test_the_pruner_deletes_only_with_delete(call: Call, tmp_path: Path) -> None:
    # Midnight may come in between.
    today = datetime.now(UTC).date() + timedelta(days=1)
    with closing(new_store(f"sqlite:///{tmp_path / 'pipeview.sqlite3'}")) as store:
        put(store, a_crumb(day="2020-01-01"), a_crumb(day=today.isoformat()), today=today)
    assert call("pruner", "--days=1").out == (
        "would delete 1 rows that count 1 stories: 1 days of feeds, 0 days without a feed; "
        "and 0 message ids; to delete them, use --delete\n"
    )
    numbers = {"rows": 1, "stories": 1, "feed_days": 1, "days": 0, "messages": 0}
    for left in (numbers, dict.fromkeys(numbers, 0)):
        done = call("pruner", "--delete", "--json", PIPEVIEW_DAYS="1")
        assert json.loads(done.out) == {"deleted": True, **left}
        assert done.status == 0


def test_a_dry_run_makes_no_database(call: Call, tmp_path: Path) -> None:
    ended = call("pruner", DATAROOT=str(tmp_path / "data"))
    assert (ended.status, ended.out) == (2, "")
    assert "there is no database" in ended.err
    assert not list(tmp_path.rglob("*.sqlite3*"))


def test_a_pruner_without_its_database_fails(call: Call) -> None:
    ended = call("pruner", "--delete", DATABASE_URL=SECRETS["DATABASE_URL"])
    assert (ended.status, ended.out) == (1, "")
    assert "hunter2" not in ended.err
    assert "Traceback" not in ended.err


@each_row("program", ["pipeview", "api", "pruner"])
def test_help_has_an_example_and_no_secret(call: Call, program: str) -> None:
    ended = call(program, "--help", **SECRETS)
    assert (ended.status, ended.err) == (0, "")
    assert f"\n  story-indexer program {program}" in ended.out.replace("pipeview.api", "api")
    for variable in ("DATABASE_URL", "PIPEVIEW_DAYS", "DATAROOT"):
        assert variable in ended.out
    assert "hunter2" not in ended.out
