"""`story-indexer filesets single` and `requests`: verbs of the existing system (filesets.md 9)."""

from typing import Annotated, Any

import typer

from indexer.commands.console.parameters import with_options
from indexer.commands.filesets.ingesting import IngestCommandOptions
from indexer.system.options import Options, option


class SingleRequestOptions(Options):
    """The options of `single` that are parts of its request."""

    doi: str = option("", "The DOI of the dataset.")
    release_id: str = option("", "The release of the catalogue.", metavar="ID")
    force_recrawl: bool = option(False, "Fetch the landing page, also if an archive has it.")


@with_options
def single(
    ingest_type: Annotated[str, typer.Argument(metavar="TYPE", help="dataset")],
    url: Annotated[str, typer.Argument(metavar="URL", help="The URL where to begin.")],
    asked: SingleRequestOptions,
    options: IngestCommandOptions,
) -> None:
    """Archive one dataset, and print its result as JSON.

    A dataset of one file has two results: that of the file comes first. See `ingest`.

    Exit status: 0 if the dataset is archived, else 1.

    Example:

        story-indexer filesets single dataset https://zenodo.org/records/10200001 --to archive
    """
    from indexer.commands.filesets import dataset_ingests  # noqa: PLC0415 - not for the help

    given = _request(ingest_type, url, asked)
    raise typer.Exit(0 if dataset_ingests.single(given, _as_json(options)) else 1)


def _request(ingest_type: str, url: str, asked: SingleRequestOptions) -> dict[str, Any]:
    given: dict[str, Any] = {"ingest_type": ingest_type, "base_url": url}
    if asked.doi:
        given["ext_ids"] = {"doi": asked.doi}
    if asked.release_id:
        given["fatcat"] = {"release_ident": asked.release_id}
    if asked.force_recrawl:
        given["force_recrawl"] = True
    return given


def _as_json(options: IngestCommandOptions) -> IngestCommandOptions:
    return options.model_copy(update={"json_": True})


@with_options
def requests(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="Requests, one in each line.")],
    options: IngestCommandOptions,
) -> None:
    """Archive the dataset of each line of JSON, and print the results as JSON.

    Each line has one result, also one that is no request; that of a single file comes before it.
    See `ingest`.

    Exit status: 0 if all datasets are archived, else 1.

    Example:

        story-indexer filesets requests requests.jsonl --no-spn2 > results.jsonl
    """
    from indexer.commands.filesets import dataset_ingests  # noqa: PLC0415 - not for the help

    raise typer.Exit(0 if dataset_ingests.lines(file, _as_json(options)) else 1)
