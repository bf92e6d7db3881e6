"""Answers of the management API, and APIs that don't answer."""

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from indexer.broker.rabbitmq.management import Management
from indexer.errors import ConfigurationError
from indexer.messages.topology import Binding, Destination
from tests.each_row import each_row
from tests.logged import capture_logs


def test_the_bindings_of_an_exchange_are_listed(httpserver: HTTPServer) -> None:
    httpserver.expect_request(
        "/api/exchanges//my host/an exchange/bindings/source"
    ).respond_with_data(
        '[{"destination": "q", "destination_type": "queue", "routing_key": "#"},'
        ' {"destination": "e", "destination_type": "exchange", "routing_key": "#"}]'
    )
    api = Management(httpserver.url_for("/"), "user", "secret", "/my host")
    assert api.bindings("an exchange") == [
        Binding("an exchange", "q", "#"),
        Binding("an exchange", "e", "#", Destination.EXCHANGE),
    ]
    [(request, _)] = httpserver.log
    assert request.environ["RAW_URI"] == "/api/exchanges/%2Fmy%20host/an%20exchange/bindings/source"
    assert request.authorization
    assert (request.authorization.username, request.authorization.password) == ("user", "secret")


def test_an_api_that_lists_queues_but_no_bindings_knows_no_routes(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/api/queues//").respond_with_data("[]")
    httpserver.expect_request("/api/bindings//").respond_with_data("", 401)
    with capture_logs():
        assert Management(httpserver.url_for("/"), "user", "secret", "/").routes() is None


ANSWERS = {
    # RabbitMQ 3.10 to 4.x.
    "refused": Response('{"error":"not_authorised","reason":"Login failed"}', 401),
    "not a manager": Response('{"error":"not_authorised","reason":"Not management user"}', 401),
    "other methods": Response('{"error":"method_not_allowed","reason":"…"}', 405),
    "starting": Response('{"error":"Service Unavailable","reason":"boot"}', 503),
    # A corporate proxy, or nginx, before it.
    "a login page": Response("<html><title>Log in", 200, {"Content-Type": "text/html"}),
    "proxy": Response("<html>", 407, {"Proxy-Authenticate": "NTLM"}),
    "bad gateway": Response("<html><center>nginx", 502),
    "moved": Response("", 302, {"Location": "http://127.0.0.1:1/"}),
    "not JSON": Response("<html>"),
    "not a list": Response('"text"'),
    "not bindings": Response('[{"name": 1}]'),
    "broken": Response("", 500),
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_an_api_that_does_not_tell_is_warned_of_once(
    httpserver: HTTPServer, answer: Response
) -> None:
    httpserver.expect_request("/api/exchanges///e/bindings/source").respond_with_response(answer)
    api = Management(httpserver.url_for("/"), "user", "secret", "/")
    with capture_logs() as logs:
        assert [api.bindings("e"), api.bindings("e")] == [None, None]
    assert [log["event"] for log in logs] == ["management-silent"]
    assert "secret" not in str(logs)


def test_a_missing_exchange_has_no_bindings(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/api/exchanges///e/bindings/source").respond_with_data("", 404)
    assert Management(httpserver.url_for(""), "user", "secret", "/").bindings("e") == []


def test_all_queues_of_the_virtual_host_are_listed(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/api/queues//", query_string="columns=name").respond_with_json(
        [{"name": "b"}, {"name": "a"}]
    )
    assert Management(httpserver.url_for("/"), "user", "secret", "/").names("queues") == ["a", "b"]


def test_an_api_that_is_somewhere_else_is_not_taken_for_one_without_queues(
    httpserver: HTTPServer,
) -> None:
    httpserver.expect_request("/api/queues//").respond_with_data("", 404)
    api = Management(httpserver.url_for("/"), "user", "secret", "/")
    with capture_logs() as logs:
        assert api.names("queues") is None
    assert len(logs) == 1


LIMITS = {
    "none": ({"arguments": {}}, None),
    "of the queue": ({"arguments": {"x-delivery-limit": 7}}, 7),
    "of a policy": (
        {"arguments": [], "effective_policy_definition": {"delivery-limit": 5}},
        5,
    ),
    "both": (
        {
            "arguments": {"x-delivery-limit": 7},
            "effective_policy_definition": {"delivery-limit": 5},
        },
        5,
    ),
    "no such queue": ([], None),
    "nonsense": ({"arguments": "x"}, None),
}


@pytest.mark.parametrize(("answer", "limit"), LIMITS.values(), ids=LIMITS.keys())
def test_the_delivery_limit_of_a_queue_is_known(
    httpserver: HTTPServer, answer: object, limit: int | None
) -> None:
    httpserver.expect_request("/api/queues///a queue").respond_with_json(answer)
    api = Management(httpserver.url_for("/"), "user", "secret", "/")
    assert api.delivery_limit("a queue") == limit


def test_a_missing_queue_has_no_delivery_limit(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/api/queues///q").respond_with_data("", 404)
    with capture_logs() as logs:
        assert Management(httpserver.url_for(""), "user", "secret", "/").delivery_limit("q") is None
    assert logs == []


def test_without_an_api_nothing_is_known_and_nothing_said() -> None:
    with capture_logs() as logs:
        assert Management("", "user", "secret", "/").bindings("e") is None
    assert logs == []


def test_credentials_of_the_address_are_used_and_not_logged(httpserver: HTTPServer) -> None:
    url = httpserver.url_for("/").replace("//", "//admin:p%40ss@")
    with capture_logs() as logs:
        assert Management(url, "user", "secret", "/").bindings("e") is None
    authorization = httpserver.log[0][0].authorization
    assert authorization
    assert (authorization.username, authorization.password) == ("admin", "p@ss")
    assert logs[0]["url"] == httpserver.url_for("").rstrip("/")
    assert "p%40ss" not in str(logs)
    assert "p@ss" not in str(logs)


@each_row("url", ["http://user:hunter2@host/?key=hunter2", "host:hunter2", "http://hunter2:x"])
def test_an_address_that_is_no_url_is_refused_and_not_quoted(url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^\?management=: ") as refused:
        Management(url, "user", "secret", "/")
    assert "hunter2" not in str(refused.value)


def test_a_missing_api_is_logged_once() -> None:
    with capture_logs() as logs:
        assert Management("http://127.0.0.1:1", "user", "secret", "/").bindings("e") is None
    assert len(logs) == 1
