"""`story-indexer filesets ingest`: archives datasets, one result for each request."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.filesize import decimal

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.console.terminal import cell, line_of_json
from indexer.commands.filesets.progress import IngestProgress
from indexer.filesets.ingest.ingester import Ingester
from indexer.filesets.ingest.inputs import requests
from indexer.filesets.ingest.opening import opened_ingester
from indexer.filesets.ingest.options import ArchivingOptions, DatasetOptions, ItemsOptions
from indexer.filesets.request import BadRequest, IngestRequest
from indexer.filesets.results.dated_lines import DIRECTORY, FILES, FILESETS, DatedLines
from indexer.filesets.results.result import Ingest, dataset_file_result, fileset_result
from indexer.system.options import environment

if TYPE_CHECKING:
    from indexer.commands.filesets.sample import Sample


class IngestCommandOptions(ItemsOptions, ArchivingOptions, JSONOptions):
    """Options of `ingest`."""


@with_options
def ingest(
    options: IngestCommandOptions,
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DOI|URL|FILE.jsonl|-",
            help="DOIs and URLs of datasets; files with a request in each line; -: standard input. "
            "Default: sample datasets of imitation repositories on this machine.",
        ),
    ] = None,
) -> None:
    """Archive datasets: every file, verified, as an item in a directory or a bucket.

    Each file is fetched once, and compared with the sizes and hashes that the platform announces.
    An item is complete, or its manifest is missing. Files that an item has are not fetched again;
    Ctrl-C stops, and the same command goes on where it was. Each request has one result: a line of
    JSON if the output is not a terminal, or with --json; before it, for a dataset of one file, a
    result of the type dataset-file. All results are also kept in DATAROOT/fileset-results.

    FILESETS_S3_ENDPOINT, FILESETS_S3_ACCESS_KEY_ID and FILESETS_S3_SECRET_ACCESS_KEY name a server
    for s3:// and its credentials. Uploads to archive.org need IA_ACCESS_KEY and IA_SECRET_KEY.

    Exit status: 0 if all datasets are archived, 1 if some are not, 130 after Ctrl-C.

    Examples:

        story-indexer filesets ingest 10.5281/zenodo.10200001 --to archive

        story-indexer filesets ingest --to sample

        story-indexer filesets ingest requests.jsonl --to s3://bucket/datasets | jq .status
    """
    with ExitStack() as stack:
        if not inputs:
            inputs, settings = stack.enter_context(_sample())
            found = DatasetOptions.of({**environment(), **settings})
            options = options.model_copy(update={"dataset": found})
        archive(requests(inputs), options)


def archive(asked: Iterable[IngestRequest | BadRequest], options: IngestCommandOptions) -> None:
    """Archive the dataset of each request, and end the command: 0 if all are archived, else 1."""
    with (
        opened_ingester(options, options.items) as ingester,
        IngestProgress(Console(stderr=True)) as progress,
    ):
        try:
            hits = [
                _report(each, options, progress) for each in _ingested(asked, ingester, progress)
            ]
        except KeyboardInterrupt:
            print("stopped: the same command goes on where it was", file=sys.stderr)
            raise
    raise typer.Exit(0 if all(hits) else 1)


@contextmanager
def _sample() -> Iterator["Sample"]:
    # The imitation repositories, for those who try the command.
    from indexer.commands.filesets.sample import sample_datasets  # noqa: PLC0415

    print("no input: sample datasets of imitation repositories", file=sys.stderr)
    with sample_datasets() as sample:
        yield sample


def _report(found: Ingest, options: IngestCommandOptions, progress: IngestProgress) -> bool:
    """Keep and print the results of a request. Returns whether the dataset is archived."""
    directory = options.data / DIRECTORY
    file_result, result = dataset_file_result(found), fileset_result(found)
    if file_result:
        DatedLines(directory, FILES).append(file_result)
    DatedLines(directory, FILESETS).append(result)
    if options.json_ or not sys.stdout.isatty():
        for each in filter(None, (file_result, result)):
            progress.print(line_of_json(each))
    else:
        progress.print(told(result))
    return bool(result["hit"])


def _ingested(
    asked: Iterable[IngestRequest | BadRequest], ingester: Ingester, progress: IngestProgress
) -> Iterator[Ingest]:
    for request in asked:
        match request:
            case BadRequest():
                yield Ingest(request.given).fail(request.status, request.why)
            case IngestRequest():
                progress.begin(request.base_url)
                yield ingester.ingest(request, progress.at)


def told(result: dict[str, Any]) -> str:
    """A result in one line for people."""
    request = result["request"]
    parts = [cell(str(request.get("base_url") or request.get("line") or ""), 300)]
    parts.append(result["status"])
    if "file_count" in result:
        count = result["file_count"]
        files = "1 file" if count == 1 else f"{count:,} files"
        parts.append(f"{files}, {decimal(result['total_size'])}")
    for name in ("archiveorg_item_name", "error_message"):
        if result.get(name):
            parts.append(cell(str(result[name]), 500))
    return "  ".join(parts)
