"""Serve the counts of the stories' outcomes over HTTP.

    GET /sum/?col=app&col=status     number of stories, by step and status
    GET /funnel/?source_id=1         results of a source's stories at each step
    GET /openapi.json                all parameters and answers

By default only this machine has access. If other machines have it (--api-host), requests need the
token of PIPEVIEW_API_TOKEN, as `Authorization: Bearer TOKEN` or as the password of any user; with
--no-auth no token is needed.

example:
  story-indexer program pipeview.api --database-url postgresql://pipeview@localhost/pipeview
"""

import re
import sys
from collections.abc import Sequence
from contextlib import closing
from typing import Annotated

from pydantic import Field, SecretStr

from indexer.errors import ConfigurationError
from indexer.messages.pipelines import flow
from indexer.pipeview.api import application
from indexer.pipeview.options import PipeviewOptions
from indexer.pipeview.store import CrumbStore, utc_today
from indexer.programs.program import run_program
from indexer.programs.serving import is_loopback, serve
from indexer.programs.serving.limits import ServingLimits, client_connections
from indexer.system.listening import ListenAddress
from indexer.system.options import option
from indexer.system.signals import stop_on_signals
from pipeline import PIPELINES


class PipeviewServerOptions(PipeviewOptions):
    """Options of the server."""

    api_host: str = option("127.0.0.1", "address to listen at", "PIPEVIEW_API_HOST")
    api_port: Annotated[int, Field(ge=0, le=0xFFFF)] = option(
        8000, "port to listen at; 0: any free port", "PIPEVIEW_API_PORT"
    )
    api_client_connections: Annotated[int, Field(ge=0)] = client_connections(
        "PIPEVIEW_API_CLIENT_CONNECTIONS"
    )
    api_token: SecretStr = option(SecretStr(""), "token of all requests", "PIPEVIEW_API_TOKEN")
    auth: bool = option(True, "require the token from other machines")

    @property
    def token(self) -> str:
        """The required token; empty if none is. Raises ConfigurationError."""
        token = self.api_token.get_secret_value()
        if not self.auth:
            return ""
        if not token and not is_loopback(self.api_host):
            raise ConfigurationError(
                f"--api-host {self.api_host}: other machines have access; set PIPEVIEW_API_TOKEN "
                "or --no-auth"
            )
        # Other characters can't be sent in the header Authorization.
        if not re.fullmatch(r"[!-~]*", token):
            raise ConfigurationError("PIPEVIEW_API_TOKEN: only ASCII without spaces is allowed")
        return token


def run(options: PipeviewServerOptions, _: str) -> None:
    """Serve until SIGTERM. Raises ConfigurationError, StorageError."""
    stop = stop_on_signals()
    token = options.token
    with closing(CrumbStore.open(options.database)) as store:
        # A function, as the server runs for many days.
        api = application(store, options.days, utc_today, token, flow(PIPELINES))
        limits = ServingLimits(of_one_client=options.api_client_connections)
        serve(api, ListenAddress(options.api_host, options.api_port), stop, limits)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status."""
    return run_program("pipeview-api", PipeviewServerOptions, run, arguments)


if __name__ == "__main__":
    sys.exit(main())
