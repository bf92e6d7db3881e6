"""Copies bytes of an item, and compares them with what its manifest or its list of hashes says."""

from typing import BinaryIO

from indexer.errors import ArchiveError
from indexer.files.hashes import CHUNK, FileHashes
from indexer.filesets.items.item import Item
from indexer.filesets.items.layout import StoredFile
from indexer.filesets.manifest import HASHES


def copied(source: BinaryIO, to: BinaryIO) -> FileHashes:
    """Copy the rest of a file; returns the hashes of its bytes."""
    hashes = FileHashes(HASHES)
    while data := source.read(CHUNK):
        to.write(data)
        hashes.update(data)
    return hashes


def copied_file(file: StoredFile, source: BinaryIO, to: BinaryIO) -> FileHashes:
    """Copy a file of the manifest. Raises ArchiveError if it is damaged."""
    hashes = copied(source, to)
    digests = hashes.digests()
    wrong = [name for name, digits in file.hashes.items() if digests[name] != digits]
    if wrong or hashes.size != file.size:
        raise ArchiveError(f"{file.path!r:.300} is damaged: another {', '.join(wrong) or 'size'}")
    return hashes


def copied_document(item: Item, name: str, sha256: str, to: BinaryIO) -> FileHashes:
    """Copy a document of the item. Raises ArchiveError if it is damaged."""
    with item.opened(name) as source:
        hashes = copied(source, to)
    if hashes.digests()["sha256"] != sha256:
        raise ArchiveError(f"{item.name}{name} is damaged: another sha256")
    return hashes
