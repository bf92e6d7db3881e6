"""The media type of a file, by its first bytes, the platform's word, its name, or its text."""

import mimetypes
from typing import Final

HEAD_BYTES: Final = 1024

EMPTY: Final = "application/x-empty"
UNKNOWN: Final = "application/octet-stream"

_SIGNATURES: Final = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\x89HDF\r\n\x1a\n", "application/x-hdf5"),
    (b"SIMPLE  =", "application/fits"),
    (b"PAR1", "application/vnd.apache.parquet"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
)
_CONTAINERS: Final = (
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
)
"""Formats in which others are packed: a .docx is a ZIP file."""

_PACKED: Final = {
    "gzip": "application/gzip",
    "bzip2": "application/x-bzip2",
    "xz": "application/x-xz",
}
_VAGUE: Final = ("", UNKNOWN, "binary/octet-stream", "text/plain")


def file_type(head: bytes, name: str, announced: str = "") -> str:
    """The media type of a file that begins with `head`; `announced` is the platform's word.

    The bytes have precedence, then the platform, unless its word is vague (filesets.md 5.1).
    """
    if not head:
        return EMPTY
    if found := _by(_SIGNATURES, head):
        return found
    announced = announced.partition(";")[0].strip().lower()
    # A web page in place of a packed file would be an error that this type must not hide.
    if announced not in (*_VAGUE, "text/html"):
        return announced
    container, named = _by(_CONTAINERS, head), _by_name(name)
    if container:
        return named if container == "application/zip" and named not in _VAGUE else container
    if announced == "text/html" or named not in _VAGUE:
        return named if named not in _VAGUE else announced
    return "text/plain" if _is_text(head) else UNKNOWN


def _by(table: tuple[tuple[bytes, str], ...], head: bytes) -> str:
    return next((kind for start, kind in table if head.startswith(start)), "")


def _by_name(name: str) -> str:
    kind, packing = mimetypes.guess_type(name.rpartition("/")[2], strict=False)
    return _PACKED.get(packing or "", kind or "")


def _is_text(head: bytes) -> bool:
    # The last character may be cut.
    text = head.decode("utf-8", "ignore")
    is_utf8 = len(text.encode()) >= len(head) - 3
    return is_utf8 and not any(c < " " and c not in "\t\n\r\f\x1b" for c in text)
