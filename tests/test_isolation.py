"""No test reaches another machine, or depends on this one's environment."""

import os
import socket

import pytest

from tests import isolation
from tests.each_row import each_row


@pytest.mark.parametrize("address", ["192.0.2.1", "10.0.0.1", "169.254.169.254", "2001:db8::1"])
def test_connections_to_other_machines_are_refused_and_told(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with isolation.loopback_only(monkeypatch) as tried, socket.socket(family) as connection:
        with pytest.raises(ConnectionRefusedError, match="tests only reach loopback"):
            connection.connect((address, 80))
        assert tried == [f"{address}:80"]
        monkeypatch.undo()


def test_names_of_other_machines_are_not_resolved() -> None:
    with pytest.raises(socket.gaierror):
        socket.getaddrinfo("example.org", 80)


@each_row("name", ["127.0.0.1", "localhost", "::1", "0x7f.1"])
def test_loopback_is_resolved(name: str) -> None:
    assert socket.getaddrinfo(name, 80)


def test_the_environment_of_the_developer_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RABBITMQ_URL", "amqp://production/")
    monkeypatch.setenv("TEST_SOMETHING", "kept")
    isolation.clean_environment()
    assert "RABBITMQ_URL" not in os.environ
    assert os.environ["TEST_SOMETHING"] == "kept"
