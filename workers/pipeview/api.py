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

import re
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, date, datetime
from typing import Annotated

from pydantic import Field, SecretStr

from indexer.errors import ConfigurationError
from indexer.pipeview.api import application
from indexer.pipeview.options import PipeviewOptions
from indexer.pipeview.store import CrumbStore
from indexer.programs.program import run_program
from indexer.programs.serving import is_loopback, serve
from indexer.system.listening import ListenAddress
from indexer.system.options import option
from indexer.system.signals import stop_on_signals


class PipeviewServerOptions(PipeviewOptions):
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
        if not token and not is_loopback(self.api_host):
            raise ConfigurationError(
                f"--api-host {self.api_host}: other machines could ask; set PIPEVIEW_API_TOKEN, "
                "or say --no-auth"
            )
        if not re.fullmatch(r"[!-~]*", token):
            raise ConfigurationError("PIPEVIEW_API_TOKEN: only ASCII, and no spaces, fit a header")
        return token


class PipeviewServer:
    """Answers until it is told to stop."""

    name = "pipeview-api"

    def __init__(self, options: PipeviewServerOptions) -> None:
        self._options = options

    def run(self) -> None:
        """Serve. Raises ConfigurationError, StorageError."""
        stop = stop_on_signals()
        given = self._options
        token = given.token
        with closing(CrumbStore.open(given.database)) as store:
            api = application(store, given.days, _today, token)
            serve(api, ListenAddress(given.api_host, given.api_port), stop)


def _today() -> date:
    return datetime.now(UTC).date()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""

    def run(options: PipeviewServerOptions, _name: str) -> None:
        PipeviewServer(options).run()

    return run_program(PipeviewServer, PipeviewServerOptions, run, arguments)


if __name__ == "__main__":
    sys.exit(main())
