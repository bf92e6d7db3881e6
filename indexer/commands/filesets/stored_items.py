"""What `list`, `show` and `verify` do: they read the items of a store."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from indexer.commands.console.terminal import cell, line_of_json, print_table, say, say_empty
from indexer.commands.console.working import Working
from indexer.commands.filesets.reading import ItemOptions
from indexer.errors import ArchiveError, InputError
from indexer.filesets.items.item import Item, items
from indexer.filesets.items.layout import ItemManifest
from indexer.filesets.items.stores import open_items

out = Console(soft_wrap=True)


def print_list(options: ItemOptions) -> None:
    """Print a line for each item of a store."""
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


def show(item: str, options: ItemOptions) -> None:
    """Print the dataset of an item, and its files."""
    manifest = _manifest(named(item, options.items))
    if options.json_:
        print(line_of_json(msgspec.to_builtins(manifest)))
        return
    for name, value in _facts(manifest).items():
        say(out, f"{name.removeprefix('platform_'):<14}{cell(str(value), 2000)}")
    say(out, "")
    print_table(file_table([msgspec.to_builtins(file) for file in manifest.files]))


def are_right(names: Sequence[str], options: ItemOptions) -> bool:
    """Verify items, and print each damage. Returns whether there are items, and no damage."""
    damaged = count = 0
    with Working() as working:
        for item in _chosen(names, options):
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
    return bool(count) and not damaged


def _verified(item: Item) -> tuple[int, list[tuple[str, str]]]:
    """The number of files that were read, and the damages."""
    try:
        found = list(item.verify())
    except ArchiveError as error:
        return 0, [(item.name, str(error))]
    return len(found), [(each.name, each.why) for each in found if each]


def _chosen(names: Sequence[str], options: ItemOptions) -> Iterator[Item]:
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


def file_table(manifest: list[dict[str, Any]]) -> Table:
    """The files of a manifest."""
    table = Table(box=None, highlight=False)
    table.add_column("bytes", justify="right")
    table.add_column("type")
    table.add_column("md5")
    table.add_column("path", overflow="fold")
    for file in manifest:
        size = file.get("size")
        table.add_row(
            "?" if size is None else f"{size:,}",
            cell(file.get("mimetype") or "", 60),
            file.get("md5") or "",
            cell(file["path"], 1000),
        )
    return table
