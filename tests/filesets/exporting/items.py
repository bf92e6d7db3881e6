"""Items with any paths, made without a platform."""

import hashlib
import io
import json
from collections.abc import Mapping

from indexer.blobstore import Blobstore
from indexer.filesets.items.item import Item
from indexer.filesets.items.layout import (
    MANIFEST,
    METADATA,
    SUMS,
    ItemManifest,
    StoredFile,
    dumped_sums,
)
from indexer.filesets.paths import stored_names

ITEM = "zenodo.org-7"

HOSTILE = (
    *("data/a.csv", "/etc/passwd", "../../up", "a/../b", "./c", "a//b", "e/", ".hidden"),
    *("nul\0", "line\nbreak\r", "\x1b[31mred", "back\\slash", "100%25", "$HOME", "~", "a b"),
    *("Case", "case", "caf\u00e9", "cafe\u0301", "folder", "folder/file", "\u2028", "\ud800"),
    *(
        "x" * 300,
        "d/" * 1500 + "deep",
        f"{'y' * 200}/" * 25 + "long",
        f"{ITEM}_meta.xml",
        "_files.xml",
        f"{ITEM}_fileset.json",
    ),
    *("data/.aside-1", "CON", "trailing ", "*?<>|:"),
)
"""Paths that are dangerous, or that some file system, store or tool mishandles."""


def content(path: str) -> bytes:
    """The bytes of a file: they tell its path."""
    return path.encode("utf-8", "surrogatepass")


def stored(store: Blobstore, files: Mapping[str, bytes] | None = None) -> Item:
    """Store an item with these files; by default with all of HOSTILE."""
    if files is None:
        files = {path: content(path) for path in HOSTILE}
    item = Item(store, ITEM)
    names = stored_names([*files], ITEM)
    listed = [
        _file(path, name, data) for (path, data), name in zip(files.items(), names, strict=True)
    ]
    for name, data in zip(names, files.values(), strict=True):
        store.put(item.key(name), io.BytesIO(data))
    manifest = ItemManifest(
        format=1, item=ITEM, stored="2024-01-31T00:00:00Z", platform_name="zenodo", files=listed
    )
    metadata = json.dumps({"title": "Ærø\nand more", "doi": "10.5/x"}).encode()
    written = {f"{ITEM}{METADATA}": item.write(METADATA, metadata)}
    written[f"{ITEM}{MANIFEST}"] = item.write(MANIFEST, manifest.dump())
    item.write(SUMS, dumped_sums({file.name: file.sha256 or "" for file in listed} | written))
    return Item(store, ITEM)


def _file(path: str, name: str, data: bytes) -> StoredFile:
    file = StoredFile(path=path, name=name, size=len(data))
    digests = {each: hashlib.new(each, data) for each in ("md5", "sha1", "sha256", "sha512")}
    file.add_hashes({each: digest.hexdigest() for each, digest in digests.items()})
    return file
