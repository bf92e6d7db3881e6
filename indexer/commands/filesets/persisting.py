"""`story-indexer filesets ingest-file-result` and `ingest-request`: results into SQL."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.filesets.result_files import (
    Flush,
    ResultFiles,
    handle_lines,
    kept_results,
)
from indexer.errors import Discard, Quarantine
from indexer.filesets.persisting.options import FilesetDatabaseOptions
from indexer.messages.worker import Done

if TYPE_CHECKING:
    from indexer.filesets.persisting.rows import Row


class PersistOptions(FilesetDatabaseOptions, JSONOptions):
    """Options of the commands that write to the database."""


@with_options
def ingest_file_result(options: PersistOptions, files: ResultFiles = None) -> None:
    """Store results in the database: of datasets, and of single files.

    A result that is stored already has one row still; a newer one replaces it. Statuses: stored;
    skip-request-fields, skip-ingest-type, skip-existing, skip-huge-url: left out; bad-result,
    bad-message: can't be read, and told on standard error.

    Exit status: 0 if all results could be read, else 1.

    Examples:

        story-indexer filesets ingest-file-result

        zcat dump.json.gz | story-indexer filesets ingest-file-result -
    """
    from indexer.filesets.persisting.rows import rows_of  # noqa: PLC0415 - not for the help

    with _flushing(options) as flush:
        handle_lines(files or kept_results(options.data), rows_of, flush, options)


@with_options
def ingest_request(
    files: Annotated[list[str], typer.Argument(metavar="FILE|-", help="Lines of JSON.")],
    options: PersistOptions,
) -> None:
    """Store requests in the database, those with a link_source and a link_source_id.

    A request that is stored already is not changed.

    Exit status: 0 if all requests could be read, else 1.

    Example:

        story-indexer filesets ingest-request requests.jsonl
    """
    from indexer.filesets.persisting.rows import request_rows  # noqa: PLC0415 - as above

    def rows(request: dict[str, Any]) -> list["Row"]:
        if found := request_rows(request):
            return found
        raise Discard("skip-request-fields", "no link_source, or no link_source_id")

    with _flushing(options) as flush:
        handle_lines(files, rows, flush, options)


@contextmanager
def _flushing(options: FilesetDatabaseOptions) -> Iterator[Flush]:
    from indexer.filesets.persisting.rows import BAD_RESULT  # noqa: PLC0415 - as above
    from indexer.filesets.persisting.store import FilesetStore  # noqa: PLC0415

    with closing(FilesetStore.open(options.database)) as store:

        def flush(batch: Sequence[Any]) -> list[Done[Any] | Quarantine]:
            return [
                Quarantine(BAD_RESULT, why) if why else Done((), "stored")
                for why in store.save_all(batch)
            ]

        yield flush
