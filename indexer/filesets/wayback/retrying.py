"""Calls that are repeated: the web archive is often busy for some seconds (spec 3.2)."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from indexer.errors import AddressRefused, BadURL, FetchError, FilesetError, TooLarge
from indexer.http.fetching.client import Client
from indexer.http.fetching.exchange import Request, Response
from indexer.http.json_service import is_busy
from indexer.http.politeness import retry_after

RETRIES: Final = 3
LONGEST_WAIT: Final = 120.0
"""The longest wait that the archive may ask for, in seconds."""


@dataclass(frozen=True, slots=True)
class RetryingClient:
    """A client that repeats a call three times, after `pause` seconds and each time twice as many.

    A Retry-After is kept to, if it is not too long.
    """

    client: Client
    pause: float
    sleep: Callable[[float], None] = time.sleep

    def ask(self, request: Request) -> Response:
        """The answer, which may be the last refusal. Raises FetchError."""
        try:
            return self._ask(request)
        except FilesetError as busy:
            # The host has asked for a longer wait than we allow.
            raise FetchError(busy.why) from busy

    def _ask(self, request: Request) -> Response:
        for retry in range(RETRIES):
            wait = self.pause * 2**retry
            try:
                response = self.client.ask(request)
            except (AddressRefused, BadURL, TooLarge):
                raise
            except FetchError:
                self.sleep(wait)
                continue
            named = retry_after(response.headers.get("retry-after"), time.time()) or 0.0
            if not is_busy(response.status) or named > LONGEST_WAIT:
                return response
            self.sleep(max(wait, named))
        return self.client.ask(request)
