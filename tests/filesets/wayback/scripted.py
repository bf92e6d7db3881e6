"""A web archive in memory: it gives prepared answers in turn, and notes what it was asked."""

import json
from typing import Any

from indexer.errors import FetchError, FilesetError
from indexer.filesets.wayback.retrying import RetryingClient
from indexer.http.fetching import Request, Response
from indexer.http.fetching.client import Client


class ScriptedClient(Client):
    """Gives each answer once: JSON, bytes, a status, (status, headers, body), or an error."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.requests: list[Request] = []
        self.slept: list[float] = []

    @property
    def retrying(self) -> RetryingClient:
        return RetryingClient(self, 3.0, self.slept.append)

    def ask(self, request: Request) -> Response:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, FetchError | FilesetError):
            raise answer
        status, headers, body = answer if isinstance(answer, tuple) else (200, {}, answer)
        if isinstance(answer, int):
            status, body = answer, b"<html>failed</html>"
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return Response(request.url, status, headers, data)
