"""The client of the family: whatever asks, and whyever, no host is asked before its turn."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from indexer.filesets.host_turns import HostTurns
from indexer.http.fetching import FetchOptions, Request, Response
from indexer.http.fetching.client import Client
from indexer.http.fetching.stream import Stream


class PoliteClient(Client):
    """A client that waits for the turn of each host, also of redirects.

    `ask` and `stream` raise FilesetError as `HostTurns.wait` does.
    """

    def __init__(self, options: FetchOptions, turns: HostTurns) -> None:
        super().__init__(options)
        self._turns = turns

    def ask(self, request: Request) -> Response:
        """See `Client`."""
        return super().ask(polite(request, self._turns))

    @contextmanager
    def stream(self, request: Request) -> Iterator[Stream]:
        """See `Client`."""
        with super().stream(polite(request, self._turns)) as stream:
            yield stream


def polite(request: Request, turns: HostTurns) -> Request:
    """The request, whose host's turn has come; it waits for those of redirects itself."""
    visits = [turns.wait(request.url)]

    def check(url: str) -> None:
        if request.check is not None:
            request.check(url)
        visits.append(turns.wait(url))

    def seen(sent: Mapping[str, str], response: Response) -> None:
        turns.answered(visits[-1], response)
        request.seen(sent, response)

    return replace(request, check=check, seen=seen)
