"""`story-indexer filesets index`: archived datasets into the search index."""

from contextlib import closing
from functools import partial
from pathlib import Path

from pydantic import SecretStr

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.filesets.result_files import ResultFiles, handle_lines, kept_results
from indexer.filesets.results.dated_lines import FILESETS
from indexer.programs.settings import data_directory, index_option, index_or_default
from indexer.text.dates import utc_now


class IndexDatasetsOptions(JSONOptions):
    """Options of `filesets index`."""

    data: Path = data_directory()
    index_url: SecretStr = index_option(
        "sqlite:///FILE or http://HOST:9200/ALIAS; default: index.sqlite3 in the data directory"
    )


@with_options
def index(options: IndexDatasetsOptions, files: ResultFiles = None) -> None:
    """Add archived datasets to the search index, beside the stories.

    `story-indexer search` finds them by title, creator, DOI, file name and description. A dataset
    that is there is replaced. Statuses: created, updated; dups: another result of the dataset
    follows; skip-hit: not archived; reqerr: refused by the index, and told on standard error.

    Exit status: 0 if all results could be read, else 1.

    Examples:

        story-indexer filesets index

        story-indexer search 10.5281/zenodo.10200001
    """
    from indexer.filesets.importing.documents import (  # noqa: PLC0415 - not for the help
        DATASET_FIELDS,
        dataset_document,
        write_datasets,
    )
    from indexer.search import open_index  # noqa: PLC0415 - as above

    url = index_or_default(options.index_url, options.data)
    with closing(open_index(url, DATASET_FIELDS)) as opened:
        handle_lines(
            files or kept_results(options.data, FILESETS),
            partial(dataset_document, now=utc_now()),
            partial(write_datasets, opened),
            options,
        )
