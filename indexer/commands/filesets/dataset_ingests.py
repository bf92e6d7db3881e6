"""What `ingest`, `single` and `requests` do: each request has its result, printed and kept."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.filesize import decimal

from indexer.commands.console.terminal import cell, line_of_json
from indexer.commands.filesets.ingesting import IngestCommandOptions
from indexer.commands.filesets.progress import IngestProgress
from indexer.filesets.ingest.ingester import Ingester
from indexer.filesets.ingest.inputs import requests, requests_of
from indexer.filesets.ingest.opening import opened_ingester
from indexer.filesets.ingest.options import DatasetOptions
from indexer.filesets.request import BadRequest, IngestRequest
from indexer.filesets.results.dated_lines import DIRECTORY, FILES, FILESETS, DatedLines
from indexer.filesets.results.result import Ingest, dataset_file_result, fileset_result
from indexer.system.options import environment
from indexer.text.unpacking import input_errors

if TYPE_CHECKING:
    from indexer.commands.filesets.sample import Sample


def ingest(inputs: Sequence[str], options: IngestCommandOptions) -> bool:
    """Archive the datasets of inputs, or the sample ones. Returns whether all are archived."""
    with ExitStack() as stack:
        if not inputs:
            inputs, settings = stack.enter_context(_sample())
            found = DatasetOptions.of({**environment(), **settings})
            options = options.model_copy(update={"dataset": found})
        return _archive(requests(inputs), options)


def single(given: dict[str, Any], options: IngestCommandOptions) -> bool:
    """Archive the dataset of one request, a JSON object. Returns whether it is archived."""
    try:
        request: IngestRequest | BadRequest = IngestRequest.of(given)
    except BadRequest as error:
        request = error
    return _archive([request], options)


def lines(file: str, options: IngestCommandOptions) -> bool:
    """Archive the datasets of the lines of a file. Returns whether all are archived."""
    with (
        input_errors(file),
        nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as opened,
    ):
        return _archive(requests_of(opened), options)


def _archive(asked: Iterable[IngestRequest | BadRequest], options: IngestCommandOptions) -> bool:
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
    return all(hits)


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
        progress.print(_told(result))
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


def _told(result: dict[str, Any]) -> str:
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
