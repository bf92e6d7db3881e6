"""The files of the imitation datasets: ordinary ones, and all that makes archiving hard."""

import gzip
import struct
import zlib
from typing import Any

from newsroom.repositories.bundles import zipped
from newsroom.repositories.content import Content, large, random_bytes, table_of_numbers
from newsroom.repositories.dataset import File

GIB = 1 << 30
MIB = 1 << 20
NO_DISK = 1 << 59
"""A size in bytes for which no disk has room."""

_TEXT = "The gauge at the made-up bridge was read at dawn; the water was {} centimetres high.\n"


def table(path: str, size: int = 2_000, **others: Any) -> File:
    """A table in CSV."""
    return File(path, Content(table_of_numbers(path, size)), "text/csv", **others)


def text(path: str, lines: int = 12) -> File:
    """A text."""
    body = "".join(_TEXT.format(len(path) + at) for at in range(lines))
    return File(path, Content(body.encode()), "text/plain")


def binary(path: str, size: int, seed: str = "", **others: Any) -> File:
    """Bytes without a known form."""
    return File(path, Content(random_bytes(seed or path, size)), **others)


def empty(path: str) -> File:
    """A file without a byte."""
    return File(path, Content(b""), "application/x-empty")


def picture(path: str) -> File:
    """A PNG of one pixel."""
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)),
        (
            b"IDAT",
            zlib.compress(b"\0\x7f"),
        ),
    )
    body = b"".join(_chunk(name, data) for name, data in (*parts, (b"IEND", b"")))
    return File(path, Content(b"\x89PNG\r\n\x1a\n" + body), "image/png")


def packed(path: str, size: int = 4_000) -> File:
    """A table that is stored in gzip: a client must not unpack it."""
    return File(
        path, Content(gzip.compress(table_of_numbers(path, size), mtime=0)), "application/gzip"
    )


def bundle(path: str) -> File:
    """A zip that somebody uploaded: an ordinary file."""
    return File(
        path,
        Content(zipped([("inner/a.csv", table_of_numbers(path, 900)), ("b.txt", b"b\n")])),
        "application/zip",
    )


def big(path: str) -> File:
    """A file of 2 GiB, made while it is sent, for benchmarks; its hashes are known."""
    return File(path, large("big", 2 * GIB, **HASHES_OF_BIG))


def declared(path: str, size: int) -> File:
    """A file that nobody downloads, because its size is beyond a limit: its hash is made up."""
    return File(path, large("declared", size, md5="d41d8cd98f00b204e9800998ecf8427e"))


def many(prefix: str, count: int, size: int = 40) -> tuple[File, ...]:
    """Small files in folders of a hundred."""
    return tuple(table(f"{prefix}/{at // 100:03}/{at:05}.csv", size) for at in range(count))


HASHES_OF_BIG = {
    "md5": "86cfa64c7493906706f754e5d2f7f682",
    "sha1": "1814d7fbf023b9a89807a45187667d7cf57b07f9",
    "sha256": "cfcc79906b115a330d74ce4522c3f29b5cdbd9567acec607c66dcb190aa62744",
    "sha512": "5ce7a59e88e349dff198c0f7e48b8caeec7910c4d5d57f49909ecb9e24b25578"
    "6827ff57eeb23671a9bc80f8129c7e8ce109201530319897cedd0c98e509f1fa",
}
"""The hashes of `big`; a slow test computes them."""

HOSTILE_PATHS = (
    "/etc/passwd",
    "../../up.txt",
    "a/./b/../c.txt",
    "nul\0byte.txt",
    "line\nbreak\x1b[31m.txt",
    "back\\slash\\..\\x.txt",
    "C:\\windows\\x.txt",
    "READ.ME",
    "read.me",
    "caf\u00e9.txt",
    "cafe\u0301.txt",
    "name",
    "_secret.txt",
    "dir//double.txt",
    "trailing/",
    " space around ",
    "100%.txt",
    "a%2Fb.txt",
    "question?mark#hash&amp;.txt",
    "CON",
    "-rf",
    "~root",
    ".partial",
    "x" * 250 + ".txt",
    "/".join("deep" for _ in range(60)) + "/end.txt",
    "\u202egnp.exe",
    "emoji \U0001f9ea.txt",
)
"""Paths that must come back byte for byte (spec 12.11)."""


def hostile() -> tuple[File, ...]:
    """Small files with different bytes, each at a hostile path."""
    return tuple(binary(path, 50 + at) for at, path in enumerate(HOSTILE_PATHS))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
