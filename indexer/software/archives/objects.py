"""Ids of contents and directories, as git computes them: sha1_git of blobs and trees."""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

FILE, EXECUTABLE, LINK, DIRECTORY = "100644", "100755", "120000", "40000"

TYPES = {FILE: "file", EXECUTABLE: "file", LINK: "link", DIRECTORY: "dir"}
"""The type of an entry by its mode."""


class TreeEntry(NamedTuple):
    """An entry of a tree object: its name as bytes, its mode, its id."""

    name: bytes
    mode: str
    id: str


def blob_hash(size: int) -> "hashlib._Hash":
    """Return the hash of a content of some size, before its bytes are added."""
    return hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)


def blob_id(data: bytes) -> str:
    """Return the sha1_git of a content."""
    found = blob_hash(len(data))
    found.update(data)
    return found.hexdigest()


def sha1(data: bytes) -> str:
    """Return the sha1 of a content's bytes."""
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


def sorted_tree(entries: Iterable[TreeEntry]) -> list[TreeEntry]:
    """Return entries in the order of a tree: a directory's name counts with a slash at its end."""
    return sorted(
        entries, key=lambda each: each.name + b"/" if each.mode == DIRECTORY else each.name
    )


def tree_id(entries: Iterable[TreeEntry]) -> str:
    """Return the sha1_git of a directory; `entries` are sorted as a tree."""
    body = b"".join(
        b"%s %s\0%s" % (each.mode.encode(), each.name, bytes.fromhex(each.id)) for each in entries
    )
    header = b"tree %d\0" % len(body)
    return hashlib.sha1(header + body, usedforsecurity=False).hexdigest()
