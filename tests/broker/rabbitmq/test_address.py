"""AMQP URLs."""

import sys

import pytest
from pytest_httpserver import HTTPServer

from indexer.broker.rabbitmq.address import parse
from indexer.errors import ConfigurationError
from tests.each_row import each_row


@each_row(
    "url",
    [
        "amqp://user:sec/ret@host",
        "amqp://user:secret@host:port",
        "amqp://secret@host",
        "amqp://user:secret@host/?unknown=1",
        "amqp://user:secret@host/?heartbeat=x",
        "amqp://user:secret@host/?heartbeat=1&heartbeat=2",
        "amqp://user:secret@host/?client_properties=[",
        "amqp://user:secret@host/?management=http://user:secret@[host",
        "amqps://user:secret@host/?ssl_options={'cafile':'/nowhere'}",
    ],
)
def test_a_bad_url_is_not_quoted(url: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse(url)
    assert "sec" not in str(caught.value)


def test_parts_of_a_url_are_unescaped() -> None:
    parameters, api = parse(
        "amqp://us%40er:p%2Fw@host:1/a%2Fb?connection_attempts=10&retry_delay=5"
    )
    assert (parameters.host, parameters.port, parameters.virtual_host) == ("host", 1, "a/b")
    assert (parameters.connection_attempts, parameters.retry_delay) == (10, 5)
    assert api.url == "http://host:10001"


def test_the_user_of_the_broker_is_the_users_of_its_management_api(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/api/queues/a/b").respond_with_json([])
    _, api = parse(f"amqp://us%40er:p%2Fw@host/a%2Fb?management={httpserver.url_for('')}")
    assert api.names("queues") == []
    authorization = httpserver.log[0][0].authorization
    assert authorization
    assert (authorization.username, authorization.password) == ("us@er", "p/w")


@each_row(
    ("url", "api"),
    [
        ("amqp://host", "http://host:15672"),
        ("amqp://host:5673", "http://host:15673"),
        ("amqps://host", "https://host:15671"),
        ("amqp://[::1]:5673", "http://[::1]:15673"),
        ("amqp://host?management=https://other:1/x", "https://other:1/x"),
        ("amqp://host?management=https://us:er@other/", "https://other"),
        ("amqp://host?management=", ""),
        ("amqp://host:60000", ""),
    ],
)
def test_where_the_management_api_is(url: str, api: str) -> None:
    assert parse(url)[1].url == api


def test_tls_is_verified() -> None:
    context = parse("amqps://host")[0].ssl_options.context
    assert context.check_hostname
    assert context.verify_mode.name == "CERT_REQUIRED"


def test_the_connection_has_the_programs_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/story_archive.py"])
    properties = parse("amqp://host?client_properties={'team':'news'}")[0].client_properties
    assert properties["connection_name"].startswith("story_archive ")
    assert properties["team"] == "news"


@pytest.mark.parametrize(("query", "seconds"), [("", 300), ("?blocked_connection_timeout=5", 5)])
def test_a_blocked_connection_is_given_up(query: str, seconds: float) -> None:
    assert parse(f"amqp://host/{query}")[0].blocked_connection_timeout == seconds
