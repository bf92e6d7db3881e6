"""`story-indexer filesets list`, `show` and `verify`: the items of a store."""

from typing import Annotated

import typer

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.filesets.items.options import ItemsOptions

_ITEM = "The name of an item in --to, or a directory, s3:// or https:// URL that ends with it."


class ItemOptions(ItemsOptions, JSONOptions):
    """Options of the commands that read items."""


@with_options
def list_items(options: ItemOptions) -> None:
    """List the items of a store: dataset, files, bytes, time.

    Items that are not complete have no manifest, and are not listed. Times are UTC.

    Examples:

        story-indexer filesets list --to archive

        story-indexer filesets list --to s3://bucket/datasets --json | jq .item
    """
    from indexer.commands.filesets import stored_items  # noqa: PLC0415 - not for the help

    stored_items.print_list(options)


@with_options
def show(
    item: Annotated[str, typer.Argument(metavar="ITEM", help=_ITEM)], options: ItemOptions
) -> None:
    """Show the dataset of an item, and its files.

    Examples:

        story-indexer filesets show archive/zenodo.org-10200001

        story-indexer filesets show zenodo.org-10200001 --to s3://bucket/datasets --json
    """
    from indexer.commands.filesets import stored_items  # noqa: PLC0415 - not for the help

    stored_items.show(item, options)


@with_options
def verify(
    options: ItemOptions,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="ITEM", help=f"{_ITEM} Default: all of --to.")
    ] = None,
) -> None:
    """Verify items: read every file, and compare it with the item's manifest.

    Each difference is a line; with --json each item is a line. Files are compared by size, MD5,
    SHA-1, SHA-256 and SHA-512, the item's own documents by SHA-256.

    Exit status: 0 if all items are as they were stored, 1 if one is damaged or missing.

    Examples:

        story-indexer filesets verify archive/zenodo.org-10200001

        story-indexer filesets verify --to s3://bucket/datasets
    """
    from indexer.commands.filesets import stored_items  # noqa: PLC0415 - not for the help

    raise typer.Exit(0 if stored_items.are_right(names or [], options) else 1)
