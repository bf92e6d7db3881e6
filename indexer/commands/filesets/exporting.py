"""`story-indexer filesets export`: the files of items, verified, as folders or bags."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.errors import ConfigurationError
from indexer.programs.settings import data_directory
from indexer.system.options import option


class ItemExportOptions(JSONOptions):
    """Options of `export`."""

    data: Path = data_directory()
    to: str = option("", "Directory for the exported items; made if missing.")
    as_: Literal["files", "bagit"] = option(
        "files", "files: folders with the original paths; bagit: bags (RFC 8493)."
    )
    from_: str = option(
        "", "Directory, s3:// or https:// URL with the items; default: in the data directory.",
        "FILESETS_URL",
    )  # fmt: skip


@with_options
def export_items(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="ITEM", help="The names of items in --from, or paths or URLs of items."
        ),
    ],
    options: ItemExportOptions,
) -> None:
    """Export items: their files under the original paths, or a bag (BagIt).

    Every file is compared with the manifest as it is copied; an item that is damaged is not
    exported. Each item becomes a folder in --to, which must not exist. A path that the file system
    can't hold safely (absolute, with `..`, with control characters, too long…) gets another name in
    ITEM~renamed, and names.json there tells the path. In a bag all files have escaped names, and
    paths.json tells their paths. A captured dataset gives its files, too.

    Exit status: 0 if all items are exported, 1 if one is not.

    Examples:

        story-indexer filesets export archive/zenodo.org-10200001 --to exported

        story-indexer filesets export zenodo.org-7 --from s3://bucket/datasets --as bagit --to bags
    """
    from indexer.commands.filesets import item_exports  # noqa: PLC0415 - not for the help

    if not options.to:
        raise ConfigurationError("--to is missing: the directory for the exported items")
    raise typer.Exit(0 if item_exports.export_items(names, options) else 1)
