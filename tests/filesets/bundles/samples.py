"""Bundles in the shapes that programs make, and hostile ones."""

import gzip
import io
import struct
import tarfile
import warnings
import zipfile
import zlib
from collections.abc import Callable, Mapping
from typing import Any

FILES = {"data/a.csv": b"a,b\n1,2\n", "b.bin": bytes(range(256)) * 40, "none": b""}


class Wire(io.RawIOBase):
    """A target that can't seek, as a connection: sizes follow the data."""

    def __init__(self) -> None:
        self.sent = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.sent += data
        return len(data)


def zipped(
    files: Mapping[str, bytes] | list[tuple[str, bytes]] = FILES,
    change: Callable[[zipfile.ZipInfo], None] = lambda info: None,
    method: int = zipfile.ZIP_DEFLATED,
    zip64: bool = False,
) -> bytes:
    """A ZIP by `zipfile`; `change` changes the entry of each file before it is written."""
    target = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(target, "w") as bundle:
        warnings.simplefilter("ignore", UserWarning)
        for name, data in files.items() if isinstance(files, Mapping) else files:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            change(info)
            with bundle.open(info, "w", force_zip64=zip64) as member:
                member.write(data)
    return target.getvalue()


def streamed(files: Mapping[str, bytes] = FILES, zip64: bool = False) -> bytes:
    """A ZIP as Java and servers make it, with data descriptors."""
    wire = Wire()
    with zipfile.ZipFile(wire, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, data in files.items():
            with bundle.open(name, "w", force_zip64=zip64) as member:
                member.write(data)
    return bytes(wire.sent)


def named(name: bytes, data: bytes = b"1", flags: int = 0, extra: bytes = b"") -> bytes:
    """A ZIP of one file with a name in these bytes."""
    place = "x" * len(name)
    made = zipped({place: data}, lambda info: setattr(info, "extra", extra))
    changed = bytearray(made.replace(place.encode(), name))
    for start, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        where = changed.index(start) + at
        changed[where : where + 2] = struct.pack("<H", flags)
    return bytes(changed)


def unicode_path(raw: bytes, name: str) -> bytes:
    """The extra field 0x7075 for a name that is stored as these bytes."""
    data = struct.pack("<BL", 1, zlib.crc32(raw)) + name.encode()
    return struct.pack("<HH", 0x7075, len(data)) + data


def mode(value: int) -> Callable[[zipfile.ZipInfo], None]:
    """A change that sets the Unix mode."""
    return lambda info: setattr(info, "external_attr", value << 16)


def tarred(
    files: Mapping[str, bytes] = FILES,
    form: int = tarfile.PAX_FORMAT,
    change: Callable[[tarfile.TarInfo], None] = lambda info: None,
    is_gzip: bool = False,
) -> bytes:
    """A tar by `tarfile`."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=form) as bundle:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            change(info)
            bundle.addfile(info, io.BytesIO(data))
    made = target.getvalue()
    return gzip.compress(made, mtime=0) if is_gzip else made


def sparse() -> bytes:
    """A tar with a sparse file, by the attributes of GNU tar in headers of pax."""
    attributes = {
        "GNU.sparse.major": "0",
        "GNU.sparse.minor": "1",
        "GNU.sparse.map": "0,1",
        "GNU.sparse.size": "9",
        "GNU.sparse.name": "a",
    }
    return tarred({"a": b"1"}, change=lambda info: setattr(info, "pax_headers", attributes))


def overlapping() -> bytes:
    """A ZIP whose second file is the first one once more."""
    made = bytearray(zipped([("a", b"1" * 99), ("b", b"1" * 99)], method=zipfile.ZIP_STORED))
    second = made.index(b"PK\1\2", made.index(b"PK\1\2") + 1)
    made[second + 42 : second + 46] = bytes(4)
    return bytes(made)
