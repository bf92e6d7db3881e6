"""Clients for tests: loopback is allowed, timeouts are short."""

from typing import Any

from indexer.http.fetching import Client, FetchOptions


def client(**given: Any) -> Client:
    """A client with these options; loopback is allowed unless the options forbid it."""
    options: dict[str, Any] = {
        "allow_address": ["127.0.0.0/8", "::1"],
        "connect_timeout": 5.0,
        "read_timeout": 5.0,
        "total_timeout": 5.0,
    }
    return Client(FetchOptions(**(options | given)))
