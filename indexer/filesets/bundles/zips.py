"""The entries of a ZIP file, by `zipfile`, and what that does not check (APPNOTE.TXT 6.3)."""

import stat
import struct
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import BinaryIO, Final, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from indexer.filesets.bundles.entries import BoundedReads, BundleEntry, check_names, unsafe

_ENCRYPTED = 0x1 | 0x40 | 0x2000
_UTF8 = 0x800
_UNICODE_PATH = 0x7075
_HEADER_BYTES = 30
_METHODS: Final = (ZIP_STORED, ZIP_DEFLATED)
"""Others expand a few bytes to gigabytes in one step; no known platform uses them."""


def zip_entries(file: BinaryIO) -> Iterator[BundleEntry]:
    """The files in the order of their bytes; all entries are checked before the first one.

    Raises FilesetError (`bundle-unsafe`), and the errors of `zipfile`.
    """
    with ZipFile(cast(BinaryIO, BoundedReads(file))) as bundle:
        infos = sorted(bundle.infolist(), key=lambda info: info.header_offset)
        for info in infos:
            _check(info)
        _check_places(infos)
        for info in infos:
            if not _is_folder(info):
                yield BundleEntry(_names(info), info.file_size, partial(bundle.open, info))


def _check(info: ZipInfo) -> None:
    check_names(_names(info))
    name = repr(info.orig_filename)[:200]
    # Java and Windows write no mode.
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise unsafe(f"a link or a device: {name}")
    if info.flag_bits & _ENCRYPTED:
        raise unsafe(f"an encrypted file: {name}")
    if info.compress_type not in _METHODS:
        raise unsafe(f"compression method {info.compress_type}: {name}")


def _check_places(infos: Sequence[ZipInfo]) -> None:
    """Raise FilesetError if entries share bytes, as in bombs that hold the same data many times."""
    for info, following in pairwise(infos):
        if info.header_offset + _HEADER_BYTES + info.compress_size > following.header_offset:
            raise unsafe(f"two files share bytes: {following.orig_filename!r:.200}")


def _is_folder(info: ZipInfo) -> bool:
    return info.orig_filename.endswith(("/", "\\")) and not info.file_size


def _names(info: ZipInfo) -> tuple[str, ...]:
    """The name by the Unicode extra field, by the flag, in UTF-8 or code page 437.

    Programs for Windows write backslashes in place of slashes.
    """
    names = [*_unicode_path(info)]
    if not info.flag_bits & _UTF8:
        names.append(info.orig_filename.encode("cp437").decode("utf-8", "replace"))
    names.append(info.orig_filename)
    names += [name.replace("\\", "/") for name in names if "/" not in name]
    return tuple(dict.fromkeys(name for name in names if "\ufffd" not in name) or names)


def _unicode_path(info: ZipInfo) -> Iterator[str]:
    """The name in the extra field 0x7075, if it belongs to the name in the list (4.6.9)."""
    extra = info.extra
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        data, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == _UNICODE_PATH and data[:1] == b"\1" and not info.flag_bits & _UTF8:
            crc = zlib.crc32(info.orig_filename.encode("cp437"))
            if data[1:5] == crc.to_bytes(4, "little"):
                yield data[5:].decode("utf-8", "replace")
