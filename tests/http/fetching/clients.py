"""Clients for tests: loopback is allowed, and no time runs out unless a test says so."""

import time
from collections.abc import Callable
from typing import Any

from indexer.http.fetching import FetchOptions
from indexer.http.fetching.client import Client
from tests.patience import PATIENCE


def client(clock: Callable[[], float] = time.monotonic, **given: Any) -> Client:
    """A client with these options; loopback is allowed unless the options forbid it."""
    options: dict[str, Any] = {
        "allow_address": ["127.0.0.0/8", "::1"],
        "connect_timeout": PATIENCE,
        "read_timeout": PATIENCE,
        "total_timeout": PATIENCE,
    }
    return Client(FetchOptions(**(options | given)), clock)
