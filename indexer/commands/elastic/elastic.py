"""Shared by the commands for an Elasticsearch: its URL, options of queries, and output."""

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, SecretStr

from indexer.commands.console.terminal import cell, line_of_json
from indexer.errors import ConfigurationError
from indexer.programs.settings import index_option
from indexer.system.options import Options, option

if TYPE_CHECKING:
    from indexer.search.elasticsearch.scan import ScanTally

PROGRESS_SECONDS = 10.0


class ElasticOptions(Options):
    """Options of every command for one Elasticsearch."""

    index_url: SecretStr = index_option("http(s)://USER:PASSWORD@HOST:PORT/ALIAS")

    @property
    def url(self) -> str:
        """The URL, with its credentials. Raises ConfigurationError if there is none."""
        if url := self.index_url.get_secret_value():
            return url
        raise ConfigurationError("no Elasticsearch: give --index-url, or set INDEX_URL")


class Syntax(StrEnum):
    """Elasticsearch's own query languages."""

    QUERY_STRING = "query_string"
    SIMPLE_QUERY_STRING = "simple_query_string"


class ScanOptions(Options):
    """Options of commands that read the documents of a query."""

    query: str = option("", "Read only documents that match.", short="q")
    type: Syntax = option(Syntax.QUERY_STRING, "The language of the query.")
    batch: Annotated[int, Field(ge=1, le=10_000)] = option(1000, "Documents read at once.")
    dry_run: bool = option(False, "Change nothing.", short="n")


class CopyProgress:
    """Prints the progress on standard error, every ten seconds."""

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._total = total
        self._clock = clock
        self._next = clock() + PROGRESS_SECONDS

    def show(self, tally: "ScanTally") -> None:
        """Print the counts, if it is time to."""
        if self._clock() >= self._next:
            self._next = self._clock() + PROGRESS_SECONDS
            print(f"{tally.read:,} of {self._total:,}: {counts(tally)}", file=sys.stderr)


def counts(tally: "ScanTally") -> str:
    """Return `12 done, 3 unchanged`."""
    found = {
        name: value for name, value in asdict(tally).items() if name not in ("read", "failures")
    }
    return ", ".join(f"{value:,} {name}" for name, value in found.items() if value) or "nothing"


def show_result(name: str, fields: Mapping[str, Any], tally: "ScanTally", *, as_json: bool) -> None:
    """Print the counts, and on standard error the first documents that failed."""
    line = f"{name}: {tally.read:,} read, {counts(tally)}"
    show({**fields, **asdict(tally)}, line, as_json=as_json)
    for failure in tally.failures:
        print(cell(f"{failure.id}: {failure.why}"), file=sys.stderr)


def show(fields: Mapping[str, Any], line: str, *, as_json: bool) -> None:
    """Print one line, for a program or for a person."""
    text = line_of_json(fields) if as_json else cell(line)
    # Flushed: an operator watches the log of a copy that takes hours.
    print(text, flush=True)
