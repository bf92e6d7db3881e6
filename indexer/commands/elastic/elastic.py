"""What the commands for an Elasticsearch have in common: its URL, and how they print."""

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import SecretStr

from indexer.commands.console.terminal import cell, line_of_json
from indexer.errors import ConfigurationError
from indexer.system.options import Options, option

if TYPE_CHECKING:
    from indexer.search.elasticsearch.scan import ScanTally

PROGRESS_SECONDS = 10.0

IndexUrl = Annotated[
    str,
    typer.Option(
        "--index-url",
        metavar="URL",
        help="http(s)://USER:PASSWORD@HOST:PORT/ALIAS [env INDEX_URL, ELASTICSEARCH_HOSTS]",
        show_default=False,
    ),
]


class ElasticOptions(Options):
    """Which Elasticsearch."""

    index_url: SecretStr = option(
        SecretStr(""), "the index's URL", "INDEX_URL", "ELASTICSEARCH_HOSTS"
    )

    @property
    def url(self) -> str:
        """The URL, with its credentials. Raises ConfigurationError if there is none."""
        if url := self.index_url.get_secret_value():
            return url
        raise ConfigurationError("which Elasticsearch? --index-url, or INDEX_URL")


def given(**values: Any) -> dict[str, Any]:
    """The options that were on the command line; the others come from the environment."""
    return {name: value for name, value in values.items() if value not in (None, "")}


class Syntax(StrEnum):
    """Elasticsearch's own query languages."""

    QUERY_STRING = "query_string"
    SIMPLE_QUERY_STRING = "simple_query_string"


QueryText = Annotated[
    str, typer.Option("--query", "-q", metavar="TEXT", help="Only documents that match.")
]
QuerySyntax = Annotated[Syntax, typer.Option("--type", help="The language of the query.")]
DryRun = Annotated[bool, typer.Option("--dry-run", "-n", help="Change nothing.")]


class CopyProgress:
    """Says on standard error how far it has come, now and then."""

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._total = total
        self._clock = clock
        self._next = clock() + PROGRESS_SECONDS

    def show(self, tally: "ScanTally") -> None:
        """Say it, if it is time to."""
        if self._clock() >= self._next:
            self._next = self._clock() + PROGRESS_SECONDS
            print(f"{tally.read:,} of {self._total:,}: {counts(tally)}", file=sys.stderr)


def counts(tally: "ScanTally") -> str:
    """12 done, 3 unchanged"""
    found = {
        name: value for name, value in asdict(tally).items() if name not in ("read", "failures")
    }
    return ", ".join(f"{value:,} {name}" for name, value in found.items() if value) or "nothing"


def show_result(name: str, fields: Mapping[str, Any], tally: "ScanTally", *, as_json: bool) -> None:
    """Print what came of it; and the documents that failed, as far as they are known by name."""
    line = f"{name}: {tally.read:,} read, {counts(tally)}"
    show({**fields, **asdict(tally)}, line, as_json=as_json)
    for failure in tally.failures:
        print(cell(f"{failure.id}: {failure.why}"), file=sys.stderr)


def show(fields: Mapping[str, Any], line: str, *, as_json: bool) -> None:
    """Print one line, for a program or for a person."""
    text = line_of_json(fields) if as_json else cell(line)
    print(text, flush=True)
