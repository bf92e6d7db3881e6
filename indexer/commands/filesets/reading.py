"""`story-indexer filesets list`, `show` and `verify`: the items of a store."""

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.console.terminal import cell, line_of_json, print_table, say, say_empty
from indexer.commands.console.working import Working
from indexer.commands.filesets.trying import files_table
from indexer.errors import ArchiveError, InputError
from indexer.filesets.ingest.opening import open_items
from indexer.filesets.ingest.options import ItemsOptions
from indexer.filesets.items.item import Item, items
from indexer.filesets.items.layout import ItemManifest

out = Console(soft_wrap=True)

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
    table = Table("item", "dataset", "version", "stored (UTC)", box=None, highlight=False)
    table.add_column("files", justify="right")
    table.add_column("bytes", justify="right")
    for item in items(open_items(options.items)):
        manifest = _manifest(item)
        if options.json_:
            print(line_of_json(_facts(manifest)))
            continue
        table.add_row(
            item.name,
            cell(manifest.platform_id or "", 200),
            cell(manifest.platform_version or "", 40),
            cell(manifest.stored, 40),
            f"{len(manifest.files):,}",
            f"{manifest.size:,}",
        )
    if not options.json_:
        print_table(table, f"no items in {options.items}")


@with_options
def show(
    item: Annotated[str, typer.Argument(metavar="ITEM", help=_ITEM)], options: ItemOptions
) -> None:
    """Show the dataset of an item, and its files.

    Examples:

        story-indexer filesets show archive/zenodo.org-10200001

        story-indexer filesets show zenodo.org-10200001 --to s3://bucket/datasets --json
    """
    manifest = _manifest(named(item, options.items))
    if options.json_:
        print(line_of_json(msgspec.to_builtins(manifest)))
        return
    for name, value in _facts(manifest).items():
        say(out, f"{name.removeprefix('platform_'):<14}{cell(str(value), 2000)}")
    say(out, "")
    print_table(files_table([msgspec.to_builtins(file) for file in manifest.files]))


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
    damaged = count = 0
    with Working() as working:
        for item in _chosen(names or [], options):
            working.at(f"verifying {item.name}")
            verified, damages = _verified(item)
            damaged += bool(damages)
            count += 1
            if options.json_:
                facts = {"item": item.name, "files": verified, "damages": damages}
                working.print(line_of_json(facts))
                continue
            for name, why in damages:
                working.print(f"{item.name}: {cell(name, 1000)}: {cell(why, 500)}")
            if not damages:
                working.print(f"{item.name}: {verified:,} files are right")
    if not count:
        say_empty(f"no items in {options.items}")
    raise typer.Exit(1 if damaged or not count else 0)


def _verified(item: Item) -> tuple[int, list[tuple[str, str]]]:
    """The number of files that were read, and the damages."""
    try:
        found = list(item.verify())
    except ArchiveError as error:
        return 0, [(item.name, str(error))]
    return len(found), [(each.name, each.why) for each in found if each]


def _chosen(names: list[str], options: ItemOptions) -> Iterator[Item]:
    if names:
        yield from (named(name, options.items) for name in names)
    else:
        yield from items(open_items(options.items))


def named(name: str, items: str) -> Item:
    """The item of a path or a URL, or of a name in the store `items`."""
    place, _, last = name.rstrip("/").rpartition("/")
    return Item(open_items(place or items), last)


def _manifest(item: Item) -> ItemManifest:
    """The manifest of an item. Raises InputError if there is none, ArchiveError."""
    if item.manifest is None:
        raise InputError(f"{item.url}: no such item, or it is not complete")
    return item.manifest


def _facts(manifest: ItemManifest) -> dict[str, Any]:
    facts = {key: each for key, each in msgspec.to_builtins(manifest).items() if key != "files"}
    return {**facts, "files": len(manifest.files), "bytes": manifest.size}
