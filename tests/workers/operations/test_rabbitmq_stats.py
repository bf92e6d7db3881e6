"""RabbitMQ's gauges, from recorded and hostile answers and from a real server."""

import json
import time
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from indexer.broker import open_broker
from indexer.broker.rabbitmq.management import Management
from indexer.errors import BrokerError, ConfigurationError
from indexer.http.json_service import Unavailable
from indexer.messages.message import Send
from indexer.messages.pipelines import Pipeline, Step
from indexer.metrics import attached
from indexer.metrics.snapshot import Snapshot
from tests.each_row import each_row
from tests.paths import DATA
from tests.patience import PATIENCE
from workers.operations.rabbitmq_stats import Get, management_api, report

RECORDED = DATA / "operations"
TOPOLOGY = Pipeline("toy", [Step("source", to=["work"]), Step("work")]).compile()


class Recorded:
    """The management API, with recorded answers."""

    def __init__(self, queues: Any, nodes: Any = ()) -> None:
        self._queues = queues
        self._nodes = list(nodes)
        self.asked: list[str] = []

    def get(self, path: str) -> Any:
        """Return an answer of the API."""
        self.asked.append(path)
        answer = self._queues if path.startswith("/api/queues/") else self._nodes
        if isinstance(answer, Exception):
            raise answer
        return answer


def numbers(get: Get, virtual_host: str = "/") -> dict[tuple[str, str], float]:
    """Return the gauges by metric and label."""
    snapshot = Snapshot()
    with attached(snapshot):
        report(get, virtual_host)
    return {(row["name"], row["labels"]["name"]): row["value"] for row in snapshot.rows()}


def recorded(name: str) -> Any:
    return json.loads((RECORDED / name).read_text(encoding="utf-8"))


def test_recorded_answers_are_the_gauges_that_dashboards_have() -> None:
    api = Recorded(recorded("queues.json"), recorded("nodes.json"))
    assert numbers(api.get) == {
        ("queues.mem", "parser-in"): 76268,
        ("queues.ready", "parser-in"): 39,
        ("queues.unacked", "parser-in"): 8,
        ("queues.consumers", "parser-in"): 1,
        ("queues.ack", "parser-in"): 3,
        ("queues.deliver", "parser-in"): 11,
        ("queues.publish", "parser-in"): 50,
        ("queues.redeliver", "parser-in"): 0,
        # Nothing has happened there yet.
        ("queues.mem", "parser-quar"): 47372,
        ("queues.ready", "parser-quar"): 0,
        ("queues.unacked", "parser-quar"): 0,
        ("queues.consumers", "parser-quar"): 0,
        ("queues.ack", "parser-quar"): 0,
        ("queues.deliver", "parser-quar"): 0,
        ("queues.publish", "parser-quar"): 0,
        ("queues.redeliver", "parser-quar"): 0,
        ("nodes.fds", "rabbit@one"): 39,
        ("nodes.memory", "rabbit@one"): 178364416,
        ("nodes.sockets", "rabbit@one"): 1,
    }
    assert api.asked[0].startswith("/api/queues/%2F?columns=name,memory,messages_ready,")


def test_unknown_numbers_are_not_reported() -> None:
    down = [{"name": "parser-in", "consumers": 0}]
    assert ("queues.ready", "parser-in") not in numbers(Recorded(down).get)


@each_row(
    ("answer", "says"),
    [
        ({"error": "x"}, "unexpected answer"),
        ([{"nome": "x"}], "unexpected answer"),
        ([{"name": "x", "messages_ready": "many"}], "unexpected answer"),
        (None, "unexpected answer"),
        (Unavailable("RabbitMQ's management API host: silent for 10 s"), "silent for 10 s"),
        (ConfigurationError("RabbitMQ's management API host: HTTP 401"), "HTTP 401"),
    ],
)
def test_an_unusable_answer_is_an_error_without_the_password(answer: Any, says: str) -> None:
    with pytest.raises(BrokerError) as failed:
        report(Recorded(answer).get, "/")
    assert says in str(failed.value)
    assert "hunter2" not in str(failed.value)


def test_a_wrong_api_address_is_an_error_and_not_a_broker_without_queues(
    httpserver: HTTPServer,
) -> None:
    httpserver.expect_request("/api/queues//").respond_with_data("", 404)
    api = Management(httpserver.url_for("/"), "user", "hunter2", "/")
    with pytest.raises(BrokerError, match="404"):
        report(api.get, "/")


@pytest.mark.parametrize(
    "url", ["sqlite:///queues.sqlite3", "amqp://u:hunter2@h/?management=", "amqp://u:hunter2@h:x/"]
)
def test_a_broker_without_statistics_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        management_api(url)
    assert "hunter2" not in str(refused.value)


@pytest.mark.external
def test_a_real_server_reports_waiting_messages_and_consumers(rabbitmq_url: str) -> None:
    broker = open_broker(rabbitmq_url)
    broker.declare(TOPOLOGY)
    broker.publish([Send("", "work-in", b"x")] * 3)
    consumer = broker.consume("work-in", 1)
    assert consumer.receive(PATIENCE) is not None
    get, virtual_host = management_api(rabbitmq_url)
    # What was published is not among them: RabbitMQ may forget that of a channel that is closed.
    expected = {"queues.ready": 2, "queues.unacked": 1, "queues.consumers": 1}
    found: dict[str, float] = {}
    # Its own statistics are some seconds old.
    deadline = time.monotonic() + PATIENCE
    while found != expected and time.monotonic() < deadline:
        seen = numbers(get, virtual_host)
        found = {name: seen.get((name, "work-in"), -1) for name in expected}
        time.sleep(0.2)
    assert found == expected
    assert any(name == "nodes.memory" and value > 0 for (name, _), value in seen.items())
    consumer.close()
    broker.close()


@pytest.mark.external
def test_a_wrong_password_is_an_error_of_one_line(rabbitmq_url: str) -> None:
    user, _, rest = rabbitmq_url.partition("@")
    wrong = user.rpartition(":")[0] + ":hunter2@" + rest
    with pytest.raises(BrokerError, match=r"HTTP 401 .*: check") as failed:
        report(*management_api(wrong))
    assert "hunter2" not in str(failed.value)
