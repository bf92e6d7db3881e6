"""Isolates tests from this machine's environment, and from the network."""

import ipaddress
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

KEPT = ("CI", "HOME", "PATH", "TERM", "TMPDIR", "USER", "VIRTUAL_ENV")
KEPT_PREFIXES = ("COVERAGE", "PIP_", "PYTEST", "PYTHON", "TEST_")


def clean_environment() -> None:
    """Forget every variable that could change what a program under test does."""
    for name in list(os.environ):
        if name not in KEPT and not name.startswith(KEPT_PREFIXES):
            del os.environ[name]
    os.environ["LANG"] = "C.UTF-8"
    # The AWS client would ask an address of its own for credentials.
    os.environ["AWS_EC2_METADATA_DISABLED"] = "true"


@contextmanager
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Refuse connections to other machines; the list tells which were tried."""
    tried: list[str] = []
    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name), tried))
    monkeypatch.setattr(socket, "getaddrinfo", _offline(socket.getaddrinfo))
    yield tried


def _guarded(original: Callable[..., Any], tried: list[str]) -> Callable[..., Any]:
    def connect(self: socket.socket, address: Any) -> Any:
        if self.family != socket.AF_UNIX and not _is_loopback(address[0]):
            tried.append(f"{address[0]}:{address[1]}")
            raise ConnectionRefusedError(f"tests only reach loopback, not {address[0]}")
        return original(self, address)

    return connect


def _offline(original: Callable[..., Any]) -> Callable[..., Any]:
    """Name resolution as on a machine without a network: addresses in any notation, no names."""

    def getaddrinfo(
        host: Any, port: Any, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0
    ) -> Any:
        if host not in (None, "", "localhost", b"localhost"):
            flags |= socket.AI_NUMERICHOST
        return original(host, port, family, type, proto, flags)

    return getaddrinfo


def _is_loopback(host: str) -> bool:
    return host in ("", "localhost") or (_is_address(host) and _address(host).is_loopback)


def _is_address(host: str) -> bool:
    try:
        _address(host)
    except ValueError:
        return False
    return True


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    address = ipaddress.ip_address(host.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
