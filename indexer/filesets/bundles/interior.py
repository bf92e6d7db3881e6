"""The interior of a bundle: all its files with their hashes, each byte read once."""

import gzip
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Final, NamedTuple

from indexer.errors import FilesetError
from indexer.files.hashes import CHUNK, FileHashes
from indexer.filesets.bundles.entries import MISMATCH, BundleEntry, unsafe
from indexer.filesets.bundles.limits import BundleLimits
from indexer.filesets.bundles.tars import tar_entries
from indexer.filesets.bundles.zips import zip_entries
from indexer.filesets.manifest import HASHES

MANIFEST_TEXT: Final = "MANIFEST.TXT"
"""The list of files in Dataverse's bundles, and of those that are left out."""

SMALL: Final = 1 << 26
"""The bytes up to which any ratio of compression is accepted."""

_HEAD_BYTES = 1024
_ZIP, _GZIP = b"PK", b"\x1f\x8b"

_BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, struct.error, EOFError),
    *(ValueError, OverflowError),
)
"""What `zipfile`, `tarfile` and `gzip` raise for damaged files."""


class BundleMember(NamedTuple):
    """A file in a bundle, whose bytes were read. `names`: its path, then others that it may mean.

    `head` is its first KiB; of `MANIFEST_TEXT` it is the first MiB. `crc` is its CRC-32.
    """

    names: tuple[str, ...]
    size: int
    crc: int
    hashes: dict[str, str]
    head: bytes

    @property
    def path(self) -> str:
        """The path in the bundle."""
        return self.names[0]


def suffix_of(file: BinaryIO) -> str:
    """The suffix for the name of a bundle, by its first bytes."""
    file.seek(0)
    start = file.read(2)
    return ".zip" if start == _ZIP else ".tar.gz" if start == _GZIP else ".tar"


def interior(file: BinaryIO, limits: BundleLimits) -> Iterator[BundleMember]:
    """The files of a bundle, a seekable file, which is read once and in constant memory.

    Raises FilesetError: `bundle-unsafe`, or `bundle-mismatch` for a bundle that is damaged.
    """
    packed = file.seek(0, 2)
    with named_errors():
        yield from _members(entries(file), packed, limits)


def entries(file: BinaryIO) -> Iterator[BundleEntry]:
    """The entries of a bundle, a seekable file. Reading one raises what `named_errors` names."""
    kind = suffix_of(file)
    file.seek(0)
    return zip_entries(file) if kind == ".zip" else tar_entries(file, is_gzip=kind == ".tar.gz")


@contextmanager
def named_errors() -> Iterator[None]:
    """Raise FilesetError for a bundle that is damaged, or that must not be read."""
    try:
        yield
    except _BROKEN as error:
        raise FilesetError(MISMATCH, f"the bundle is damaged: {error}") from error
    except (NotImplementedError, RuntimeError) as error:
        raise unsafe(str(error)) from error


def _members(
    entries: Iterator[BundleEntry], packed: int, limits: BundleLimits
) -> Iterator[BundleMember]:
    most = min(limits.bundle_max_size, max(SMALL, packed * limits.bundle_max_ratio))
    seen: set[str] = set()
    total = 0
    for entry in entries:
        path = entry.names[0]
        if path in seen:
            raise unsafe(f"two files named {path!r:.200}")
        seen.add(path)
        if len(seen) > limits.bundle_max_files:
            raise unsafe(f"more than {limits.bundle_max_files:,} files")
        member = _read(entry, most - total)
        total += member.size
        yield member


def _read(entry: BundleEntry, most: int) -> BundleMember:
    """Read a file of at most so many bytes."""
    hashes, crc, head = FileHashes(HASHES), 0, b""
    with entry.open() as content:
        while data := content.read(CHUNK):
            if hashes.size + len(data) > most:
                raise unsafe("unpacked, it is larger than the limits of size or ratio")
            head = head or data
            hashes.update(data)
            crc = zlib.crc32(data, crc)
    if hashes.size != entry.size:
        raise FilesetError(MISMATCH, f"the bundle is damaged: {entry.names[0]!r:.200} is cut")
    kept = head if entry.names[0] == MANIFEST_TEXT else head[:_HEAD_BYTES]
    return BundleMember(entry.names, hashes.size, crc, hashes.digests(), kept)
