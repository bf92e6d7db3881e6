"""Exports an item into a new folder, whole or not at all."""

import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

from indexer.errors import ArchiveError, StorageError
from indexer.files.whole_files import ASIDE
from indexer.filesets.items.item import Item
from indexer.filesets.items.layout import ItemManifest


class RenamedFile(NamedTuple):
    """A file that could not have its original path: the name that it has, and why."""

    path: str
    name: str
    why: str


Form: TypeAlias = Callable[[Item, ItemManifest, Path], list[RenamedFile]]
"""Writes an item into an empty folder: into its folder `item`, and others beside it."""


class Exported(NamedTuple):
    """An item that was exported: its folder, its files, their bytes, those with other names."""

    folder: Path
    files: int
    size: int
    renamed: list[RenamedFile]


ITEM = "item"
RENAMED = "renamed"


def export(item: Item, to: Path, form: Form) -> Exported:
    """Export an item to `to/ITEM`; what can't be there is in `to/ITEM~renamed`.

    Raises ArchiveError for an item that is incomplete or damaged, or was exported before;
    StorageError.
    """
    manifest = item.manifest if item.is_sealed else None
    if manifest is None:
        raise ArchiveError("no such item, or it is not complete")
    # No name of an item has a tilde.
    places = {RENAMED: to / f"{item.name}~{RENAMED}", ITEM: to / item.name}
    for place in places.values():
        if place.exists():
            raise ArchiveError(f"{place} exists already")
    aside = to / f"{ASIDE}{secrets.token_hex(8)}"
    try:
        (aside / ITEM).mkdir(parents=True)
        renamed = form(item, manifest, aside)
        for name, place in places.items():
            if (aside / name).exists():
                (aside / name).rename(place)
    except OSError as error:
        raise StorageError(f"{to}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return Exported(places[ITEM], len(manifest.archived), manifest.size, renamed)
