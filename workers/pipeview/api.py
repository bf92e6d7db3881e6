"""Tells over HTTP what became of stories: sums of what the collector has counted.

    GET /sum/?col=app&col=status     how many stories, by step and status
    GET /funnel/?source_id=1         what became of a source's stories at each step
    GET /openapi.json                all that can be asked

By default only this machine can ask. Where others can (--api-host), who asks has to say the token
of PIPEVIEW_API_TOKEN, as `Authorization: Bearer TOKEN` or as the password of any user; with
--no-auth anyone is answered.

example:
  python -m workers.pipeview.api --database-url postgresql://pipeview@localhost/pipeview
"""

import ipaddress
import re
import socket
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, date, datetime
from typing import Annotated

import structlog
import uvicorn
from pydantic import Field, SecretStr

from indexer.errors import ConfigurationError
from indexer.listening import Place, listen
from indexer.options import option
from indexer.pipeview.api import application
from indexer.pipeview.options import PipeviewOptions
from indexer.pipeview.store import Store
from indexer.program import run_program
from indexer.signals import stop_on_signals

MOST_CONNECTIONS = 200
"""Who comes when so many are open is told to come later (503)."""

LAST_SECONDS = 10
"""How long answers that have begun may take to end, once the program is told to."""

log = structlog.get_logger()


class ServerOptions(PipeviewOptions):
    """What the server can be told."""

    api_host: str = option("127.0.0.1", "address to listen at", "PIPEVIEW_API_HOST")
    api_port: Annotated[int, Field(ge=0, le=0xFFFF)] = option(
        8000, "its port; 0: any that is free", "PIPEVIEW_API_PORT"
    )
    api_token: SecretStr = option(SecretStr(""), "what one has to know", "PIPEVIEW_API_TOKEN")
    auth: bool = option(True, "let only who knows the token ask from other machines")

    @property
    def token(self) -> str:
        """What one has to say; empty if nothing. Raises ConfigurationError."""
        token = self.api_token.get_secret_value()
        if not self.auth:
            return ""
        if not token and not _is_loopback(self.api_host):
            raise ConfigurationError(
                f"--api-host {self.api_host}: other machines could ask; set PIPEVIEW_API_TOKEN, "
                "or say --no-auth"
            )
        if not re.fullmatch(r"[!-~]*", token):
            raise ConfigurationError("PIPEVIEW_API_TOKEN: only ASCII, and no spaces, fit a header")
        return token


class Server:
    """Answers until it is told to stop."""

    name = "pipeview-api"

    def __init__(self, options: ServerOptions) -> None:
        self._options = options

    def run(self) -> None:
        """Serve. Raises ConfigurationError, StorageError."""
        # The web server ends at a signal, and then hands it on.
        stop = stop_on_signals()
        given = self._options
        token = given.token
        place = Place(given.api_host, given.api_port)
        with (
            closing(Store.open(given.database)) as store,
            closing(listen(place, socket.SOCK_STREAM)) as bound,
        ):
            log.info("listening", at=str(Place(place.host, bound.getsockname()[1])))
            api = application(store, given.days, _today, token)
            if not stop.is_set():
                uvicorn.Server(_config(api)).run([bound])


def _config(api: object) -> uvicorn.Config:
    return uvicorn.Config(
        api,  # type: ignore[arg-type]  # uvicorn's own type of an application is narrower
        log_config=None,
        lifespan="off",
        ws="none",
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=LAST_SECONDS,
    )


def _today() -> date:
    return datetime.now(UTC).date()


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""

    def serve(options: ServerOptions, _name: str) -> None:
        Server(options).run()

    return run_program(Server, ServerOptions, serve, arguments)


if __name__ == "__main__":
    sys.exit(main())
