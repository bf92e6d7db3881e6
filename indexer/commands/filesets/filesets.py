"""`story-indexer filesets`: commands for research datasets."""

from collections.abc import Mapping

from indexer.commands.console.groups import Later, LazyGroup, new_app

_HERE = "indexer.commands.filesets"

COMMANDS: Mapping[str, Later] = {
    "ingest": Later(
        f"{_HERE}.ingesting:ingest",
        "Archive datasets: every file, verified, as an item in a directory or a bucket.",
    ),
    "try": Later(
        f"{_HERE}.trying:try_dataset",
        "Try a dataset: its platform, version, files and strategy. No file is fetched.",
    ),
    "verify": Later(
        f"{_HERE}.reading:verify",
        "Verify items: read every file, and compare it with the item's manifest.",
    ),
    "export": Later(
        f"{_HERE}.exporting:export_items",
        "Export items: their files under the original paths, or a bag (BagIt).",
    ),
    "single": Later(
        f"{_HERE}.requesting:single",
        "Archive one dataset, and print its result as JSON.",
    ),
    "requests": Later(
        f"{_HERE}.requesting:requests",
        "Archive the dataset of each line of JSON, and print the results as JSON.",
    ),
    "ingest-file-result": Later(
        f"{_HERE}.persisting:ingest_file_result",
        "Store results in the database: of datasets, and of single files.",
    ),
    "ingest-request": Later(
        f"{_HERE}.persisting:ingest_request",
        "Store requests in the database, those with a link_source and a link_source_id.",
    ),
    "index": Later(
        f"{_HERE}.indexing:index",
        "Add archived datasets to the search index, beside the stories.",
    ),
    "import": Later(
        f"{_HERE}.importing:import_results",
        "Make entities of a catalogue of archived datasets: lines of JSON.",
    ),
    "archiveorg-fileset": Later(
        f"{_HERE}.importing:archiveorg_fileset",
        "Print the catalogue's fileset of an item of archive.org.",
    ),
    "list": Later(
        f"{_HERE}.reading:list_items",
        "List the items of a store: dataset, files, bytes, time.",
    ),
    "show": Later(
        f"{_HERE}.reading:show",
        "Show the dataset of an item, and its files.",
    ),
}


class _Filesets(LazyGroup):
    later = COMMANDS


app = new_app(
    """Archive research datasets, each as an item with all its files, and verify them.

    Examples:

        story-indexer filesets ingest 10.5281/zenodo.10200001 --to archive

        story-indexer filesets verify archive/zenodo.org-10200001
    """,
    _Filesets,
)
