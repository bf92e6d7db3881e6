"""`story-indexer filesets ingest`: archives datasets, one result for each request."""

from typing import Annotated

import typer

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.filesets.ingest.options import ArchivingOptions
from indexer.filesets.items.options import ItemsOptions


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
    from indexer.commands.filesets import dataset_ingests  # noqa: PLC0415 - not for the help

    raise typer.Exit(0 if dataset_ingests.ingest(inputs or [], options) else 1)
