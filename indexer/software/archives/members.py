"""The members of packed directories: tar, plain or compressed, and zip; within limits.

Nothing is unpacked to disk. What programs write, and what is read of it: a leading `./` or `/` is
left out; hard links have the bytes of their target; headers of pax and GNU tar are known; devices
and pipes are left out. A name with `..` is refused, as are encrypted members.
"""

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, NamedTuple, cast

from indexer.errors import InputError
from indexer.software.archives import objects
from indexer.text.unpacking import input_errors

MAX_UNPACKED = 4 << 30
"""The most unpacked bytes of one file, headers included."""

MAX_HEADER = 1 << 20
"""The most bytes of a header with a long name or with attributes, which is held in memory."""

MAX_MEMORY = 256 << 20
"""The most memory that unpacking may take: the window of the compressor."""

ENDINGS = (".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".tzst", ".zip")
"""Endings of the names of packed directories, and those of compressed tar files."""

COMPRESSED = (".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst")

_ZIP = b"PK"
_ZSTD = b"\x28\xb5\x2f\xfd"


class PackedMember(NamedTuple):
    """A member: its path, its mode (see `objects`), its size; `target`: the path of a hard link.

    `file` can be read until the next member is taken; None for a directory and for a link.
    """

    path: bytes
    mode: str
    size: int = 0
    file: IO[bytes] | None = None
    link: bytes = b""
    target: bytes = b""


def is_packed(name: str) -> bool:
    """Whether a file is a packed directory, by its name."""
    return name.lower().endswith((*ENDINGS, *COMPRESSED))


def members(path: Path) -> Iterator[PackedMember]:
    """Yield the members of a file, in its order. Raises InputError."""
    name = str(path)
    with _damage(name), input_errors(name), path.open("rb") as file:
        magic = file.read(6)
        file.seek(0)
        if magic.startswith(_ZIP):
            yield from _zip(name, file)
        else:
            yield from _tar(name, _Bounded(name, _unpacked(magic, file)))


@contextmanager
def _damage(name: str) -> Iterator[None]:
    try:
        yield
    except (
        *(tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error, EOFError),
        # Libraries of archives raise these for bytes that they don't expect.
        *(NotImplementedError, RuntimeError, ValueError, MemoryError, OverflowError),
    ) as error:
        raise InputError(f"{name}: damaged: {error}") from error


def _unpacked(magic: bytes, file: BinaryIO) -> IO[bytes]:
    if magic.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    if magic.startswith(b"BZh"):
        return bz2.BZ2File(file)
    if magic.startswith(b"\xfd7zXZ\x00"):
        return io.BufferedReader(_Xz(file))
    if magic.startswith(_ZSTD):
        import zstandard  # noqa: PLC0415 - few archives need it

        window = zstandard.ZstdDecompressor(max_window_size=MAX_MEMORY // 2)
        return cast("IO[bytes]", window.stream_reader(file, read_across_frames=True))
    return file


class _Xz(io.RawIOBase):
    """The content of an xz file; `lzma.LZMAFile` knows no limit of memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._xz = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_MEMORY)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:  # type: ignore[no-untyped-def]
        while True:
            if self._xz.eof:
                # Several streams may follow each other.
                rest = self._xz.unused_data.lstrip(b"\0") or self._file.read(1 << 16).lstrip(b"\0")
                if not rest:
                    return 0
                self._xz = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_MEMORY)
                data = self._xz.decompress(rest, len(buffer))
            else:
                more = self._file.read(1 << 16) if self._xz.needs_input else b""
                if self._xz.needs_input and not more:
                    raise EOFError("it ends in the middle")
                data = self._xz.decompress(more, len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)


class _Bounded(io.RawIOBase):
    """A stream that raises InputError above MAX_UNPACKED bytes."""

    def __init__(self, name: str, file: IO[bytes]) -> None:
        self._name = name
        self._file = file
        self._left = MAX_UNPACKED

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise InputError(f"{self._name}: more than {MAX_UNPACKED:,} bytes unpacked")
        return data


class _CheckedInfo(tarfile.TarInfo):
    """A header of tar; one whose own data would not fit into memory is refused."""

    @classmethod
    def frombuf(cls, buf, encoding, errors):  # type: ignore[no-untyped-def]
        found = super().frombuf(buf, encoding, errors)
        if found.type in _IN_MEMORY and found.size > MAX_HEADER:
            raise InputError(f"a header of {found.size:,} bytes")
        return found


_IN_MEMORY = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


def _tar(name: str, stream: _Bounded) -> Iterator[PackedMember]:
    with tarfile.open(
        fileobj=cast("IO[bytes]", stream),
        mode="r|",
        tarinfo=_CheckedInfo,
        encoding="utf-8",
        errors="surrogateescape",
    ) as tar:
        while (info := tar.next()) is not None:
            path = _path(name, info.name.encode("utf-8", "surrogateescape"))
            # The library keeps all headers; a stream needs none again.
            tar.members = []  # type: ignore[attr-defined]
            if info.isdir() and path:
                yield PackedMember(path, objects.DIRECTORY)
            elif info.issym():
                link = info.linkname.encode("utf-8", "surrogateescape")
                yield PackedMember(path, objects.LINK, link=link)
            elif info.islnk():
                target = _path(name, info.linkname.encode("utf-8", "surrogateescape"))
                yield PackedMember(path, objects.FILE, target=target)
            elif info.isfile():
                _check_size(name, info.size)
                mode = objects.EXECUTABLE if info.mode & stat.S_IXUSR else objects.FILE
                yield PackedMember(path, mode, info.size, tar.extractfile(info))


def _zip(name: str, file: BinaryIO) -> Iterator[PackedMember]:
    left = MAX_UNPACKED
    with zipfile.ZipFile(file) as packed:
        for info in packed.infolist():
            path = _path(name, info.filename.encode("utf-8", "surrogateescape"))
            left -= info.file_size
            _check_size(name, info.file_size, left)
            mode = info.external_attr >> 16
            if info.is_dir():
                if path:
                    yield PackedMember(path, objects.DIRECTORY)
                continue
            with packed.open(info) as content:
                if stat.S_ISLNK(mode):
                    yield PackedMember(path, objects.LINK, link=content.read(MAX_HEADER))
                    continue
                kind = objects.EXECUTABLE if mode & stat.S_IXUSR else objects.FILE
                yield PackedMember(path, kind, info.file_size, content)


def _check_size(name: str, size: int, left: int = MAX_UNPACKED) -> None:
    if size > MAX_UNPACKED or left < 0:
        raise InputError(f"{name}: more than {MAX_UNPACKED:,} bytes unpacked")


def _path(name: str, path: bytes) -> bytes:
    parts = [part for part in path.split(b"/") if part not in (b"", b".")]
    if b".." in parts or b"\0" in path:
        raise InputError(f"{name}: a member outside of it: {path!r:.100}")
    return b"/".join(parts)
