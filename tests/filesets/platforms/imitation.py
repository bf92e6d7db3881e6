"""Platforms in memory: answers to API calls from small JSON files, and a clock that sleeps."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from indexer.errors import FetchError
from indexer.filesets.host_turns import HostTurns
from indexer.filesets.platform_options import PlatformOptions
from indexer.filesets.platforms.api import PlatformAPI
from indexer.filesets.polite_client import polite
from indexer.http.fetching.exchange import Request, Response
from tests.clock import Clock

ANSWERS = Path(__file__).parent / "answers"


def json_file(name: str, change: Callable[[Any], None] | None = None) -> Any:
    """The JSON of an answer in `answers/`, changed if wanted."""
    value = json.loads((ANSWERS / f"{name}.json").read_text(encoding="utf-8"))
    if change is not None:
        change(value)
    return value


class InTurn(list[Any]):
    """Answers to calls of one URL, one after the other; the last one stays."""


class Imitation:
    """Answers requests from a table of URLs; all others with 404. Notes URLs and sleeps.

    An answer is JSON, bytes, a status, a tuple (status, headers, JSON), an error, or InTurn.
    """

    def __init__(self, answers: Mapping[str, Any] | None = None, **options: Any) -> None:
        self.answers = dict(answers or {})
        self.asked: list[str] = []
        self.slept: list[float] = []
        self.clock = Clock()
        given = PlatformOptions(**options)
        turns = HostTurns(given.api_wait, clock=self.clock, now=self.clock.utc, sleep=self.sleep)

        def ask(request: Request) -> Response:
            request = polite(request, turns)
            response = self.ask(request)
            request.seen({}, response)
            return response

        self.api = PlatformAPI(ask, given, now=self.clock.utc, sleep=self.sleep)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.clock.sleep(seconds)

    def ask(self, request: Request) -> Response:
        self.asked.append(request.url)
        answer = self.answers.get(request.url, 404)
        if isinstance(answer, InTurn):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if isinstance(answer, FetchError):
            raise answer
        status, headers, body = 200, {"content-type": "application/json"}, answer
        if isinstance(answer, tuple):
            status, more, body = answer
            headers |= more
        elif isinstance(answer, int):
            status, body = answer, {"message": "an error"}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return Response(request.url, status, headers, data)
