"""`story-indexer filesets try`: what an ingest of a dataset would do."""

from typing import Annotated

import typer

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.filesets.ingest.options import DatasetOptions
from indexer.system.options import option


class TryDatasetOptions(JSONOptions, DatasetOptions):
    """Options of `try`."""

    files: int = option(20, "The most files to show.")


@with_options
def try_dataset(
    dataset: Annotated[str, typer.Argument(metavar="DOI|URL", help="A DOI or URL of a dataset.")],
    options: TryDatasetOptions,
) -> None:
    """Try a dataset: its platform, version, files and strategy. No file is fetched.

    With --json the output is the result that an ingest would have, as far as it is known; its
    status is `found` if the ingest would go on.

    Exit status: 0 if the dataset would be archived, else 1.

    Examples:

        story-indexer filesets try 10.5281/zenodo.10200001
    """
    from indexer.commands.filesets import dataset_trial  # noqa: PLC0415 - not for the help

    raise typer.Exit(0 if dataset_trial.works(dataset, options) else 1)
