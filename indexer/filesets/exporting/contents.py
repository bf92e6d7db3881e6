"""The files of an item as streams: from objects of their own, a bundle, or a capture."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from tempfile import SpooledTemporaryFile
from typing import IO, BinaryIO, TypeAlias, cast

from indexer.errors import ArchiveError, FilesetError
from indexer.files.hashes import CHUNK
from indexer.filesets.bundles.entries import BundleEntry
from indexer.filesets.bundles.interior import entries, named_errors
from indexer.filesets.bundles.stored import bodies, seekable
from indexer.filesets.items.item import Item
from indexer.filesets.items.layout import CAPTURE, ItemManifest, StoredFile
from indexer.warc.writer import target_uri

Content: TypeAlias = tuple[int, BinaryIO]
"""The number of a file among the archived ones, and its bytes: to read before the next file."""

_IN_MEMORY = 1 << 22


def contents(item: Item, manifest: ItemManifest) -> Iterator[Content]:
    """The archived files of an item, in any order; those that are missing are left out.

    Raises StorageError, ArchiveError.
    """
    files = manifest.archived
    for number, file in enumerate(files):
        if file.name and file.name in item.entries:
            with item.opened(file.name) as stream:
                yield number, stream
    try:
        if manifest.bundle:
            yield from _bundled(item, manifest.bundle, files)
        elif item.has(CAPTURE):
            yield from _captured(item, files)
    except FilesetError as error:
        raise ArchiveError(error.why) from error


def _bundled(item: Item, bundle: StoredFile, files: Sequence[StoredFile]) -> Iterator[Content]:
    numbers = {
        (file.extra or {}).get("bundle_path", file.path): at for at, file in enumerate(files)
    }
    with item.opened_bundle(bundle.name) as opened:
        listed = entries(opened)
        while entry := _next(listed):
            number = numbers.pop(entry.names[0], None)
            if number is not None:
                with SpooledTemporaryFile[bytes](_IN_MEMORY) as copy:
                    _copy(entry, copy, (files[number].size or 0) + 1)
                    copy.seek(0)
                    yield number, cast(BinaryIO, copy)


def _next(listed: Iterator[BundleEntry]) -> BundleEntry | None:
    with named_errors():
        return next(listed, None)


def _copy(entry: BundleEntry, to: IO[bytes], most: int) -> None:
    """Copy an entry, of at most so many bytes: the stored bundle may be another one by now."""
    with named_errors(), entry.open() as content:
        while most and (data := content.read(min(CHUNK, most))):
            to.write(data)
            most -= len(data)


def _captured(item: Item, files: Sequence[StoredFile]) -> Iterator[Content]:
    waiting = defaultdict[str, list[int]](list)
    for number, file in enumerate(files):
        waiting[target_uri(file.terminal_url or file.platform_url or "")].append(number)
    with seekable(item.opened(CAPTURE)) as warc:
        for url, body in bodies(warc):
            with body:
                if numbers := waiting[url]:
                    yield numbers.pop(0), body
