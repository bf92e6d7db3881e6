"""Serves the metadata of software over HTTP: search, origins by producer, CodeMeta documents.

    GET /api/search?query=fourier&license=MIT       origins by their words, best first
    GET /api/origins?mappings=npm                   origins by producer, in pages
    GET /api/statistics                             numbers of origins by mapping
    GET /api/codemeta?origin=URL                    the CodeMeta document of an origin
    GET /openapi.json, /healthz                     all methods; whether the database answers

All methods only read, and need no credentials. By default the server listens only to this machine
(--api-host).

examples:
  story-indexer program software.api --api-host 0.0.0.0
  curl 'http://127.0.0.1:8000/api/search?query=fourier&limit=10'
"""

import sys
from collections.abc import Sequence
from contextlib import closing
from typing import Annotated

from pydantic import Field

from indexer.programs.program import run_program
from indexer.programs.serving import serve
from indexer.programs.serving.limits import ServingLimits, client_connections
from indexer.search import open_index
from indexer.software.api.application import application
from indexer.software.api.site import SoftwareSite
from indexer.software.formats.extrinsic import EXTRINSIC
from indexer.software.formats.table import FORMATS
from indexer.software.searching.fields import SOFTWARE_FIELDS
from indexer.software.searching.options import SoftwareIndexOptions
from indexer.software.store.options import SoftwareDatabaseOptions
from indexer.software.store.store import SoftwareStore
from indexer.system.listening import ListenAddress
from indexer.system.options import option
from indexer.system.signals import stop_on_signals


class SoftwareServerOptions(SoftwareDatabaseOptions, SoftwareIndexOptions):
    """Options of the server."""

    api_host: str = option("127.0.0.1", "address to listen at; 0.0.0.0: all", "SOFTWARE_API_HOST")
    api_port: Annotated[int, Field(ge=0, le=0xFFFF)] = option(
        8000, "port to listen at; 0: any free port", "SOFTWARE_API_PORT", "PORT"
    )
    api_client_connections: Annotated[int, Field(ge=0)] = client_connections(
        "SOFTWARE_API_CLIENT_CONNECTIONS"
    )


class SoftwareServer:
    """Serves the API until it is stopped."""

    name = "software-api"

    def __init__(self, options: SoftwareServerOptions) -> None:
        self._options = options

    def run(self) -> None:
        """Serve. Raises ConfigurationError, StorageError."""
        stop = stop_on_signals()
        given = self._options
        with (
            closing(SoftwareStore.open(given.database)) as store,
            closing(open_index(given.software_index_url, SOFTWARE_FIELDS)) as index,
        ):
            forms = (*FORMATS, *EXTRINSIC.values())
            site = SoftwareSite(store, index, tuple({form.name: None for form in forms}))
            place = ListenAddress(given.api_host, given.api_port)
            limits = ServingLimits(of_one_client=given.api_client_connections)
            serve(application(site), place, stop, limits)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""

    def run(options: SoftwareServerOptions, _name: str) -> None:
        SoftwareServer(options).run()

    return run_program(SoftwareServer.name, SoftwareServerOptions, run, arguments)


if __name__ == "__main__":
    sys.exit(main())
